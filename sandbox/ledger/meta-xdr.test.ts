import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk/base';
import { ledgersIn, missing } from '../testing/recorded-ledgers.ts';
import { create, TestNetwork, UNIT } from '../testing/test-network.ts';
import { ledgerKeyOf } from './entry.ts';
import { metaXdr } from './meta-xdr.ts';

const RECORDED = ['63092990', '63092996'].map((ledger) => `wallet-backend/ledger-${ledger}.xdr.gz`);
const ext = { v: 0 } as const;

function assertEncodesAsItsSchema(v4: xdr.TransactionMetaV4Wire): void {
  assert.deepEqual(Uint8Array.from(metaXdr(v4)), xdr.TransactionMeta.schema.encode({ v: 4, v4 }));
}

test('meta with every kind of change and event, and with contract meta, has the bytes of its schema', () => {
  const net = new TestNetwork();
  net.submit(net.build(net.root, [create(Keypair.random(), UNIT), create(Keypair.random(), UNIT)]));
  const { transactions, changes } = net.close();
  const [meta] = transactions.map((transaction) => transaction.meta);
  const [entry] = changes.flatMap(({ after }) => after ?? []);
  assert.ok(meta?.v === 4 && entry !== undefined);
  const { v4 } = meta;
  const events = v4.operations.flatMap((operation) => operation.events);
  assert.deepEqual([v4.operations.length, events.length, v4.events.length], [2, 2, 1]);
  assertEncodesAsItsSchema(v4);

  const everyChange: xdr.LedgerEntryChangeWire[] = [
    { type: 0, created: entry },
    { type: 1, updated: entry },
    { type: 2, removed: ledgerKeyOf(entry) },
    { type: 3, state: entry },
    { type: 4, restored: entry },
  ];
  assertEncodesAsItsSchema({
    ext,
    txChangesBefore: everyChange,
    operations: [...v4.operations, { ext, changes: everyChange, events }],
    txChangesAfter: everyChange.toReversed(),
    sorobanMeta: { ext, returnValue: { type: 1 } },
    events: [0, 1, 2].flatMap((stage) => v4.events.map(({ event }) => ({ stage, event }))),
    diagnosticEvents: events.map((event) => ({ inSuccessfulContractCall: false, event })),
  });
});

test('the meta of recorded ledgers of the public network has the bytes of its schema', {
  skip: missing(RECORDED[0]),
}, () => {
  const metas = RECORDED.flatMap((file) => [...ledgersIn(file)]).flatMap((ledger) =>
    ledger.v === 2 ? ledger.v2.txProcessing.map(({ txApplyProcessing }) => txApplyProcessing) : [],
  );
  assert.ok(metas.length > 100);
  for (const meta of metas) {
    assert.ok(meta.v === 4);
    assertEncodesAsItsSchema(meta.v4);
  }
});
