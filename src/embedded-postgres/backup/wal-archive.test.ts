/** The commands that PostgreSQL gives to a shell, given to a shell; and whose folder an archive may be. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { archiveCommand, prepareArchive, restoreCommand } from './wal-archive.ts';

const root = mkdtempSync(join(tmpdir(), 'wal-'));
after(() => rmSync(root, { recursive: true }));
const archive = join(root, `it's 100% "mine" $HOME`);
mkdirSync(archive);
const segment = join(root, 'segment');
const NAME = '000000010000000000000004';

/** As PostgreSQL does it: %p, %f and %% are replaced, and nothing else. Gives the exit code. */
function run(command: string, path: string): number | null {
  const values: Record<string, string> = { '%p': path, '%f': NAME, '%%': '%' };
  const text = command.replace(/%[pf%]/g, (found) => values[found] ?? '');
  return spawnSync('/bin/sh', ['-c', text], { stdio: 'ignore' }).status;
}

test('a segment is archived whole, under any name of a folder', () => {
  writeFileSync(segment, 'the log');
  assert.equal(run(archiveCommand(archive), segment), 0);
  assert.deepEqual(readdirSync(archive), [`${NAME}.gz`]);
  assert.equal(gunzipSync(readFileSync(join(archive, `${NAME}.gz`))).toString(), 'the log');
});

test('the same segment again succeeds, and another one of this name is refused and overwrites nothing', () => {
  const before = readFileSync(join(archive, `${NAME}.gz`));
  assert.equal(run(archiveCommand(archive), segment), 0);
  writeFileSync(segment, 'the log of another database');
  assert.notEqual(run(archiveCommand(archive), segment), 0);
  assert.deepEqual(readFileSync(join(archive, `${NAME}.gz`)), before);
});

test('a segment that a crash has cut is written again, whole', () => {
  writeFileSync(segment, 'the log');
  rmSync(join(archive, `${NAME}.gz`));
  writeFileSync(join(archive, `${NAME}.gz.new`), 'half');
  assert.equal(run(archiveCommand(archive), segment), 0);
  assert.deepEqual(readdirSync(archive), [`${NAME}.gz`]);
});

test('an archive that cannot be written to is a failure, and leaves no segment', () => {
  assert.notEqual(run(archiveCommand(join(root, 'nowhere')), segment), 0);
  assert.notEqual(run(archiveCommand(archive), join(root, 'no segment')), 0);
  assert.deepEqual(readdirSync(archive), [`${NAME}.gz`]);
});

test('a restore gets the segment, compressed or not; exit code 1 says that there is none', () => {
  const restored = join(root, 'restored');
  assert.equal(run(restoreCommand(archive), restored), 0);
  assert.equal(readFileSync(restored, 'utf8'), 'the log');
  rmSync(join(archive, `${NAME}.gz`));
  assert.equal(run(restoreCommand(archive), restored), 1);
  writeFileSync(join(archive, NAME), 'copied by hand');
  assert.equal(run(restoreCommand(archive), restored), 0);
  assert.equal(readFileSync(restored, 'utf8'), 'copied by hand');
});

test('a damaged segment ends the recovery: it must not look like the end of the log', () => {
  writeFileSync(join(archive, `${NAME}.gz`), 'no gzip');
  assert.equal(run(restoreCommand(archive), join(root, 'restored')), 255);
});

const asRoot = { skip: process.geteuid?.() === 0 ? false : 'needs root' };
/** A user id without a name. */
const SERVER = { uid: 60_999, gid: 60_999 };
let made = 0;
function folderWith(names: string[]): string {
  const dir = join(root, `folder-${++made}`);
  mkdirSync(dir);
  for (const name of names) writeFileSync(join(dir, name), 'x', { mode: 0o644 });
  return dir;
}

test(
  'root gives an archive to the user of the server, with everything that can be in one',
  asRoot,
  async () => {
    chmodSync(root, 0o755);
    const names = [
      `${NAME}.gz`,
      `${NAME}.gz.new`,
      NAME,
      `${NAME}.partial.gz`,
      `${NAME}.00000028.backup.gz`,
      '00000002.history.gz',
      'system_identifier',
    ];
    const dir = folderWith(names);
    await prepareArchive(dir, SERVER);
    for (const name of ['', ...names]) assert.equal(statSync(join(dir, name)).uid, SERVER.uid, name);
  },
);

for (const [what, add] of [
  ['a file', (dir: string) => writeFileSync(join(dir, 'id_ed25519'), 'of somebody')],
  ['a folder', (dir: string) => mkdirSync(join(dir, NAME))],
  ['a symbolic link', (dir: string) => symlinkSync(segment, join(dir, `${NAME}.gz`))],
  ['a second name of a file', (dir: string) => linkSync(segment, join(dir, `${NAME}.gz`))],
] as const)
  test(`root gives away no folder that has ${what} of somebody`, asRoot, async () => {
    const dir = folderWith(['000000010000000000000001.gz']);
    add(dir);
    await assert.rejects(
      prepareArchive(dir, SERVER),
      /does not belong to an archive of the log\..* Nothing was changed/,
    );
    for (const name of ['', ...readdirSync(dir)]) assert.equal(statSync(join(dir, name)).uid, 0, name);
    assert.equal(statSync(join(dir, '000000010000000000000001.gz')).mode & 0o777, 0o644);
  });
