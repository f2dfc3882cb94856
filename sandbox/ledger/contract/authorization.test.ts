import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Asset,
  type authorizeEntry,
  Keypair,
  nativeToScVal,
  Operation,
  xdr,
} from '@stellar/stellar-sdk/base';
import type { ContractWallet, Transfer } from '../../testing/contract-wallet.ts';
import {
  contractWallet,
  prepareTransfer,
  walletPayment,
  walletSignature,
  withAuthorization,
} from '../../testing/contract-wallet.ts';
import type { Applied } from '../../testing/contract-world.ts';
import { ContractWorld } from '../../testing/contract-world.ts';
import { declaredTransfer, footprintOf, nonceKey } from '../../testing/declared-transfer.ts';

const XLM = Asset.native();
const TRAPPED = 'invokeHostFunctionTrapped';
const AMOUNT = 1_000n;

type EntrySigner = Parameters<typeof authorizeEntry>[1];

/** The wallet of Alice has 10,000 stroops. */
async function start(t: Parameters<typeof ContractWorld.start>[0]): Promise<ContractWorld> {
  const world = await ContractWorld.start(t);
  const { alice, wallet } = world;
  await world.transfer(alice, { asset: XLM, from: alice.publicKey(), to: wallet.address, amount: 10_000n });
  return world;
}

/** The signed authorization that simulation asks for, valid for `validLedgers` ledgers. */
async function authorization(
  world: ContractWorld,
  transfer: Transfer,
  signer: EntrySigner,
  validLedgers = 100,
): Promise<xdr.SorobanAuthorizationEntry> {
  const prepared = await prepareTransfer(world.server, world.bob, transfer);
  const signed = await withAuthorization(world.server, prepared, signer, validLedgers);
  const { body } = signed.toXdrObject();
  const [entry] = body.type === 24 ? body.invokeHostFunctionOp.auth : [];
  if (entry === undefined) throw new Error('nothing to authorize');
  return xdr.SorobanAuthorizationEntry.fromXdrObject(entry);
}

/** Sent by Bob in a transaction without simulation, which could refuse it earlier. */
async function sentByBob(
  world: ContractWorld,
  transfer: Transfer,
  auth: xdr.SorobanAuthorizationEntry[],
): Promise<Applied> {
  const { readOnly, readWrite } = footprintOf(transfer);
  const declaration = { readOnly, readWrite: [...readWrite, ...auth.flatMap(nonceKey)], auth };
  return await world.applied(await declaredTransfer(world, world.bob, transfer, declaration));
}

function signerOf(wallet: ContractWallet): EntrySigner {
  return async (_preimage, payload) => ({ signatureScVal: walletSignature(wallet, payload) });
}

function toBob({ wallet, bob }: ContractWorld): Transfer {
  return { asset: XLM, from: wallet.address, to: bob.publicKey(), amount: AMOUNT };
}

test('anybody may submit what a wallet has signed, once', async (t) => {
  const world = await start(t);
  const transfer = toBob(world);
  const entry = await authorization(world, transfer, signerOf(world.wallet));
  assert.equal((await sentByBob(world, transfer, [entry])).outcome, 'success');
  const again = await sentByBob(world, transfer, [entry]);
  assert.equal(again.outcome, TRAPPED);
  assert.match(again.error ?? '', /nonce already exists/);
  assert.equal(await world.balance(world.wallet.address), 9_000n);
});

test('a nonce of a failed transfer is not used up', async (t) => {
  const world = await start(t);
  const transfer = { ...toBob(world), amount: 10_000n };
  const entry = await authorization(world, transfer, signerOf(world.wallet));
  await world.applied(
    await walletPayment(world.server, world.alice, world.wallet, {
      asset: XLM,
      to: world.bob.publicKey(),
      amount: 1n,
    }),
  );
  assert.equal((await sentByBob(world, transfer, [entry])).outcome, TRAPPED);
  const back = { asset: XLM, from: world.alice.publicKey(), to: world.wallet.address, amount: 1n };
  await world.transfer(world.alice, back);
  assert.equal((await sentByBob(world, transfer, [entry])).outcome, 'success');
});

test('a signature is valid in the ledger of its expiration, and not after', async (t) => {
  const world = await start(t);
  const transfer = toBob(world);
  const valid = await authorization(world, transfer, signerOf(world.wallet), 1);
  assert.equal((await sentByBob(world, transfer, [valid])).outcome, 'success');
  const late = await authorization(world, transfer, signerOf(world.wallet), 1);
  world.sandbox.closeLedger();
  const { outcome, error } = await sentByBob(world, transfer, [late]);
  assert.equal(outcome, TRAPPED);
  assert.match(error ?? '', /signature has expired/);
  const eternal = await authorization(world, transfer, signerOf(world.wallet), 3_200_000);
  assert.match((await sentByBob(world, transfer, [eternal])).error ?? '', /expiration is too late/);
});

test('a wallet pays only with a signature of its own key over exactly this call', async (t) => {
  const world = await start(t);
  const transfer = toBob(world);
  const salted = contractWallet(world.alice, new Uint8Array(32).fill(7));
  const wrong: [string, EntrySigner][] = [
    ['another key', signerOf({ ...world.wallet, key: world.bob })],
    ['another salt', signerOf(salted)],
    ['another payload', async () => ({ signatureScVal: walletSignature(world.wallet, new Uint8Array(32)) })],
    ['no signature', async () => ({ signatureScVal: nativeToScVal(null) })],
  ];
  for (const [name, signer] of wrong) {
    const entry = await authorization(world, transfer, signer);
    const { outcome, error } = await sentByBob(world, transfer, [entry]);
    assert.equal(outcome, TRAPPED, name);
    assert.match(error ?? '', /failed account authentication/, name);
  }
  const entry = await authorization(world, transfer, signerOf(world.wallet));
  const other = await sentByBob(world, { ...transfer, amount: AMOUNT + 1n }, [entry]);
  assert.match(other.error ?? '', /Unauthorized function call/);
  assert.equal(await world.balance(world.wallet.address), 10_000n);
});

test('simulation checks an existing signature: a wrong one is refused before a ledger has it', async (t) => {
  const world = await start(t);
  const wrong = { ...world.wallet, key: world.bob };
  const payment = { asset: XLM, to: world.bob.publicKey(), amount: AMOUNT };
  await assert.rejects(
    walletPayment(world.server, world.bob, wrong, payment),
    /Error\(Auth, InvalidAction\)/,
  );
});

test("another account may submit an account's transfer, with the signature of the account", async (t) => {
  const world = await start(t);
  const { alice, bob } = world;
  const transfer = { asset: XLM, from: alice.publicKey(), to: bob.publicKey(), amount: AMOUNT };
  const entry = await authorization(world, transfer, alice);
  assert.equal((await sentByBob(world, transfer, [entry])).outcome, 'success');

  const forged = await authorization(world, transfer, async (_preimage, payload) => ({
    signature: bob.sign(payload),
    publicKey: bob.publicKey(),
  }));
  const { outcome, error } = await sentByBob(world, transfer, [forged]);
  assert.equal(outcome, TRAPPED);
  assert.match(error ?? '', /signer does not belong to account/);
  const nothing = await sentByBob(world, transfer, []);
  assert.match(nothing.error ?? '', /Unauthorized function call/);
});

test("signers' weights must reach the account's medium threshold, keys in order", async (t) => {
  const world = await start(t);
  const { alice, bob } = world;
  const second = Keypair.random();
  const signer = { ed25519PublicKey: second.publicKey(), weight: 1 };
  await world.classic(alice, Operation.setOptions({ signer, medThreshold: 2 }));
  const transfer = { asset: XLM, from: alice.publicKey(), to: bob.publicKey(), amount: AMOUNT };
  const signedBy =
    (...keys: Keypair[]): EntrySigner =>
    async (_preimage, payload) => ({
      signatureScVal: xdr.ScVal.scvVec(keys.map((key) => accountSignature(key, payload))),
    });
  const ordered = [alice, second].sort((a, b) => Buffer.compare(a.rawPublicKey(), b.rawPublicKey()));
  const cases: [EntrySigner, RegExp | null][] = [
    [signedBy(alice), /weight is lower than threshold/],
    [signedBy(...ordered.toReversed()), /not ordered/],
    [signedBy(alice, alice), /not ordered/],
    [signedBy(), /no account signatures/],
    [signedBy(...ordered), null],
  ];
  for (const [sign, refusal] of cases) {
    const entry = await authorization(world, transfer, sign);
    const { outcome, error } = await sentByBob(world, transfer, [entry]);
    assert.equal(outcome, refusal === null ? 'success' : TRAPPED);
    if (refusal !== null) assert.match(error ?? '', refusal);
  }
});

function accountSignature(key: Keypair, payload: Uint8Array): xdr.ScVal {
  return nativeToScVal(
    { public_key: key.rawPublicKey(), signature: key.sign(payload) },
    { type: { public_key: ['symbol', null], signature: ['symbol', null] } },
  );
}
