import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runOnSmallDisk } from '../../test/support/small-disk.ts';
import { type JournalKey, type KeyJournal, type NewJournalKey, openKeyJournal } from './key-journal.ts';
import { createKeyRing } from './master-keys/key-ring.ts';

const RING = createKeyRing([randomBytes(32)]);
/** A journal of a database that has processed ledger 7. */
const open = (path: string, ring = RING) => openKeyJournal(path, ring, async () => 7);
const newPath = () => join(mkdtempSync(join(tmpdir(), 'journal-')), 'keys');
const keyOf = (id: string): NewJournalKey => ({
  kind: 'wallet',
  id,
  account: `G${id}`,
  sealed_seed: randomBytes(73),
  created_at: new Date(1e12),
  owner_id: 'usr_1',
  name: 'Zoë\n“€”',
  sponsor: null,
});

async function idsIn(journal: KeyJournal): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of journal.read()) ids.push(id);
  return ids;
}

test('what is recorded is read as it was given, also after the file is opened again', async () => {
  const path = newPath();
  const journal = await open(path);
  const keys = [keyOf('1'), keyOf('2'), keyOf('3')];
  await Promise.all([journal.record(keys.slice(0, 2)), journal.record(keys.slice(2))]);
  await journal.close();
  const again = await open(path);
  const read: JournalKey[] = [];
  for await (const key of again.read()) read.push(key);
  assert.deepEqual(
    read,
    keys.map((key) => ({ ...key, ledger: 7 })),
  );
  await again.close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('processes that share a file lose no line to each other', async () => {
  const path = newPath();
  const journals = await Promise.all(Array.from({ length: 5 }, () => open(path)));
  const ids = Array.from({ length: 200 }, (_, index) => `${index}`);
  await Promise.all(ids.map((id, index) => journals[index % 5]?.record([keyOf(id)])));
  assert.deepEqual((await idsIn(journals[0] as KeyJournal)).sort(), ids.sort());
  for (const journal of journals) await journal.close();
});

test('processes that record many keys at once tear no line of each other', async () => {
  const path = newPath();
  const journals = await Promise.all(Array.from({ length: 3 }, () => open(path)));
  const ids = Array.from({ length: 6 * 1_000 }, (_, index) => `${index}`);
  const long = (id: string) => ({ ...keyOf(id), sealed_seed: randomBytes(600) }); // a page of 1,000 has a megabyte
  await Promise.all(
    Array.from({ length: 6 }, (_, page) =>
      journals[page % 3]?.record(ids.slice(page * 1_000, (page + 1) * 1_000).map(long)),
    ),
  );
  assert.equal((await idsIn(journals[0] as KeyJournal)).length, ids.length);
  for (const journal of journals) await journal.close();
});

test('a line that a crash has torn costs itself only', async () => {
  const path = newPath();
  const journal = await open(path);
  await journal.record([keyOf('1')]);
  await journal.close();
  appendFileSync(path, '{"kind":"wallet","id":"torn"');
  const again = await open(path);
  await again.record([keyOf('2')]);
  assert.deepEqual(await idsIn(again), ['1', '2']);
  await again.close();
});

test('a line that a process has torn costs no other process a line', async () => {
  const path = newPath();
  const [one, other] = [await open(path), await open(path)];
  await one.record([keyOf('1')]);
  appendFileSync(path, '\n{"kind":"wallet","id":"torn"');
  await other.record([keyOf('2')]);
  assert.deepEqual(await idsIn(one), ['1', '2']);
  await one.close();
  await other.close();
});

test('a dismissed key is read no more, also after the file is opened again', async () => {
  const path = newPath();
  const journal = await open(path);
  await journal.record([keyOf('1'), keyOf('2')]);
  await journal.dismiss('1', 'the wallet was never answered');
  assert.deepEqual(await idsIn(journal), ['2']);
  await journal.close();
  const again = await open(path);
  assert.deepEqual(await idsIn(again), ['2']);
  await again.close();
});

test('a dismissed key that is recorded again is read', async () => {
  const journal = await open(newPath());
  await journal.record([keyOf('1')]);
  await journal.dismiss('1', 'its row was not committed yet');
  await journal.record([keyOf('1')]);
  assert.deepEqual(await idsIn(journal), ['1']);
  await journal.close();
});

test('a journal whose first write a crash has torn is begun again', async () => {
  const path = newPath();
  const begun = await open(path);
  await begun.close();
  const whole = readFileSync(path, 'utf8').trim();
  for (const torn of ['', whole.slice(0, 20), whole.slice(0, -1)]) {
    writeFileSync(path, torn);
    const journal = await open(path);
    await journal.record([keyOf('1')]);
    assert.deepEqual(await idsIn(journal), ['1']);
    await journal.close();
    await (await open(path)).close();
  }
});

test('a rotation goes on in the same file, which then belongs to either key', async () => {
  const path = newPath();
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const ring = createKeyRing([next, old]);
  const checkOf = (key: Buffer) => createKeyRing([key]).sealing().check;
  ring.sealWith({ key_check: checkOf(old) });
  const journal = await open(path, ring);
  await journal.record([keyOf('1')]);
  await assert.rejects(
    open(path, createKeyRing([next])),
    /was written with another master key: [0-9a-f]{8}\./,
  );
  ring.sealWith({ key_check: checkOf(next) });
  await journal.record([keyOf('2')]);
  await journal.record([keyOf('3')]);
  await journal.close();
  for (const key of [old, next]) {
    const again = await open(path, createKeyRing([key]));
    assert.deepEqual(await idsIn(again), ['1', '2', '3']);
    await again.close();
  }
  const headers = readFileSync(path, 'utf8').match(/"format"/g) ?? [];
  assert.equal(headers.length, 2, 'one for each key');
});

test('the journal of another master key, another file, and a place that cannot be written to are refused', async () => {
  const path = newPath();
  await (await open(path)).close();
  await assert.rejects(open(path, createKeyRing([randomBytes(32)])), /written with another master key/);
  const other = newPath();
  writeFileSync(other, 'hello\n');
  await assert.rejects(open(other), /is not a key journal/);
  assert.equal(readFileSync(other, 'utf8'), 'hello\n');
  await assert.rejects(open(join(other, 'below')), /cannot be written to/);
});

test('a journal that was moved away, or replaced by another file, says so and records nothing until it is back', async () => {
  const path = newPath();
  const journal = await open(path);
  const refused = { code: 'key_journal_unavailable' };
  assert.equal(await journal.fault(), null);
  renameSync(path, `${path}.away`);
  assert.equal(await journal.fault(), 'it is not there');
  await assert.rejects(journal.record([keyOf('1')]), refused);
  writeFileSync(path, '');
  assert.equal(await journal.fault(), 'another file has taken its place');
  await assert.rejects(journal.record([keyOf('2')]), refused);
  rmSync(path);
  renameSync(`${path}.away`, path);
  assert.equal(await journal.fault(), null);
  await journal.record([keyOf('3')]);
  assert.equal((await idsIn(journal)).at(-1), '3');
  await journal.close();
});

/** What a process says whose journal is on a disk that fills up, and has room again. */
const ON_A_FULL_DISK = `
  const { writeSync, openSync, rmSync } = await import('node:fs');
  const { openKeyJournal } = await import(process.env.SRC + '/key-journal.ts');
  const { createKeyRing } = await import(process.env.SRC + '/master-keys/key-ring.ts');
  const [told, ring, at] = [[], createKeyRing([Buffer.alloc(32, 7)]), (name) => process.env.TARGET + '/' + name];
  const open = (name) => openKeyJournal(at(name), ring, async () => 7);
  const tell = (work) => work.then((value) => told.push(value ?? null), (error) => told.push(error.code ?? error.message));
  const journal = await open('keys');
  await tell(journal.fault());
  const filler = openSync(at('filler'), 'w');
  try { for (;;) writeSync(filler, Buffer.alloc(4096)); } catch {}
  await tell(journal.fault());
  const sealed_seed = Buffer.alloc(9000);
  await tell(journal.record([{ kind: 'wallet', id: 'one', account: 'G', sealed_seed, created_at: new Date() }]));
  await tell(open('new'));
  rmSync(at('filler'));
  (await import('node:fs')).closeSync(filler);
  await tell(journal.fault());
  console.log(JSON.stringify(told));
`;

test('a disk that is full is named as the reason, at the start and later, until there is room again', (t) => {
  const target = mkdtempSync(join(tmpdir(), 'small-'));
  const env = { SRC: import.meta.dirname, TARGET: target };
  const ran = runOnSmallDisk([process.execPath, '--input-type=module', '-e', ON_A_FULL_DISK], {
    size: '2m',
    target,
    cwd: import.meta.dirname,
    env,
  });
  if (ran === null) return t.skip('needs the right to mount a small file system');
  assert.deepEqual(JSON.parse(ran.stdout.split('\n')[0] ?? ''), [
    null,
    'its disk is full',
    'key_journal_unavailable',
    `KEY_JOURNAL ${join(target, 'new')} cannot be written to: its disk is full (ENOSPC).`,
    null,
  ]);
});
