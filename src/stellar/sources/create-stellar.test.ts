import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { sandboxChains } from '../../../test/support/sandbox-chains.ts';
import type { Stellar } from '../stellar.ts';

test('a thousand withdrawals at once ask for fees once and for accounts about ten times', async (t) => {
  const { from, clock, over } = await sandboxChains(t);
  const { stellar, requests } = over({ rpc: ['a'] });
  await stellar.latestLedger();
  const ask = async (stellar: Stellar) => {
    const destination = Keypair.random().publicKey();
    const [{ accounts }, fee] = await Promise.all([
      stellar.readAccounts([from.publicKey(), destination]),
      stellar.feePerOperation(),
    ]);
    assert.deepEqual([...accounts.keys()], [from.publicKey()]);
    assert.equal(fee, 100n);
  };
  await Promise.all(Array.from({ length: 1000 }, () => ask(stellar)));
  const { getFeeStats, getLedgerEntries = 0, getLatestLedger = 0 } = await requests();
  assert.equal(getFeeStats, 1);
  assert.ok(getLedgerEntries + getLatestLedger <= 16, `${getLedgerEntries} + ${getLatestLedger}`);
  await clock.advance(2_001);
  await stellar.feePerOperation();
  assert.equal((await requests()).getFeeStats, 2);
});

test('several readers read each ledger once; other answers are requested each time', async (t) => {
  const { sandbox, clock, over } = await sandboxChains(t);
  const { stellar, requests } = over({ rpc: ['a'] });
  const { sequence: after } = await stellar.latestLedger();
  sandbox.closeLedger();
  const readings = await Promise.all(
    [after, after, after].map((ledger) => stellar.readLedgersAfter(ledger, null)),
  );
  assert(readings.every((range) => range === readings[0] && range.read === 'ledgers'));
  assert.equal(await stellar.readLedgersAfter(after, null), readings[0]);
  assert.equal((await requests()).getLedgers, 1);

  // After five seconds the answer is too old to show the delay.
  await clock.advance(5_001);
  sandbox.closeLedger();
  const again = await stellar.readLedgersAfter(after, null);
  assert.equal(again.read === 'ledgers' && again.through_ledger, after + 2);
  assert.equal((await requests()).getLedgers, 2);

  assert.deepEqual(await stellar.readLedgersAfter(after + 2, null), { read: 'nothing_new' });
  sandbox.closeLedger();
  assert.equal((await stellar.readLedgersAfter(after + 2, null)).read, 'ledgers');
});

test('ledgers that could not be read are requested again by the next reader', async (t) => {
  const { sandbox, faults, over } = await sandboxChains(t);
  const { stellar, requests } = over({ rpc: ['a'] });
  const { sequence: after } = await stellar.latestLedger();
  sandbox.closeLedger();
  faults.add({ on: 'getLedgers', kind: 'status', status: 503, node: 'a' });
  const failing = await Promise.allSettled([
    stellar.readLedgersAfter(after, null),
    stellar.readLedgersAfter(after, null),
  ]);
  assert.deepEqual(
    failing.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal((await stellar.readLedgersAfter(after, null)).read, 'ledgers');
  assert.equal((await requests()).getLedgers, 2);
});

test('sequence numbers of 400 accounts come in two requests of one source, and the ledger before them', async (t) => {
  const { from, to, over } = await sandboxChains(t);
  const { stellar, requests } = over({ rpc: ['a'] });
  await stellar.latestLedger();
  const before = await requests();
  const unknown = Array.from({ length: 398 }, () => Keypair.random().publicKey());
  const { sequences } = await stellar.readSequences([from.publicKey(), ...unknown, to.publicKey()]);
  assert.deepEqual([...sequences.keys()].sort(), [from.publicKey(), to.publicKey()].sort());
  const after = await requests();
  assert.equal(after.getLedgerEntries, 2);
  assert.equal((after.getLatestLedger ?? 0) - (before.getLatestLedger ?? 0), 1);
});
