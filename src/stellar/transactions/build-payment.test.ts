import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  Account,
  Asset,
  Keypair,
  Memo,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { muxedAddress, parseAddress } from '../address.ts';
import { buildFeeBump, buildPayment, type PaymentOrder } from './build-payment.ts';
import { networkId } from './envelope.ts';
import type { Signature } from './write-transaction.ts';

const PASSPHRASE = 'Standalone Network ; February 2017';
const NETWORK_ID = networkId(PASSPHRASE);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;
const wallet = Keypair.random();
const channel = Keypair.random();
const ISSUER = Keypair.random().publicKey();

/** Every second value is at or next to an end of the range. */
const integer = (min: bigint, max: bigint) =>
  fc.oneof(fc.constantFrom(min, min + 1n, max - 1n, max), fc.bigInt({ min, max }));

const given = fc
  .record({
    by_channel: fc.boolean(),
    operation: fc.constantFrom('payment' as const, 'create_account' as const, 'asset_payment' as const),
    asset_code: fc.stringMatching(/^[A-Za-z0-9]{1,12}$/),
    seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    muxed_id: fc.option(integer(0n, UINT64_MAX)),
    sequence: integer(1n, INT64_MAX),
    own_fee: integer(0n, 2n ** 32n - 1n), // 0: somebody else pays by a fee-bump
    min_time: integer(0n, 2n ** 30n),
    max_time: integer(2n ** 30n + 1n, UINT64_MAX),
    amount_stroops: integer(1n, INT64_MAX),
    memo: fc.oneof(
      fc.constant({ memo_id: null, memo_return: null }),
      fc.record({ memo_id: integer(0n, UINT64_MAX), memo_return: fc.constant(null) }),
      fc.record({ memo_id: fc.constant(null), memo_return: fc.uint8Array({ minLength: 32, maxLength: 32 }) }),
    ),
    bump_above_least: integer(0n, INT64_MAX),
  })
  .filter(({ operation, muxed_id }) => operation !== 'create_account' || muxed_id === null);
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

const txSourceOf = ({ by_channel }: Given) => (by_channel ? channel : wallet);
const signersOf = ({ by_channel }: Given) => (by_channel ? [channel, wallet] : [wallet]);

function destinationOf({ seed, muxed_id }: Given): string {
  const account = Keypair.fromRawEd25519Seed(seed).publicKey();
  return muxed_id === null ? account : muxedAddress(account, muxed_id);
}

const assetOf = ({ operation, asset_code }: Given) =>
  operation === 'asset_payment' ? new Asset(asset_code, ISSUER) : Asset.native();

/** The SDK's builder refuses a lower fee. */
function bumpFeeOf(from: Given): bigint {
  const least = from.own_fee > 100n ? from.own_fee * 2n : 200n;
  const fee = least + from.bump_above_least;
  return fee < INT64_MAX ? fee : INT64_MAX;
}

function orderOf(from: Given): PaymentOrder {
  const destination = parseAddress(destinationOf(from));
  assert(destination);
  const { memo_id, memo_return } = from.memo;
  return {
    ...from,
    memo_id,
    memo_return: memo_return && Buffer.from(memo_return),
    tx_source_public_key: Buffer.from(txSourceOf(from).rawPublicKey()),
    wallet_public_key: Buffer.from(wallet.rawPublicKey()),
    fee_stroops: from.own_fee,
    asset: from.operation === 'asset_payment' ? { code: from.asset_code, issuer: ISSUER } : null,
    destination,
  };
}

/** The same transaction, built and signed with the SDK. */
function bySdk(from: Given): Transaction {
  const { amount_stroops, operation } = from;
  const { memo_id, memo_return } = from.memo;
  const destination = destinationOf(from);
  const units = `${amount_stroops / 10_000_000n}.${`${amount_stroops % 10_000_000n}`.padStart(7, '0')}`;
  const source = from.by_channel ? { source: wallet.publicKey() } : {};
  const body =
    operation !== 'create_account'
      ? Operation.payment({ destination, asset: assetOf(from), amount: units, ...source })
      : Operation.createAccount({ destination, startingBalance: units, ...source });
  const transaction = new TransactionBuilder(
    new Account(txSourceOf(from).publicKey(), `${from.sequence - 1n}`),
    {
      fee: `${from.own_fee}`,
      networkPassphrase: PASSPHRASE,
      timebounds: { minTime: `${from.min_time}`, maxTime: `${from.max_time}` },
      ...(memo_id !== null && { memo: Memo.id(`${memo_id}`) }),
      ...(memo_return !== null && { memo: Memo.return(Buffer.from(memo_return)) }),
    },
  )
    .addOperation(body)
    .build();
  transaction.sign(...signersOf(from));
  return transaction;
}

function sign(hash: Buffer, signers: Keypair[]): Signature[] {
  return signers.map((key) => ({
    public_key: Buffer.from(key.rawPublicKey()),
    signature: Buffer.from(key.sign(hash)),
  }));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('property: a payment has the hash and bytes of the SDK, with either transaction source', () => {
  const check = fc.property(given, (from) => {
    const expected = bySdk(from);
    const built = buildPayment(NETWORK_ID, orderOf(from));
    assert.equal(hex(built.hash), hex(expected.hash()));
    assert.equal(built.envelopeWith(sign(built.hash, signersOf(from))), expected.toXdr());
  });
  fc.assert(check, { numRuns: 1000 });
});

test('property: a fee-bump has the hash and bytes of the SDK', () => {
  const check = fc.property(given, (from) => {
    const inner = bySdk(from);
    const fee_stroops = bumpFeeOf(from);
    const perOperation = `${fee_stroops / 2n}${fee_stroops % 2n === 1n ? '.5' : ''}`; // the SDK counts two operations
    const expected = TransactionBuilder.buildFeeBumpTransaction(wallet, perOperation, inner, PASSPHRASE);
    expected.sign(wallet);
    const source_public_key = Buffer.from(wallet.rawPublicKey());
    const built = buildFeeBump(NETWORK_ID, inner.toXdr(), { source_public_key, fee_stroops });
    assert.equal(hex(built.hash), hex(expected.hash()));
    assert.equal(built.envelopeWith(Buffer.from(wallet.sign(built.hash))), expected.toXdr());
  });
  fc.assert(check, { numRuns: 500 });
});

const [example] = fc.sample(given, { numRuns: 1, seed: 1 }) as [Given];
const order = orderOf({
  ...example,
  by_channel: false,
  operation: 'payment',
  memo: { memo_id: null, memo_return: null },
});

test('numbers outside their type are refused, never truncated', () => {
  const beyond: Partial<PaymentOrder>[] = [
    { amount_stroops: INT64_MAX + 1n },
    { amount_stroops: 0n },
    { amount_stroops: -1n },
    { memo_id: UINT64_MAX + 1n },
    { memo_id: -1n },
    { sequence: INT64_MAX + 1n },
    { sequence: 0n },
    { max_time: UINT64_MAX + 1n },
    { max_time: 0n },
    { min_time: -1n },
    { min_time: order.max_time },
    { fee_stroops: 2n ** 32n },
    { fee_stroops: 2n ** 64n + 100n },
    { destination: { ...order.destination, muxed_id: UINT64_MAX + 1n } },
  ];
  for (const change of beyond) assert.throws(() => buildPayment(NETWORK_ID, { ...order, ...change }));
});

test('create_account of a muxed account is refused', () => {
  const destination = { ...order.destination, muxed_id: 7n };
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, operation: 'create_account', destination }));
});

test('an operation whose asset is of the other kind is refused', () => {
  const asset = { code: 'USDC', issuer: ISSUER };
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, asset }));
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, operation: 'create_account', asset }));
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, operation: 'asset_payment', asset: null }));
  for (const code of ['', 'ABCDEFGHIJKLM', 'A-B'])
    assert.throws(() =>
      buildPayment(NETWORK_ID, { ...order, operation: 'asset_payment', asset: { ...asset, code } }),
    );
});

test('keys, signatures, network ids and inner envelopes of another size or kind are refused', () => {
  const short = Buffer.alloc(28);
  assert.throws(() => buildPayment(short, order));
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, tx_source_public_key: short, fee_stroops: 0n }));
  const destination = { ...order.destination, public_key: short };
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, destination }));

  const source_public_key = order.wallet_public_key;
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, memo_return: short }));
  const both = { memo_id: 1n, memo_return: Buffer.alloc(32) };
  assert.throws(() => buildPayment(NETWORK_ID, { ...order, ...both }), 'a transaction has one memo');

  const payment = buildPayment(NETWORK_ID, order);
  assert.throws(() => payment.envelopeWith([{ public_key: source_public_key, signature: Buffer.alloc(60) }]));
  const inner = payment.envelopeWith(sign(payment.hash, [wallet]));
  const fee = { source_public_key, fee_stroops: 200n };
  const bump = buildFeeBump(NETWORK_ID, inner, fee);
  const bumped = bump.envelopeWith(Buffer.alloc(64));
  assert.throws(() => buildFeeBump(NETWORK_ID, bumped, fee), /only a plain transaction/);
  assert.throws(() => buildFeeBump(NETWORK_ID, inner, { ...fee, fee_stroops: INT64_MAX + 1n }));
  assert.throws(() => buildFeeBump(NETWORK_ID, inner, { ...fee, fee_stroops: 0n }));
  assert.throws(() => buildFeeBump(NETWORK_ID, '', fee));
});
