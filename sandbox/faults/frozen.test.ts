import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { Asset, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { ContractWorld } from '../testing/contract-world.ts';
import { declaredTransfer } from '../testing/declared-transfer.ts';
import { signed } from '../testing/rpc-client.ts';
import { BadScript } from './script.ts';

const FROZEN = { message: 'txFrozenKeyAccessed' };

async function freezing(t: TestContext) {
  const world = await ContractWorld.start(t, { faults: true });
  const { faults } = world.sandbox;
  assert.ok(faults);
  const send = async (source: Keypair, ...operations: xdr.Operation[]) =>
    await world.sent(await signed(world.server, source, operations));
  return { ...world, world, network: faults.network, send, asset: world.usd.toString() };
}

function paying(to: Keypair, asset = Asset.native()): xdr.Operation {
  return Operation.payment({ destination: to.publicKey(), asset, amount: '1' });
}

test('a frozen account neither pays nor is paid, and pays no fees for others, until it is thawed', async (t) => {
  const { world, network, send, alice, bob, issuer, server, sandbox } = await freezing(t);
  network.freeze({ account: bob.publicKey() });
  await assert.rejects(send(bob, paying(alice)), FROZEN);
  await assert.rejects(send(alice, paying(bob)), FROZEN);
  const ofBob = Operation.bumpSequence({ bumpTo: '0', source: bob.publicKey() });
  await assert.rejects(send(alice, ofBob), FROZEN);
  const inner = await signed(server, alice, [paying(issuer)]);
  const outer = TransactionBuilder.buildFeeBumpTransaction(bob, '200', inner, SANDBOX_PASSPHRASE);
  outer.sign(bob);
  await assert.rejects(world.sent(outer), FROZEN);
  await send(alice, paying(issuer));

  const thaw = `http://127.0.0.1:${sandbox.port}/faults/network/thaw`;
  const body = JSON.stringify({ account: bob.publicKey() });
  await fetch(thaw, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await send(bob, paying(alice));
  sandbox.closeLedger();
});

test('a frozen trust line does not move its asset, by payment or by contract; the account moves others', async (t) => {
  const { world, network, send, alice, bob, usd, asset, sandbox } = await freezing(t);
  network.freeze({ account: bob.publicKey(), asset });
  await assert.rejects(send(alice, paying(bob, usd)), FROZEN);
  await assert.rejects(send(bob, Operation.changeTrust({ asset: usd, limit: '0' })), FROZEN);
  const transfer = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: 1n };
  await assert.rejects(world.sent(await declaredTransfer(world, alice, transfer)), FROZEN);
  await send(alice, paying(bob));
  sandbox.closeLedger();
  assert.equal(await world.balance(bob.publicKey(), usd), 0n);
});

test('getLedgerEntries gives the keys of what is frozen as the network’s setting', async (t) => {
  const { network, alice, bob, asset, server } = await freezing(t);
  const configSettingId = xdr.ConfigSettingId.configSettingFrozenLedgerKeys;
  const key = xdr.LedgerKey.configSetting(new xdr.LedgerKeyConfigSetting({ configSettingId }));
  const frozen = async () => {
    const { entries } = await server.getLedgerEntries(key);
    const data = entries[0]?.val.toXdrObject();
    assert.ok(data?.type === 8 && data.configSetting.configSettingID === 17);
    const { keys } = data.configSetting.frozenLedgerKeys;
    return keys.map((bytes) => xdr.LedgerKey.schema.decode(bytes).type);
  };
  assert.deepEqual(await frozen(), []);
  network.freeze({ account: bob.publicKey() });
  network.freeze({ account: alice.publicKey(), asset });
  assert.deepEqual(await frozen(), [0, 1]);
  network.thaw({ account: bob.publicKey() });
  assert.deepEqual(await frozen(), [1]);
});

test('a fee-bump tells that its inner transaction names a frozen entry', async (t) => {
  const { network, alice, bob, server } = await freezing(t);
  network.freeze({ account: bob.publicKey() });
  const inner = await signed(server, alice, [paying(bob)]);
  const outer = TransactionBuilder.buildFeeBumpTransaction(alice, '200', inner, SANDBOX_PASSPHRASE);
  outer.sign(alice);
  const { errorResult } = await server.sendTransaction(outer);
  assert.ok(errorResult?.result.type === 'txFeeBumpInnerFailed');
  assert.equal(errorResult.result.innerResultPair.result.result.type, 'txFrozenKeyAccessed');
});

test('refuses what cannot be frozen', async (t) => {
  const { network, issuer, alice, asset } = await freezing(t);
  assert.throws(() => network.freeze({ account: 'G' }), BadScript);
  assert.throws(() => network.freeze({ account: alice.publicKey(), asset: 'USD' }), BadScript);
  assert.throws(() => network.freeze({ account: issuer.publicKey(), asset }), BadScript);
});
