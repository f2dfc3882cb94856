import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { closingLedgers, startWorld, type World } from '../../test/support/deps.ts';
import type { SubmitHint } from '../chain/chain.ts';
import type { Deps } from '../deps.ts';
import type { AppError } from '../errors.ts';
import type { Wallet } from '../wallets/access.ts';
import { acceptLane, describeLanes } from './lanes.ts';
import { advance } from './settle.ts';
import { createSettler, type Settler } from './settler.ts';
import { adoptOrphans, findWithdrawal, takeLane, type Withdrawal } from './store.ts';
import { withdraw } from './withdraw.ts';

let world: World;
let settler: Settler;
let keys = 0;
const longest_until = new Date(Date.now() + 3_600_000);

before(async () => {
  world = await startWorld({ WITHDRAW_VALID_SECONDS: '600' });
  settler = createSettler(world.deps);
});
after(async () => {
  await settler.stop();
  await world.close();
});

function orderOf(wallet: Wallet, amount_stroops = 20_000_000n) {
  const destination = Keypair.random().publicKey();
  return { wallet, idempotency_key: `key-${keys++}`, destination, amount_stroops, memo_id: null };
}

/** A process that takes the order, and dies before it does anything for it. */
async function claimOnly(deps: Deps, wallet: Wallet): Promise<Withdrawal> {
  const dead: Settler = { settle: async () => false, startAdopting() {}, stop: async () => {} };
  const error: AppError = await withdraw(deps, dead, orderOf(wallet)).then(
    () => assert.fail('it was settled'),
    (thrown) => thrown,
  );
  assert.equal(error.code, 'outcome_pending');
  const { id } = error.data as { id: string };
  return (await findWithdrawal(deps.db, id)) as Withdrawal;
}

async function appliedOn(account: string): Promise<bigint> {
  const { accounts } = await world.deps.chain.readAccounts([account]);
  return accounts.get(account)?.balance_stroops ?? 0n;
}

test('a row that its process left queued is taken over after its lease, and paid once', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(world.deps, wallet);
  assert.equal(left.status, 'queued');
  const [now, later] = [new Date(), new Date(Date.now() + 60_000)];
  assert.deepEqual(await adoptOrphans(world.deps.db, { now, until: later, longest_until, limit: 10 }), []);
  assert.deepEqual(
    await adoptOrphans(world.deps.db, { now: later, until: later, longest_until, limit: 10 }),
    [left.id],
  );
  await closingLedgers(world.sandbox, settler.settle(left.id));
  assert.equal((await findWithdrawal(world.deps.db, left.id))?.status, 'confirmed');
  assert.equal(await appliedOn(left.destination), 20_000_000n);
});

test('processes that work on the same row at once sign one envelope and pay once', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(world.deps, wallet);
  const processes = [world.another(), world.another(), world.another(), world.another()];
  const settlers = processes.map((deps) => createSettler(deps));
  await closingLedgers(world.sandbox, Promise.all(settlers.map(({ settle }) => settle(left.id))));
  assert.equal((await findWithdrawal(world.deps.db, left.id))?.status, 'confirmed');
  assert.equal(await appliedOn(left.destination), 20_000_000n);
  const { accounts } = await world.deps.chain.readAccounts([wallet.account]);
  assert.equal(accounts.get(wallet.account)?.balance_stroops, 100_000_000_000n - 20_000_000n - 100n);
});

test('a process that sees the payment of another, made in the meantime, does not take it for a foreign one', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(world.deps, wallet);
  const { chain } = world.deps;
  const slow: Deps['chain'] = {
    ...chain,
    // Between its turn on the lane and its look at the account, another process signs, sends and settles.
    async readAccounts(accounts) {
      await closingLedgers(world.sandbox, settler.settle(left.id));
      return chain.readAccounts(accounts);
    },
  };
  assert.equal((await advance({ ...world.deps, chain: slow }, left.id, null)).next, 'look_again');
  assert.equal(await describeLanes(world.deps), 'No lane is in trouble.\n');
  assert.deepEqual(await advance(world.deps, left.id, null), { next: 'settled' });
});

test('many withdrawals of one wallet wait for its lane in the order they came, and all are paid', async () => {
  const wallet = await world.wallet();
  const waiting: Withdrawal[] = [];
  for (let count = 0; count < 12; count++) waiting.push(await claimOnly(world.deps, wallet));
  await closingLedgers(world.sandbox, Promise.all(waiting.map(({ id }) => settler.settle(id))));
  const settled = await Promise.all(waiting.map(({ id }) => findWithdrawal(world.deps.db, id)));
  assert.deepEqual(
    settled.map((withdrawal) => withdrawal?.status),
    Array(12).fill('confirmed'),
  );
  const sequences = settled.map((withdrawal) => withdrawal?.sequence as bigint);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => (a < b ? -1 : 1)),
  );
  assert.equal(new Set(sequences).size, 12);
});

test('a younger withdrawal does not take the lane before an older one', async () => {
  const wallet = await world.wallet();
  const older = await claimOnly(world.deps, wallet);
  const younger = await claimOnly(world.deps, wallet);
  assert.equal(await takeLane(world.deps.db, younger), null);
  assert.notEqual(await takeLane(world.deps.db, older), null);
  assert.equal(await takeLane(world.deps.db, younger), null);
  assert.notEqual(await takeLane(world.deps.db, older), null, 'its holder may ask again after a crash');
});

test('a holder keeps the lane though an older withdrawal is committed after it took it', async () => {
  const wallet = await world.wallet();
  const first = await claimOnly(world.deps, wallet);
  const second = await claimOnly(world.deps, wallet);
  // As when the older one's claim takes longer to commit: at first only the younger one is there.
  await world.deps.db
    .updateTable('withdrawals')
    .set({ status: 'failed', envelope_xdr: '', settled_at: new Date() })
    .where('id', '=', first.id)
    .execute();
  assert.notEqual(await takeLane(world.deps.db, second), null);
  await world.deps.db
    .updateTable('withdrawals')
    .set({ status: 'queued', envelope_xdr: null, settled_at: null })
    .where('id', '=', first.id)
    .execute();
  assert.equal(await takeLane(world.deps.db, first), null);
  assert.notEqual(await takeLane(world.deps.db, second), null);
  await closingLedgers(world.sandbox, Promise.all([first, second].map(({ id }) => settler.settle(id))));
  assert.equal((await findWithdrawal(world.deps.db, first.id))?.status, 'confirmed');
  assert.equal((await findWithdrawal(world.deps.db, second.id))?.status, 'confirmed');
});

test('a settled withdrawal that came to hold the lane again leaves it', async () => {
  const wallet = await world.wallet();
  const { id } = await closingLedgers(world.sandbox, withdraw(world.deps, settler, orderOf(wallet)));
  await world.deps.db
    .updateTable('lanes')
    .set({ holder: id })
    .where('account', '=', wallet.account)
    .execute();
  await settler.settle(id);
  const next = await closingLedgers(world.sandbox, withdraw(world.deps, settler, orderOf(wallet)));
  assert.equal(next.status, 'confirmed');
});

test('a database that is an older copy signs nothing for a wallet that has paid since, until an operator says so', async () => {
  const wallet = await world.wallet();
  const { db } = world.deps;
  const paid = await closingLedgers(world.sandbox, withdraw(world.deps, settler, orderOf(wallet)));
  // The copy has the row as it was before it was signed, and the lane as it was before it was used.
  const before_signing = {
    status: 'queued' as const,
    envelope_xdr: null,
    sequence: null,
    settled_at: null,
    leased_until: new Date(),
  };
  await db.updateTable('withdrawals').set(before_signing).where('id', '=', paid.id).execute();
  await db.updateTable('lanes').set({ last_sequence: null }).where('account', '=', wallet.account).execute();

  assert.deepEqual(await advance(world.deps, paid.id, null), { next: 'look_again', sent_at_ledger: null });
  world.sandbox.closeLedger();
  await advance(world.deps, paid.id, null);
  assert.equal(await appliedOn(paid.destination), 20_000_000n, 'paid once, not again');
  assert.match(
    await describeLanes(world.deps),
    new RegExp(`${wallet.account}: 1 waiting. The ledger has a transaction`),
  );

  await db.deleteFrom('withdrawals').where('id', '=', paid.id).execute(); // as the operator found it paid
  assert.match(await acceptLane(world.deps, wallet.account), /Accepted/);
  await db.updateTable('lanes').set({ holder: null }).where('account', '=', wallet.account).execute();
  const next = await closingLedgers(world.sandbox, withdraw(world.deps, settler, orderOf(wallet)));
  assert.equal(next.status, 'confirmed');
  assert.equal(await describeLanes(world.deps), 'No lane is in trouble.\n');
  await assert.rejects(acceptLane(world.deps, wallet.account), /is not in trouble/);
});

test('a node that lags behind the last proven sequence number is not built upon', async () => {
  const wallet = await world.wallet();
  await closingLedgers(world.sandbox, withdraw(world.deps, settler, orderOf(wallet)));
  const left = await claimOnly(world.deps, wallet);
  const { chain } = world.deps;
  const stale: Deps['chain'] = {
    ...chain,
    async readAccounts(accounts) {
      const read = await chain.readAccounts(accounts);
      for (const state of read.accounts.values()) state.sequence -= 1n;
      return read;
    },
  };
  assert.deepEqual(await advance({ ...world.deps, chain: stale }, left.id, null), {
    next: 'look_again',
    sent_at_ledger: null,
  });
  assert.equal((await findWithdrawal(world.deps.db, left.id))?.status, 'queued');
  await closingLedgers(world.sandbox, settler.settle(left.id));
});

const NO_ANSWER: SubmitHint = { answer: 'no_answer', code: null, fee_needed_stroops: null };

test('an envelope that never reaches the network is failed as expired once a ledger closed at its max_time', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(world.deps, wallet);
  const mute: Deps = { ...world.deps, chain: { ...world.deps.chain, submit: async () => NO_ANSWER } };
  await advance(mute, left.id, null);
  const signed = (await findWithdrawal(world.deps.db, left.id)) as Withdrawal;
  assert.equal(signed.status, 'signed');
  while ((await world.deps.chain.latestLedger()).close_time < (signed.max_time ?? 0n)) {
    assert.notEqual(
      (await advance(mute, left.id, null)).next,
      'settled',
      'before its time nothing is proven',
    );
    for (let i = 0; i < 100; i++) world.sandbox.closeLedger();
  }
  assert.deepEqual(await advance(mute, left.id, null), { next: 'settled' });
  const failed = await findWithdrawal(world.deps.db, left.id);
  assert.deepEqual([failed?.status, failed?.failure_code, failed?.ledger], ['failed', 'expired', null]);
  const next = await closingLedgers(world.sandbox, withdraw(world.deps, settler, orderOf(wallet)));
  assert.equal(next.status, 'confirmed', 'the lane is free again, and the sequence number was not used up');
});

test('an envelope that a lost commit made the database forget, and that was applied, never becomes "expired"', async () => {
  const wallet = await world.wallet();
  const { db } = world.deps;
  const left = await claimOnly(world.deps, wallet);
  await advance(world.deps, left.id, null); // the first envelope: signed, sent, waiting in the network's queue
  const forgotten = { status: 'queued' as const, envelope_xdr: null, sequence: null };
  await db.updateTable('withdrawals').set(forgotten).where('id', '=', left.id).execute();
  // It has a later time bound, so it is another envelope with the same sequence number; the network takes one of them.
  const later: Deps = { ...world.deps, config: { ...world.deps.config, withdraw_valid_seconds: 700 } };
  await advance(later, left.id, null);
  const signed = (await findWithdrawal(db, left.id)) as Withdrawal;
  world.sandbox.closeLedger();
  assert.equal(await appliedOn(left.destination), 20_000_000n);
  while ((await world.deps.chain.latestLedger()).close_time < (signed.max_time ?? 0n)) {
    for (let i = 0; i < 100; i++) world.sandbox.closeLedger();
  }
  assert.equal((await advance(world.deps, left.id, null)).next, 'look_again');
  assert.equal((await findWithdrawal(db, left.id))?.status, 'signed');
  assert.match(
    await describeLanes(world.deps),
    new RegExp(`${wallet.account}: 1 waiting. The ledger has a transaction`),
  );
  // The operator has seen the payment and told its receiver: now this envelope may be called what it is.
  await acceptLane(world.deps, wallet.account);
  assert.deepEqual(await advance(world.deps, left.id, null), { next: 'settled' });
  assert.equal(await describeLanes(world.deps), 'No lane is in trouble.\n');
});

test('when no source covers the first sending, the withdrawal stays pending and says why', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(world.deps, wallet);
  const { chain } = world.deps;
  const pruned: Deps['chain'] = {
    ...chain,
    submit: async () => NO_ANSWER,
    find: async () => ({
      found: 'absent',
      oldest_ledger: 1e9,
      latest_ledger: 2e9,
      latest_close_time: 10n ** 11n,
    }),
  };
  await advance({ ...world.deps, chain: pruned }, left.id, null);
  assert.equal((await advance({ ...world.deps, chain: pruned }, left.id, null)).next, 'look_again');
  assert.match(await describeLanes(world.deps), /does not cover the first sending/);
  await closingLedgers(world.sandbox, settler.settle(left.id));
  assert.equal((await findWithdrawal(world.deps.db, left.id))?.status, 'confirmed');
  assert.equal(await describeLanes(world.deps), 'No lane is in trouble.\n');
});

test('a stopped settler hands its rows over at once', async () => {
  const wallet = await world.wallet();
  const left = await claimOnly(world.deps, wallet);
  const stopping = createSettler(world.another());
  const settled = stopping.settle(left.id);
  await stopping.stop();
  assert.equal(await settled, false);
  const now = new Date();
  assert.deepEqual(await adoptOrphans(world.deps.db, { now, until: now, longest_until, limit: 10 }), [
    left.id,
  ]);
  await closingLedgers(world.sandbox, settler.settle(left.id));
});
