import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import type { Transfer } from '../../testing/contract-wallet.ts';
import { contractWallet, prepareTransfer } from '../../testing/contract-wallet.ts';
import { ContractWorld } from '../../testing/contract-world.ts';
import { declaredTransfer, footprintOf } from '../../testing/declared-transfer.ts';

const XLM = Asset.native();
const TRAPPED = 'invokeHostFunctionTrapped';
const UNIT = 10_000_000n;

/** Simulation must refuse with the error. Sent without simulation, the transaction must trap and change nothing. */
async function assertRefused(
  world: ContractWorld,
  source: Keypair,
  transfer: Transfer,
  [error, detail]: [string, RegExp],
): Promise<void> {
  await assert.rejects(prepareTransfer(world.server, source, transfer), (thrown: Error) =>
    thrown.message.startsWith(`HostError: ${error}\n`),
  );
  const had = await world.balance(source.publicKey());
  const all = await world.coins();
  const {
    outcome,
    error: told,
    events,
    feeCharged,
    meta,
  } = await world.applied(await declaredTransfer(world, source, transfer));
  assert.equal(outcome, TRAPPED);
  assert.match(told ?? '', detail);
  assert.deepEqual([events, meta.operations], [[], []]);
  assert.equal(await world.balance(source.publicKey()), had - feeCharged);
  assert.equal(await world.coins(), all);
}

const BALANCE_ERROR: [string, RegExp] = ['Error(Contract, #10)', /not within the allowed range/];
const DEAUTHORIZED: [string, RegExp] = ['Error(Contract, #11)', /balance is deauthorized/];

test('an account that does not exist is not paid', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, issuer, usd } = world;
  const to = Keypair.random().publicKey();
  const payment = { asset: XLM, from: alice.publicKey(), to, amount: UNIT };
  await assertRefused(world, alice, payment, ['Error(Contract, #6)', /account entry is missing/]);
  const mint = { asset: usd, from: issuer.publicKey(), to, amount: UNIT };
  await assertRefused(world, issuer, mint, ['Error(Contract, #13)', /trustline entry is missing/]);
});

test('an account without trust line is not paid', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd } = world;
  await world.classic(bob, Operation.changeTrust({ asset: usd, limit: '0' }));
  const payment = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: UNIT };
  await assertRefused(world, alice, payment, ['Error(Contract, #13)', /trustline entry is missing/]);
});

test('an unauthorized trust line neither pays nor is paid', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, issuer, usd } = world;
  await world.classic(issuer, Operation.setOptions({ setFlags: 2 }));
  const flags = { authorized: false };
  await world.classic(issuer, Operation.setTrustLineFlags({ trustor: alice.publicKey(), asset: usd, flags }));
  const payment = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: UNIT };
  await assertRefused(world, alice, payment, DEAUTHORIZED);
  const mint = { asset: usd, from: issuer.publicKey(), to: alice.publicKey(), amount: UNIT };
  await assertRefused(world, issuer, mint, DEAUTHORIZED);
});

test('a contract does not get an asset whose holders its issuer must authorize', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, issuer, usd, wallet } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: wallet.address, amount: UNIT };
  assert.equal((await world.transfer(alice, payment)).outcome, 'success');
  await world.classic(issuer, Operation.setOptions({ setFlags: 1 }));
  assert.equal((await world.transfer(alice, payment)).outcome, 'success');
  const other = contractWallet(alice, new Uint8Array(32).fill(1));
  await assertRefused(world, alice, { ...payment, to: other.address }, DEAUTHORIZED);
});

test('reserve, selling liabilities and trust line limit are respected', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, issuer, usd } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: 100n * UNIT };
  await assertRefused(world, alice, { ...payment, amount: 100n * UNIT + 1n }, BALANCE_ERROR);
  await world.classic(
    alice,
    Operation.manageSellOffer({ selling: usd, buying: XLM, amount: '1', price: '1' }),
  );
  await assertRefused(world, alice, payment, BALANCE_ERROR);
  const mint = { asset: usd, from: issuer.publicKey(), to: bob.publicKey(), amount: 1_000n * UNIT + 1n };
  await assertRefused(world, issuer, mint, BALANCE_ERROR);

  const all = await world.balance(bob.publicKey());
  const native = { asset: XLM, from: bob.publicKey(), to: alice.publicKey(), amount: all };
  await assertRefused(world, bob, native, BALANCE_ERROR);
});

test('a contract pays no more than it has', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, wallet, server } = world;
  const nothing = { asset: XLM, from: wallet.address, to: bob.publicKey(), amount: 1n };
  await assert.rejects(prepareTransfer(server, alice, nothing), /Error\(Contract, #10\)/);
  const deposit = { asset: XLM, from: alice.publicKey(), to: wallet.address, amount: UNIT };
  await world.transfer(alice, deposit);
  await assert.rejects(prepareTransfer(server, alice, { ...nothing, amount: UNIT + 1n }), /#10\)/);
});

test('amounts below zero and beyond 63 bits are refused, zero is not', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: -1n };
  await assertRefused(world, alice, payment, ['Error(Contract, #8)', /negative amount/]);
  const huge = { ...payment, amount: 2n ** 63n };
  await assertRefused(world, alice, huge, ['Error(Contract, #12)', /too large/]);
  assert.equal((await world.transfer(alice, { ...payment, amount: 0n })).outcome, 'success');
});

test('a contract that belongs to no asset does not exist', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, issuer } = world;
  const unknown = new Asset('NOBODY', issuer.publicKey());
  const payment = { asset: unknown, from: issuer.publicKey(), to: bob.publicKey(), amount: 1n };
  await assertRefused(world, alice, payment, ['Error(Storage, MissingValue)', /instance is missing/]);
});

test('an entry that is not in the footprint, or read-only in it, stops the call', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, usd } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: 1n };
  const { readOnly, readWrite } = footprintOf(payment);
  const [first = '', ...rest] = readWrite;
  const cases: [{ readOnly: string[]; readWrite: string[] }, RegExp][] = [
    [{ readOnly: [], readWrite }, /outside of the footprint/],
    [{ readOnly, readWrite: rest }, /outside of the footprint/],
    [{ readOnly: [...readOnly, first], readWrite: rest }, /read-only in the footprint/],
  ];
  for (const [footprint, detail] of cases) {
    const { outcome, error } = await world.applied(await declaredTransfer(world, alice, payment, footprint));
    assert.equal(outcome, TRAPPED);
    assert.match(error ?? '', detail);
  }
});

test('too small a declaration traps in the ledger, and the fee for the declaration is kept', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, usd, wallet } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: wallet.address, amount: 1n };
  const all = await world.coins();
  for (const short of [{ instructions: 1_000 }, { diskReadBytes: 10 }, { writeBytes: 10 }]) {
    const { outcome } = await world.applied(await declaredTransfer(world, alice, payment, short));
    assert.equal(outcome, 'invokeHostFunctionResourceLimitExceeded');
  }
  const short = await declaredTransfer(world, alice, payment, { resourceFee: 100_000n });
  const { outcome, feeCharged, meta } = await world.applied(short);
  assert.equal(outcome, 'invokeHostFunctionInsufficientRefundableFee');
  const ext = meta.sorobanMeta?.ext;
  assert.ok(ext?.type === 'v1');
  assert.equal(feeCharged, 100n + ext.value.totalNonRefundableResourceFeeCharged);
  assert.equal(await world.balance(wallet.address, usd), 0n);
  assert.equal(await world.coins(), all);
});

test('a transfer that passed simulation traps if its destination has lost its authorization since', async (t) => {
  const world = await ContractWorld.start(t);
  const { alice, bob, issuer, usd, server } = world;
  const payment = { asset: usd, from: alice.publicKey(), to: bob.publicKey(), amount: 60n * UNIT };
  const late = await prepareTransfer(server, alice, payment);
  late.sign(alice);
  const flags = { authorized: false };
  await world.classic(issuer, Operation.setOptions({ setFlags: 2 }));
  await world.classic(issuer, Operation.setTrustLineFlags({ trustor: bob.publicKey(), asset: usd, flags }));
  assert.equal((await world.applied(late)).outcome, TRAPPED);
  const back = { ...payment, to: issuer.publicKey() };
  assert.equal((await world.transfer(alice, back)).outcome, 'success');
  assert.equal(await world.balance(alice.publicKey(), usd), 40n * UNIT);
});
