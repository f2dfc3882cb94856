import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { xdr } from '@stellar/stellar-sdk/base';
import { sha256 } from '../ledger/bytes.ts';
import { call, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay } from '../testing/test-network.ts';

const rpc = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'getLedgers', params });

describe('getLedgers', () => {
  test('gives every ledger once, each hash that of its header and each header naming the one before', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const keys = await fund(sandbox, 3);
    for (const key of keys) await server.sendTransaction(await signed(server, key, [pay(key, 1n)]));
    for (let ledger = 0; ledger < 5; ledger++) sandbox.closeLedger();
    const latest = sandbox.closeLedger().sequence;
    const ledgers = [];
    let page = await server.getLedgers({ startLedger: 1, pagination: { limit: 3 } });
    for (;;) {
      ledgers.push(...page.ledgers);
      if (Number(page.cursor) === latest) break;
      page = await server.getLedgers({ pagination: { cursor: page.cursor, limit: 3 } });
    }
    assert.deepEqual(
      ledgers.map(({ sequence }) => sequence),
      Array.from({ length: latest }, (_, index) => index + 1),
    );
    let previous = Buffer.alloc(32).toString('hex');
    let transactions = 0;
    for (const { hash, headerXdr, metadataXdr } of ledgers) {
      assert.equal(sha256(headerXdr.header.toXdr()).toString('hex'), hash);
      assert.equal(Buffer.from(headerXdr.hash.value).toString('hex'), hash);
      assert.equal(Buffer.from(headerXdr.header.previousLedgerHash.value).toString('hex'), previous);
      assert.ok(metadataXdr.type === 'v2');
      assert.deepEqual(metadataXdr.value.ledgerHeader.toXdr(), headerXdr.toXdr());
      transactions += metadataXdr.value.txProcessing.length;
      previous = hash;
    }
    assert.equal(transactions, (await server.getTransactions({ startLedger: 1 })).transactions.length);
    assert.ok(transactions > 3);
  });

  test('refuses a start or a cursor outside of the history, both at once, and more than 200 on a page', async (t) => {
    const { sandbox } = await sandboxFor(t, { retention_ledgers: 3 });
    for (let ledger = 0; ledger < 5; ledger++) sandbox.closeLedger();
    const refusal = async (params: unknown) => {
      const { error } = (await call(sandbox, rpc(params))).json;
      return [error.code, error.message];
    };
    const range = 'must be between the oldest ledger: 5 and the latest ledger: 7 for this rpc instance';
    for (const startLedger of [0, 4, 8]) {
      assert.deepEqual(await refusal({ startLedger }), [-32600, `start ledger (${startLedger}) ${range}`]);
    }
    for (const cursor of ['3', '7']) {
      assert.deepEqual(await refusal({ pagination: { cursor } }), [-32602, `cursor ('${cursor}') ${range}`]);
    }
    assert.deepEqual(await refusal({ pagination: { cursor: 'x' } }), [
      -32602,
      'strconv.ParseUint: parsing "x": invalid syntax',
    ]);
    assert.deepEqual(await refusal({ startLedger: 5, pagination: { cursor: '5' } }), [
      -32600,
      'startLedger (5) and cursor (5) cannot both be set',
    ]);
    assert.deepEqual(await refusal({ startLedger: 5, pagination: { limit: 201 } }), [
      -32600,
      'limit must not exceed 200',
    ]);
  });
});

test('getFeeStats, result, meta and getLedgers agree on what a ledger under surge pricing charged', async (t) => {
  const { sandbox, server } = await sandboxFor(t, { max_operations: 3 });
  const keys = [...(await fund(sandbox, 3)), ...(await fund(sandbox, 3))] as Keypair[];
  for (let ledger = 0; ledger < 10; ledger++) sandbox.closeLedger();
  for (const [index, key] of keys.entries()) {
    const fee = String(100 * (index + 1));
    assert.equal(
      (await server.sendTransaction(await signed(server, key, [pay(key, 1n)], fee))).status,
      'PENDING',
    );
  }
  const { sequence } = sandbox.closeLedger();
  const { inclusionFee } = await server.getFeeStats();
  const { min, max, mode, p10, p99, transactionCount, ledgerCount } = inclusionFee;
  assert.deepEqual(
    [min, max, mode, p10, p99, transactionCount, ledgerCount],
    ['400', '400', '400', '400', '400', '3', 10],
  );
  const [ledger] = (await server.getLedgers({ startLedger: sequence })).ledgers;
  const meta = xdr.LedgerCloseMeta.schema.decode(ledger?.metadataXdr.toXdr() ?? new Uint8Array());
  assert.ok(meta.v === 2);
  const { txSet, txProcessing } = meta.v2;
  const [phase] = txSet.v1TxSet.phases;
  assert.ok(phase?.v === 0);
  assert.deepEqual(
    phase.v0Components.map(({ txsMaybeDiscountedFee }) => txsMaybeDiscountedFee.baseFee),
    [400n],
  );
  assert.deepEqual(
    txProcessing.map(({ result }) => result.result.feeCharged),
    [400n, 400n, 400n],
  );
  sandbox.closeLedger();
  assert.equal((await server.getFeeStats()).inclusionFee.min, '100');
});
