import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { FeeBumpTransaction, Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { closingLedgers, startWorld, type World } from '../../test/support/deps.ts';
import { eventually } from '../../test/support/eventually.ts';
import { LEASE, withdrawalSteps } from '../../test/support/withdrawal-steps.ts';
import { accountOf } from '../chain/address.ts';
import type { SubmitHint } from '../chain/chain.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { Wallet } from '../wallets/access.ts';
import { sign } from './dispatch.ts';
import { createFlights } from './flights.ts';
import { follow } from './follow.ts';
import { createIntake } from './intake.ts';
import { takeLanes } from './lane-store.ts';
import { acceptLane, describeLanes } from './lanes.ts';
import { createSettler, type Settler } from './settler.ts';
import { adoptOrphans, type Withdrawal } from './store.ts';
import { acceptStray, assignStray, describeStrays, skipUnread } from './strays.ts';
import { withdraw } from './withdraw.ts';

let world: World;
let keys = 0;
const longest_until = new Date(Date.now() + 3_600_000);
const { withChain, read, accountFor, closeInSteps, signOnly } = withdrawalSteps(() => world);

before(async () => {
  world = await startWorld({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await accountFor(); // as a service does that starts before anybody withdraws
});
after(async () => {
  await world.close();
});

function orderOf(wallet: Wallet, amount_stroops = 20_000_000n) {
  const destination = Keypair.random().publicKey();
  const payee = { destination, amount_stroops, memo_id: null, memo_return: null };
  return { ...payee, wallet, idempotency_key: `key-${keys++}`, refund_of: null };
}

const deaf: Settler = { settle: async () => false, start() {}, lookAround() {}, stop: async () => {} };

/** A process that takes the order, and dies before it does anything for it. */
async function claimOnly(wallet: Wallet): Promise<Withdrawal> {
  const { deps } = world;
  const parts = { intake: createIntake(deps), settler: deaf };
  const error: AppError = await withdraw(deps, parts, orderOf(wallet)).then(
    () => assert.fail('it was settled'),
    (thrown) => thrown,
  );
  assert.equal(error.code, 'outcome_pending');
  return read((error.data as { id: string }).id);
}

/** A whole process at work on all rows until these are settled. */
async function settleAll(ids: string[], deps = world.deps): Promise<void> {
  await world.deps.db
    .updateTable('withdrawals')
    .set({ leased_until: new Date(0) })
    .execute();
  const settler = createSettler(deps);
  settler.start();
  await closingLedgers(world.sandbox, Promise.all(ids.map((id) => settler.settle(id))), 100);
  await settler.stop();
}

async function closeUntil(close_time: bigint): Promise<void> {
  while ((await world.deps.chain.latestLedger()).close_time < close_time)
    for (let i = 0; i < 50; i++) world.sandbox.closeLedger();
}

async function balanceOf(account: string): Promise<bigint> {
  const { accounts } = await world.deps.chain.readAccounts([account]);
  return accounts.get(account)?.balance_stroops ?? 0n;
}

const NO_ANSWER: SubmitHint = { answer: 'no_answer', code: null, fee_needed_stroops: null };

test('a row that its process left without a lane is anybody’s, and paid once', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  assert.equal(left.status, 'queued');
  await settleAll([left.id], world.another());
  assert.equal((await read(left.id)).status, 'confirmed');
  assert.equal(await balanceOf(left.destination), 20_000_000n);
});

test('a row that its process left with a lane, or signed and never sent, is taken over after its lease', async () => {
  const [wallet, other] = [await world.wallet(), await world.wallet()];
  const [boarded, unsent] = [await claimOnly(wallet), await claimOnly(other)];
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  await signOnly(unsent.id);
  const now = new Date();
  const later = new Date(LEASE.until.getTime() + 1);
  const options = { until: later, longest_until, limit: 10 };
  assert.deepEqual(await adoptOrphans(world.deps.db, { ...options, now }), []);
  const adopted = await adoptOrphans(world.deps.db, { ...options, now: later });
  assert.deepEqual(adopted.map(({ id, status }) => [id, status]).sort(), [
    [boarded.id, 'queued'],
    [unsent.id, 'signed'],
  ]);
  await settleAll([boarded.id, unsent.id]);
  assert.equal(await balanceOf(boarded.destination), 20_000_000n);
  assert.equal(await balanceOf(unsent.destination), 20_000_000n);
});

test('processes that work on the same row at once sign one envelope and pay once', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const processes = [world.another(), world.another(), world.another(), world.another()];
  const signed = await Promise.all(processes.map((deps) => sign(deps, [left.id], LEASE.until)));
  assert.equal(signed.flatMap((each) => each.signed).length, 1);
  await settleAll([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
  assert.equal(await balanceOf(wallet.account), 100_000_000_000n - 20_000_000n - 100n);
});

test('processes that follow the same ledgers at once record each outcome once', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  const { envelope_xdr } = await signOnly(left.id);
  await world.deps.chain.submit(envelope_xdr ?? '');
  world.sandbox.closeLedger();
  const processes = [world.another(), world.another(), world.another()];
  const followed = await Promise.all(processes.map((deps) => follow(deps)));
  assert.deepEqual(
    followed.flatMap(({ settled }) => settled),
    [left.id],
  );
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('many withdrawals of one wallet wait for its lane in the order they came, and all are paid', async () => {
  const wallet = await world.wallet();
  const waiting: Withdrawal[] = [];
  for (let count = 0; count < 12; count++) waiting.push(await claimOnly(wallet));
  await settleAll(waiting.map(({ id }) => id));
  const settled = await Promise.all(waiting.map(({ id }) => read(id)));
  assert.deepEqual(
    settled.map(({ status }) => status),
    Array(12).fill('confirmed'),
  );
  const sequences = settled.map(({ sequence }) => sequence as bigint);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => (a < b ? -1 : 1)),
  );
  assert.equal(new Set(sequences).size, 12);
});

test('a database that is an older copy signs nothing for a wallet that has paid since, until a person has judged it', async () => {
  const wallet = await world.wallet();
  const { db } = world.deps;
  const left = await claimOnly(wallet);
  await accountFor();
  const copied = await db.selectFrom('settle_cursor').selectAll().executeTakeFirstOrThrow();
  await settleAll([left.id]);
  // The copy has the row as it was before it was signed, the lane unused, and the ledgers unread.
  const unsigned = {
    status: 'queued' as const,
    lane: null,
    sequence: null,
    envelope_xdr: null,
    inner_tx_hash: null,
    settled_at: null,
  };
  const paid = await read(left.id);
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  await db.updateTable('lanes').set({ last_sequence: null }).where('account', '=', wallet.account).execute();
  await db.updateTable('settle_cursor').set(copied).execute();

  await accountFor();
  assert.deepEqual(await takeLanes(db, LEASE), []);
  assert.match(
    await describeStrays(world.deps),
    new RegExp(
      `${paid.stellar_tx_hash}: wallet ${wallet.id}, ledger ${paid.ledger}, successful: 20000000 stroops to ${paid.destination}`,
    ),
  );
  const hash = paid.stellar_tx_hash ?? '';
  const other = await claimOnly(wallet);
  await assert.rejects(assignStray(world.deps, hash, other.id), /pays something else/);
  await assert.rejects(acceptStray(world.deps, hash), /pays the same and waits: it would be paid again/);
  assert.match(await assignStray(world.deps, hash, left.id), /is confirmed/);
  const { id, status, ledger, stellar_tx_hash, inner_tx_hash, fee_stroops } = await read(left.id);
  assert.deepEqual(
    { id, status, ledger, stellar_tx_hash, inner_tx_hash, fee_stroops },
    {
      ...{
        inner_tx_hash: paid.inner_tx_hash,
        id: paid.id,
        status: 'confirmed',
        ledger: paid.ledger,
        stellar_tx_hash: hash,
        fee_stroops: paid.fee_stroops,
      },
    },
  );
  await assert.rejects(acceptStray(world.deps, hash), /No transaction/);
  await settleAll([other.id]);
  assert.equal(await balanceOf(left.destination), 20_000_000n, 'paid once, not again');
  assert.equal(await balanceOf(other.destination), 20_000_000n);
});

test('after ledgers were missed nothing is signed until what an older copy forgot can no longer be applied', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  await accountFor();
  const { close_time } = await world.deps.chain.latestLedger();
  await closeUntil(close_time + 250n); // more than a third of the 600 s for which envelopes are valid
  const before = await world.deps.chain.latestLedger();
  assert.deepEqual((await sign(world.deps, [left.id], LEASE.until)).signed, [], 'behind');
  const cursor = await accountFor();
  assert.equal(cursor.sign_after, before.close_time + 600n);
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), []);
  await closeInSteps(before.close_time + 600n);
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), [left.id]);
  await settleAll([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a database that PostgreSQL calls promoted or restored signs nothing until what it may have forgotten is dead', async () => {
  const { db } = world.deps;
  const [boarded, left] = [await claimOnly(await world.wallet()), await claimOnly(await world.wallet())];
  await accountFor();
  await takeLanes(db, { ...LEASE, limit: 1 });
  await db.updateTable('settle_cursor').set({ database_timeline: 'of the lost server' }).execute();
  const { close_time } = await world.deps.chain.latestLedger();
  assert.deepEqual(
    (await sign(world.deps, [boarded.id], LEASE.until)).signed,
    [],
    'before anybody has noticed',
  );
  assert.deepEqual(await takeLanes(db, LEASE), []);
  const { sign_after } = await accountFor();
  assert.equal(sign_after, close_time + 600n);
  assert.deepEqual((await sign(world.deps, [boarded.id], LEASE.until)).signed, []);
  await closeInSteps(sign_after);
  assert.equal((await accountFor()).sign_after, sign_after, 'noticed once');
  await settleAll([boarded.id, left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a sequence number read while the accounting is behind is not signed upon', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const { close_time } = await world.deps.chain.latestLedger();
  await closeUntil(close_time + 250n);
  assert.deepEqual((await sign(world.deps, [left.id], LEASE.until)).signed, []);
  assert.equal((await read(left.id)).status, 'queued');
  await accountFor();
  await closeInSteps((await accountFor()).sign_after);
  await settleAll([left.id]);
});

test('a node that lags behind the last sequence number accounted for is not built upon', async () => {
  const wallet = await world.wallet();
  const first = await claimOnly(wallet);
  await settleAll([first.id]);
  const left = await claimOnly(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const lagging = withChain({
    async readSequences(accounts) {
      const read = await world.deps.chain.readSequences(accounts);
      return { ...read, sequences: new Map([...read.sequences].map(([account, n]) => [account, n - 1n])) };
    },
  });
  assert.deepEqual((await sign(lagging, [left.id], LEASE.until)).signed, []);
  assert.equal((await read(left.id)).status, 'queued');
  await settleAll([left.id]);
});

test('a sequence number that nothing accounts for stops the wallet, until a person accepts it', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const ahead = withChain({
    async readSequences(accounts) {
      const read = await world.deps.chain.readSequences(accounts);
      return { ...read, sequences: new Map([...read.sequences].map(([account, n]) => [account, n + 1n])) };
    },
  });
  assert.deepEqual((await sign(ahead, [left.id], LEASE.until)).signed, []);
  assert.match(
    await describeLanes(world.deps),
    new RegExp(`${wallet.account}: 1 waiting. The ledger shows a higher`),
  );
  const younger = await claimOnly(wallet);
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), [], 'nor does a younger one get another lane');
  assert.match(await acceptLane(world.deps, wallet.account), /Accepted/);
  await assert.rejects(acceptLane(world.deps, wallet.account), /is not in trouble/);
  await settleAll([left.id, younger.id]);
  assert.equal(await describeLanes(world.deps), 'No lane is in trouble.\n');
});

test('an envelope that never reaches the network is failed as expired once a ledger closed at its max_time', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  const mute = withChain({ submit: async () => NO_ANSWER });
  const signed = await signOnly(left.id, mute);
  const flights = createFlights(mute);
  flights.add(signed, signed.first_sent_ledger ?? 0);
  for (;;) {
    const cursor = await accountFor();
    const settled = await flights.watch(cursor);
    if (settled.length > 0) break;
    assert.ok(cursor.close_time < (signed.max_time ?? 0n), 'at its time it is proven');
    for (let i = 0; i < 20; i++) world.sandbox.closeLedger();
  }
  const failed = await read(left.id);
  assert.deepEqual([failed.status, failed.failure_code, failed.ledger], ['failed', 'expired', null]);
  const next = await claimOnly(wallet);
  await settleAll([next.id]);
  assert.equal(
    (await read(next.id)).status,
    'confirmed',
    'the lane is free again, and its sequence number was not used up',
  );
});

test('an envelope that a lost commit made the database forget, and that was applied, never becomes "expired"', async () => {
  const wallet = await world.wallet();
  const { db } = world.deps;
  const left = await claimOnly(wallet);
  const forgotten = await signOnly(left.id);
  await world.deps.chain.submit(forgotten.envelope_xdr ?? '');
  const unsigned = { status: 'queued' as const, envelope_xdr: null, sequence: null, inner_tx_hash: null };
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  // It has a later time bound, so it is another envelope with the same sequence number; the network takes one of them.
  const later: Deps = { ...world.deps, config: { ...world.deps.config, withdraw_valid_seconds: 700 } };
  const {
    signed: [again],
  } = await sign(later, [left.id], LEASE.until);
  assert(again);
  await closeInSteps(again.max_time ?? 0n);
  assert.equal(await balanceOf(left.destination), 20_000_000n);
  const flights = createFlights(world.deps);
  flights.add(again, again.first_sent_ledger ?? 0);
  assert.deepEqual(await flights.watch(await accountFor()), []);
  assert.equal((await read(left.id)).status, 'signed');
  // The person finds out that the stray is this very payment.
  assert.match(
    await assignStray(world.deps, forgotten.inner_tx_hash ?? '', left.id),
    /once its own envelope/,
  );
  await settleAll([left.id]);
  const { status, stellar_tx_hash } = await read(left.id);
  assert.deepEqual([status, stellar_tx_hash], ['confirmed', forgotten.inner_tx_hash]);
});

test('an envelope whose commit this process never heard of is taken on all the same, by this process too', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  const deafened = withChain({
    readSequences: async () => {
      throw new AppError('network_unavailable', 'Not now.');
    },
  });
  const settler = createSettler(deafened);
  settler.start();
  await closingLedgers(
    world.sandbox,
    eventually('its lane', async () => (await read(left.id)).lane),
  );
  const { signed } = await sign(world.deps, [left.id], new Date(0));
  assert.equal(signed.length, 1);
  await closingLedgers(world.sandbox, settler.settle(left.id));
  await settler.stop();
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('when no source covers the first sending, the withdrawal stays pending and says why', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  const signed = await signOnly(left.id);
  const pruned = withChain({
    submit: async () => NO_ANSWER,
    find: async () => ({
      found: 'absent',
      oldest_ledger: 1e9,
      latest_ledger: 2e9,
      latest_close_time: 10n ** 11n,
    }),
  });
  const flights = createFlights(pruned);
  flights.add(signed, signed.first_sent_ledger ?? 0);
  await closeInSteps(signed.max_time ?? 0n);
  assert.deepEqual(await flights.watch(await accountFor()), []);
  assert.match(await describeLanes(world.deps), /does not cover the first sending/);
  await settleAll([left.id]);
  assert.equal((await read(left.id)).failure_code, 'expired');
  assert.equal(await describeLanes(world.deps), 'No lane is in trouble.\n');
});

test('ledgers that no source has any more stop all signing, until a person skips them', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  await accountFor();
  await accountFor(withChain({ readLedgersAfter: async () => ({ read: 'gap', oldest_ledger: 1e9 }) }));
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), []);
  assert.match(await describeStrays(world.deps), /begins at ledger 1000000000/);
  world.sandbox.closeLedger();
  assert.match(await skipUnread(world.deps), /^Skipped: ledgers after/);
  await assert.rejects(skipUnread(world.deps), /nothing to skip/);
  await closeInSteps((await accountFor()).sign_after);
  await settleAll([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a stopped settler hands its rows over at once', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(wallet);
  const stopping = createSettler(withChain({ submit: async () => NO_ANSWER }));
  stopping.start();
  const settled = stopping.settle(left.id);
  while ((await read(left.id)).status === 'queued') await world.deps.clock.sleep(20);
  await stopping.stop();
  assert.equal(await settled, false);
  const now = new Date();
  const adopted = await adoptOrphans(world.deps.db, { now, until: now, longest_until, limit: 10 });
  assert.deepEqual(
    adopted.map(({ id }) => id),
    [left.id],
  );
  await settleAll([left.id]);
});

test('a channel that a node has lied about is tried again a minute later', async () => {
  const { db } = world.deps;
  const trouble = 'The ledger shows a higher sequence number';
  const account = Keypair.random().publicKey();
  await db.insertInto('lanes').values({ account, kind: 'channel', trouble }).execute();
  let minutes = 0;
  const clock = { ...world.deps.clock, now: () => new Date(Date.now() + minutes * 60_000) };
  const settler = createSettler({ ...world.deps, clock });
  settler.start();
  const troubleNow = async () =>
    (await db.selectFrom('lanes').select('trouble').where('account', '=', account).executeTakeFirst())
      ?.trouble;
  assert.equal(await troubleNow(), trouble);
  minutes = 1;
  await eventually('another try', async () => (await troubleNow()) === null);
  await settler.stop();
  await db.deleteFrom('lanes').where('account', '=', account).execute();
});

/** A channel of the pool that is on the ledger. */
async function addChannel(): Promise<string> {
  const { deps, sandbox } = world;
  const make = async (id: string) => {
    const { public_key, sealed_seed } = deps.vault.generate(id);
    const account = accountOf(public_key);
    await closingLedgers(sandbox, deps.chain.fund(account));
    return { id, account, sealed_seed };
  };
  const [treasury, channel] = [await make('trs_test'), await make('chn_test')];
  await deps.db.insertInto('treasury').values(treasury).execute();
  const sponsored = { ...channel, sponsor: treasury.account, status: 'active' as const };
  await deps.db.insertInto('channels').values(sponsored).execute();
  await deps.db.insertInto('lanes').values({ account: channel.account, kind: 'channel' }).execute();
  return channel.account;
}

async function removeChannel(account: string): Promise<void> {
  const { db } = world.deps;
  await db.deleteFrom('lanes').where('account', '=', account).execute();
  await db.deleteFrom('channels').execute();
  await db.deleteFrom('treasury').execute();
}

test('a wallet whose own account is free gets no channel, though another process is just giving it out', async () => {
  const { db } = world.deps;
  const channel = await addChannel();
  const wallet = await world.wallet();
  const { id } = await claimOnly(wallet);
  await accountFor();
  await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('lanes')
      .select('account')
      .where('account', '=', wallet.account)
      .forUpdate()
      .execute();
    assert.deepEqual(await takeLanes(db, LEASE), []);
  });
  assert.deepEqual(await takeLanes(db, LEASE), [id]);
  assert.equal((await read(id)).lane, wallet.account);
  await settleAll([id]);
  await removeChannel(channel);
});

test('a payment on a channel that somebody else fee-bumped, and an older copy forgot, holds its wallet', async () => {
  const { deps, sandbox } = world;
  const { db } = deps;
  const channel = await addChannel();
  const wallet = await world.wallet();
  await accountFor();
  const [, left] = [await claimOnly(wallet), await claimOnly(wallet)];
  const signed = await signOnly(left.id, deps);
  assert.equal(signed.lane, channel);
  const rival = Keypair.random();
  await closingLedgers(sandbox, deps.chain.fund(rival.publicKey()));
  const ours = TransactionBuilder.fromXDR(signed.envelope_xdr ?? '', sandbox.passphrase);
  assert(ours instanceof FeeBumpTransaction);
  const theirs = TransactionBuilder.buildFeeBumpTransaction(
    rival,
    '5000',
    ours.innerTransaction,
    sandbox.passphrase,
  );
  theirs.sign(rival);
  const unsigned = { status: 'queued' as const, lane: null, envelope_xdr: null, inner_tx_hash: null };
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  await db.updateTable('lanes').set({ holder: null }).where('account', '=', channel).execute();
  assert.equal((await deps.chain.submit(theirs.toEnvelope().toXdr('base64'))).answer, 'pending');
  sandbox.closeLedger();
  await accountFor();
  const hash = Buffer.from(theirs.hash()).toString('hex');
  assert.match(await describeStrays(deps), new RegExp(`${hash}: wallet ${wallet.id}`));
  assert.deepEqual(await takeLanes(db, LEASE), []);
  assert.match(await assignStray(deps, hash, left.id), /is confirmed/);
  assert.equal(await balanceOf(left.destination), 20_000_000n);
  await removeChannel(channel);
});
