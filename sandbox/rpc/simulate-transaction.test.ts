import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Address, Asset, Memo, Operation, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk/base';
import { Api } from '@stellar/stellar-sdk/rpc';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { transferOperation } from '../testing/contract-wallet.ts';
import { ContractWorld } from '../testing/contract-world.ts';
import { declaredTransfer, footprintOf } from '../testing/declared-transfer.ts';
import { call, signed } from '../testing/rpc-client.ts';
import { pay } from '../testing/test-network.ts';

const XLM = Asset.native();
const WALLET = StrKey.encodeContract(Buffer.alloc(32, 9));

test('gives footprint, fee, authorization, events and changes of a transfer, and changes nothing', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd, server } = world;
  const transfer = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: 5n };
  const transaction = await signed(server, alice, [transferOperation(transfer)]);
  const simulated = await server.simulateTransaction(transaction);
  assert.ok(Api.isSimulationSuccess(simulated));

  const data = simulated.transactionData;
  const { readOnly, readWrite } = footprintOf(transfer);
  assert.deepEqual(data.getReadWrite().map(keyText).sort(), readWrite.sort());
  assert.deepEqual(data.getReadOnly().map(keyText), readOnly.slice(0, 1));
  assert.equal(data.build().resourceFee.toString(), simulated.minResourceFee);
  const [entry] = simulated.result?.auth ?? [];
  assert.equal(entry?.credentials.type, 'sorobanCredentialsSourceAccount');
  const [event] = simulated.events;
  assert.equal(scValToNative(event?.event.body.value.data ?? xdr.ScVal.scvVoid()), 5n);
  assert.deepEqual(
    simulated.stateChanges?.map(({ type }) => type as unknown),
    ['updated', 'updated'],
  );
  assert.equal(simulated.latestLedger, (await server.getLatestLedger()).sequence);
  assert.equal(await world.balance(bob.publicKey(), usd), 0n);
});

test('declares to the stroop what a real server declared for the first transfer to a contract, also when rent has risen', async (t) => {
  const world = await ContractWorld.start(t, { faults: true });
  const { alice, server, sandbox } = world;
  const declared = async (to: string) => {
    const transfer = { asset: XLM, from: alice.publicKey(), to, amount: 5n };
    const simulated = await server.simulateTransaction(
      await signed(server, alice, [transferOperation(transfer)]),
    );
    assert.ok(Api.isSimulationSuccess(simulated));
    const { resources, resourceFee } = simulated.transactionData.build();
    return { instructions: resources.instructions, resourceFee };
  };
  assert.deepEqual(await declared(WALLET), { instructions: 256_500, resourceFee: 454_450n });
  sandbox.faults?.network.contract_state({ bytes: 3_000_000_000 });
  assert.equal((await declared(WALLET)).resourceFee, 4_318_450n);
  const paid = await world.transfer(alice, { asset: XLM, from: alice.publicKey(), to: WALLET, amount: 5n });
  assert.equal(paid.outcome, 'success');
  assert.ok(paid.feeCharged > 3_700_000n && paid.feeCharged < 4_318_450n, `${paid.feeCharged}`);
  const next = await declared(WALLET);
  assert.deepEqual(next, { instructions: 279_500, resourceFee: 22_208n });
});

test('asks for the signature of an address that is not the source, with a nonce of its own each time', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, server } = world;
  const transfer = { asset: XLM, from: alice.publicKey(), to: bob.publicKey(), amount: 5n };
  const transaction = await signed(server, bob, [transferOperation(transfer)]);
  const nonces = new Set<bigint>();
  for (let times = 0; times < 2; times++) {
    const simulated = await server.simulateTransaction(transaction);
    assert.ok(Api.isSimulationSuccess(simulated));
    const credentials = simulated.result?.auth[0]?.credentials;
    assert.ok(credentials?.type === 'sorobanCredentialsAddress');
    assert.equal(Address.fromScAddress(credentials.address.address).toString(), alice.publicKey());
    nonces.add(credentials.address.nonce);
  }
  assert.equal(nonces.size, 2);
});

test('answers with a text for a call that it cannot simulate', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, sandbox, server } = world;
  const transfer = { asset: XLM, from: alice.publicKey(), to: bob.publicKey(), amount: 5n };
  const contract = XLM.contractId(SANDBOX_PASSPHRASE);
  const other = Operation.invokeContractFunction({ contract, function: 'decimals', args: [] });
  const withMemo = await declaredTransfer(world, alice, transfer, {
    adjust: (builder) => builder.addMemo(Memo.text('hello')),
  });
  const cases: [string, RegExp][] = [
    ['AAAA', /Could not unmarshal transaction/],
    [withMemo.toXdr(), /Soroban transactions do not support memos/],
    [(await signed(server, alice, [pay(bob, 1n)])).toXdr(), /only the transfer of a Stellar Asset Contract/],
    [(await signed(server, alice, [other])).toXdr(), /only the transfer of a Stellar Asset Contract/],
    [(await signed(server, alice, [pay(bob, 1n), pay(bob, 2n)])).toXdr(), /more than one operation/],
  ];
  for (const [transaction, error] of cases) {
    const body = { jsonrpc: '2.0', id: 1, method: 'simulateTransaction', params: { transaction } };
    const { json } = await call(sandbox, body);
    assert.match(json.result.error, error);
    assert.equal(typeof json.result.latestLedger, 'number');
    assert.equal(json.result.transactionData, undefined);
  }
  const params = { transaction: '', authMode: 'guess' };
  const { json } = await call(sandbox, { jsonrpc: '2.0', id: 1, method: 'simulateTransaction', params });
  assert.equal(json.error.code, -32602);
});

test('arguments that transfer does not take stop the call', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, server } = world;
  const contract = XLM.contractId(SANDBOX_PASSPHRASE);
  const address = new Address(alice.publicKey()).toScVal();
  const amount = xdr.ScVal.scvU32(1);
  for (const args of [[], [address, address], [address, address, amount], [address, amount, amount]]) {
    const operation = Operation.invokeContractFunction({ contract, function: 'transfer', args });
    const simulated = await server.simulateTransaction(await signed(server, alice, [operation]));
    assert.ok(Api.isSimulationError(simulated));
    assert.match(simulated.error, /^HostError: Error\(Context, InvalidAction\)/);
  }
});

function keyText(key: xdr.LedgerKey): string {
  return key.toXdr('base64');
}
