import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { xdr as bare } from '@stellar/stellar-sdk/base';
import { readLedgerCloseMeta } from '../ledgers/ledger-close-meta.ts';
import { historyHeader } from '../ledgers/ledger-header.ts';
import { isWhole } from '../ledgers/ledger-proof.ts';
import { checkChain } from '../ledgers/ledger-range.ts';
import { KNOWN_PROTOCOL } from './known-protocol.ts';
import { muxedContract, readMuxedContract } from './missing-arms.ts';
import { StrKey, xdr } from './sdk.ts';

const ROOT = join(import.meta.dirname, '../../..');
const VECTORS = join(ROOT, 'sandbox/testing/recordings/protocol-30');
const json = (file: string) => JSON.parse(readFileSync(join(VECTORS, file), 'utf8'));
const base64 = (text: string) => Buffer.from(text, 'base64');

type Ledger = Record<'hash' | 'previous_hash' | 'close_time' | 'header_entry_xdr' | 'meta_xdr', string> & {
  sequence: number;
  arm: number;
  close_time_ms: string | null;
};
const ledgers: Ledger[] = json('ledgers.json');
const PASSPHRASE = 'Standalone Network ; February 2017';

test('headers of every arm are read as another implementation wrote them, and make one chain', () => {
  const headers = ledgers.map(({ sequence, header_entry_xdr, ...told }) => {
    const header = historyHeader('test', sequence, base64(header_entry_xdr));
    assert.equal(header.hash, told.hash);
    assert.equal(header.previous_hash, told.previous_hash);
    assert.equal(header.close_time, BigInt(told.close_time));
    assert.equal(header.close_time_ms, told.close_time_ms === null ? null : BigInt(told.close_time_ms));
    const entry = xdr.LedgerHeaderHistoryEntry.fromXdr(header_entry_xdr, 'base64');
    assert.equal(entry.toXdr('base64'), header_entry_xdr);
    return header;
  });
  const times = headers.map(({ close_time }) => close_time);
  assert.ok(times.some((time, index) => time === times[index + 1])); // several ledgers in one second
  checkChain({ method: 'test', after_ledger: 1, after_hash: ledgers[0]?.previous_hash ?? null }, headers);
  assert.deepEqual([...new Set(ledgers.map(({ arm }) => arm))], [1, 3, 4]);
});

test('the vectors are of the highest protocol that this version reads', () => {
  const versions = ledgers.map(({ sequence, header_entry_xdr }) => {
    return historyHeader('test', sequence, base64(header_entry_xdr)).protocol_version;
  });
  assert.equal(Math.max(...versions), KNOWN_PROTOCOL);
  assert.ok(ledgers.every(({ arm }, index) => arm < 3 || versions[index] === 30));
});

test('whole ledgers of protocol 30 are split and proven', () => {
  for (const { sequence, meta_xdr } of ledgers) {
    const ledger = readLedgerCloseMeta(
      { method: 'test', passphrase: PASSPHRASE, sequence },
      base64(meta_xdr),
    );
    assert.ok(isWhole(ledger.header, ledger.transactions), `${sequence}`);
  }
});

test('a ledger whose transaction set was dropped has no transactions, and is proven (CAP-83, stellar-core)', () => {
  const frames = readFileSync(join(VECTORS, 'core-empty-tx-set.xdr'));
  const bytes = frames.subarray(4);
  assert.equal(frames.readUInt32BE(0) & 0x7fffffff, bytes.length);
  const sequence = Number(xdr.LedgerCloseMeta.fromXdr(bytes).value.ledgerHeader.header.ledgerSeq);
  const ledger = readLedgerCloseMeta({ method: 'test', passphrase: PASSPHRASE, sequence }, bytes);
  assert.equal(ledger.transactions.length, 0);
  assert.ok(isWhole(ledger.header, ledger.transactions));
});

test('a muxed contract address is written and read as another implementation does it', () => {
  for (const { id, contract, sc_address_xdr } of json('muxed-contracts.json').valid) {
    const contract_id = StrKey.decodeContract(contract);
    const address = muxedContract(contract_id, BigInt(id));
    assert.equal(address.toXdr('base64'), sc_address_xdr);
    const read = readMuxedContract(xdr.ScAddress.fromXdr(sc_address_xdr, 'base64'));
    assert.deepEqual(read, { contract_id: Uint8Array.from(contract_id), muxed_id: BigInt(id) });
  }
  assert.equal(
    readMuxedContract(xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(Buffer.alloc(32)))),
    null,
  );
});

test('a transfer to a muxed contract is read inside its envelope, and its event too', () => {
  const { envelope_xdr, event_xdr } = json('transfer-to-muxed.json');
  assert.equal(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64').toXdr('base64'), envelope_xdr);
  assert.equal(xdr.ContractEvent.fromXdr(event_xdr, 'base64').toXdr('base64'), event_xdr);
});

test('a chain that goes back in time is refused in words of its own, by seconds and by milliseconds', () => {
  const headers = ledgers.map(({ sequence, header_entry_xdr }) => {
    return historyHeader('test', sequence, base64(header_entry_xdr));
  });
  const start = { method: 'test', after_ledger: 1, after_hash: null };
  const same_ms = headers.map((header, at) =>
    at === 30 ? { ...header, close_time_ms: headers[29]?.close_time_ms ?? null } : header,
  );
  const before = headers.map((header, at) => (at === 3 ? { ...header, close_time: 1n } : header));
  assert.throws(() => checkChain(start, same_ms), /ledger 32 goes back in time/);
  assert.throws(() => checkChain(start, before), /ledger 5 goes back in time/);
});

test('two close times that do not agree are refused', () => {
  const entry = base64(ledgers[20]?.header_entry_xdr ?? '');
  const arm = entry.indexOf(Buffer.from([0, 0, 0, 3, 0, 0]));
  entry.writeBigUInt64BE(entry.readBigUInt64BE(arm + 4) + 1000n, arm + 4);
  const { header } = xdr.LedgerHeaderHistoryEntry.fromXdr(entry);
  const ext = xdr.LedgerHeaderHistoryEntryExt.v0();
  const hash = createHash('sha256').update(header.toXdr()).digest();
  const lie = Buffer.from(new xdr.LedgerHeaderHistoryEntry({ hash, header, ext }).toXdr());
  assert.throws(() => historyHeader('test', 22, lie), /two close times of ledger 22 that do not agree/);
});

test('the SDK lacks these arms', () => {
  // The classes of the SDK have a method for each arm that they know. Arms that are added have none.
  const knows =
    'stellarValueSignedMs' in bare.StellarValueExt || 'scAddressTypeMuxedContract' in bare.ScAddress;
  assert.ok(!knows, 'the SDK knows these arms now, delete this');
});

test('the sandbox, a package of its own, has the same arms', () => {
  const [ours, theirs] = ['src/stellar/protocol', 'sandbox/ledger'].map((folder) =>
    readFileSync(join(ROOT, folder, 'missing-arms.ts'), 'utf8'),
  );
  assert.equal(theirs, ours);
});
