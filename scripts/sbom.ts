/**
 * `npm run sbom`: writes `dist/sbom.cdx.json`, the software bill of materials (CycloneDX 1.5) of what the package needs and
 * of what the dashboard is built from, as package-lock.json pins it. The same lock file gives the same bytes.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

const npm = process.env.npm_execpath;
const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
// From the lock file, not from node_modules: both platforms' programs are in it, whichever one this machine has.
const options = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'];
const { status, stdout, stderr } = spawnSync(command, [...args, ...options], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 64 * 2 ** 20,
});
assert.equal(status, 0, `npm sbom failed: ${stderr}`);

const bill = JSON.parse(stdout);
// Both are new in each run, and CycloneDX requires neither. npm takes the name of the component from the folder.
delete bill.serialNumber;
delete bill.metadata.timestamp;
bill.metadata.component.name = 'stellar-teller';
mkdirSync(DIST, { recursive: true });
writeFileSync(join(DIST, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
