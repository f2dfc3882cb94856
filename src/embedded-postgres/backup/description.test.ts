import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Description, readDescription, writeDescription } from './description.ts';

const dir = mkdtempSync(join(tmpdir(), 'description-'));
after(() => rmSync(dir, { recursive: true }));

const FILE = { bytes: 5, sha256: 'a'.repeat(64) };
const values: Omit<Description, 'format'> = {
  network: 'sandbox',
  passphrase: 'Standalone Network ; February 2017',
  key_check: 'AAAA',
  schema: '0001_init.sql',
  postgres_version: '18.4',
  deposit_cursor: { ledger: 7, close_time: '1795719485' },
  withdrawal_cursor: null,
  counts: { wallets: '1', deposits: '2', withdrawals: '3' },
  service_version: '1.2.3',
  system_identifier: '7710997649031231910',
  timeline: 1,
  start_lsn: '0/4000028',
  end_lsn: '1/A0',
  started_at: '2026-11-26T18:58:06.466Z',
  ended_at: '2026-11-26T18:58:08.426Z',
  recipients: [],
  archive: { name: 'base.tar.gz', ...FILE },
  manifest: { name: 'backup_manifest.gz', ...FILE },
};
const path = join(dir, 'backup.json');

test('a description is read as it was written, with every digit of the system identifier', async () => {
  const written = await writeDescription(dir, values);
  assert.deepEqual(readDescription(dir), written);
  assert.equal(readDescription(dir).system_identifier, '7710997649031231910');
});

test('a folder without a description is no whole backup', () => {
  for (const other of [join(dir, 'nowhere'), path])
    assert.throws(() => readDescription(other), /is no whole backup: it has no backup\.json/);
});

test('a description that is no description, or of another format, is refused with the reason', async () => {
  await writeDescription(dir, values);
  const text = readFileSync(path, 'utf8');
  const wrong: [string, RegExp][] = [
    ['', /damaged: .*backup\.json is not JSON/],
    [text.slice(0, -10), /is not JSON/],
    ['[]', /has the format "undefined"/],
    ['null', /is not JSON/],
    [
      text.replace('backup 1', 'backup 2'),
      /has the format "stellar-teller backup 2", and this version knows/,
    ],
    [text.replace('"timeline": 1', '"timeline": "x"'), /has no valid timeline/],
    [text.replace('base.tar.gz', '../../etc/passwd'), /has no valid archive\.name/],
    [text.replace('7710997649031231910"', '7710997649031231910x"'), /has no valid system_identifier/],
  ];
  for (const [other, words] of wrong) {
    writeFileSync(path, other);
    assert.throws(() => readDescription(dir), words, other);
  }
});
