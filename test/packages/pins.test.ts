/** A version that is a range, or a program that was exchanged, would run code that nobody has tested. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const PROJECTS = ['', 'clients/typescript/', 'dashboard/', 'sandbox/'];
const EXACT = /^(npm:@?[a-z0-9/.-]+@)?\d+\.\d+\.\d+(-[a-z0-9.]+)?$/;

test('every package.json names exact versions', () => {
  for (const project of PROJECTS) {
    const manifest = read(`${project}package.json`);
    const named = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap(
      (kind) => Object.entries((manifest[kind] ?? {}) as Record<string, string>),
    );
    for (const [name, version] of named) assert.match(version, EXACT, `${project}package.json: ${name}`);
  }
});

test('the lock file has a hash of every package', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { integrity?: string; link?: boolean }>;
  };
  const without = Object.entries(packages)
    .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity)
    .map(([path]) => path);
  assert.deepEqual(without, []);
});

test('Node and PostgreSQL are the programs whose hashes are written down, in the versions that are pinned', () => {
  const { optionalDependencies } = read('package.json');
  const known = read('packaging/programs.json') as Record<string, { version: string }>;
  const versions = Object.entries(known).map(([name, { version }]) => [name, version]);
  assert.deepEqual(Object.fromEntries(versions), optionalDependencies);
  const { status, stderr } = programs();
  assert.equal(status, 0, stderr);
});

test('one other byte in a program gives another hash', () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'package.json'), '{"version":"1.0.0"}');
  const hashes = ['program', 'programm'].map((content) => {
    writeFileSync(join(folder, 'bin/node'), content);
    return JSON.parse(programs('--of', folder).stdout) as { programs: object; all: string };
  });
  assert.notDeepEqual(hashes[0]?.programs, hashes[1]?.programs);
  assert.notEqual(hashes[0]?.all, hashes[1]?.all);
});

function programs(...args: string[]) {
  return spawnSync(process.execPath, ['scripts/programs.ts', ...args], { cwd: ROOT, encoding: 'utf8' });
}
