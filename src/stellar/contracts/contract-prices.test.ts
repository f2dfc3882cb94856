/** What a transfer to a contract costs by the network's settings: as a real network of protocol 28 charged it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, StrKey } from '@stellar/stellar-sdk/base';
import { sandboxChains } from '../../../test/support/sandbox-chains.ts';
import type { Stellar } from '../stellar.ts';
import { declaredFees, PRICE_KEYS, pricesIn } from './contract-prices.ts';

const TARGET_BYTES = 3_000_000_000;
const FRESH_MS = 10_001;

async function feesBy(stellar: Stellar) {
  const prices = await stellar.contractPrices();
  assert(prices);
  return declaredFees(prices);
}

test('what a transfer declares follows from the settings, as a source simulates it: with little state, at its target, beyond', async (t) => {
  const { from, faults, sandbox, clock, over } = await sandboxChains(t);
  const { stellar } = over({ rpc: ['a'] });
  const simulated = async (to: string) => {
    const terms = { asset: null, from: from.publicKey(), to, to_muxed_id: null, amount_stroops: 5n };
    const transfer = await stellar.simulateTransfer(terms);
    assert(transfer.possible);
    return transfer.resource_fee_stroops;
  };
  const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
  assert.deepEqual(await feesBy(stellar), { first: 454_450n, next: 22_208n });
  assert.equal(await simulated(contract), 454_450n);
  for (const [bytes, first] of [
    [TARGET_BYTES, 4_318_450n],
    [TARGET_BYTES + 1_000_000, null],
    [2_500_000_000, null],
  ] as const) {
    faults.network.contract_state({ bytes });
    sandbox.closeLedger();
    await clock.advance(FRESH_MS);
    const declared = await feesBy(stellar);
    assert.equal(declared.first, await simulated(contract), `${bytes} bytes`);
    assert.equal(declared.first, first ?? declared.first);
    assert.equal(declared.next, 22_208n, 'rent is paid once');
  }
});

test('prices are unknown without a source that tells them, and when an entry is missing or another', async (t) => {
  const { faults, over } = await sandboxChains(t);
  assert.equal(await over({ horizon: ['a'] }).stellar.contractPrices(), null);
  faults.add({ on: 'getLedgerEntries', kind: 'status', status: 503, node: 'a' });
  assert.equal(await over({ rpc: ['a'] }).stellar.contractPrices(), null);
  assert.throws(() => pricesIn([]), /setting 2 is missing/);
  assert.throws(() => pricesIn([PRICE_KEYS[0] as string]));
});
