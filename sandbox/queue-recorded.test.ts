import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './ledger/account.ts';
import { availableBalance } from './ledger/account.ts';
import { base64, hex } from './ledger/bytes.ts';
import { keyOf } from './ledger/entry.ts';
import { genesis } from './ledger/genesis.ts';
import { loadAccount } from './ledger/ledger-txn.ts';
import { rulesOf } from './ledger/operations/registry.ts';
import { State } from './ledger/state.ts';
import type { Transaction } from './ledger/transaction.ts';
import { networkId, parseTransaction } from './ledger/transaction.ts';
import { checkValid } from './ledger/validity.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import type { Admission, Judge } from './queue.ts';
import { TransactionQueue } from './queue.ts';
import { ledgersIn, missing, read } from './testing/recorded-ledgers.ts';

/** Ledgers of a real stellar-core 19.14 from its genesis on, and its answer to every submission. */
const RECORDING = 'replay-core-19';

type Submission = { after_ledger: number; envelope: string; note: string; status: string; error?: string };

const network = networkId(SANDBOX_PASSPHRASE);

/**
 * Q1 (which this core has as an option already), Q3, Q5 and Q6 at work over 366 ledgers. Nothing in it waits for four
 * ledgers, comes again after it was applied, or fills a ledger: for those rules see queue.test.ts.
 */
test('the queue gives the answer that stellar-core 19.14 gave, to each submission of known operations', {
  skip: missing(RECORDING),
}, () => {
  const queue = new TransactionQueue();
  const kinds = new Map<string, number>();
  const differences: string[] = [];
  let timed = 0;
  for (const { state, header, applied, submissions } of moments()) {
    const judge = judgeOf(state, header, 0n);
    queue.ledgerClosed(applied, judge);
    for (const { note, status, error, envelope } of submissions) {
      const tx = parse(Buffer.from(envelope, 'base64'));
      if (!isKnown(tx)) {
        // Not ours to judge, but it takes its account's place.
        if (status === 'PENDING') queue.add(tx, judge);
        continue;
      }
      const given = answerOf(queue.add(tx, judge));
      const recorded = `${status} ${error ?? ''}`;
      if (given !== recorded) differences.push(`${hex(tx.hash)} (${note}): ${given} for ${recorded}`);
      const secondLater = judgeOf(state, header, 1n);
      if (base64Of(judge.problem(tx)) !== base64Of(secondLater.problem(tx))) timed++;
      kinds.set(`${note}: ${status}`, (kinds.get(`${note}: ${status}`) ?? 0) + 1);
    }
  }
  const compared = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  console.log(`  ${compared} answers, ${timed} of which would be others a second later`, kinds);
  assert.deepEqual(differences, []);
  assert.ok(compared >= 1514, `${compared} compared`);
});

/** Each recorded ledger: the state after it, what it applied, and what was submitted until the next. */
function* moments() {
  const { changes } = genesis(SANDBOX_PASSPHRASE);
  const state = new State(changes.flatMap(({ key, after }) => (after === undefined ? [] : [[key, after]])));
  const bySequence = Map.groupBy(recordedSubmissions(), ({ after_ledger }) => after_ledger);
  for (const meta of ledgersIn(`${RECORDING}/meta.xdr.gz`)) {
    assert.ok(meta.v === 0);
    const { ledgerHeader, txSet, txProcessing, upgradesProcessing } = meta.v0;
    const { header } = ledgerHeader;
    for (const { feeProcessing } of txProcessing) follow(state, feeProcessing);
    for (const { txApplyProcessing } of txProcessing) follow(state, changesOf(txApplyProcessing));
    for (const upgrade of upgradesProcessing) follow(state, upgrade.changes);
    const applied = txSet.txs.map((wire) => parse(xdr.TransactionEnvelope.schema.encode(wire)));
    yield { state, header, applied, submissions: bySequence.get(header.ledgerSeq) ?? [] };
  }
}

function answerOf(admission: Admission): string {
  return `${admission.status} ${admission.status === 'ERROR' ? base64Of(admission.result) : ''}`;
}

function base64Of(result: xdr.TransactionResultWire | null): string {
  return result === null ? '' : base64(xdr.TransactionResult.schema.encode(result));
}

/** @param drift seconds since the ledger closed: the recording does not tell when within one it was sent */
function judgeOf(state: State, header: Header, drift: bigint): Judge {
  const next = { ...header, ledgerSeq: header.ledgerSeq + 1 };
  const twoExpectedCloses = 2n;
  const offsets = { lower: 0n, upper: twoExpectedCloses + drift };
  return {
    problem: (tx) => (isKnown(tx) ? checkValid(state, next, tx, offsets) : null),
    available: (ed25519) => {
      const account = loadAccount(state, ed25519);
      return account === undefined ? 0n : availableBalance(next, account);
    },
    maxOperations: header.maxTxSetSize,
    baseFee: BigInt(header.baseFee),
  };
}

function parse(envelope: Uint8Array): Transaction {
  return parseTransaction(envelope, network);
}

function isKnown(tx: Transaction): boolean {
  return tx.tx.operations.every(({ body }) => rulesOf(body) !== undefined);
}

function recordedSubmissions(): Submission[] {
  const lines = read(`${RECORDING}/submissions.jsonl`).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Submission);
}

function changesOf(meta: xdr.TransactionMetaWire): xdr.LedgerEntryChangeWire[] {
  assert.ok(meta.v === 2);
  const { txChangesBefore, operations, txChangesAfter } = meta.v2;
  return [...txChangesBefore, ...operations.flatMap(({ changes }) => changes), ...txChangesAfter];
}

function follow(state: State, changes: xdr.LedgerEntryChangeWire[]): void {
  for (const change of changes) {
    if (change.type === 0)
      state.apply({ key: keyOf(change.created), before: undefined, after: change.created });
    if (change.type === 1)
      state.apply({ key: keyOf(change.updated), before: undefined, after: change.updated });
    if (change.type === 2) {
      const key = base64(xdr.LedgerKey.schema.encode(change.removed));
      state.apply({ key, before: state.get(key), after: undefined });
    }
  }
}
