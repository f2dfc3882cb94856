import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, StrKey } from '@stellar/stellar-sdk/base';
import { prepareTransfer, walletPayment } from '../../testing/contract-wallet.ts';
import { ContractWorld } from '../../testing/contract-world.ts';
import { declaredTransfer, footprintOf } from '../../testing/declared-transfer.ts';
import { postForm } from '../../testing/horizon-client.ts';
import { contractDataKey } from '../entry.ts';
import { muxedContract } from '../missing-arms.ts';
import { muxedContractAddress, parseMuxedContract } from '../muxed-contract.ts';
import { addressValue, symbol } from '../sc-val.ts';

const XLM = Asset.native();
const MUXED_ID = 2n ** 64n - 1n;
const AMOUNT = 70_000_000n;
const TRAPPED = 'invokeHostFunctionTrapped';

function muxed(contract: string, muxed_id = MUXED_ID): string {
  return muxedContractAddress({ contract_id: StrKey.decodeContract(contract), muxed_id });
}

test('a muxed contract is credited like its contract, and its id is in the event as to_muxed_id', async (t) => {
  const world = await ContractWorld.start(t, { protocol: 30 });
  const { alice, usd, server, wallet } = world;
  for (const asset of [XLM, usd]) {
    for (const muxed_id of [MUXED_ID, 0n]) {
      const had = await world.balance(wallet.address, asset);
      const payment = { asset, from: alice.publicKey(), to: muxed(wallet.address, muxed_id), amount: AMOUNT };
      const paid = await world.transfer(alice, payment);
      assert.equal(paid.outcome, 'success');
      const topics = ['transfer', alice.publicKey(), wallet.address, asset.toString()];
      assert.deepEqual(paid.events, [{ topics, data: { amount: AMOUNT, to_muxed_id: muxed_id } }]);
      assert.equal(await world.balance(wallet.address, asset), had + AMOUNT);
    }
  }
  const toItself = { asset: usd, to: muxed(wallet.address), amount: AMOUNT };
  assert.equal(
    (await world.applied(await walletPayment(server, alice, wallet, toItself))).outcome,
    'success',
  );
});

test('a payment of the issuer to a muxed contract is a mint with its id', async (t) => {
  const world = await ContractWorld.start(t, { protocol: 30 });
  const { issuer, usd, wallet } = world;
  const mint = { asset: usd, from: issuer.publicKey(), to: muxed(wallet.address), amount: AMOUNT };
  const topics = ['mint', wallet.address, usd.toString()];
  const { events } = await world.transfer(issuer, mint);
  assert.deepEqual(events, [{ topics, data: { amount: AMOUNT, to_muxed_id: MUXED_ID } }]);
});

test('simulation names the balance of the plain contract: no storage key has a muxed address', async (t) => {
  const { alice, usd, server, wallet } = await ContractWorld.start(t, { protocol: 30 });
  const footprint = async (to: string) => {
    const payment = { asset: usd, from: alice.publicKey(), amount: AMOUNT, to };
    const envelope = (await prepareTransfer(server, alice, payment)).toEnvelope().toXdrObject();
    assert.ok(envelope.type === 2 && envelope.v1.tx.ext.v === 1);
    return envelope.v1.tx.ext.sorobanData.resources.footprint;
  };
  assert.deepEqual(await footprint(muxed(wallet.address)), await footprint(wallet.address));
});

test('a footprint with a muxed address in a storage key traps', async (t) => {
  const world = await ContractWorld.start(t, { protocol: 30 });
  const { alice, wallet } = world;
  const payment = { asset: XLM, from: alice.publicKey(), to: muxed(wallet.address), amount: AMOUNT };
  const footprint = footprintOf(payment);
  assert.equal((await world.applied(await declaredTransfer(world, alice, payment))).outcome, 'success');

  const { contract_id, muxed_id } = parseMuxedContract(payment.to) ?? assert.fail();
  const address = muxedContract(contract_id, muxed_id).toXdrObject();
  const contract = { type: 1, contractId: contract_id } as const;
  const vec = [symbol('Balance'), addressValue(address)];
  const readOnly = [...footprint.readOnly, contractDataKey(contract, { type: 16, vec }, 'persistent')];
  const { outcome, error } = await world.applied(await declaredTransfer(world, alice, payment, { readOnly }));
  assert.deepEqual([outcome, error], [TRAPPED, 'a storage key cannot have a muxed address']);
  assert.equal(await world.balance(wallet.address), AMOUNT);
});

test('a muxed contract pays nobody', async (t) => {
  const world = await ContractWorld.start(t, { protocol: 30 });
  const { alice, bob, server, wallet } = world;
  await world.transfer(alice, { asset: XLM, from: alice.publicKey(), to: wallet.address, amount: AMOUNT });
  const payment = { asset: XLM, from: muxed(wallet.address), to: bob.publicKey(), amount: AMOUNT };
  await assert.rejects(prepareTransfer(server, alice, payment), /Error\(Context, InvalidAction\)/);
  assert.equal((await world.applied(await declaredTransfer(world, alice, payment))).outcome, TRAPPED);
  assert.equal(await world.balance(wallet.address), AMOUNT);
});

test('a node before protocol 30 cannot read the envelope, and says that the protocol is the reason', async (t) => {
  const world = await ContractWorld.start(t, { protocol: 28 });
  const { sandbox, alice, wallet, server } = world;
  const payment = { asset: XLM, from: alice.publicKey(), to: muxed(wallet.address), amount: AMOUNT };
  const reason = 'a muxed contract address (W…) needs protocol 30, and the network is at protocol 28';
  await assert.rejects(prepareTransfer(server, alice, payment), {
    message: `Could not unmarshal transaction: ${reason}`,
  });
  const transaction = await declaredTransfer(world, alice, payment);
  await assert.rejects(server.sendTransaction(transaction), {
    code: -32602,
    message: 'invalid_xdr',
    data: reason,
  });
  const body = new URLSearchParams({ tx: transaction.toXdr() }).toString();
  const refused = await postForm(`http://127.0.0.1:${sandbox.port}/transactions`, body);
  const problem = (await refused.json()) as { title: string; extras: { reason: string } };
  assert.deepEqual(
    [refused.status, problem.title, problem.extras.reason],
    [400, 'Transaction Malformed', reason],
  );
});
