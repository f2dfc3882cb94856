/**
 * Pure: what a run of `.ci/run` must show.
 *
 * | changed since the last run of all short forms | short forms                     |
 * |-----------------------------------------------|---------------------------------|
 * | what every test stands on, or is in doubt     | all                             |
 * | the engine, or what proves a payment          | all                             |
 * | anything else                                 | those that the change can break |
 * | anything, at every tenth run                  | all                             |
 *
 * | share of the long forms                                                | is begun                                     |
 * |------------------------------------------------------------------------|----------------------------------------------|
 * | nine passed runs left it out                                           | always: no share is ever older than ten runs |
 * | the hash of the commit draws it                                        | until minute 50 of the run                   |
 * | the engine, or what proves a payment, has changed since the share ran  | until minute 35                              |
 *
 * A run has 90 minutes. On a machine that is three times as slow as usual all shares would take longer, and the run would prove
 * nothing. A share that is not begun is not recorded, so the next run has it: what changed in the engine is still not proven by it.
 */
import { createHash } from 'node:crypto';
import { SHARES, type Share } from '../../test/long/parts.ts';
import type { PassedRun } from './passed-runs.ts';

/** A share, and the short forms together, run again after at most so many passed runs without them. */
const RUNS_WITHOUT_MAX = 9;
/** A run that is older does not begin the share of its commit. */
const OWN_SHARE_MINUTES = 50;
/** A run that is older does not begin the shares that a change of the engine asks for. */
const ENGINE_SHARES_MINUTES = 35;

/** `everything`: why all tests run, or null when only `files` run. */
export type Selected = { everything: string | null; files: string[] };

/** Why a share runs. A run that is older than `until_minutes` does not begin it. */
export type ShareReason = { why: string; until_minutes: number };

export type Plan = {
  /** Why all short forms run; null when only `files` run. */
  everything: string | null;
  /** The test files whose short form runs; empty when all run. */
  files: string[];
  shares: Map<Share, ShareReason>;
};

/**
 * Plans the run of this commit. `runs`: the runs that passed before, the oldest first. `engineChangeSince`: what has changed in the
 * engine since a commit, null when nothing has.
 */
export function planRun(
  commit: string,
  { everything, files }: Selected,
  runs: PassedRun[],
  engineChangeSince: (commit: string) => string | null,
): Plan {
  const tenth = runsSince(runs, ({ short }) => short === 'all') >= RUNS_WITHOUT_MAX;
  const why = everything ?? (tenth ? `The last ${RUNS_WITHOUT_MAX} runs left tests out.` : null);
  const shares = new Map(
    SHARES.flatMap((share) => {
      const reason = reasonOf(share, commit, runs, engineChangeSince);
      return reason ? [[share, reason] as const] : [];
    }),
  );
  return { everything: why, files: why ? [] : files, shares };
}

/** Splits the shares into those that a run of this age begins, and those that it leaves to the next run. */
export function sharesInTime(
  { shares }: Pick<Plan, 'shares'>,
  age_minutes: number,
): { begun: Share[]; left: Share[] } {
  const { begun = [], left = [] } = Object.groupBy(shares, ([, { until_minutes }]) =>
    age_minutes <= until_minutes ? 'begun' : 'left',
  );
  return { begun: begun.map(([share]) => share), left: left.map(([share]) => share) };
}

/** Gives the share of a commit. Any commit has one, and each share has a sixth of them. */
export function shareOf(commit: string): Share {
  const drawn = createHash('sha256').update(commit).digest().readUInt32BE(0) % SHARES.length;
  return SHARES[drawn] as Share;
}

function reasonOf(
  share: Share,
  commit: string,
  runs: PassedRun[],
  engineChangeSince: (commit: string) => string | null,
): ShareReason | null {
  const hasIt = ({ shares }: PassedRun) => shares.includes(share);
  if (runsSince(runs, hasIt) >= RUNS_WITHOUT_MAX)
    return { why: `the last ${RUNS_WITHOUT_MAX} runs left it out`, until_minutes: Number.POSITIVE_INFINITY };
  if (shareOf(commit) === share) return { why: 'the share of this commit', until_minutes: OWN_SHARE_MINUTES };
  const last = runs.findLast(hasIt);
  const change = last ? engineChangeSince(last.commit) : 'no run has had it';
  return change ? { why: change, until_minutes: ENGINE_SHARES_MINUTES } : null;
}

/** How many runs have passed since one that `has` it; since the first of all, when none has. */
function runsSince(runs: PassedRun[], has: (run: PassedRun) => boolean): number {
  return runs.length - 1 - runs.findLastIndex(has);
}
