import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program.ts';

/** The last commit of the version before this one. Moves on with every release, and with every one that changes the schema. */
const VERSION_BEFORE = 'fd1145cb37355dd31c710838de009fe00e91edf2';

/**
 * Lays the version before into `dir`, ready to start.
 * @throws Error when this checkout has no history
 */
export function unpackVersionBefore(dir: string): void {
  const run = (command: string, args: string[], input?: Buffer) =>
    execFileSync(command, args, { cwd: dir, input, stdio: ['pipe', 'pipe', 'inherit'], maxBuffer: 2 ** 28 });
  mkdirSync(dir);
  run('tar', ['-x'], run('git', ['-C', ROOT, 'archive', VERSION_BEFORE]));
  // The same packages need no second installation.
  if (lockOf(dir).equals(lockOf(ROOT))) symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  run(process.execPath, ['bin/dashboard.js']);
}

function lockOf(root: string): Buffer {
  return readFileSync(join(root, 'package-lock.json'));
}
