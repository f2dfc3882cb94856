import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program.ts';

/** The last commit of the version before this one. Moves on with every release, and with every one that changes the schema. */
const VERSION_BEFORE = '9df522abd671bb7850374d44f947483991352f53';

const ARCHIVE_BYTES_MAX = 2 ** 28;

/** A clone without history cannot have it. */
export function isShallowClone(): boolean {
  return git('rev-parse', '--is-shallow-repository').toString().trim() === 'true';
}

/**
 * Lays the version before into `dir`, ready to start.
 * @throws Error when the history lacks it
 */
export function unpackVersionBefore(dir: string): void {
  const run = (command: string, args: string[], input?: Buffer) =>
    execFileSync(command, args, { cwd: dir, input, stdio: ['pipe', 'ignore', 'inherit'] });
  mkdirSync(dir);
  run('tar', ['-x'], git('archive', VERSION_BEFORE));
  // The same packages need no second installation.
  if (lockOf(dir).equals(lockOf(ROOT))) symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  run(process.execPath, ['bin/dashboard.js']);
}

function git(...args: string[]): Buffer {
  return execFileSync('git', args, { cwd: ROOT, maxBuffer: ARCHIVE_BYTES_MAX });
}

function lockOf(root: string): Buffer {
  return readFileSync(join(root, 'package-lock.json'));
}
