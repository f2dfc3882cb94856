import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import {
  Account,
  Asset,
  hash,
  MuxedAccount,
  scValToNative,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../../passphrase.ts';
import { contractWallet, prepareTransfer, walletPayment } from '../../testing/contract-wallet.ts';
import { ContractWorld } from '../../testing/contract-world.ts';
import { sandboxFor, signed } from '../../testing/rpc-client.ts';
import { pay } from '../../testing/test-network.ts';

const XLM = Asset.native();
const MUXED_ID = 2n ** 64n - 1n;
const AMOUNT = 70_000_000n;

function muxed(key: Keypair): string {
  return new MuxedAccount(new Account(key.publicKey(), '0'), MUXED_ID.toString()).accountId();
}

test('an account pays another one, native and issued, with an event', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd } = world;
  for (const asset of [XLM, usd]) {
    const had = await world.balance(bob.publicKey(), asset);
    const payment = { asset, from: alice.publicKey(), to: bob.publicKey(), amount: AMOUNT };
    const paid = await world.transfer(alice, payment);
    assert.equal(paid.outcome, 'success');
    assert.equal(await world.balance(bob.publicKey(), asset), had + AMOUNT);
    const topics = ['transfer', alice.publicKey(), bob.publicKey(), asset.toString()];
    assert.deepEqual(paid.events, [{ topics, data: AMOUNT }]);
  }
});

test('a muxed destination is credited like its account, and its id is in the event as to_muxed_id', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd } = world;
  for (const asset of [XLM, usd]) {
    const payment = { asset, from: alice.publicKey(), to: muxed(bob), amount: AMOUNT };
    const paid = await world.transfer(alice, payment);
    const topics = ['transfer', alice.publicKey(), bob.publicKey(), asset.toString()];
    assert.deepEqual(paid.events, [{ topics, data: { amount: AMOUNT, to_muxed_id: MUXED_ID } }]);
  }
  assert.equal(await world.balance(bob.publicKey(), usd), AMOUNT);
});

test('a contract is paid, and pays accounts, muxed or not', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd, server, wallet } = world;
  for (const asset of [XLM, usd]) {
    const deposit = { asset, from: alice.publicKey(), to: wallet.address, amount: 3n * AMOUNT };
    const received = await world.transfer(alice, deposit);
    const sent = ['transfer', alice.publicKey(), wallet.address, asset.toString()];
    assert.deepEqual(received.events, [{ topics: sent, data: 3n * AMOUNT }]);
    assert.equal(await world.balance(wallet.address, asset), 3n * AMOUNT);

    const had = await world.balance(bob.publicKey(), asset);
    const topics = ['transfer', wallet.address, bob.publicKey(), asset.toString()];
    const plain = await walletPayment(server, alice, wallet, { asset, to: bob.publicKey(), amount: AMOUNT });
    assert.deepEqual((await world.applied(plain)).events, [{ topics, data: AMOUNT }]);
    const toMuxed = await walletPayment(server, alice, wallet, { asset, to: muxed(bob), amount: AMOUNT });
    const paid = await world.applied(toMuxed);
    assert.deepEqual(paid.events, [{ topics, data: { amount: AMOUNT, to_muxed_id: MUXED_ID } }]);
    assert.equal(await world.balance(bob.publicKey(), asset), had + 2n * AMOUNT);
    assert.equal(await world.balance(wallet.address, asset), AMOUNT);
  }
});

test('a contract pays another contract', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd, server, wallet } = world;
  const other = contractWallet(bob);
  const deposit = { asset: usd, from: alice.publicKey(), to: wallet.address, amount: AMOUNT };
  await world.transfer(alice, deposit);
  const onward = await walletPayment(server, bob, wallet, { asset: usd, to: other.address, amount: AMOUNT });
  assert.equal((await world.applied(onward)).outcome, 'success');
  assert.equal(await world.balance(other.address, usd), AMOUNT);
  assert.equal(await world.balance(wallet.address, usd), 0n);
});

test('the issuer mints by paying and burns by being paid', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, issuer, usd, server, wallet } = world;
  const asset = usd;
  const mint = { asset, from: issuer.publicKey(), to: muxed(bob), amount: AMOUNT };
  const minted = await world.transfer(issuer, mint);
  const data = { amount: AMOUNT, to_muxed_id: MUXED_ID };
  assert.deepEqual(minted.events, [{ topics: ['mint', bob.publicKey(), usd.toString()], data }]);

  await world.transfer(issuer, { ...mint, to: wallet.address });
  assert.equal(await world.balance(wallet.address, usd), AMOUNT);

  const burn = await walletPayment(server, alice, wallet, { asset, to: muxed(issuer), amount: AMOUNT });
  const burned = await world.applied(burn);
  assert.deepEqual(burned.events, [{ topics: ['burn', wallet.address, usd.toString()], data: AMOUNT }]);
  assert.equal(await world.balance(wallet.address, usd), 0n);
});

test('a balance of a contract beyond 64 bits is exact, though accounts move at most 63 bits at once', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, issuer, usd, server, wallet } = world;
  const most = 2n ** 63n - 1n;
  const mint = { asset: usd, from: issuer.publicKey(), to: wallet.address, amount: most };
  for (let times = 0; times < 3; times++)
    assert.equal((await world.transfer(issuer, mint)).outcome, 'success');
  await assert.rejects(world.transfer(issuer, { ...mint, amount: most + 1n }), /Error\(Contract, #12\)/);
  assert.equal(await world.balance(wallet.address, usd), 3n * most);

  const all = { asset: usd, to: contractWallet(bob).address, amount: 3n * most };
  const paid = await world.applied(await walletPayment(server, alice, wallet, all));
  assert.equal(paid.events[0]?.data, 3n * most);
  assert.equal(await world.balance(all.to, usd), 3n * most);
});

test('the fee is the inclusion fee and the used resource fee; the rest is refunded, and no coin is lost', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, server, wallet } = world;
  const all = await world.coins();
  const had = await world.balance(alice.publicKey());
  const payment = { asset: XLM, from: alice.publicKey(), to: wallet.address, amount: AMOUNT };
  const prepared = await prepareTransfer(server, alice, payment);
  prepared.sign(alice);
  const bid = BigInt(prepared.fee);
  const { feeCharged, meta } = await world.applied(prepared);

  assert.ok(feeCharged < bid, `${feeCharged} of ${bid}`);
  assert.equal(await world.balance(alice.publicKey()), had - AMOUNT - feeCharged);
  assert.equal(await world.coins(), all);
  const ext = meta.sorobanMeta?.ext;
  assert.ok(ext?.type === 'v1');
  const used = ext.value.totalNonRefundableResourceFeeCharged + ext.value.totalRefundableResourceFeeCharged;
  assert.equal(feeCharged, 100n + used);
  const fees = meta.events.map(({ stage, event }) => [stage.name, scValToNative(event.body.value.data)]);
  assert.deepEqual(fees, [
    ['transactionEventStageBeforeAllTxs', bid],
    ['transactionEventStageAfterAllTxs', feeCharged - bid],
  ]);
});

test('a fee-bump pays for a contract transaction: base fee for one operation more, and gets the refund', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, server, wallet } = world;
  const payment = { asset: XLM, from: alice.publicKey(), to: wallet.address, amount: AMOUNT };
  const inner = await prepareTransfer(server, alice, payment);
  inner.sign(alice);
  const [all, aliceHad, bobHad] = [
    await world.coins(),
    await world.balance(alice.publicKey()),
    await world.balance(bob.publicKey()),
  ];
  const outer = TransactionBuilder.buildFeeBumpTransaction(bob, '200', inner, SANDBOX_PASSPHRASE);
  outer.sign(bob);
  const { outcome, feeCharged, meta } = await world.applied(outer);

  assert.equal(outcome, 'success');
  assert.equal(await world.balance(alice.publicKey()), aliceHad - AMOUNT);
  assert.equal(await world.balance(bob.publicKey()), bobHad - feeCharged);
  assert.equal(await world.coins(), all);
  const ext = meta.sorobanMeta?.ext;
  assert.ok(ext?.type === 'v1');
  const { totalNonRefundableResourceFeeCharged, totalRefundableResourceFeeCharged } = ext.value;
  assert.equal(feeCharged, 200n + totalNonRefundableResourceFeeCharged + totalRefundableResourceFeeCharged);
});

test('the result is the hash of return value and events, and meta shows balance and lifetime', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, usd, server, wallet } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: wallet.address, amount: AMOUNT };
  const transaction = await prepareTransfer(server, alice, payment);
  transaction.sign(alice);
  const { meta, ledger } = await world.applied(transaction);
  const found = await server.getTransaction(Buffer.from(transaction.hash()).toString('hex'));
  assert.ok(found.status === 'SUCCESS' && found.returnValue?.type === 'scvVoid');

  const [operation] = meta.operations;
  const preimage = new xdr.InvokeHostFunctionSuccessPreImage({
    returnValue: found.returnValue,
    events: operation?.events ?? [],
  });
  const expected = Buffer.from(hash(preimage.toXdr())).toString('hex');
  assert.match(JSON.stringify(found.resultXdr.toJson()), new RegExp(`"success":"${expected}"`));

  const created = (operation?.changes ?? []).flatMap((change) =>
    change.type === 'ledgerEntryCreated' ? [change.created.data] : [],
  );
  const lifetime = created.find((data) => data.type === 'ttl');
  assert.deepEqual(created.map(({ type }) => type).sort(), ['contractData', 'ttl']);
  const { balanceEntry } = await server.getSACBalance(wallet.address, usd, SANDBOX_PASSPHRASE);
  assert.deepEqual(
    [
      balanceEntry?.amount,
      balanceEntry?.authorized,
      balanceEntry?.clawback,
      balanceEntry?.liveUntilLedgerSeq,
    ],
    [AMOUNT.toString(), true, false, lifetime?.type === 'ttl' && lifetime.ttl.liveUntilLedgerSeq],
  );
  assert.equal(balanceEntry?.liveUntilLedgerSeq, ledger + 2_073_599);
});

test('contract transactions are in the parallel phase of the set and applied after the others', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, issuer, server } = world;
  const payment = { asset: XLM, from: alice.publicKey(), to: bob.publicKey(), amount: AMOUNT };
  const contract = await prepareTransfer(server, alice, payment);
  contract.sign(alice);
  await world.sent(contract);
  await world.sent(await signed(server, bob, [pay(alice, 1n)]));
  await world.sent(await signed(server, issuer, [pay(alice, 1n)]));
  world.sandbox.closeLedger();

  const { headerXdr, metadataXdr, sequence } = await server.getLatestLedger();
  assert.ok(metadataXdr.type === 'v2');
  const { txSet, txProcessing } = metadataXdr.value;
  assert.deepEqual(hash(txSet.toXdr()), headerXdr.scpValue.txSetHash.value);
  const [classicPhase, contractPhase] = txSet.value.phases;
  assert.ok(classicPhase?.type === 'v0Components' && contractPhase?.type === 'parallelTxsComponent');
  assert.equal(classicPhase.value[0]?.value.txs.length, 2);
  const clusters = contractPhase.value.executionStages.flat();
  assert.deepEqual(
    clusters.map((cluster) => cluster.map((envelope) => envelope.toXdr('base64'))),
    [[contract.toXdr()]],
  );
  assert.deepEqual(
    txProcessing.map(({ postTxApplyFeeProcessing }) => postTxApplyFeeProcessing.length),
    [0, 0, 2],
  );
  const { transactions } = await server.getTransactions({ startLedger: sequence });
  assert.equal(transactions.at(-1)?.envelopeXdr.toXdr('base64'), contract.toXdr());
});

test('balances of contracts and the contracts of assets outlive a restart', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'contract-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const world = await ContractWorld.start(t, { dir });
  const { alice, bob, usd, wallet } = world;
  const deposit = { asset: usd, from: alice.publicKey(), to: wallet.address, amount: AMOUNT };
  await world.transfer(alice, deposit);
  await world.sandbox.stop();

  const { sandbox, server } = await sandboxFor(t, { dir });
  const payment = { asset: usd, to: bob.publicKey(), amount: AMOUNT };
  const { status } = await server.sendTransaction(await walletPayment(server, alice, wallet, payment));
  assert.equal(status, 'PENDING');
  sandbox.closeLedger();
  assert.equal((await server.getTrustline(bob.publicKey(), usd)).balance, AMOUNT);
});

test('getEvents has the transfers of a contract, getFeeStats the inclusion fees', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd, server } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: muxed(bob), amount: AMOUNT };
  const { ledger } = await world.transfer(alice, payment);
  const contractIds = [usd.contractId(SANDBOX_PASSPHRASE)];
  const { events } = await server.getEvents({
    startLedger: ledger,
    filters: [{ type: 'contract', contractIds }],
  });
  assert.deepEqual(
    events.map(({ topic, value }) => [topic.map((one) => scValToNative(one)), scValToNative(value)]),
    [
      [
        ['transfer', alice.publicKey(), bob.publicKey(), usd.toString()],
        { amount: AMOUNT, to_muxed_id: MUXED_ID },
      ],
    ],
  );
  const { inclusionFee, sorobanInclusionFee } = await server.getFeeStats();
  assert.deepEqual([sorobanInclusionFee.max, sorobanInclusionFee.transactionCount], ['100', '1']);
  assert.equal(inclusionFee.max, '100');
});
