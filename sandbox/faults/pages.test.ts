import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { faultySandboxFor } from '../testing/faulty-sandbox.ts';

/** Six ledgers with one payment each. */
async function sixPayments(t: Parameters<typeof faultySandboxFor>[0]) {
  const network = await faultySandboxFor(t);
  const hashes: string[] = [];
  let startLedger = 0;
  for (let ledger = 0; ledger < 6; ledger++) {
    hashes.push((await network.server.sendTransaction(await network.payment())).hash);
    const { sequence } = network.sandbox.closeLedger();
    startLedger ||= sequence;
  }
  const page = async (from: { startLedger: number } | { cursor: string }) => {
    const request =
      'cursor' in from
        ? { pagination: { cursor: from.cursor, limit: 2 } }
        : { startLedger: from.startLedger, pagination: { limit: 2 } };
    const { transactions, cursor } = await network.server.getTransactions(request);
    return { hashes: transactions.map(({ txHash }) => txHash), cursor };
  };
  return { ...network, hashes, startLedger, page };
}

describe('pages', () => {
  test('duplicate_page: the page before comes again, and the listing goes on from its cursor', async (t) => {
    const { faults, hashes, startLedger, page } = await sixPayments(t);
    faults.add({ on: 'getTransactions', kind: 'duplicate_page', skip: 1 });
    const first = await page({ startLedger });
    const second = await page({ cursor: first.cursor });
    const again = await page({ cursor: second.cursor });
    assert.deepEqual(again, second);
    const third = await page({ cursor: again.cursor });
    assert.deepEqual([...first.hashes, ...second.hashes, ...third.hashes], hashes);
  });

  test('duplicate_page waits until the same listing has had a page', async (t) => {
    const { server, faults, startLedger, page, hashes } = await sixPayments(t);
    faults.add({ on: 'getTransactions', kind: 'duplicate_page' });
    const whole = await server.getTransactions({ startLedger, pagination: { limit: 100 } });
    assert.equal(whole.transactions.length, 6);
    const first = await page({ startLedger });
    assert.deepEqual(first.hashes, hashes.slice(0, 2));
    assert.equal(faults.list()[0]?.struck, 0);
    assert.deepEqual(await page({ cursor: first.cursor }), first);
  });

  test('empty_page: a client that continues from its cursor loses nothing', async (t) => {
    const { faults, hashes, startLedger, page } = await sixPayments(t);
    faults.add({ on: 'getTransactions', kind: 'empty_page', times: 2 });
    const empty = await page({ startLedger });
    assert.deepEqual(empty.hashes, []);
    const still = await page({ cursor: empty.cursor });
    assert.deepEqual(still, empty);
    const first = await page({ cursor: still.cursor });
    assert.deepEqual(first.hashes, hashes.slice(0, 2));
  });

  test('lost_page: a client that continues from its cursor loses the records of the page', async (t) => {
    const { faults, hashes, startLedger, page } = await sixPayments(t);
    faults.add({ on: 'getTransactions', kind: 'lost_page' });
    const lost = await page({ startLedger });
    assert.deepEqual(lost.hashes, []);
    assert.deepEqual((await page({ cursor: lost.cursor })).hashes, hashes.slice(2, 4));
  });

  test('pages of ledgers are emptied, lost and given again like those of transactions', async (t) => {
    const { server, faults, startLedger } = await sixPayments(t);
    const page = async (from: { startLedger: number } | { cursor: string }) => {
      const request =
        'cursor' in from
          ? { pagination: { cursor: from.cursor, limit: 2 } }
          : { startLedger: from.startLedger, pagination: { limit: 2 } };
      const { ledgers, cursor } = await server._getLedgers(request);
      return { sequences: ledgers.map(({ sequence }) => sequence - startLedger), cursor };
    };
    faults.add({ on: 'getLedgers', kind: 'empty_page' });
    const empty = await page({ startLedger });
    assert.deepEqual(empty.sequences, []);
    const first = await page({ cursor: empty.cursor });
    assert.deepEqual(first.sequences, [0, 1]);
    faults.add({ on: 'getLedgers', kind: 'duplicate_page' });
    assert.deepEqual(await page({ cursor: first.cursor }), first);
    faults.add({ on: 'getLedgers', kind: 'lost_page' });
    const lost = await page({ cursor: first.cursor });
    assert.deepEqual(lost.sequences, []);
    assert.deepEqual((await page({ cursor: lost.cursor })).sequences, [4, 5]);
  });

  test('an error is not a page, and stays unchanged', async (t) => {
    const { server, faults } = await sixPayments(t);
    faults.add([
      { on: 'getTransactions', kind: 'empty_page' },
      { on: 'getTransactions', kind: 'lost_page' },
    ]);
    await assert.rejects(server.getTransactions({ startLedger: 4_000_000 }), { code: -32600 });
  });
});
