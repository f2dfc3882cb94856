/**
 * Pure: what a run of `.ci/run` must show.
 *
 * | changed since the last run of all short forms | short forms                     | shares of the long forms       |
 * |-----------------------------------------------|---------------------------------|--------------------------------|
 * | the engine, or what proves a payment          | all                             | all                            |
 * | what every test stands on, or is in doubt     | all                             | the share of the commit        |
 * | anything else                                 | those that the change can break | the share of the commit        |
 * | anything, at every tenth run                  | all                             | the share of the commit        |
 *
 * A share that nine passed runs left out runs too, so that none is ever older than ten runs.
 */
import { createHash } from 'node:crypto';
import { SHARES, type Share } from '../../test/long/parts.ts';
import type { PassedRun } from './passed-runs.ts';

/** A share, and the short forms together, run again after at most so many passed runs without them. */
const RUNS_WITHOUT_MAX = 9;

/** `everything`: why all tests run, or null when only `files` run. `engine`: the changed file of the engine, or null. */
export type Selected = { everything: string | null; engine: string | null; files: string[] };

export type Plan = {
  /** Why all short forms run; null when only `files` run. */
  everything: string | null;
  /** The test files whose short form runs; empty when all run. */
  files: string[];
  /** Why each of these shares runs. */
  shares: Map<Share, string>;
};

/** Plans the run of this commit. `runs`: the runs that passed before, the oldest first. */
export function planRun(commit: string, { everything, engine, files }: Selected, runs: PassedRun[]): Plan {
  const tenth = runsSince(runs, ({ short }) => short === 'all') >= RUNS_WITHOUT_MAX;
  const why = everything ?? (tenth ? `The last ${RUNS_WITHOUT_MAX} runs left tests out.` : null);
  const shares = new Map(
    SHARES.flatMap((share) => {
      const reason = whyShare(share, commit, engine, runs);
      return reason ? [[share, reason] as const] : [];
    }),
  );
  return { everything: why, files: why ? [] : files, shares };
}

/** Gives the share of a commit. Any commit has one, and each share has a sixth of them. */
export function shareOf(commit: string): Share {
  const drawn = createHash('sha256').update(commit).digest().readUInt32BE(0) % SHARES.length;
  return SHARES[drawn] as Share;
}

function whyShare(share: Share, commit: string, engine: string | null, runs: PassedRun[]): string | null {
  if (engine) return `${engine} is part of the engine`;
  if (shareOf(commit) === share) return 'the share of this commit';
  if (runsSince(runs, ({ shares }) => shares.includes(share)) >= RUNS_WITHOUT_MAX)
    return `the last ${RUNS_WITHOUT_MAX} runs left it out`;
  return null;
}

/** How many runs have passed since one that `has` it; since the first of all, when none has. */
function runsSince(runs: PassedRun[], has: (run: PassedRun) => boolean): number {
  return runs.length - 1 - runs.findLastIndex(has);
}
