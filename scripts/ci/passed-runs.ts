/**
 * The runs of `.ci/run` that passed: `.ci/shares` has a line for each, the oldest first, and `.ci/proven` the commit of the
 * last one that ran all short forms. A run cannot commit, so the next change records it (record.ts).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHARES, type Share } from '../../test/long/parts.ts';

/** `short`: whether all short forms ran, or those that the change could break. */
export type PassedRun = { commit: string; shares: Share[]; short: 'all' | 'selected' };

const FOLDER = join(import.meta.dirname, '..', '..', '.ci');
const SHARES_FILE = join(FOLDER, 'shares');
const PROVEN_FILE = join(FOLDER, 'proven');

const HEAD = `# The runs of .ci/run that passed, the oldest first: the commit, the shares of the long forms that ran, and which
# short forms ran. scripts/ci/record.ts writes it.
`;
const LINE = /^([0-9a-f]{40}) (none|[1-6](?:,[1-6])*) (all|selected)$/;

/** Reads `.ci/shares`. @throws Error when a line is not one of a run */
export function readPassedRuns(): PassedRun[] {
  return parsePassedRuns(readFileSync(SHARES_FILE, 'utf8'));
}

/** Gives the commit that the changes of a run are counted from. */
export function readProven(): string {
  return readFileSync(PROVEN_FILE, 'utf8').trim();
}

/** Adds a run to `.ci/shares`, and moves `.ci/proven` when it ran all short forms. */
export function recordPassedRun(run: PassedRun): void {
  const runs = [...readPassedRuns().filter(({ commit }) => commit !== run.commit), run];
  writeFileSync(SHARES_FILE, `${HEAD}${runs.map(lineOf).join('\n')}\n`);
  if (run.short === 'all') writeFileSync(PROVEN_FILE, `${run.commit}\n`);
}

export function parsePassedRuns(text: string): PassedRun[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parsePassedRun);
}

/** Parses what `lineOf` writes. @throws Error for any other text */
export function parsePassedRun(line: string): PassedRun {
  const [, commit, shares, short] = LINE.exec(line) ?? [];
  if (!commit || !shares) throw new Error(`Not the line of a run: ${line}`);
  const ran = SHARES.filter((share) => shares.split(',').includes(`${share}`));
  return { commit, shares: ran, short: short === 'all' ? 'all' : 'selected' };
}

export function lineOf({ commit, shares, short }: PassedRun): string {
  return `${commit} ${shares.join(',') || 'none'} ${short}`;
}
