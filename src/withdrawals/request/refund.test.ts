import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { ACTOR, on } from '../../../test/support/acting.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { LOCK_WAITS } from '../../../test/support/lock-waits.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import type { Trx } from '../../db/database.ts';
import { createAddress } from '../../deposits/addresses/create-address.ts';
import { assignDeposit } from '../../deposits/inbox/assign-deposit.ts';
import {
  assignToAddress,
  findDeposit,
  insertDeposits,
  lockDeposit,
} from '../../deposits/recorded/deposit-store.ts';
import { listUnassigned } from '../../ledgers/unmatched-store.ts';
import type { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createClaims } from '../engine/claims.ts';
import type { WithdrawalEngine } from '../engine/engine.ts';
import type { ClaimOrder, EngineDeps } from '../engine/hooks.ts';
import { insertClaims } from '../engine/store.ts';
import { assignTxSources } from '../engine/tx-source-store.ts';
import { acceptUnmatched, assignUnmatched, describeUnmatched } from '../operator/unmatched.ts';
import { refundDeposit } from './refund.ts';
import { withdraw } from './withdraw.ts';

const AMOUNT = 30_000_000n;
/** The sender is friendbot. */
const FUNDED = 100_000_000_000n;

let world: InProcessService;
let serial = 0;
const { waitForOutcomes, balanceOf, processLedgers, closeInSteps, read } = withdrawalSteps(() => world);
before(async () => {
  world = await startInProcess({
    WITHDRAW_VALID_SECONDS: '600',
    CHANNELS_MAX: '0',
  });
  await processLedgers();
});
after(() => world.close());

/** A deposit as the ingester records it, from a sender with an account. */
async function newDeposit(wallet: Wallet) {
  const { db, stellar } = world.deps;
  const source_account = Keypair.random().publicKey();
  await closingLedgers(world.sandbox, stellar.fund(source_account));
  const [deposit] = await db.transaction().execute((trx) =>
    insertDeposits(trx, [
      {
        id: newId('dep', new Date()),
        wallet_id: wallet.id,
        asset_code: 'native',
        amount_stroops: AMOUNT,
        source_account,
        stellar_tx_hash: `${++serial}`.padStart(64, '0'),
        operation_index: 0,
        event_index: 0,
        kind: 'payment',
        memo_type: 'none',
        ledger: 1,
        attributed: false,
        below_minimum: false,
        created_at: new Date(),
      },
    ]),
  );
  assert(deposit);
  return deposit;
}

const deaf: WithdrawalEngine = {
  waitFor: async () => false,
  start() {},
  signSoon() {},
  checkOutcomes() {},
  stop: async () => {},
};

/** A process that claims the refund, and dies. */
const refundOnly = (wallet: Wallet, deposit_id: string, deps: EngineDeps = world.deps) =>
  refundDeposit(deps, { claims: createClaims(deps), engine: deaf }, on(wallet), deposit_id).then(
    () => assert.fail('nobody has settled it'),
    (error: AppError) => error,
  );

const refundsOf = (deposit_id: string) =>
  world.deps.db
    .selectFrom('withdrawals')
    .select(['id', 'status'])
    .where('refund_of', '=', deposit_id)
    .execute();

const assign = async (wallet: Wallet, deposit_id: string) => {
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  return assignDeposit(world.deps, on(wallet), { deposit_id, address_id: address.id });
};

/** Runs `first` in a transaction that stays open until `second` waits for one of its locks. */
async function meet<T>(first: (trx: Trx) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  let late: Promise<T> | undefined;
  await world.deps.db.transaction().execute(async (trx) => {
    await first(trx);
    let done = false;
    late = second().finally(() => {
      done = true;
    });
    late.catch(() => undefined);
    while ((await world.deps.pool.query(LOCK_WAITS)).rowCount === 0) assert(!done, 'it did not wait');
  });
  return late as Promise<T>;
}

const claimOf = (
  wallet: Wallet,
  deposit: { id: string; source_account: string },
  key: string,
): ClaimOrder => ({
  id: newId('wd', new Date()),
  wallet_id: wallet.id,
  owner_id: wallet.owner_id,
  idempotency_key: key,
  operation: 'payment',
  asset_code: 'native',
  asset_issuer: null,
  destination: deposit.source_account,
  amount_stroops: AMOUNT,
  memo_id: null,
  memo_return: 'ab'.repeat(32),
  refund_of: deposit.id,
  created_at: new Date(),
  wallet_account: wallet.account,
  actor: ACTOR,
});

test('504 while the outcome is open; a process that dies then leaves a refund that others finish, once', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const pending = await refundOnly(wallet, deposit.id);
  assert.equal(pending.code, 'outcome_pending');
  const { id, status, refund_of } = pending.data as { id: string; status: string; refund_of: string };
  assert.deepEqual([status, refund_of], ['pending', deposit.id]);
  const again = await refundOnly(wallet, deposit.id, world.another());
  assert.equal(again.code, 'deposit_refunded');
  assert.deepEqual(again.data, pending.data);
  await assert.rejects(assign(wallet, deposit.id), { code: 'deposit_refunded' });
  await waitForOutcomes([id], world.another());
  assert.equal((await read(id)).status, 'confirmed');
  assert.equal(await balanceOf(deposit.source_account), FUNDED + AMOUNT);
  assert.equal((await findDeposit(world.deps.db, wallet.id, deposit.id))?.refund_withdrawal_id, id);
});

test('processes that refund the same deposit at once make one refund', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const processes = Array.from({ length: 4 }, () => world.another());
  const errors = await Promise.all(
    [...processes, ...processes].map((deps) => refundOnly(wallet, deposit.id, deps)),
  );
  assert.deepEqual(errors.map(({ code }) => code).sort(), [
    ...Array.from({ length: 7 }, () => 'deposit_refunded'),
    'outcome_pending',
  ]);
  const ids = new Set(errors.map(({ data }) => (data as { id: string }).id));
  assert.deepEqual(
    (await refundsOf(deposit.id)).map(({ id }) => id),
    [...ids],
  );
});

test('a refund that meets an assignment which is not committed yet waits for it, and pays nothing', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  const error = await meet(
    async (trx) => {
      await lockDeposit(trx, wallet.id, deposit.id);
      await assignToAddress(trx, deposit.id, address);
    },
    () => refundOnly(wallet, deposit.id, world.another()),
  );
  assert.equal(error.code, 'deposit_attributed');
  assert.deepEqual(await refundsOf(deposit.id), []);
});

test('an assignment that meets a refund which is not committed yet waits for it, and fires nothing', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const { wallet_account: _, actor: __, ...claim } = claimOf(wallet, deposit, 'first');
  await assert.rejects(
    meet(
      async (trx) => {
        await lockDeposit(trx, wallet.id, deposit.id);
        await insertClaims(trx, [claim], new Date());
      },
      () => assign(wallet, deposit.id),
    ),
    { code: 'deposit_refunded' },
  );
  assert.equal((await findDeposit(world.deps.db, wallet.id, deposit.id))?.attributed, false);
  const events = await world.deps.db.selectFrom('webhook_events').where('wallet_id', '=', wallet.id);
  assert.deepEqual(await events.select('id').execute(), []);
});

test('many assignments at once: one wins, one event', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const done = await Promise.allSettled(Array.from({ length: 8 }, () => assign(wallet, deposit.id)));
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const each of done) {
    if (each.status === 'rejected') assert.equal(each.reason.code, 'deposit_attributed');
  }
  const events = await world.deps.db.selectFrom('webhook_events').where('wallet_id', '=', wallet.id);
  assert.equal((await events.select('id').execute()).length, 1);
});

test('a claim that is repeated, because its answer was lost, is not refused by itself', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const order = claimOf(wallet, deposit, `${deposit.id} 1`);
  const [first, again] = [
    await createClaims(world.deps).claim(order),
    await createClaims(world.another()).claim(order),
  ];
  assert.deepEqual([first.holder?.id, again.holder?.id], [order.id, order.id]);
  assert.equal((await refundsOf(deposit.id)).length, 1);
});

test('in one turn with others, only the refund that must not be is refused', async () => {
  const wallet = await world.wallet();
  const [assigned, deposit, other] = [
    await newDeposit(wallet),
    await newDeposit(wallet),
    await newDeposit(wallet),
  ];
  await assign(wallet, assigned.id);
  const claims = createClaims(world.deps);
  const plain = { ...claimOf(wallet, other, 'plain'), refund_of: null, memo_return: null };
  const claimed = await Promise.all(
    [
      claimOf(wallet, assigned, 'attributed'),
      claimOf(wallet, deposit, 'one'),
      claimOf(wallet, deposit, 'one'),
      plain,
    ].map((order) => claims.claim(order)),
  );
  assert.equal(claimed[0]?.violation?.code, 'deposit_attributed');
  assert.equal(claimed[1]?.holder?.id, claimed[2]?.holder?.id);
  assert.equal(claimed[3]?.holder?.id, plain.id);
});

test('a refund whose deposit has vanished is refused, and takes nobody else down who is claimed with it', async () => {
  const wallet = await world.wallet();
  const [vanished, deposit] = [await newDeposit(wallet), await newDeposit(wallet)];
  await world.deps.db.deleteFrom('deposits').where('id', '=', vanished.id).execute();
  const claims = createClaims(world.deps);
  const refund = claimOf(wallet, deposit, 'beside');
  const plain = { ...claimOf(wallet, deposit, 'plain beside'), refund_of: null, memo_return: null };
  const claimed = await Promise.all(
    [claimOf(wallet, vanished, 'vanished'), refund, plain].map((order) => claims.claim(order)),
  );
  assert.equal(claimed[0]?.violation?.code, 'not_found');
  assert.deepEqual(
    claimed.slice(1).map(({ holder }) => holder?.id),
    [refund.id, plain.id],
  );
});

test('a request that began before a refund failed does not take its place', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const pending = await refundOnly(wallet, deposit.id);
  const { id, idempotency_key } = pending.data as { id: string; idempotency_key: string };
  const settled_at = new Date();
  await world.deps.db
    .updateTable('withdrawals')
    .set({ status: 'failed', failure_code: 'op_underfunded', settled_at })
    .where('id', '=', id)
    .execute();
  const late = withdraw(
    world.deps,
    { claims: createClaims(world.deps), engine: deaf },
    { ...claimOf(wallet, deposit, idempotency_key), wallet, allow_issuer: false, reference: null },
  );
  await assert.rejects(late, { code: 'deposit_refunded', message: /has just failed/ });
  assert.deepEqual(await refundsOf(deposit.id), [{ id, status: 'failed' }]);
  assert.equal((await refundOnly(wallet, deposit.id)).code, 'outcome_pending');
});

test('when the database goes away in the middle of it, the answer says how to ask again', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const { clock } = world.deps;
  const deps = {
    ...world.deps,
    clock: {
      ...clock,
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms === 500 ? 1 : ms, signal),
    },
  };
  const claim = () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  const parts = { claims: { ...createClaims(deps), claim }, engine: deaf };
  await assert.rejects(refundDeposit(deps, parts, on(wallet), deposit.id), {
    code: 'outcome_pending',
    message: /refund .* Ask for it again/,
  });
});

test('the database itself holds no second refund of a deposit beside one that is not failed', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const [one, two] = ['one', 'two'].map((key) => claimOf(wallet, deposit, `${deposit.id} ${key}`));
  assert(one && two);
  const insert = ({ wallet_account: _, actor: __, ...claim }: ClaimOrder) =>
    insertClaims(world.deps.db, [claim], new Date());
  await insert(one);
  await assert.rejects(insert(two), /withdrawals_refund/);
});

test('while a refund may be forgotten, nothing is assigned: 503, and no event', async () => {
  const wallet = await world.wallet();
  const { deps } = world;
  const deposit = await newDeposit(wallet);
  const address = await createAddress(deps, on(wallet), { label: null, metadata: null });
  const order = { deposit_id: deposit.id, address_id: address.id };
  await processLedgers();
  const refused = () =>
    assert.rejects(assignDeposit(deps, on(wallet), order), { code: 'ledger_not_caught_up' });
  await deps.db.updateTable('withdrawal_cursor').set({ database_timeline: 'of the lost server' }).execute();
  await refused();
  const { sign_after } = await processLedgers();
  await refused();
  await closeInSteps(sign_after);
  const unmatched = { hash: wallet.id, wallet_id: wallet.id, ledger: 1, envelope_xdr: '', result_xdr: '' };
  await deps.db.insertInto('unmatched_transactions').values(unmatched).execute();
  await refused();
  await deps.db.deleteFrom('unmatched_transactions').where('hash', '=', wallet.id).execute();
  assert.equal((await assignDeposit(deps, on(wallet), order)).address_id, address.id);
});

test('a refund that an older copy of the database forgot is an unmatched transaction that says what it pays back', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const { db } = world.deps;
  const { id } = (await refundOnly(wallet, deposit.id)).data as { id: string };
  await processLedgers();
  const copied = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes([id], world.another());
  // The copy has the row as it was before it was signed, the transaction source unused, and the ledgers unread.
  const unsigned = {
    tx_source: null,
    sequence: null,
    envelope_xdr: null,
    inner_tx_hash: null,
    settled_at: null,
  };
  await db
    .updateTable('withdrawals')
    .set({ ...unsigned, status: 'queued' })
    .where('id', '=', id)
    .execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await db.updateTable('withdrawal_cursor').set(copied).execute();
  await processLedgers();
  assert(!(await assignTxSources(db, LEASE)).includes(id));
  const { hash } = (await listUnassigned(db)).find(({ wallet_id }) => wallet_id === wallet.id) ?? {
    hash: '',
  };
  const words = `${hash}: .* to ${deposit.source_account}, which pays transaction ${deposit.stellar_tx_hash} back`;
  assert.match(await describeUnmatched(world.deps), new RegExp(words));
  // If the copy has no refund at all, to accept the unmatched transaction would let it be paid again.
  await db.updateTable('withdrawals').set({ refund_of: null }).where('id', '=', id).execute();
  await db.updateTable('withdrawals').set({ memo_return: null }).where('id', '=', id).execute();
  await assert.rejects(acceptUnmatched(world.deps, hash), new RegExp(`the refund of ${deposit.id}`));
  const remembered = { refund_of: deposit.id, memo_return: deposit.stellar_tx_hash };
  await db.updateTable('withdrawals').set(remembered).where('id', '=', id).execute();
  const plain = { ...claimOf(wallet, deposit, `${id} plain`), refund_of: null, memo_return: null };
  const { holder } = await createClaims(world.deps).claim(plain);
  await assert.rejects(assignUnmatched(world.deps, hash, holder?.id ?? ''), /is not the payment of/);
  assert.match(await assignUnmatched(world.deps, hash, id), /is confirmed/);
  assert.equal(await balanceOf(deposit.source_account), FUNDED + AMOUNT);
});

test('a refund that was forgotten with its deposit is not paid again, though the deposit has another id now', async () => {
  const wallet = await world.wallet();
  const deposit = await newDeposit(wallet);
  const { db } = world.deps;
  const { id } = (await refundOnly(wallet, deposit.id)).data as { id: string };
  await processLedgers();
  const copied = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes([id]);
  const { stellar_tx_hash } = await read(id);
  await db.deleteFrom('withdrawals').where('id', '=', id).execute();
  await db.deleteFrom('deposits').where('id', '=', deposit.id).execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await db.updateTable('withdrawal_cursor').set(copied).execute();
  const { id: new_id, ...rest } = { ...deposit, id: newId('dep', new Date()) };
  const [again] = await db
    .transaction()
    .execute((trx) => insertDeposits(trx, [{ ...rest, id: new_id, created_at: new Date() }]));
  assert(again);
  await processLedgers();
  const repeated = (await refundOnly(wallet, again.id)).data as { id: string };
  const assigned = await assignTxSources(db, LEASE);
  assert(!assigned.includes(repeated.id), 'it is not signed before a person has decided');
  assert.match(await assignUnmatched(world.deps, stellar_tx_hash ?? '', repeated.id), /is confirmed/);
  assert.equal(await balanceOf(deposit.source_account), FUNDED + AMOUNT, 'paid once');
});
