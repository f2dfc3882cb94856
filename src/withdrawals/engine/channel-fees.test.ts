/** Channels that pay their fees: one transaction each as ever, half of the operations, and who paid is known. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { FeeBumpTransaction, TransactionBuilder } from '@stellar/stellar-sdk';
import { addChannel } from '../../../test/support/channels.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import type { SubmitHint } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { channelPays, fullChannelStroops, isLow } from './channel-fees.ts';
import { freePlaces } from './congestion-window.ts';
import type { EngineDeps } from './hooks.ts';
import { signBatch } from './sign-batch.ts';
import { feeAccountOf } from './sign-payment.ts';
import type { Withdrawal } from './store.ts';
import { createSubmissions } from './submissions.ts';
import { assignTxSources } from './tx-source-store.ts';

const FEE = 100n;
const FEE_MAX = 100_000n;

let world: InProcessService;
let channel: string;
const { read, claim, waitForOutcomes, processLedgers, signOnly, balanceOf } = withdrawalSteps(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await processLedgers();
  channel = await addChannel(world);
});
after(() => world.close());

/** A process with this CHANNEL_FEES. `spendable_stroops`: what the network says that each channel has. */
function paying(channel_fees: 'wallet' | 'channel', spendable_stroops?: bigint): EngineDeps {
  const { stellar, config, ...deps } = world.deps;
  return {
    ...deps,
    config: { ...config, channel_fees },
    stellar: {
      ...stellar,
      async readSequences(accounts) {
        const answer = await stellar.readSequences(accounts);
        if (spendable_stroops === undefined) return answer;
        return { ...answer, spendable: new Map(accounts.map((account) => [account, spendable_stroops])) };
      },
    },
  };
}

/** Signs a withdrawal on the channel: the wallet's own account has another one. */
async function signOnChannel(
  deps: EngineDeps,
  wallet?: Wallet,
): Promise<{ own: Withdrawal; lent: Withdrawal }> {
  const from = wallet ?? (await world.wallet());
  const own = await signOnly((await claim(from)).id, deps);
  const lent = await signOnly((await claim(from)).id, deps);
  assert.deepEqual([own.tx_source, lent.tx_source], [from.account, channel]);
  return { own, lent };
}

const isFeeBump = ({ envelope_xdr }: Withdrawal) =>
  TransactionBuilder.fromXDR(envelope_xdr ?? '', world.sandbox.passphrase) instanceof FeeBumpTransaction;

const paid = ({ status, fee_stroops, fee_charged_stroops, fee_paid_by }: Withdrawal) => ({
  status,
  fee_stroops,
  fee_charged_stroops,
  fee_paid_by,
});
const BY_CHANNEL = {
  status: 'confirmed',
  fee_stroops: 0n,
  fee_charged_stroops: FEE,
  fee_paid_by: 'channel',
} as const;

test('the transaction of a channel pays its own fee, and the books of the wallet have none', async () => {
  const wallet = await world.wallet();
  const [of_wallet, of_channel] = [await balanceOf(wallet.account), await balanceOf(channel)];
  const { own, lent } = await signOnChannel(paying('channel'), wallet);
  assert.ok(!isFeeBump(lent));
  assert.deepEqual([lent.fee_bid_stroops, lent.stellar_tx_hash], [FEE, lent.inner_tx_hash]);
  await waitForOutcomes([own.id, lent.id]);
  assert.deepEqual(paid(await read(lent.id)), BY_CHANNEL);
  assert.equal((await read(own.id)).fee_paid_by, 'wallet');
  assert.equal(of_channel - (await balanceOf(channel)), FEE);
  assert.equal(of_wallet - (await balanceOf(wallet.account)), 2n * 20_000_000n + FEE);
});

test('a channel with too little costs a fee-bump, and is to be filled', async () => {
  const deps = paying('channel', FEE_MAX - 1n);
  const wallet = await world.wallet();
  await signOnly((await claim(wallet)).id, deps);
  const { id } = await claim(wallet);
  await assignTxSources(deps.db, LEASE);
  const { signed, low_channels } = await signBatch(deps, [id], LEASE.until);
  assert.ok(low_channels);
  assert.deepEqual(
    signed.map((row) => [row.id, isFeeBump(row), feeAccountOf(row.envelope_xdr ?? '')]),
    [[id, true, wallet.account]],
  );
  await waitForOutcomes([id], deps);
  assert.deepEqual(paid(await read(id)), {
    ...BY_CHANNEL,
    fee_stroops: 2n * FEE,
    fee_charged_stroops: 2n * FEE,
    fee_paid_by: 'wallet',
  });
});

test('CHANNEL_FEES changes between signing and sending: an envelope is for ever, and its payer too', async () => {
  const by_channel = await signOnChannel(paying('channel'));
  await waitForOutcomes([by_channel.own.id, by_channel.lent.id], paying('wallet'));
  const by_wallet = await signOnChannel(paying('wallet'));
  await waitForOutcomes([by_wallet.own.id, by_wallet.lent.id], paying('channel'));
  const payers = await Promise.all([by_channel, by_wallet].map(({ lent }) => read(lent.id)));
  assert.deepEqual(
    payers.map(({ fee_paid_by }) => fee_paid_by),
    ['channel', 'wallet'],
  );
});

test('a fee that turns out too low is raised by a fee-bump of the same transaction, and the channel pays that too', async () => {
  const { lent } = await signOnChannel(paying('channel'));
  const needed = { answer: 'refused', code: 'tx_insufficient_fee', fee_needed_stroops: 350n } as const;
  const bumped = await resent(lent, paying('wallet'), needed);
  assert.ok(isFeeBump(bumped));
  assert.equal(bumped.fee_bid_stroops, 700n, 'two operations of 350 stroops');
  assert.equal(bumped.inner_tx_hash, lent.inner_tx_hash);
  assert.equal(feeAccountOf(bumped.envelope_xdr ?? ''), channel);
  await waitForOutcomes([lent.id]);
  assert.deepEqual(paid(await read(lent.id)), { ...BY_CHANNEL, fee_charged_stroops: 2n * FEE });
});

/** Sends the row to a network that answers so, and sends it again eight ledgers later. Returns the row as it is then. */
async function resent(row: Withdrawal, deps: EngineDeps, hint: SubmitHint): Promise<Withdrawal> {
  const refusing = { ...deps, stellar: { ...deps.stellar, submit: async () => hint } };
  const submissions = createSubmissions(refusing);
  submissions.add(row, row.signed_ledger ?? 0);
  await submissions.drained();
  await submissions.resendDue({ ledger: (row.signed_ledger ?? 0) + 8, close_time: 0n });
  await submissions.drained();
  return read(row.id);
}

test('a fee-bump that a channel cannot pay is paid by the wallet: otherwise the withdrawal would expire', async () => {
  const { lent } = await signOnChannel(paying('channel'));
  const needed = { answer: 'refused', code: 'tx_insufficient_fee', fee_needed_stroops: 350n } as const;
  const bumped = await resent(lent, paying('channel', 699n), needed);
  assert.deepEqual([bumped.fee_bid_stroops, bumped.inner_tx_hash], [700n, lent.inner_tx_hash]);
  const wallet = await world.deps.db
    .selectFrom('wallets')
    .select('account')
    .where('id', '=', lent.wallet_id)
    .executeTakeFirstOrThrow();
  assert.equal(feeAccountOf(bumped.envelope_xdr ?? ''), wallet.account);
  await waitForOutcomes([lent.id]);
  assert.equal((await read(lent.id)).fee_paid_by, 'wallet');
});

test('a channel that has less than a node said is replaced as the payer, at the same rate', async () => {
  const short = { answer: 'refused', code: 'tx_insufficient_balance', fee_needed_stroops: null } as const;
  const { lent } = await signOnChannel(paying('channel'));
  assert.deepEqual(await resent(lent, paying('channel'), short), lent, 'while the channel can pay, it stays');
  const bumped = await resent(lent, paying('channel', 199n), short);
  assert.deepEqual([bumped.fee_bid_stroops, bumped.inner_tx_hash], [200n, lent.inner_tx_hash]);
  assert.notEqual(feeAccountOf(bumped.envelope_xdr ?? ''), channel);
  assert.deepEqual(await resent(bumped, paying('channel', 199n), short), bumped, 'a wallet stays the payer');
  await waitForOutcomes([lent.id]);
  const { fee_charged_stroops, fee_paid_by } = await read(lent.id);
  assert.deepEqual([fee_charged_stroops, fee_paid_by], [200n, 'wallet']);
});

test('a channel pays no transfer to a contract, and none pays where wallets do', () => {
  const fees = { channel_fees: 'channel' as const, fee_max_stroops: FEE_MAX };
  const on_channel = { channel_id: 'chn_1', operation: 'payment' as const };
  assert.ok(channelPays(fees, on_channel, FEE_MAX));
  assert.ok(!channelPays(fees, on_channel, FEE_MAX - 1n));
  assert.ok(!channelPays(fees, { ...on_channel, operation: 'contract_transfer' }, 1_000n * FEE_MAX));
  assert.ok(!channelPays(fees, { ...on_channel, channel_id: null }, 1_000n * FEE_MAX));
  assert.ok(!channelPays({ ...fees, channel_fees: 'wallet' }, on_channel, 1_000n * FEE_MAX));
  const full = fullChannelStroops(fees);
  assert.ok(isLow(fees, 0n) && !isLow(fees, full));
  assert.ok(!isLow({ ...fees, channel_fees: 'wallet' }, 0n));
});

test('a ledger has places for twice as many payments whose channels pay', () => {
  const room = { operations: 340, contract_calls: null };
  const in_queue = { operations: 40, contract_calls: 0 };
  assert.equal(freePlaces(room, in_queue, 'wallet').payments, 150);
  assert.equal(freePlaces(room, in_queue, 'channel').payments, 300);
});

test('an older copy that has lost a payment and the channel that paid its fee gets the outcome from the ledger', async () => {
  const { db, stellar } = world.deps;
  const deps = paying('channel');
  const { lent } = await signOnChannel(deps);
  const unsigned = { status: 'queued' as const, tx_source: null, envelope_xdr: null, inner_tx_hash: null };
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', lent.id).execute();
  await db.deleteFrom('tx_sources').where('account', '=', channel).execute();
  await db.deleteFrom('channels').where('account', '=', channel).execute();
  await stellar.submit(lent.envelope_xdr ?? '');
  world.sandbox.closeLedger();
  await processLedgers();
  assert.equal((await read(lent.id)).status, 'confirmed');
  assert.equal(await balanceOf(lent.destination), 20_000_000n);
});
