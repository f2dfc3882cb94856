/**
 * `npm run build`: writes `dist/`, the npm package, from which the container image is made too. Node runs TypeScript as it
 * is, but not below node_modules: the package has compiled files.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** What the service reads beside its code: each file has the same path as in the checkout. And what a reader needs. */
const COPIED = [
  ...['bin/teller.js', 'bin/bundled-node.js'],
  ...['migrations', 'docs/guides', 'dashboard/dist', 'dashboard/src/shell/icon.svg', 'sandbox/page'],
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'],
];

/** Fields of package.json that only the checkout needs. `private` keeps the checkout itself from being published. */
const OF_THE_CHECKOUT = ['private', 'scripts', 'devDependencies', 'overrides', 'workspaces'];

type Lock = { packages: Record<string, { version?: string; integrity?: string }> };
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

rmSync(DIST, { recursive: true, force: true });
runNode('scripts/programs.ts');
runNode('bin/dashboard.js');
runNode('node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.build.json');
for (const path of COPIED) cpSync(join(ROOT, path), join(DIST, path), { recursive: true, filter: isNoTest });
writeManifest();
writeShrinkwrap();
runNode('scripts/sbom.ts');

function isNoTest(path: string): boolean {
  return !path.endsWith('.test.ts');
}

function writeManifest(): void {
  const manifest = read(join(ROOT, 'package.json'));
  for (const field of OF_THE_CHECKOUT) delete manifest[field];
  writeFileSync(join(DIST, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Pins the dependencies of the dependencies too: npm ignores the lock file of a package, and obeys its shrinkwrap. npm
 * itself removes from a copy of our lock file what the package does not need.
 */
function writeShrinkwrap(): void {
  const lock = join(DIST, 'package-lock.json');
  copyFileSync(join(ROOT, 'package-lock.json'), lock);
  copyFileSync(join(ROOT, '.npmrc'), join(DIST, '.npmrc'));
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const prune = ['install', '--package-lock-only', '--offline', '--ignore-scripts', '--loglevel=error'];
  run(command, ...args, ...prune);
  rmSync(join(DIST, '.npmrc'));
  const ours = read(join(ROOT, 'package-lock.json')) as Lock;
  for (const [path, { version, integrity }] of Object.entries((read(lock) as Lock).packages)) {
    if (path === '') continue;
    assert.equal(version, ours.packages[path]?.version, `${path} is not the version that was tested`);
    assert.equal(integrity, ours.packages[path]?.integrity, `${path} has another hash`);
  }
  renameSync(lock, join(DIST, 'npm-shrinkwrap.json'));
}

/** Runs a script of the checkout with this Node. */
function runNode(script: string, ...args: string[]): void {
  run(process.execPath, join(ROOT, script), ...args);
}

/** @throws when the program fails: half a package must not look like a whole one. */
function run(command: string, ...args: string[]): void {
  const cwd = args.includes('--package-lock-only') ? DIST : ROOT;
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  assert.equal(status, 0, `${[command, ...args].join(' ')} failed: ${error?.message ?? `exit ${status}`}`);
}
