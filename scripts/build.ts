/**
 * `npm run build`: writes `dist/`, the npm package, from which the container image is made too. Node runs TypeScript as it
 * is, but not below node_modules: the package has compiled files.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrunedLock } from './pruned-lock.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** What the service reads beside its code: each file has the same path as in the checkout. And what a reader needs. */
const COPIED = [
  'bin/teller.js',
  'bin/bundled-node.js',
  'bin/end-with-launcher.js',
  'bin/trim-packages.js',
  'migrations',
  'docs/guides',
  'dashboard/dist',
  'dashboard/src/shell/icon.svg',
  'sandbox/page',
  'packaging/systemd',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
];

/** Fields of package.json that only the checkout needs. `private` keeps the checkout itself from being published. */
const OF_THE_CHECKOUT = ['private', 'scripts', 'devDependencies', 'overrides', 'workspaces'];

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
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const field of OF_THE_CHECKOUT) delete manifest[field];
  // For whoever unpacks the package and runs `npm ci` there: npm does not run it for a package of the registry.
  manifest.scripts = { prepare: 'node bin/trim-packages.js' };
  writeFileSync(join(DIST, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Pins the dependencies of the dependencies too: npm ignores the lock file of a package, and obeys its shrinkwrap. */
function writeShrinkwrap(): void {
  writePrunedLock(DIST);
  renameSync(join(DIST, 'package-lock.json'), join(DIST, 'npm-shrinkwrap.json'));
}

/** Runs a script of the checkout with this Node. @throws when it fails: half a package must not look like a whole one. */
function runNode(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, stdio: 'inherit' });
  assert.equal(status, 0, `${script} failed`);
}
