import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Account,
  Asset,
  TransactionBuilder as Builder,
  Memo,
  MuxedAccount,
  Operation,
  xdr,
} from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../../passphrase.ts';
import type { Transfer } from '../../testing/contract-wallet.ts';
import { transferOperation } from '../../testing/contract-wallet.ts';
import { ContractWorld } from '../../testing/contract-world.ts';
import type { Declaration } from '../../testing/declared-transfer.ts';
import { declaredTransfer, footprintOf } from '../../testing/declared-transfer.ts';
import { signed } from '../../testing/rpc-client.ts';
import { pay } from '../../testing/test-network.ts';

const XLM = Asset.native();

function payment({ alice, bob }: ContractWorld): Transfer {
  return { asset: XLM, from: alice.publicKey(), to: bob.publicKey(), amount: 1n };
}

test('a contract transaction with wrong declarations, a memo, a muxed source or a second operation is refused', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd } = world;
  const transfer = payment(world);
  const call = transferOperation(transfer);
  const { readOnly, readWrite } = footprintOf(transfer);
  const [key = ''] = readWrite;
  const issuerLine = footprintOf({
    asset: usd,
    from: alice.publicKey(),
    to: bob.publicKey(),
    amount: 1n,
  }).readWrite;
  const muxedSource = new MuxedAccount(new Account(alice.publicKey(), '0'), '7').accountId();
  const source = Operation.invokeContractFunction({
    contract: XLM.contractId(SANDBOX_PASSPHRASE),
    function: 'transfer',
    args: [],
    source: muxedSource,
  });
  const cases: [string, string, Partial<Declaration>][] = [
    ['nothing', 'PENDING', {}],
    ['a memo', 'txSorobanInvalid', { adjust: (builder) => builder.addMemo(Memo.id('1')) }],
    ['a muxed source', 'txSorobanInvalid', { operations: [source] }],
    ['a second operation', 'txMalformed', { operations: [call, call] }],
    ['a classic operation beside it', 'txMalformed', { operations: [call, pay(bob, 1n)] }],
    ['a classic operation instead', 'txMalformed', { operations: [pay(bob, 1n)] }],
    ['a key twice', 'txSorobanInvalid', { readWrite: [...readWrite, key] }],
    ['a key to read and to write', 'txSorobanInvalid', { readOnly: [...readOnly, key] }],
    ['a trust line that can be', 'PENDING', { readWrite: [...readWrite, ...issuerLine] }],
    ['too many instructions', 'txSorobanInvalid', { instructions: 400_000_001 }],
    ['too much to read', 'txSorobanInvalid', { diskReadBytes: 200_001 }],
    ['too much to write', 'txSorobanInvalid', { writeBytes: 132_097 }],
    ['a fee below that of its resources', 'txSorobanInvalid', { resourceFee: 10_000n }],
    ['a negative fee', 'txMalformed', { resourceFee: -1n }],
    ['an inclusion fee below the base fee', 'txInsufficientFee', { inclusionFee: 99n }],
  ];
  for (const [name, refusal, overrides] of cases) {
    const transaction = await declaredTransfer(world, alice, transfer, overrides);
    const answer = await world.server.sendTransaction(transaction);
    assert.equal(answer.errorResult?.result.type ?? answer.status, refusal, name);
    world.sandbox.closeLedger();
  }
});

test('a call without resources is malformed, also in a fee-bump', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, server } = world;
  const bare = await signed(server, alice, [transferOperation(payment(world))]);
  await assert.rejects(world.sent(bare), /txMalformed/);
  const outer = Builder.buildFeeBumpTransaction(bob, '1000', bare, SANDBOX_PASSPHRASE);
  outer.sign(bob);
  await assert.rejects(world.sent(outer), /txMalformed/);
});

test('all other contract operations are refused at submission as not supported', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice } = world;
  const contract = XLM.contractId(SANDBOX_PASSPHRASE);
  const invoke = (name: string) => Operation.invokeContractFunction({ contract, function: name, args: [] });
  const others = [
    invoke('approve'),
    invoke('balance'),
    invoke('mint'),
    Operation.createStellarAssetContract({ asset: XLM }),
    Operation.uploadContractWasm({ wasm: new Uint8Array([0, 97, 115, 109]) }),
    Operation.extendFootprintTtl({ extendTo: 1000 }),
    Operation.restoreFootprint({}),
  ];
  for (const operation of others) {
    const transaction = await declaredTransfer(world, alice, payment(world), { operations: [operation] });
    const { errorResult } = await world.server.sendTransaction(transaction);
    assert.match(JSON.stringify(errorResult?.toJson()), /"tx_failed":\["op_not_supported"\]/);
  }
  assert.equal((await world.transfer(alice, payment(world))).outcome, 'success');
});

test('a fee-bump offers its price for inclusion only: the resource fee does not count', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, server } = world;
  const inner = await declaredTransfer(world, alice, payment(world), { inclusionFee: 300n });
  const resourceFee = 10_000_000n;
  const bump = (inclusionFee: bigint) => {
    const wire = Builder.buildFeeBumpTransaction(bob, '10000000', inner, SANDBOX_PASSPHRASE)
      .toEnvelope()
      .toXdrObject();
    if (wire.type !== 5) throw new Error('not a fee-bump');
    const { tx } = wire.feeBump;
    const envelope = {
      type: 5 as const,
      feeBump: { tx: { ...tx, fee: resourceFee + inclusionFee }, signatures: [] },
    };
    const outer = Builder.fromXdr(
      xdr.TransactionEnvelope.fromXdrObject(envelope).toXdr('base64'),
      SANDBOX_PASSPHRASE,
    );
    outer.sign(bob);
    return outer;
  };
  assert.equal((await server.sendTransaction(bump(599n))).errorResult?.result.type, 'txInsufficientFee');
  const { outcome } = await world.applied(bump(600n) as Parameters<typeof world.applied>[0]);
  assert.equal(outcome, 'success');
});
