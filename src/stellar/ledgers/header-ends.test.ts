/** Headers with arms that no version of ours knows, made from headers of every known arm. */
import { strict as assert } from 'node:assert';
import { hash as digest, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UnusableAnswer } from '../answers/answers.ts';
import { xdr } from '../protocol/sdk.ts';
import { historyHeader, ledgerHeader } from './ledger-header.ts';

const VECTORS = join(import.meta.dirname, '../../../sandbox/testing/recordings/protocol-30/ledgers.json');
type Recorded = { sequence: number; header_entry_xdr: string };
const recorded = (JSON.parse(readFileSync(VECTORS, 'utf8')) as Recorded[]).map(
  ({ sequence, header_entry_xdr }) => {
    const entry = Buffer.from(header_entry_xdr, 'base64');
    return { sequence, header: entry.subarray(32, -4) };
  },
);

const UNKNOWN = 77;
const madeUp = (words: number) => Buffer.concat([wordOf(UNKNOWN), randomBytes(4 * words)]);
const wordOf = (value: number) => {
  const word = Buffer.alloc(4);
  word.writeUInt32BE(value);
  return word;
};

/** The header with other bytes in place of `scpValue.ext`, its own `ext`, or both; null leaves an arm as it is. */
function withArms(header: Buffer, value_ext: Buffer | null, own_ext: Buffer | null): Buffer {
  const decoded = xdr.LedgerHeader.fromXdr(header);
  const old_value = decoded.scpValue.ext.toXdr();
  const old_own = decoded.ext.toXdr();
  const value = header.length - old_own.length - 236 - old_value.length;
  return Buffer.concat([
    header.subarray(0, value),
    value_ext ?? old_value,
    header.subarray(value + old_value.length, header.length - old_own.length),
    own_ext ?? old_own,
  ]);
}

/** The entry of getLedgers around a header. */
function entryOf(header: Buffer): Buffer {
  return Buffer.concat([digest('sha256', header, 'buffer'), header, Buffer.alloc(4)]);
}

test('a header is read around an unknown arm of scpValue.ext, of its own ext, or of both', () => {
  const own_exts = [null, madeUp(0), madeUp(1), madeUp(9)];
  const value_exts = [null, madeUp(0), madeUp(1), madeUp(30)];
  let read = 0;
  for (const { sequence, header } of recorded)
    for (const own_ext of own_exts)
      for (const value_ext of value_exts) {
        const changed = withArms(header, value_ext, own_ext);
        const { hash, unknown, ...fields } = ledgerHeader('test', sequence, changed);
        const { hash: _, unknown: known, ...expected } = ledgerHeader('test', sequence, header);
        assert.equal(known, null);
        assert.equal(hash, digest('sha256', changed, 'hex'));
        // Milliseconds are in the arm. Without them the seconds order the ledgers.
        assert.deepEqual(fields, value_ext ? { ...expected, close_time_ms: null } : expected);
        assert.equal(unknown?.discriminant ?? null, value_ext || own_ext ? UNKNOWN : null);
        assert.equal(historyHeader('test', sequence, entryOf(changed)).hash, hash);
        read++;
      }
  console.log('  headers read:', read);
});

test('the header with an extension of flags is read from its end too', () => {
  const ext = new xdr.LedgerHeaderExtensionV1({ flags: 0, ext: xdr.LedgerHeaderExtensionV1Ext.v0() });
  const flags = Buffer.from(xdr.LedgerHeaderExt.v1(ext).toXdr());
  for (const { sequence, header } of recorded) {
    const { previous_hash } = ledgerHeader('test', sequence, withArms(header, madeUp(5), flags));
    assert.equal(previous_hash, ledgerHeader('test', sequence, header).previous_hash);
  }
});

const [{ sequence, header } = { sequence: 0, header: Buffer.alloc(0) }] = recorded;

test('another ledger, another hash and a header that shows no place of its number are refused', () => {
  const changed = withArms(header, madeUp(3), madeUp(3));
  const versions =
    /a header of protocol \d+, and this version knows 30: no StellarValueExt .* 77, and 0 places/;
  assert.throws(() => ledgerHeader('test', sequence + 1, changed), versions);
  const entry = entryOf(changed);
  entry.writeUInt8(entry.readUInt8(0) ^ 1, 0);
  assert.throws(() => historyHeader('test', sequence, entry), /not the hash of ledger/);
});

test('two places that may be the header’s are refused: neither is chosen', () => {
  const inside = Buffer.concat([madeUp(0), header.subarray(-240, -4), Buffer.alloc(8)]);
  const doubled = withArms(header, inside, madeUp(3));
  assert.throws(() => ledgerHeader('test', sequence, doubled), /2 places of the number/);
});

test('bytes that end early are no header, whatever arm they have', () => {
  const changed = withArms(header, madeUp(3), null);
  for (let length = 0; length < changed.length; length += 4) {
    const short = changed.subarray(0, length);
    assert.throws(() => ledgerHeader('test', sequence, short), UnusableAnswer);
    assert.throws(() => historyHeader('test', sequence, short), UnusableAnswer);
  }
});

test('bytes much longer than any header are refused without a search through all of them', () => {
  const long = withArms(header, madeUp(16 * 1024), null);
  assert.throws(() => ledgerHeader('test', sequence, long), /a header of \d+ bytes/);
  const behind = Buffer.concat([entryOf(long), Buffer.alloc(4)]); // so that the hash is searched for
  assert.throws(() => historyHeader('test', sequence, behind), /not the hash of ledger/);
});
