/** What the treasury pays for wallets: one transaction each as ever, and who paid it is known. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { FeeBumpTransaction, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { ACTOR } from '../../../test/support/acting.ts';
import { booksOf } from '../../../test/support/books.ts';
import { addChannel, closingClock, payFromElsewhere } from '../../../test/support/channels.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import type { Config } from '../../config.ts';
import { newId } from '../../lib/ids.ts';
import { accountOf } from '../../stellar/address.ts';
import { trustLineIn } from '../../stellar/transactions/envelope.ts';
import type { Wallet } from '../../wallets/access.ts';
import { newestTreasury } from '../channels/channel-store.ts';
import { createChannels } from '../channels/channels.ts';
import { createClaims } from './claims.ts';
import { feeRate } from './fee-rate.ts';
import type { EngineDeps } from './hooks.ts';
import { signBatch } from './sign-batch.ts';
import { feeAccountOf } from './sign-payment.ts';
import type { Withdrawal } from './store.ts';
import { createSubmissions } from './submissions.ts';
import { TREASURY_EMPTY } from './treasury-funds.ts';
import { assignTxSources, blockedTxSources } from './tx-source-store.ts';

const RESERVE = 5_000_000n;
const BID = 200n;

let world: InProcessService;
let issuer: Keypair;
const { read, claim, waitForOutcomes, processLedgers, closeInSteps, signOnly, balanceOf } = withdrawalSteps(
  () => world,
);
const { payer, ensureFunded, sent } = booksOf(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0', CHANNEL_FEES: 'wallet' });
  await processLedgers();
  issuer = Keypair.random();
  await ensureFunded(issuer);
  await newTreasury();
});
after(() => world.close());

type Pays = Config['treasury_pays'];
const NOTHING: Pays = { fees: false, reserves: false };
const ALL: Pays = { fees: true, reserves: true };

/** A process with this TREASURY_PAYS. */
const paying = (treasury_pays: Pays, deps = world.deps): EngineDeps => ({
  ...deps,
  config: { ...deps.config, treasury_pays },
});

/** A treasury with so much above its minimum; the newest from now on. */
async function newTreasury(spendable_stroops = 1_000_000_000n): Promise<string> {
  const { db, vault } = world.deps;
  const id = newId('trs', new Date());
  const { public_key, sealed_seed } = await vault.generate(id);
  const account = accountOf(public_key);
  await payFromElsewhere(world, account, 2n * RESERVE + spendable_stroops);
  await db.insertInto('treasury').values({ id, account, sealed_seed }).execute();
  assert.equal((await newestTreasury(db))?.account, account);
  await processLedgers();
  return account;
}

let serial = 0;

/** The claim of a trust line for an asset of its own. */
async function claimLine(wallet: Wallet, asset_issuer = issuer.publicKey()): Promise<Withdrawal> {
  const created_at = new Date();
  const asset_code = `CODE${++serial}`;
  const { holder } = await createClaims(world.deps).claim({
    id: newId('wd', created_at),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key: `add_trust_line·${wallet.id}·${asset_code}:${asset_issuer}·1`,
    operation: 'add_trust_line',
    asset_code,
    asset_issuer,
    destination: asset_issuer,
    amount_stroops: 0n,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    wallet_account: wallet.account,
    created_at,
    actor: ACTOR,
  });
  assert(holder);
  return holder;
}

function bumpIn({ envelope_xdr }: Withdrawal): FeeBumpTransaction {
  const bump = TransactionBuilder.fromXDR(envelope_xdr ?? '', world.sandbox.passphrase);
  assert(bump instanceof FeeBumpTransaction);
  return bump;
}

const paid = ({ status, fee_stroops, fee_charged_stroops, fee_paid_by }: Withdrawal) => ({
  status,
  fee_stroops,
  fee_charged_stroops,
  fee_paid_by,
});
const BY_TREASURY = {
  status: 'confirmed',
  fee_stroops: 0n,
  fee_charged_stroops: BID,
  fee_paid_by: 'treasury',
} as const;

test('a payment’s transaction has no fee, and the treasury’s fee-bump pays it: from the wallet’s account and from a channel', async () => {
  const wallet = await world.wallet();
  const treasury = await newTreasury();
  const own = await signOnly((await claim(wallet)).id, paying(ALL));
  const channel = await addChannel(world); // its sponsor is another treasury, which is not the newest
  const lent = await signOnly((await claim(wallet)).id, paying(ALL));
  assert.deepEqual([own.tx_source, lent.tx_source], [wallet.account, channel]);
  for (const row of [own, lent]) {
    const { innerTransaction: inner, feeSource, fee } = bumpIn(row);
    assert.deepEqual([inner.fee, fee, feeSource], ['0', `${BID}`, treasury]);
    assert.equal(inner.signatures.length, row === own ? 1 : 2, 'the treasury signs the fee-bump only');
  }
  await waitForOutcomes([own.id, lent.id], paying(ALL));
  for (const { id } of [own, lent]) assert.deepEqual(paid(await read(id)), BY_TREASURY);
});

test('TREASURY_PAYS changes between signing and sending: an envelope is for ever, and its payer too', async () => {
  const treasury = await newTreasury();
  const [on, off] = [paying(ALL), paying(NOTHING)];
  const signed_on = await signOnly((await claim(await world.wallet())).id, on);
  const signed_off = await signOnly((await claim(await world.wallet())).id, off);
  const line = await signOnly((await claimLine(await world.wallet())).id, on);
  await waitForOutcomes([signed_on.id, line.id], off);
  await waitForOutcomes([signed_off.id], on);
  assert.deepEqual(paid(await read(signed_on.id)), BY_TREASURY);
  assert.deepEqual(paid(await read(line.id)), { ...BY_TREASURY, fee_charged_stroops: 2n * BID });
  const by_wallet = { ...BY_TREASURY, fee_stroops: 100n, fee_charged_stroops: 100n, fee_paid_by: 'wallet' };
  assert.deepEqual(paid(await read(signed_off.id)), by_wallet);
  assert.equal(feeAccountOf((await read(signed_on.id)).envelope_xdr ?? ''), treasury);
});

test('a later fee-bump is paid by whoever paid before, though the treasury is another and pays nothing any more', async () => {
  const [former, wallet, other] = [await newTreasury(), await world.wallet(), await world.wallet()];
  const rows = [
    await signOnly((await claim(wallet)).id, paying(ALL)),
    await signOnly((await claimLine(await world.wallet())).id, paying(ALL)),
    await signOnly((await claim(other)).id, paying(NOTHING)),
  ];
  const payers = [former, former, other.account];
  await newTreasury();
  const now = { ...paying(NOTHING), stellar: { ...world.deps.stellar } };
  now.stellar.submit = async () => ({
    answer: 'refused',
    code: 'tx_insufficient_fee',
    fee_needed_stroops: null,
  });
  const submissions = createSubmissions(now);
  for (const row of rows) submissions.add(row, row.signed_ledger ?? 0);
  await submissions.drained();
  await submissions.resendDue({ ledger: (rows[0]?.signed_ledger ?? 0) + 8, close_time: 0n });
  await submissions.drained();
  for (const [index, row] of rows.entries()) {
    const bumped = await read(row.id);
    const { fee, feeSource, innerTransaction } = bumpIn(bumped);
    assert.ok(BigInt(fee) > (row.fee_bid_stroops ?? 0n));
    assert.equal(BigInt(fee) % (index === 1 ? 4n : 2n), 0n, 'per operation, the fee-bump included');
    assert.equal(feeSource, payers[index]);
    assert.equal(Buffer.from(innerTransaction.hash()).toString('hex'), row.inner_tx_hash);
  }
  await waitForOutcomes(rows.map(({ id }) => id));
  const by = (await Promise.all(rows.map(({ id }) => read(id)))).map(({ fee_paid_by }) => fee_paid_by);
  assert.deepEqual(by, ['treasury', 'treasury', 'wallet']);
});

test('what the treasury’s fee-bumps were charged is not taken for the price of others', async () => {
  const deps = paying(ALL);
  await newTreasury();
  const { id } = await claim(await world.wallet());
  await waitForOutcomes([id], deps);
  const { fee_charged_stroops } = await read(id);
  const rateAt = (figure: bigint) =>
    feeRate({ ...deps, stellar: { ...deps.stellar, feePerOperation: async () => figure } });
  assert.equal(fee_charged_stroops, BID);
  assert.deepEqual([await rateAt(BID), await rateAt(BID + 1n)], [BID / 2n, BID + 1n]);
});

test('a stranger’s fee-bump of the same transaction is neither the wallet’s fee nor the treasury’s', async () => {
  await newTreasury();
  const row = await signOnly((await claim(await world.wallet())).id, paying(ALL));
  await ensureFunded(payer);
  const bump = TransactionBuilder.buildFeeBumpTransaction(
    payer,
    '1000',
    bumpIn(row).innerTransaction,
    world.sandbox.passphrase,
  );
  bump.sign(payer);
  const { answer } = await world.deps.stellar.submit(bump.toEnvelope().toXdr('base64'));
  assert.equal(answer, 'pending');
  world.sandbox.closeLedger();
  await waitForOutcomes([row.id]);
  const done = await read(row.id);
  assert.deepEqual([done.status, done.fee_stroops, done.fee_paid_by], ['confirmed', 0n, 'other']);
});

test('what the treasury cannot pay is not signed: it waits, says why, and goes on when there is money', async () => {
  const deps = paying(ALL);
  const treasury = await newTreasury(2n * BID + 1n);
  const rows: Withdrawal[] = [];
  for (let count = 0; count < 4; count++) rows.push(await claim(await world.wallet()));
  const ids = rows.map(({ id }) => id);
  await processLedgers();
  await assignTxSources(deps.db, LEASE);
  const first = await signBatch(deps, ids, LEASE.until);
  assert.deepEqual(
    first.signed.map(({ id }) => id),
    ids.slice(0, 2),
  );
  const again = await signBatch(deps, ids.slice(2), LEASE.until);
  assert.deepEqual([again.signed, again.gone], [[], []], 'what is signed and not paid yet counts');
  const blocked = await blockedTxSources(deps.db);
  assert.deepEqual(
    blocked.map(({ blocked_reason }) => blocked_reason),
    [TREASURY_EMPTY, TREASURY_EMPTY],
  );
  await waitForOutcomes(ids.slice(0, 2), deps);
  await payFromElsewhere(world, treasury, 1_000_000n);
  await waitForOutcomes(ids, deps);
  for (const id of ids) assert.deepEqual(paid(await read(id)), BY_TREASURY);
  assert.deepEqual(await blockedTxSources(deps.db), []);
});

test('an older copy that shows a paid withdrawal as unsigned, or a made trust line, gets the outcome from the ledger', async () => {
  const { db } = world.deps;
  const deps = paying(ALL);
  await newTreasury();
  const wallet = await world.wallet();
  const rows = [await claim(wallet), await claimLine(wallet), await claim(wallet)];
  const ids = rows.map(({ id }) => id);
  await processLedgers();
  const copied = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes(ids, deps);
  const before = await Promise.all(ids.map(read));
  const lent = before.filter(({ tx_source }) => tx_source !== wallet.account);
  assert.ok(lent.length > 0, 'a channel took part');
  // The copy knows neither the signatures nor the channel: the wallet is named inside the operations only.
  const unsigned = {
    status: 'queued' as const,
    tx_source: null,
    sequence: null,
    envelope_xdr: null,
    inner_tx_hash: null,
    settled_at: null,
    fee_paid_by: null,
    fee_charged_stroops: null,
    fee_stroops: null,
  };
  await db.updateTable('withdrawals').set(unsigned).where('id', 'in', ids).execute();
  await db.deleteFrom('tx_sources').where('kind', '=', 'channel').execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await db.updateTable('withdrawal_cursor').set(copied).execute();

  await processLedgers(deps);
  for (const row of before) assert.deepEqual(paid(await read(row.id)), paid(row));
  const destinations = rows.filter(({ operation }) => operation === 'create_account');
  for (const { destination } of destinations)
    assert.equal(await balanceOf(destination), 20_000_000n, 'paid once');
});

test('a trust line that the treasury cannot sponsor holds no payment of its wallet back', async () => {
  const deps = paying({ fees: false, reserves: true });
  await newTreasury(0n);
  const wallet = await world.wallet();
  const line = await claimLine(wallet);
  const payment = await claim(wallet);
  await waitForOutcomes([line.id, payment.id], deps);
  const { status, failure_code } = await read(line.id);
  assert.deepEqual([status, failure_code], ['failed', 'op_low_reserve']);
  assert.equal((await read(payment.id)).status, 'confirmed');
  assert.deepEqual(await blockedTxSources(deps.db), []);
});

test('the network’s verdict on a sponsored trust line is that on its change_trust, in words', async () => {
  const [wallet, gone] = [await world.wallet(), Keypair.random()];
  await newTreasury();
  await ensureFunded(gone);
  const row = await signOnly((await claimLine(wallet, gone.publicKey())).id, paying(ALL));
  assert.equal(trustLineIn(row.envelope_xdr ?? '')?.operation, 'add_trust_line');
  await sent(gone, [Operation.accountMerge({ destination: issuer.publicKey() })]);
  await waitForOutcomes([row.id]);
  const { status, failure_code, failure_message, fee_paid_by } = await read(row.id);
  assert.deepEqual([status, failure_code, fee_paid_by], ['failed', 'op_no_issuer', 'treasury']);
  assert.match(failure_message ?? '', /issuer of the asset/);
});

test('a treasury that cannot pay the reserve when the ledger closes: op_low_reserve names who may pay', async () => {
  const deps = paying({ fees: false, reserves: true });
  await newTreasury(RESERVE);
  const [wallet, second] = [await world.wallet(), await world.wallet()];
  // Two requests at the same ledger each find the treasury able to pay one.
  const rows = [
    await signOnly((await claimLine(wallet)).id, deps),
    await signOnly((await claimLine(second)).id, deps),
  ];
  await waitForOutcomes(rows.map(({ id }) => id));
  const done = await Promise.all(rows.map(({ id }) => read(id)));
  assert.deepEqual(done.map(({ status }) => status).sort(), ['confirmed', 'failed']);
  const failed = done.find(({ status }) => status === 'failed');
  assert.equal(failed?.failure_code, 'op_low_reserve');
  assert.match(failed?.failure_message ?? '', /the treasury/);
  const fees = done.map(({ fee_stroops, fee_paid_by }) => [fee_stroops, fee_paid_by]);
  assert.deepEqual(fees, [
    [300n, 'wallet'],
    [300n, 'wallet'],
  ]);
});

test('the treasury makes channel accounts while its fee-bumps are in flight, and both come through', async () => {
  const deps = paying(ALL, world.another());
  const config = { ...deps.config, channels_max: 6 };
  const treasury = await newTreasury(1_000_000_000n);
  const rows = await Promise.all(Array.from({ length: 6 }, async () => claim(await world.wallet())));
  await processLedgers();
  const working = { report: () => undefined, signal: new AbortController().signal };
  const growing = createChannels({ ...deps, config, clock: closingClock(world.sandbox) }, 5, working);
  await Promise.all([
    growing,
    waitForOutcomes(
      rows.map(({ id }) => id),
      deps,
    ),
  ]);
  for (const { id } of rows) assert.deepEqual(paid(await read(id)), BY_TREASURY);
  const made = await deps.db
    .selectFrom('channels')
    .select('account')
    .where('sponsor', '=', treasury)
    .execute();
  assert.equal(made.length, 5);
});

test('an envelope that the treasury cannot pay after all is refused, sent until it expires, and failed by proof', async () => {
  const deps = paying(ALL);
  const treasury = await newTreasury(BID);
  // The source lags: by its answer the treasury has enough for both.
  const stellar: EngineDeps['stellar'] = {
    ...world.deps.stellar,
    async readAccounts(...asked) {
      const answer = await world.deps.stellar.readAccounts(...asked);
      const state = answer.accounts.get(treasury);
      if (state) answer.accounts.set(treasury, { ...state, spendable_stroops: 1_000_000n });
      return answer;
    },
  };
  const rows = [
    await signOnly((await claim(await world.wallet())).id, { ...deps, stellar }),
    await signOnly((await claim(await world.wallet())).id, { ...deps, stellar }),
  ];
  const answers: (string | null)[] = [];
  for (const { envelope_xdr } of rows) answers.push((await stellar.submit(envelope_xdr ?? '')).code);
  assert.deepEqual(answers, [null, 'tx_insufficient_balance']);
  await waitForOutcomes([rows[0]?.id ?? ''], deps);
  await closeInSteps(rows[1]?.max_time ?? 0n);
  await waitForOutcomes([rows[1]?.id ?? ''], deps);
  const [first, second] = [await read(rows[0]?.id ?? ''), await read(rows[1]?.id ?? '')];
  assert.deepEqual(paid(first), BY_TREASURY);
  assert.deepEqual([second.status, second.failure_code, second.fee_stroops], ['failed', 'expired', null]);
});
