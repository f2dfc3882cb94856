import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { archiveAfter, timelinesIn } from './check-archive.ts';
import type { Description } from './description.ts';

const root = mkdtempSync(join(tmpdir(), 'archive-'));
after(() => rmSync(root, { recursive: true }));

const IDENTIFIER = '7710997649031231910';
const backup = { system_identifier: IDENTIFIER, timeline: 1, end_lsn: '0/4002290' } as Description;

/** The names of segments of a timeline, from one number to another. */
const named = (timeline: number, from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, index) =>
      `0000000${timeline}00000000000000${(from + index).toString(16).toUpperCase().padStart(2, '0')}`,
  );

function segment(identifier = IDENTIFIER): Buffer {
  const page = Buffer.alloc(8192);
  page.writeBigUInt64LE(BigInt(identifier), 24);
  return page;
}

let made = 0;
function archiveOf(names: string[], content = gzipSync(segment())): string {
  const dir = join(root, `${++made}`);
  mkdirSync(dir);
  for (const name of names) writeFileSync(join(dir, `${name}.gz`), content);
  return dir;
}

test('every segment after the end of the backup is used, and none before it', async () => {
  const dir = archiveOf(named(1, 1, 9));
  writeFileSync(join(dir, '000000010000000000000002.00000028.backup.gz'), '');
  const { names } = await archiveAfter(dir, backup, null);
  assert.deepEqual(
    names,
    named(1, 4, 9).map((name) => `${name}.gz`),
  );
});

test('a segment that a person has copied from a dead server counts, though it is not compressed', async () => {
  const dir = archiveOf(named(1, 4, 5));
  writeFileSync(join(dir, named(1, 6, 6)[0] ?? ''), segment());
  assert.equal((await archiveAfter(dir, backup, null)).names.at(-1), '000000010000000000000006');
});

test('a gap is named: PostgreSQL would take it for the end of the log', async () => {
  const dir = archiveOf([...named(1, 4, 6), ...named(1, 8, 9)]);
  await assert.rejects(archiveAfter(dir, backup, null), /lacks the segment 000000010000000000000007/);
});

test('the numbers of segments go on after the last one of a log file', async () => {
  const late = { ...backup, end_lsn: '0/FE000028' };
  const names = ['0000000100000000000000FE', '0000000100000000000000FF', '000000010000000100000000'];
  assert.equal((await archiveAfter(archiveOf(names), late, null)).names.length, 3);
  const gap = archiveOf(names.filter((name) => !name.endsWith('FF')));
  await assert.rejects(archiveAfter(gap, late, null), /lacks the segment 0000000100000000000000FF/);
});

test('the newest timeline is followed, from the segment in which it begins', async () => {
  const dir = archiveOf([...named(1, 4, 9), ...named(2, 6, 7)]);
  writeFileSync(join(dir, '00000002.history.gz'), gzipSync('1\t0/6000100\tno recovery target specified\n'));
  const { names } = await archiveAfter(dir, backup, null);
  const wanted = [...named(1, 4, 5), ...named(2, 6, 7)].map((name) => `${name}.gz`);
  assert.deepEqual(names, [...wanted, '00000002.history.gz']);
  rmSync(join(dir, `${named(2, 6, 6)[0]}.gz`));
  await assert.rejects(archiveAfter(dir, backup, null), /lacks the segment 000000020000000000000006/);
});

test('a timeline that has no segment yet is not followed: a restore has just begun it', async () => {
  const dir = archiveOf([...named(1, 4, 9), ...named(2, 6, 7)]);
  const history = (timeline: number, text: string) =>
    writeFileSync(join(dir, `0000000${timeline}.history.gz`), gzipSync(text));
  history(2, '1\t0/6000100\tno recovery target specified\n');
  history(3, '1\t0/6000100\tno recovery target specified\n2\t0/7000200\tno recovery target specified\n');
  const { names, timeline } = await archiveAfter(dir, backup, null);
  assert.equal(timeline, 2);
  assert(names.includes('00000003.history.gz'), 'the next one must not begin timeline 3 again');
  await assert.rejects(archiveAfter(dir, backup, 3), /has no segment of timeline 3\. Name another one/);
});

test('another timeline can be named; one that does not go on from the backup is refused', async () => {
  const dir = archiveOf([...named(1, 4, 9), ...named(2, 4, 7)]);
  const history = (lsn: string) =>
    writeFileSync(join(dir, '00000002.history.gz'), gzipSync(`1\t${lsn}\tno recovery target specified\n`));
  history('0/4003000');
  const { names, timeline } = await archiveAfter(dir, backup, 1);
  assert.equal(timeline, 1);
  assert.deepEqual(
    names.slice(0, -1),
    named(1, 4, 9).map((name) => `${name}.gz`),
  );
  assert.equal((await archiveAfter(dir, backup, null)).timeline, 2);
  await assert.rejects(archiveAfter(dir, backup, 3), /has no segment of timeline 3/);
  history('0/4000000'); // before the end of the backup
  await assert.rejects(archiveAfter(dir, backup, null), /Timeline 2 .* does not go on from this backup/);
});

test('an archive of another database, an empty one, one without anything later, and none are refused', async () => {
  const foreign = archiveOf(named(1, 4, 5), gzipSync(segment('7710997649031231000')));
  await assert.rejects(
    archiveAfter(foreign, backup, null),
    /another database \(system identifier 7710997649031231000;/,
  );
  const mixed = archiveOf(named(1, 4, 5));
  writeFileSync(join(mixed, `${named(1, 6, 6)[0]}.gz`), gzipSync(segment('7710997649031231000')));
  await assert.rejects(
    archiveAfter(mixed, backup, null),
    /000000010000000000000006\.gz belongs to another database/,
  );
  const bound = archiveOf(named(1, 4, 5));
  writeFileSync(join(bound, 'system_identifier'), `${IDENTIFIER}\n`);
  assert.equal((await archiveAfter(bound, backup, null)).names.length, 2);
  writeFileSync(join(bound, 'system_identifier'), '7710997649031231000\n');
  await assert.rejects(archiveAfter(bound, backup, null), /The archive .* belongs to another database/);
  await assert.rejects(archiveAfter(archiveOf([]), backup, null), /has nothing after this backup/);
  await assert.rejects(
    archiveAfter(archiveOf(named(1, 1, 3)), backup, null),
    /has nothing after this backup/,
  );
  await assert.rejects(archiveAfter(join(root, 'nowhere'), backup, null), /cannot be read: ENOENT/);
  const damaged = archiveOf(named(1, 4, 5), Buffer.from('no gzip'));
  await assert.rejects(
    archiveAfter(damaged, backup, null),
    /damaged: .*000000010000000000000004.gz cannot be read/,
  );
});

test('a restore without the archive learns the names of timelines from it, and nothing else', async () => {
  const dir = archiveOf([...named(1, 4, 9), '00000002.history']);
  assert.deepEqual(await timelinesIn(dir, backup), { dir, names: ['00000002.history.gz'], timeline: 1 });
  assert.deepEqual((await timelinesIn(join(root, 'nowhere'), backup)).names, []);
  assert.deepEqual((await timelinesIn(undefined, backup)).names, []);
});
