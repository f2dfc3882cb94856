import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { xdr } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import type { Header } from './account.ts';
import { applyTransaction } from './apply.ts';
import { hex } from './bytes.ts';
import type { Entry, EntryKey } from './entry.ts';
import { AssetContracts } from './events.ts';
import { feeToCharge } from './fees.ts';
import { genesis } from './genesis.ts';
import { LedgerTxn } from './ledger-txn.ts';
import { rulesOf } from './operations/registry.ts';
import { TX } from './result.ts';
import { State } from './state.ts';
import type { Transaction } from './transaction.ts';
import { networkId, parseTransaction } from './transaction.ts';
import { checkValid } from './validity.ts';

/** Ledgers of a real stellar-core 19 from its genesis on, and its answer to every submission. */
const RECORDING = join(
  process.env.STELLAR_DATA_DIR ?? join(import.meta.dirname, '../../../shared/data'),
  'replay-core-19',
);
const skip = existsSync(RECORDING) ? false : `no recording at ${RECORDING}`;

const network = networkId(SANDBOX_PASSPHRASE);
const contracts = new AssetContracts(SANDBOX_PASSPHRASE);

test('gives the result and the balances that stellar-core gave, for each transaction of known operations', {
  skip,
}, () => {
  const state = initialState();
  const kinds = new Map<string, number>();
  for (const ledger of recordedLedgers()) {
    const { header } = ledger.ledgerHeader;
    const envelopes = new Map(ledger.txSet.txs.map((wire) => transactionOf(wire)));
    for (const { feeProcessing } of ledger.txProcessing) follow(state, feeProcessing);
    for (const { result, txApplyProcessing } of ledger.txProcessing) {
      const tx = envelopes.get(hex(result.transactionHash));
      assert.ok(tx);
      const changes = changesOf(txApplyProcessing);
      if (isKnown(tx)) {
        const kind = compare(state, header, tx, result.result, changes);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      follow(state, changes);
    }
    for (const { changes } of ledger.upgradesProcessing) follow(state, changes);
  }
  const compared = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(compared > 500, `${compared} compared`);
});

test('judges each submission as stellar-core judged it, wherever the queue has no part in the answer', {
  skip,
}, () => {
  const state = initialState();
  const submissions = recordedSubmissions();
  let compared = 0;
  for (const ledger of recordedLedgers()) {
    const { header } = ledger.ledgerHeader;
    for (const { feeProcessing } of ledger.txProcessing) follow(state, feeProcessing);
    for (const { txApplyProcessing } of ledger.txProcessing) follow(state, changesOf(txApplyProcessing));
    for (const { changes } of ledger.upgradesProcessing) follow(state, changes);

    const submitted = submissions.get(header.ledgerSeq) ?? [];
    compared += submitted.filter((submission) => judge(state, header, submission)).length;
  }
  assert.ok(compared > 1000, `${compared} compared`);
});

function compare(
  state: State,
  header: Header,
  tx: Transaction,
  recorded: xdr.TransactionResultWire,
  changes: xdr.LedgerEntryChangeWire[],
): string {
  const ours = new LedgerTxn(state, header.ledgerSeq);
  const fee = { charged: feeToCharge(header, tx), changes: [] };
  const { result } = applyTransaction(ours, header, tx, fee, contracts);
  assert.equal(
    encode(xdr.TransactionResult.schema, result),
    encode(xdr.TransactionResult.schema, recorded),
    `ledger ${header.ledgerSeq}, transaction ${hex(tx.hash)}`,
  );
  const theirs = new Map<EntryKey, Entry | undefined>();
  for (const change of changes) theirs.set(keyOfChange(change), entryOfChange(change));
  for (const key of new Set([...theirs.keys(), ...ours.changes().map((change) => change.key)])) {
    assert.deepEqual(essence(ours.get(key)), essence(theirs.has(key) ? theirs.get(key) : state.get(key)));
  }
  return `${recorded.result.code}`;
}

/** @returns false when the answer was not for the ledger rules to give */
function judge(state: State, header: Header, submission: Submission): boolean {
  const { envelope, status, error } = submission;
  const tx = parseTransaction(Buffer.from(envelope, 'base64'), network);
  if (!isKnown(tx)) return false;
  const next = { ...header, ledgerSeq: header.ledgerSeq + 1 };
  const problem = checkValid(state, next, tx, { lower: 0n, upper: 2n });
  const recorded =
    error === undefined ? null : xdr.TransactionResult.schema.decode(Buffer.from(error, 'base64'));
  // What the ledger would take, the queue may still refuse: a replacement of a queued transaction that bids too little.
  if (problem === null && recorded?.result.code === TX.insufficientFee) return false;
  assert.equal(problem === null ? 'PENDING' : 'ERROR', status, envelope);
  if (problem !== null) assert.equal(encode(xdr.TransactionResult.schema, problem), error, envelope);
  return true;
}

/** An entry without its sponsorship, which the recording has and the operations known here cannot make. */
function essence(entry: Entry | undefined): unknown {
  if (entry?.data.type !== 0) return entry?.data;
  const { ext: _sponsorship, ...account } = entry.data.account;
  return account;
}

type RecordedLedger = xdr.LedgerCloseMetaV0Wire;

function* recordedLedgers(): Generator<RecordedLedger> {
  const stream = gunzipSync(readFileSync(join(RECORDING, 'meta.xdr.gz')));
  let offset = 0;
  while (offset < stream.length) {
    const length = stream.readUInt32BE(offset) & 0x7fffffff;
    const meta = xdr.LedgerCloseMeta.schema.decode(stream.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
    if (meta.v === 0) yield meta.v0;
  }
}

type Submission = { after_ledger: number; envelope: string; note: string; status: string; error?: string };

function recordedSubmissions(): Map<number, Submission[]> {
  const lines = readFileSync(join(RECORDING, 'submissions.jsonl'), 'utf8').trim().split('\n');
  const usable = lines
    .map((line) => JSON.parse(line) as Submission)
    .filter(
      ({ note, status }) => note !== 'again' && !note.startsWith('second') && status !== 'TRY_AGAIN_LATER',
    );
  return Map.groupBy(usable, (submission) => submission.after_ledger);
}

function initialState(): State {
  const { changes } = genesis(SANDBOX_PASSPHRASE);
  return new State(changes.flatMap(({ key, after }) => (after === undefined ? [] : [[key, after]])));
}

function transactionOf(wire: xdr.TransactionEnvelopeWire): [string, Transaction] {
  const tx = parseTransaction(xdr.TransactionEnvelope.schema.encode(wire), network);
  return [hex(tx.hash), tx];
}

function isKnown(tx: Transaction): boolean {
  return tx.tx.operations.every(({ body }) => rulesOf(body) !== undefined);
}

function changesOf(meta: xdr.TransactionMetaWire): xdr.LedgerEntryChangeWire[] {
  assert.ok(meta.v === 2);
  const { txChangesBefore, operations, txChangesAfter } = meta.v2;
  return [...txChangesBefore, ...operations.flatMap(({ changes }) => changes), ...txChangesAfter];
}

function follow(state: State, changes: xdr.LedgerEntryChangeWire[]): void {
  const put = (after: Entry) => state.apply({ key: keyOfAny(after), before: undefined, after });
  for (const change of changes) {
    if (change.type === 0) put(change.created);
    if (change.type === 1) put(change.updated);
    if (change.type === 2) {
      const key = keyOfChange(change);
      state.apply({ key, before: state.get(key), after: undefined });
    }
  }
}

function keyOfChange(change: xdr.LedgerEntryChangeWire): EntryKey {
  if (change.type === 2) return encode(xdr.LedgerKey.schema, change.removed);
  if (change.type === 0) return keyOfAny(change.created);
  if (change.type === 1) return keyOfAny(change.updated);
  return keyOfAny(change.type === 3 ? change.state : change.restored);
}

function entryOfChange(change: xdr.LedgerEntryChangeWire): Entry | undefined {
  if (change.type === 0) return change.created;
  if (change.type === 1) return change.updated;
  return change.type === 3 ? change.state : undefined;
}

/** Also for the kinds of entries that only the recording has. */
function keyOfAny({ data }: Entry): EntryKey {
  return encode(xdr.LedgerKey.schema, ledgerKeyOfAny(data));
}

function ledgerKeyOfAny(data: xdr.LedgerEntryDataWire): xdr.LedgerKeyWire {
  if (data.type === 0) return { type: 0, account: { accountId: data.account.accountId } };
  if (data.type === 1) {
    const { accountId, asset } = data.trustLine;
    return { type: 1, trustLine: { accountId, asset } };
  }
  if (data.type === 2) {
    const { sellerId, offerId } = data.offer;
    return { type: 2, offer: { sellerId, offerId } };
  }
  if (data.type === 3) {
    const { accountId, dataName } = data.data;
    return { type: 3, data: { accountId, dataName } };
  }
  assert.ok(data.type === 4);
  return { type: 4, claimableBalance: { balanceId: data.claimableBalance.balanceId } };
}

function encode<T>(schema: { encode(value: T): Uint8Array }, value: T): string {
  return Buffer.from(schema.encode(value)).toString('base64');
}
