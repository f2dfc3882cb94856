/**
 * Verifies the programs that npm brings: Node and PostgreSQL. `packaging/programs.json` has the SHA-256 of every file of
 * them that can run. npm compares a package with package-lock.json while it installs; this compares what lies on the disk.
 *
 * `node scripts/programs.ts` verifies what is installed here. `--of FOLDER` prints the entry of an unpacked package.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** `programs`: SHA-256 of each. `all`: SHA-256 of the list of all files with their hashes, libraries included. */
type Entry = { version: string; programs: Record<string, string>; all: string };

/** Folders of a package whose files run or are read by a program that runs. npm adds links beside them: not hashed. */
const FOLDERS = '{bin,native}/**';
const PROGRAMS = /^(native\/bin\/\w+|bin\/node)$/;

const known = JSON.parse(readFileSync(join(ROOT, 'packaging/programs.json'), 'utf8')) as Record<
  string,
  Entry
>;
const [option, folder] = process.argv.slice(2);
if (option === '--of' && folder !== undefined) console.log(JSON.stringify(entryOf(folder), null, 2));
else verifyInstalled();

/** @throws AssertionError that names the package, when a file is not the one that was examined. */
function verifyInstalled(): void {
  const installed = Object.entries(known)
    .map(([name, entry]) => ({ name, entry, folder: join(ROOT, 'node_modules', name) }))
    .filter((each) => existsSync(each.folder));
  assert.ok(installed.length > 0, 'No package with programs is installed.');
  for (const { name, entry, folder } of installed)
    assert.deepEqual(entryOf(folder), entry, `${name} is not what packaging/programs.json names`);
}

function entryOf(folder: string): Entry {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const files = globSync(FOLDERS, { cwd: folder })
    .filter((file) => lstatSync(join(folder, file)).isFile())
    .sort();
  const hashes = files.map((file) => [file, sha256(readFileSync(join(folder, file)))] as const);
  return {
    version,
    programs: Object.fromEntries(hashes.filter(([file]) => PROGRAMS.test(file))),
    all: sha256(hashes.map(([file, hash]) => `${hash}  ${file}\n`).join('')),
  };
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}
