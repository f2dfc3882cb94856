import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Operation, type TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../ledger/bytes.ts';
import type { Entry } from '../ledger/entry.ts';
import { accountKey } from '../ledger/entry.ts';
import { rootKeypair } from '../ledger/genesis.ts';
import { parseTransaction } from '../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { TestNetwork } from '../testing/test-network.ts';
import type { RecordedLedger } from './recorded-ledger.ts';
import { Recording } from './recording.ts';
import { Replay } from './replay.ts';

const ledgers = [
  ...new Recording(join(import.meta.dirname, '../testing/recordings/replay-core-19')).ledgers(),
].slice(0, 40);

const root = rootKeypair(SANDBOX_PASSPHRASE);
const rootKey = accountKey(root.rawPublicKey());

function replayed(recorded: RecordedLedger[]): Replay {
  const replay = new Replay(SANDBOX_PASSPHRASE);
  for (const ledger of recorded) replay.close(ledger);
  return replay;
}

test('a result that differs is reported with both sides and the envelope, and nothing besides', () => {
  const at = ledgers.findIndex(({ processed }) => processed.length > 0);
  const ledger = ledgers[at] as RecordedLedger;
  const [first, ...others] = ledger.processed;
  assert.ok(first);
  const result = { ...first.result.result, result: { code: -6 } as const };
  const changed = { ...first, result: { ...first.result, result } };
  const { differences } = replayed(ledgers.with(at, { ...ledger, processed: [changed, ...others] })).findings;
  assert.equal(differences.length, 1);
  const [difference] = differences;
  assert.equal(difference?.what, 'result');
  assert.equal(difference.ledger, ledger.header.ledgerSeq);
  assert.equal(difference.hash, hex(first.result.transactionHash));
  assert.match(difference.theirs, /^txBadAuth /);
  assert.match(difference.ours, /^txSuccess /);
  const tx = parseTransaction(Buffer.from(difference.envelope ?? '', 'base64'), replayed([]).network);
  assert.equal(hex(tx.hash), difference.hash);
});

test('an entry that went wrong is reported where it first shows, and is right from then on', () => {
  const replay = replayed(ledgers.slice(0, 10));
  const entry = replay.state.get(rootKey) as Entry;
  assert.ok(entry.data.type === 0);
  const account = { ...entry.data.account, balance: entry.data.account.balance - 1n };
  replay.state.apply({ key: rootKey, before: entry, after: { ...entry, data: { type: 0, account } } });
  for (const ledger of ledgers.slice(10)) replay.close(ledger);
  replay.compareEntries();
  const { differences } = replay.findings;
  assert.equal(differences.length, 1);
});

test('a transaction of operations that are not done here is counted, and followed', () => {
  const replay = replayed(ledgers);
  replay.close(foreignLedger(replay));
  const { differences, unsupported } = replay.findings;
  assert.deepEqual([differences, unsupported], [[], 1]);
  const data = replay.state.get(rootKey)?.data;
  assert.ok(data?.type === 0 && data.account.homeDomain.toString() === 'followed');
});

test('in a nearly full ledger all pay the lowest bid, and whoever bid a fraction of a stroop less is not refused', () => {
  const replay = replayed(ledgers);
  replay.close(fullLedger(replay, ledgers.at(-1) as RecordedLedger));
  const about = replay.findings.differences.map(({ what, ours }) => `${what} ${ours}`.slice(0, 40));
  assert.deepEqual(
    about.filter((what) => /^(result|fee charged)/.test(what)),
    [],
  );
});

/** Ten transactions of 100 operations. The lowest bid is 102.5 stroops an operation, so 103 are charged. */
function fullLedger(replay: Replay, last: RecordedLedger): RecordedLedger {
  const account = replay.state.get(rootKey)?.data;
  assert.ok(account?.type === 0);
  const { seqNum } = account.account;
  const net = new TestNetwork();
  const operations = Array.from({ length: 100 }, () => Operation.bumpSequence({ bumpTo: '0' }));
  const results = operations.map(
    () => ({ code: 0, tr: { type: 11, bumpSeqResult: { code: 0 } } }) satisfies xdr.OperationResultWire,
  );
  const members = Array.from({ length: 10 }, (_, index) => {
    const bid = index === 0 ? 10_250 : 30_000;
    // No changes are recorded, so each finds the same sequence number as the first.
    const adjust = (builder: TransactionBuilder) => void builder.setMinAccountSequence('0');
    const numbered = { seqNum: seqNum + 1n + BigInt(index), adjust };
    const tx = net.build(root, operations, { ...numbered, fee: `${bid / 100}` });
    return { tx, feeCharged: BigInt(Math.min(bid, 10_300)) };
  });
  const ledgerSeq = replay.header.ledgerSeq + 1;
  const scpValue = { ...last.header.scpValue, upgrades: [] };
  return {
    header: { ...replay.header, ledgerSeq, scpValue },
    set: members.map(({ tx }) => ({ envelope: tx.toEnvelope().toXdrObject() })),
    processed: members.map(({ tx, feeCharged }) => ({
      result: {
        transactionHash: Buffer.from(tx.hash()),
        result: { feeCharged, result: { code: 0, results }, ext: { v: 0 } },
      },
      feeProcessing: [],
      meta: { v: 2, v2: { txChangesBefore: [], operations: [], txChangesAfter: [] } },
      afterAll: [],
    })),
    upgrades: [],
  };
}

/** A ledger with a revoke_sponsorship of root, recorded with a changed home domain. */
function foreignLedger(replay: Replay): RecordedLedger {
  const operation = Operation.revokeAccountSponsorship({ account: root.publicKey() });
  const tx = new TestNetwork().build(root, [operation], { seqNum: 10n ** 12n });
  const state = replay.state.get(rootKey) as Entry;
  assert.ok(state.data.type === 0);
  const ledgerSeq = replay.header.ledgerSeq + 1;
  const changedTo = (fields: Partial<xdr.AccountEntryWire>, before: Entry): Entry => {
    assert.ok(before.data.type === 0);
    const account = { ...before.data.account, ...fields };
    return { ...before, lastModifiedLedgerSeq: ledgerSeq, data: { type: 0, account } };
  };
  const paid = changedTo({ balance: state.data.account.balance - 100n }, state);
  const moved = changedTo({ homeDomain: new xdr.XdrString('followed') }, paid);
  const result: xdr.TransactionResultWire = {
    feeCharged: 100n,
    result: {
      code: 0,
      results: [{ code: 0, tr: { type: 18, revokeSponsorshipResult: { code: 0 } } }],
    },
    ext: { v: 0 },
  };
  const header = { ...replay.header, ledgerSeq, feePool: replay.header.feePool + 100n };
  return {
    header: { ...header, scpValue: { ...header.scpValue, upgrades: [] } },
    set: [{ envelope: tx.toEnvelope().toXdrObject() }],
    processed: [
      {
        result: { transactionHash: Buffer.from(tx.hash()), result },
        feeProcessing: [
          { type: 3, state },
          { type: 1, updated: paid },
        ],
        meta: {
          v: 2,
          v2: {
            txChangesBefore: [],
            operations: [
              {
                changes: [
                  { type: 3, state: paid },
                  { type: 1, updated: moved },
                ],
              },
            ],
            txChangesAfter: [],
          },
        },
        afterAll: [],
      },
    ],
    upgrades: [],
  };
}
