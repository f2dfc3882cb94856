/** The sandbox accepts and applies transactions that are built here and signed in the vault. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import { sponsorships } from '../../../sandbox/testing/asset-world.ts';
import { create, START_S, TestNetwork, UNIT } from '../../../sandbox/testing/test-network.ts';
import { createKeys } from '../../vault/keys.ts';
import { accountOf } from '../address.ts';
import {
  buildChannelCreation,
  buildChannelFilling,
  buildChannelMerge,
  CHANNELS_PER_TRANSACTION,
  type ChannelOrder,
} from './build-channels.ts';
import { buildFeeBump, buildPayment, type PaymentOrder } from './build-payment.ts';
import { networkId } from './envelope.ts';
import type { Signature } from './write-transaction.ts';

const BASE_RESERVE = 5_000_000n;

/** An account whose seed is only in a vault. `key` has the public key only. */
type Held = { public_key: Buffer; key: Keypair; sign(hash: Buffer): Signature };

function hold(): Held {
  const held = HELD.pop();
  assert(held, 'more accounts than were made');
  return held;
}

async function make(): Promise<Held> {
  const { vault } = createKeys([randomBytes(32)]);
  const { public_key, sealed_seed } = await vault.generate('wal_1');
  const owner = { id: 'wal_1', public_key };
  const signer = await vault.withSigner([], async (each) => each);
  return {
    public_key,
    key: Keypair.fromPublicKey(accountOf(public_key)),
    sign: (hash) => ({ public_key, signature: signer.signWith(sealed_seed, owner, hash) }),
  };
}

const HELD = await Promise.all(Array.from({ length: 100 }, make));

const submit = (net: TestNetwork, envelope_xdr: string) => net.submitXdr(Buffer.from(envelope_xdr, 'base64'));

/** Asserts that the sandbox queues the transactions and applies them in the next ledger. */
function applied(net: TestNetwork, envelopes: string[]): void {
  for (const envelope of envelopes)
    assert.deepEqual(submit(net, envelope), { status: 'PENDING', error: null, feeCharged: null });
  const results = net.close().transactions.map(({ resultXdr }) => xdr.TransactionResult.fromXdr(resultXdr));
  assert.equal(results.length, envelopes.length);
  for (const { result } of results) assert.match(result.type, /^tx(FeeBumpInner)?Success$/);
}

const settings = (net: TestNetwork) => ({
  passphrase: net.network.options.passphrase,
  max_time: BigInt(START_S) + 600n,
});

function channelOrder(net: TestNetwork, sponsor: Held, channels: Held[]): ChannelOrder {
  return {
    sponsor: sponsor.key.publicKey(),
    sequence: net.sequence(sponsor.key) + 1n,
    channels: channels.map(({ key }) => key.publicKey()),
    fee_per_operation_stroops: 100n,
    max_time: settings(net).max_time,
  };
}

function makeChannels(net: TestNetwork, sponsor: Held, channels: Held[], balance_stroops = 0n): void {
  const { hash, envelopeWith } = buildChannelCreation(settings(net).passphrase, {
    ...channelOrder(net, sponsor, channels),
    balance_stroops,
  });
  applied(net, [envelopeWith([sponsor, ...channels].map(({ sign }) => sign(hash)))]);
}

/** A wallet with 100 units, and channels that another account sponsors. */
function worldWith(channel_count: number) {
  const net = new TestNetwork();
  const [wallet, sponsor] = [hold(), hold()];
  net.must(net.root, [create(wallet.key, 100n * UNIT), create(sponsor.key, 1000n * UNIT)]);
  const channels = Array.from({ length: channel_count }, hold);
  if (channel_count > 0) makeChannels(net, sponsor, channels);
  return { net, wallet, sponsor, channels };
}

/** Pays one unit from the wallet to a new account, with this transaction source. */
function order(
  net: TestNetwork,
  wallet: Held,
  tx_source: Held,
  change: Partial<PaymentOrder> = {},
): PaymentOrder {
  const destination = Keypair.random();
  return {
    tx_source_public_key: tx_source.public_key,
    wallet_public_key: wallet.public_key,
    sequence: net.sequence(tx_source.key) + 1n,
    fee_stroops: tx_source === wallet ? 100n : 0n,
    min_time: 1n,
    max_time: settings(net).max_time,
    operation: 'create_account',
    asset: null,
    destination: {
      account: destination.publicKey(),
      public_key: Buffer.from(destination.rawPublicKey()),
      muxed_id: null,
    },
    amount_stroops: UNIT,
    memo_id: null,
    memo_return: null,
    ...change,
  };
}

function paymentIn(
  net: TestNetwork,
  wallet: Held,
  tx_source: Held,
  change: Partial<PaymentOrder> = {},
): string {
  const network_id = networkId(settings(net).passphrase);
  const { hash, envelopeWith } = buildPayment(network_id, order(net, wallet, tx_source, change));
  return envelopeWith((tx_source === wallet ? [wallet] : [tx_source, wallet]).map(({ sign }) => sign(hash)));
}

function bumped(net: TestNetwork, wallet: Held, inner: string, fee_stroops: bigint): string {
  const fee = { source_public_key: wallet.public_key, fee_stroops };
  const { hash, envelopeWith } = buildFeeBump(networkId(settings(net).passphrase), inner, fee);
  return envelopeWith(wallet.sign(hash).signature);
}

test('with the wallet as transaction source, every kind of withdrawal is applied and arrives', () => {
  const { net, wallet, sponsor } = worldWith(0);
  const to = { account: sponsor.key.publicKey(), public_key: sponsor.public_key, muxed_id: null };
  const kinds: Partial<PaymentOrder>[] = [
    {},
    { operation: 'create_account', memo_id: 7n },
    { operation: 'payment', destination: to },
    { operation: 'payment', destination: to, memo_id: 2n ** 64n - 1n },
    { operation: 'payment', destination: { ...to, muxed_id: 2n ** 64n - 1n } },
    { operation: 'payment', destination: { ...to, muxed_id: 0n }, memo_id: 0n },
    { operation: 'payment', destination: to, memo_return: Buffer.alloc(32, 0xff) },
    { operation: 'create_account', memo_return: Buffer.alloc(32) },
  ];
  for (const kind of kinds) applied(net, [paymentIn(net, wallet, wallet, kind)]);
  assert.equal(net.balance(wallet.key), 92n * UNIT - 800n);
  assert.equal(net.balance(sponsor.key), 1005n * UNIT);
});

test('nineteen channels are the sources of nineteen withdrawals in one ledger; the wallet pays every fee, the channels have no balance', () => {
  const { net, wallet, channels } = worldWith(CHANNELS_PER_TRANSACTION);
  const before = channels.map(({ key }) => net.sequence(key));
  const own = paymentIn(net, wallet, wallet);
  applied(net, [
    ...channels.map((channel) => bumped(net, wallet, paymentIn(net, wallet, channel), 200n)),
    own, // and its own tx_source beside them
  ]);
  assert.equal(net.balance(wallet.key), 80n * UNIT - 19n * 200n - 100n);
  for (const [index, { key }] of channels.entries()) {
    assert.equal(net.balance(key), 0n);
    assert.equal(net.sequence(key), (before[index] ?? 0n) + 1n);
  }
});

test('a channel pays the fees of its transactions down to its last stroop, and is filled beside others', () => {
  const { net, wallet, sponsor } = worldWith(0);
  const channels = [hold(), hold()] as [Held, Held];
  makeChannels(net, sponsor, channels, 200n);
  const [channel, other] = channels;
  const pay = (fee_stroops = 100n) => paymentIn(net, wallet, channel, { fee_stroops });
  applied(net, [pay()]);
  applied(net, [pay()]);
  assert.deepEqual([net.balance(channel.key), net.balance(wallet.key)], [0n, 98n * UNIT]);
  assert.equal(submit(net, pay()).error, 'txInsufficientBalance');
  const filling = buildChannelFilling(settings(net).passphrase, {
    ...channelOrder(net, sponsor, channels),
    stroops: new Map([
      [channel.key.publicKey(), 1_000n],
      [other.key.publicKey(), 300n],
    ]),
  });
  applied(net, [filling.envelopeWith([sponsor.sign(filling.hash)])]);
  assert.deepEqual([net.balance(channel.key), net.balance(other.key)], [1_000n, 500n]);
  const bumped_by_itself = bumped(net, channel, pay(), 1_000n);
  applied(net, [bumped_by_itself]);
  assert.equal(net.balance(channel.key), 800n);
});

test('with a channel, nothing is applied without the fee-bump, the wallet’s signature or the channel’s', () => {
  const { net, wallet, channels } = worldWith(1);
  const channel = channels[0] as Held;
  assert.equal(submit(net, paymentIn(net, wallet, channel)).error, 'txInsufficientFee');
  const { hash, envelopeWith } = buildPayment(
    networkId(settings(net).passphrase),
    order(net, wallet, channel),
  );
  for (const signer of [wallet, channel]) {
    const { status } = submit(net, bumped(net, wallet, envelopeWith([signer.sign(hash)]), 200n));
    assert.equal(status, 'ERROR');
  }
});

test('a fee-bump of the same payment with ten times the fee replaces the first', () => {
  const { net, wallet, channels } = worldWith(1);
  for (const tx_source of [wallet, channels[0] as Held]) {
    const before = net.balance(wallet.key);
    const inner = paymentIn(net, wallet, tx_source);
    const first = tx_source === wallet ? inner : bumped(net, wallet, inner, 200n);
    assert.equal(submit(net, first).status, 'PENDING');
    assert.equal(submit(net, bumped(net, wallet, inner, 1999n)).error, 'txInsufficientFee');
    applied(net, [bumped(net, wallet, inner, 2000n)]);
    assert.equal(before - net.balance(wallet.key), UNIT + 200n);
  }
});

test('nineteen channels are created at once, with balance 0 and sponsored reserves', () => {
  const { net, sponsor, channels } = worldWith(CHANNELS_PER_TRANSACTION);
  for (const { key } of channels) {
    assert.equal(net.balance(key), 0n);
    assert.deepEqual(sponsorships(net, key), { sponsoring: 0, sponsored: 2 });
  }
  assert.deepEqual(sponsorships(net, sponsor.key), { sponsoring: 38, sponsored: 0 });
  assert.equal(net.balance(sponsor.key), 1000n * UNIT - 57n * 100n);
  assert.equal(net.available(sponsor.key), net.balance(sponsor.key) - 40n * BASE_RESERVE);
});

test('nineteen used channels are merged at once, and their reserves are free again', () => {
  const { net, wallet, sponsor, channels } = worldWith(CHANNELS_PER_TRANSACTION);
  applied(
    net,
    channels.map((channel) => bumped(net, wallet, paymentIn(net, wallet, channel), 200n)),
  );
  const { passphrase } = settings(net);
  const { hash, envelopeWith } = buildChannelMerge(passphrase, channelOrder(net, sponsor, channels));
  const all = [sponsor, ...channels].map(({ sign }) => sign(hash));
  assert.equal(submit(net, envelopeWith(all.slice(0, 19))).status, 'ERROR');
  applied(net, [envelopeWith(all)]);
  for (const { key } of channels) assert.throws(() => net.account(key), /no account/);
  assert.deepEqual(sponsorships(net, sponsor.key), { sponsoring: 0, sponsored: 0 });
  assert.equal(net.balance(sponsor.key), 1000n * UNIT - 57n * 100n - 19n * 100n);
  assert.equal(net.available(sponsor.key), net.balance(sponsor.key) - 2n * BASE_RESERVE);
});

test('a channel that was merged and created again applies nothing that was signed for it before', () => {
  const { net, wallet, sponsor, channels } = worldWith(1);
  const channel = channels[0] as Held;
  const old = bumped(net, wallet, paymentIn(net, wallet, channel), 200n);
  const merge = buildChannelMerge(settings(net).passphrase, channelOrder(net, sponsor, channels));
  applied(net, [merge.envelopeWith([sponsor, channel].map(({ sign }) => sign(merge.hash)))]);
  makeChannels(net, sponsor, channels);
  assert.match(submit(net, old).error ?? '', /txBadSeq/);
});

test('no channel, twenty of them, one twice, or the sponsor among them: refused', () => {
  const net = new TestNetwork();
  const sponsor = hold();
  net.must(net.root, [create(sponsor.key, 1000n * UNIT)]);
  const twenty = Array.from({ length: 20 }, hold);
  const [one] = twenty as [Held];
  for (const channels of [[], twenty, [one, one], [sponsor]])
    for (const build of [buildChannelCreation, buildChannelMerge])
      assert.throws(() =>
        build(settings(net).passphrase, { ...channelOrder(net, sponsor, channels), balance_stroops: 0n }),
      );
});
