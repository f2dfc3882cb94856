/** Lock files of parts of this project: the same versions and hashes as in package-lock.json, and nothing else. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

type Package = { version?: string; integrity?: string; link?: boolean };
type Lock = { packages: Record<string, Package> };

/**
 * Writes `folder/package-lock.json` for the package.json there: npm itself removes from a copy of our lock file what that
 * package does not need. @throws AssertionError when a version or a hash is not the one of package-lock.json.
 */
export function writePrunedLock(folder: string): void {
  const { packages, ...lock } = read(ROOT);
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: withoutWorkspaces(packages) }),
  );
  copyFileSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'));
  // Offline: what is not in the copy must be an error, not a newer version from the registry.
  npm(folder, 'install', '--package-lock-only', '--offline', '--ignore-scripts', '--loglevel=error');
  rmSync(join(folder, '.npmrc'));
  for (const [path, { version, integrity }] of Object.entries(read(folder).packages)) {
    if (path === '') continue;
    assert.equal(version, packages[path]?.version, `${path} is not the version that was tested`);
    assert.equal(integrity, packages[path]?.integrity, `${path} has another hash`);
  }
}

function read(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;
}

/** npm 10 does not remove workspaces that the package.json does not name. */
function withoutWorkspaces(packages: Lock['packages']): Lock['packages'] {
  const kept = Object.entries(packages).filter(
    ([path, { link }]) => path === '' || (path.startsWith('node_modules/') && !link),
  );
  return Object.fromEntries(kept);
}

/** Runs the npm that runs this script, or else that of the machine. @returns its standard output. */
export function npm(cwd: string, ...args: string[]): string {
  const by = process.env.npm_execpath;
  const [command, before] = by ? [process.execPath, [by]] : ['npm', []];
  const { status, stdout, stderr, error } = spawnSync(command, [...before, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  assert.equal(status, 0, `npm ${args[0]} failed: ${error?.message ?? stderr}`);
  return stdout;
}
