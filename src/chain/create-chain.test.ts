import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { sandboxChains } from '../../test/support/sandbox-chains.ts';
import type { Chain } from './chain.ts';

test('a thousand withdrawals at once ask for fees once and for accounts about ten times', async (t) => {
  const { from, clock, over } = await sandboxChains(t);
  const { chain, requests } = over({ rpc: ['a'] });
  await chain.latestLedger();
  const ask = async (chain: Chain) => {
    const destination = Keypair.random().publicKey();
    const [{ accounts }, fee] = await Promise.all([
      chain.readAccounts([from.publicKey(), destination]),
      chain.feePerOperation(),
    ]);
    assert.deepEqual([...accounts.keys()], [from.publicKey()]);
    assert.equal(fee, 100n);
  };
  await Promise.all(Array.from({ length: 1000 }, () => ask(chain)));
  const { getFeeStats, getLedgerEntries = 0, getLatestLedger = 0 } = await requests();
  assert.equal(getFeeStats, 1);
  assert.ok(getLedgerEntries + getLatestLedger <= 16, `${getLedgerEntries} + ${getLatestLedger}`);
  await clock.advance(2_001);
  await chain.feePerOperation();
  assert.equal((await requests()).getFeeStats, 2);
});

test('sequence numbers of 400 accounts come in two requests of one source, and the ledger before them', async (t) => {
  const { from, to, over } = await sandboxChains(t);
  const { chain, requests } = over({ rpc: ['a'] });
  await chain.latestLedger();
  const before = await requests();
  const unknown = Array.from({ length: 398 }, () => Keypair.random().publicKey());
  const { sequences } = await chain.readSequences([from.publicKey(), ...unknown, to.publicKey()]);
  assert.deepEqual([...sequences.keys()].sort(), [from.publicKey(), to.publicKey()].sort());
  const after = await requests();
  assert.equal(after.getLedgerEntries, 2);
  assert.equal((after.getLatestLedger ?? 0) - (before.getLatestLedger ?? 0), 1);
});
