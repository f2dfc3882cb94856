/** Payments that the sandbox applies: the credits equal the changes of the balances. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { walletPayment } from '../../../sandbox/testing/contract-wallet.ts';
import { ContractWorld } from '../../../sandbox/testing/contract-world.ts';
import { call, FRIENDBOT_STROOPS, fund, signed } from '../../../sandbox/testing/rpc-client.ts';
import { UNIT } from '../../../sandbox/testing/test-network.ts';
import { type Counts, compareCredits } from '../../../test/support/compare-credits.ts';
import { NETWORK } from '../../../test/support/paying.ts';
import { muxedAddress } from '../address.ts';
import { readLedgerCloseMeta } from '../ledgers/ledger-close-meta.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { createAccountFilter } from './account-filter.ts';
import type { Credit } from './credit.ts';

/** Every transaction of the sandbox's ledgers, as its RPC gives them. */
async function transactionsOf({ sandbox, server }: ContractWorld): Promise<LedgerTransaction[]> {
  const { sequence: last } = await server.getLatestLedger();
  const params = { startLedger: 2, pagination: { limit: 100 } };
  const answer = await call(sandbox, { jsonrpc: '2.0', id: 1, method: 'getLedgers', params });
  const { ledgers } = answer.json.result as { ledgers: { sequence: number; metadataXdr: string }[] };
  assert.equal(ledgers.at(-1)?.sequence, last, 'all of them');
  return ledgers.flatMap(({ sequence, metadataXdr }) => {
    const options = { method: 'getLedgers', passphrase: NETWORK, sequence };
    return readLedgerCloseMeta(options, Buffer.from(metadataXdr, 'base64')).transactions;
  });
}

/** Credits to Bob, in order. The credits of all accounts are compared with balances, events and the filter. */
async function creditsToBob(world: ContractWorld): Promise<Credit[]> {
  const counts: Counts = {};
  const credits: Credit[] = [];
  for (const transaction of await transactionsOf(world)) {
    for (const credit of compareCredits(NETWORK, transaction, counts)) {
      const filter = createAccountFilter();
      filter.add(credit.account);
      assert.ok(filter.mentionedIn(transaction.envelope), transaction.hash);
      if (credit.account === world.bob.publicKey()) credits.push(credit);
    }
  }
  assert.ok((counts['balances compared'] ?? 0) > 0);
  return credits;
}

const MUXED_ID = 2n ** 64n - 1n;

test('transfers of asset contracts, from accounts, contracts and the issuer, to G… and M…', async (t) => {
  const world = await ContractWorld.start(t);
  const { server, issuer, alice, bob, usd, wallet } = world;
  const [native, to] = [Asset.native(), bob.publicKey()];
  const muxed = muxedAddress(to, MUXED_ID);
  const before = (await creditsToBob(world)).length;
  await world.transfer(alice, { asset: native, from: alice.publicKey(), to, amount: 1n });
  await world.transfer(alice, { asset: native, from: alice.publicKey(), to: muxed, amount: 2n });
  await world.transfer(alice, { asset: usd, from: alice.publicKey(), to, amount: 3n });
  await world.transfer(issuer, { asset: usd, from: issuer.publicKey(), to: muxed, amount: 4n });
  await world.transfer(alice, { asset: native, from: alice.publicKey(), to: wallet.address, amount: 100n });
  await world.transfer(bob, { asset: usd, from: to, to: issuer.publicKey(), amount: 1n });
  await world.transfer(alice, { asset: native, from: alice.publicKey(), to, amount: 0n });
  await world.applied(await walletPayment(server, alice, wallet, { asset: native, to, amount: 5n }));
  const inner = await walletPayment(server, alice, wallet, { asset: native, to: muxed, amount: 6n });
  const bump = TransactionBuilder.buildFeeBumpTransaction(bob, '1000', inner, NETWORK);
  bump.sign(bob);
  await world.applied(bump);

  const credits = (await creditsToBob(world)).slice(before);
  assert.deepEqual(
    credits.map(({ kind, amount_stroops, muxed_id, ...credit }) => [
      kind,
      amount_stroops,
      muxed_id,
      credit.source_account,
      credit.asset_code,
    ]),
    [
      ['contract_transfer', 1n, null, alice.publicKey(), 'native'],
      ['contract_transfer', 2n, MUXED_ID, alice.publicKey(), 'native'],
      ['contract_transfer', 3n, null, alice.publicKey(), 'USD'],
      ['contract_mint', 4n, MUXED_ID, issuer.publicKey(), 'USD'],
      ['contract_transfer', 5n, null, wallet.address, 'native'],
      ['contract_transfer', 6n, MUXED_ID, wallet.address, 'native'],
    ],
  );
});

test('classic operations, in a fee-bump', async (t) => {
  const world = await ContractWorld.start(t);
  const { server, sandbox, issuer, alice, bob, usd } = world;
  const [native, to] = [Asset.native(), bob.publicKey()];
  const muxed = muxedAddress(to, MUXED_ID);
  const [merged] = await fund(sandbox, 1);
  assert(merged);
  const before = (await creditsToBob(world)).length;
  const selling = { selling: native, buying: usd, amount: '100', price: '2' };
  await world.classic(issuer, Operation.manageSellOffer(selling));
  const path = { sendAsset: usd, destAsset: native, path: [] };
  const operations = [
    Operation.payment({ destination: to, asset: usd, amount: '1' }),
    Operation.pathPaymentStrictSend({ ...path, destination: muxed, sendAmount: '4', destMin: '1' }),
    Operation.pathPaymentStrictReceive({ ...path, destination: to, sendMax: '9', destAmount: '3' }),
    Operation.accountMerge({ destination: muxed, source: merged.publicKey() }),
  ];
  const inner = await signed(server, alice, operations, '1000');
  inner.sign(merged);
  const bump = TransactionBuilder.buildFeeBumpTransaction(bob, '1000', inner, NETWORK);
  bump.sign(bob);
  await world.sent(bump);
  sandbox.closeLedger();

  const credits = (await creditsToBob(world)).slice(before);
  assert.deepEqual(
    credits.map((credit) => [credit.kind, credit.amount_stroops, credit.muxed_id, credit.source_account]),
    [
      ['payment', 1n * UNIT, null, alice.publicKey()],
      ['path_payment_strict_send', 2n * UNIT, MUXED_ID, alice.publicKey()],
      ['path_payment_strict_receive', 3n * UNIT, null, alice.publicKey()],
      ['account_merge', FRIENDBOT_STROOPS, MUXED_ID, merged.publicKey()],
    ],
  );
});
