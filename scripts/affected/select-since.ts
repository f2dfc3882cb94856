/** The test files that the changes since a commit can break. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readModules } from './modules.ts';
import { engineFileOf, type Selection, selectTests } from './selection.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export type SelectionSince = Omit<Selection, 'files'> & {
  files: string[];
  /** Test file → the changed file that it depends on. */
  reasons: Map<string, string>;
};

/** Selects by what has changed since `base`, committed or not. Where git does not know `base`, everything runs. */
export async function selectSince(base: string): Promise<SelectionSince> {
  const commit = commitOf(base);
  const selection: Selection = commit
    ? selectTests(await readModules(), changedSince(commit))
    : { everything: `There is no commit ${base} here.`, files: new Map() };
  return { ...selection, files: [...selection.files.keys()].sort(), reasons: selection.files };
}

/** Says what has changed in the engine since `base`, committed or not; null when nothing has. Where git does not know `base`, in doubt. */
export function engineChangeSince(base: string): string | null {
  const commit = commitOf(base);
  if (!commit) return `there is no commit ${base} here`;
  const file = engineFileOf(changedSince(commit));
  return file && `${file} is part of the engine`;
}

/** Gives the hash of a commit; null where git does not know it, or is not there. */
export function commitOf(name: string): string | null {
  const { status, stdout } = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  return status === 0 ? stdout.trim() : null;
}

/** Lists committed changes, changes of the work tree, and new files. A renamed file counts with both names. */
function changedSince(commit: string): string[] {
  const lists = [
    git('diff', '--name-only', '--no-renames', '-z', commit),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return [...new Set(lists.flatMap(({ stdout }) => stdout.split('\0').filter(Boolean)))];
}

function git(...args: string[]) {
  return spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 });
}
