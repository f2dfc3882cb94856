/**
 * `npm run sbom`: writes `dist/sbom.cdx.json`, the software bill of materials (CycloneDX 1.5) of what the service needs and
 * of what its dashboard is built from, as package-lock.json pins it. The same lock file and npm give the same bytes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, writePrunedLock } from './pruned-lock.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const manifest = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));

const { name, version, license, dependencies, optionalDependencies } = manifest('.');
const dashboard = Object.entries(manifest('dashboard').devDependencies).filter(
  ([name]) => !name.startsWith('@types/'),
);
mkdirSync(DIST, { recursive: true });
const project = mkdtempSync(join(tmpdir(), 'teller-sbom-'));
try {
  // A project without development tools: with `--omit=dev`, `npm sbom` leaves out what such a tool needs as well.
  const needs = { dependencies: { ...dependencies, ...Object.fromEntries(dashboard) }, optionalDependencies };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name, version, license, ...needs }));
  writePrunedLock(project);
  // From the lock file, not from node_modules: the programs of all platforms are in it.
  const bill = JSON.parse(npm(project, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only'));
  // Both are new in each run, and CycloneDX requires neither. npm takes the name of the component from the folder.
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  bill.metadata.component.name = name;
  writeFileSync(join(DIST, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
} finally {
  rmSync(project, { recursive: true });
}
