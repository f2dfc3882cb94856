/** Keys of rows: whatever is made, retried, forgotten or done at once, what was paid is not paid again. */

import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { on } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createClaims } from '../engine/claims.ts';
import { cancelPayout, startPayout } from './change-payout.ts';
import { createPayout, retryFailed } from './create-payout.ts';
import { payoutStep } from './payout-loop.ts';
import type { Payout } from './payout-store.ts';
import type { GivenRow } from './read-rows.ts';

let world: InProcessService;
const { waitForOutcomes, balanceOf, processLedgers } = withdrawalSteps(() => world);
before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await processLedgers();
});
after(() => world.close());

let wallet: Wallet;
beforeEach(async () => {
  wallet = await world.wallet();
});

const AMOUNT = 7_000n;
let keys = 0;
/** Its payee is not on the network, and the amount is too small to create an account: the network fails it. */
type Row = GivenRow & { destination: string };
const row = (more: Partial<Row> = {}): Row => ({
  idempotency_key: `row-${++keys}`,
  destination: Keypair.random().publicKey(),
  amount_stroops: AMOUNT,
  ...more,
});
const make = async (rows: Row[], deps = world.deps, of = wallet): Promise<Payout> =>
  read((await createPayout(deps, on(of), { name: 'May', rows, confirm_duplicates: true })).id);
const retry = async (payout: Payout): Promise<Payout> =>
  read((await retryFailed(world.deps, on(wallet), payout)).id);
const read = (id: string) =>
  world.deps.db.selectFrom('payouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const rowsOf = ({ id }: Payout) =>
  world.deps.db.selectFrom('payout_rows').selectAll().where('payout_id', '=', id).orderBy('number').execute();
const keysOf = async (payout: Payout) => (await rowsOf(payout)).map(({ idempotency_key }) => idempotency_key);

/** Until no row of it can begin and each that has begun has its outcome. */
async function run(payout: Payout, deps = world.deps): Promise<Payout> {
  await startPayout(deps, payout.id, on(wallet));
  return finish(payout, deps);
}

async function finish({ id }: Payout, deps = world.deps): Promise<Payout> {
  await processLedgers(deps);
  while ((await payoutStep(deps)).more);
  const open = await deps.db
    .selectFrom('withdrawals')
    .select('id')
    .where('wallet_id', '=', wallet.id)
    .where('settled_at', 'is', null)
    .execute();
  if (open.length > 0) await waitForOutcomes(open.map((each) => each.id));
  while ((await payoutStep(deps)).more);
  await payoutStep(deps);
  return read(id);
}

async function single(key: string, { destination, amount_stroops }: Row, of = wallet) {
  const created_at = new Date();
  const { holder } = await createClaims(world.deps).claim({
    id: newId('wd', created_at),
    wallet_id: of.id,
    owner_id: of.owner_id,
    idempotency_key: key,
    operation: 'payment',
    asset_code: 'native',
    asset_issuer: null,
    destination,
    amount_stroops,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    wallet_account: of.account,
    created_at,
    actor: on(of).actor,
  });
  assert(holder);
  await waitForOutcomes([holder.id]);
}

async function fund(account: string): Promise<void> {
  const funded = world.deps.stellar.fund(account);
  let done = false;
  void funded.finally(() => {
    done = true;
  });
  while (!done) {
    world.sandbox.closeLedger();
    await new Promise(setImmediate);
  }
  await funded;
}

const isRefused = (error: unknown) => error instanceof AppError && error.code === 'wrong_payout_status';

/** The database before: `act`, and then everything of payouts and withdrawals is as it was. The ledger remembers. */
async function forgetting(act: () => Promise<void>): Promise<void> {
  const { db } = world.deps;
  const cursor = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  const payouts = await db.selectFrom('payouts').selectAll().execute();
  const rows = await db.selectFrom('payout_rows').selectAll().execute();
  const withdrawals = (await db.selectFrom('withdrawals').select('id').execute()).map(({ id }) => id);
  await act();
  const known = payouts.map(({ id }) => id);
  await db.deleteFrom('payout_rows').where('payout_id', 'not in', known).execute();
  await db.deleteFrom('payouts').where('id', 'not in', known).execute();
  await db.deleteFrom('withdrawals').where('id', 'not in', withdrawals).execute();
  for (const { id, status, requested_by, requested_at, started_at, settled_at } of payouts)
    await db
      .updateTable('payouts')
      .set({ status, requested_by, requested_at, started_at, settled_at })
      .where('id', '=', id)
      .execute();
  for (const { payout_id, number, status, withdrawal_id, failure_code, failure_message } of rows)
    await db
      .updateTable('payout_rows')
      .set({ status, withdrawal_id, failure_code, failure_message })
      .where('payout_id', '=', payout_id)
      .where('number', '=', number)
      .execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  const { ledger, ledger_hash, close_time } = cursor;
  await db.updateTable('withdrawal_cursor').set({ ledger, ledger_hash, close_time }).execute();
}

test('of two processes that keep the same file at once, one does: its keys are the team’s', async () => {
  const rows = [row(), row()];
  const both = await Promise.allSettled([world.deps, world.another()].map((deps) => make(rows, deps)));
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('what fails again is retried again, from the payout and from its retry alike, by one retry at a time', async () => {
  const first = row();
  const payout = await make([first]);
  assert.equal((await run(payout)).status, 'completed');
  const one = await retry(payout);
  assert.deepEqual(await keysOf(one), [`${first.idempotency_key}·retry1`]);
  await assert.rejects(retry(payout), isRefused);
  assert.equal((await run(one)).status, 'completed');
  const two = await retry(payout);
  assert.deepEqual(await keysOf(two), [`${first.idempotency_key}·retry2`]);
  await assert.rejects(retry(one), isRefused);
  await fund(first.destination);
  assert.equal((await run(two)).status, 'completed');
  assert.deepEqual(
    (await rowsOf(two)).map(({ status }) => status),
    ['confirmed'],
  );
  for (const paid of [payout, one, two]) await assert.rejects(retry(paid), isRefused);
});

test('of a retry that was paid in part and cancelled, the rest is retried', async () => {
  const rows = [row(), row()];
  const payout = await make(rows);
  await run(payout);
  const one = await retry(payout);
  await startPayout(world.deps, one.id, on(wallet));
  const [paid, left] = await keysOf(one);
  await world.deps.db
    .updateTable('payout_rows')
    .set({ status: 'failed', failure_code: 'stays behind' })
    .where('payout_id', '=', one.id)
    .where('number', '=', 2)
    .execute();
  await fund(rows[0]?.destination ?? '');
  await finish(one);
  const two = await retry(payout);
  assert.ok(paid);
  assert.deepEqual(await keysOf(two), [left], 'nothing was claimed with its key');
});

test('of retries at once, by two processes, one is kept', async () => {
  const payout = await make([row()]);
  await run(payout);
  const both = await Promise.allSettled(
    [world.deps, world.another()].map((deps) => retryFailed(deps, on(wallet), payout)),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('a row that was refused, and whose key has paid since, is not retried', async () => {
  const refused = row();
  const payout = await make([refused]);
  await world.deps.db
    .updateTable('payout_rows')
    .set({ status: 'failed', failure_code: 'memo_required', failure_message: 'a memo is required' })
    .where('payout_id', '=', payout.id)
    .execute();
  assert.equal((await run(payout)).status, 'completed');
  await fund(refused.destination);
  await single(refused.idempotency_key, refused);
  await assert.rejects(retry(payout), isRefused);
});

test('a row whose key belongs to another payment is not retried: the key was for one payment', async () => {
  const first = row();
  const payout = await make([first, row()]);
  await fund(first.destination);
  await single(first.idempotency_key, { ...first, amount_stroops: AMOUNT + 1n });
  await run(payout);
  const [lost] = await rowsOf(payout);
  assert.equal(lost?.failure_code, 'idempotency_key_mismatch');
  assert.deepEqual(
    (await rowsOf(await retry(payout))).map(({ destination }) => destination === first.destination),
    [false],
  );
});

test('a row whose key, or that of its retry, has paid from another wallet in the forgotten time is not retried', async () => {
  const payout = await make([row()]);
  await run(payout);
  const one = await retry(payout);
  await run(one);
  for (const { id } of [one, payout]) {
    const taken = { failure_code: 'key_taken' };
    await world.deps.db.updateTable('withdrawals').set(taken).where('payout_id', '=', id).execute();
    await world.deps.db.updateTable('payout_rows').set(taken).where('payout_id', '=', id).execute();
    await assert.rejects(retry(payout), isRefused);
    await assert.rejects(retry(one), isRefused);
  }
});

test('in a copy of the database that has forgotten a retry that was paid, the retry is that payment', async () => {
  const first = row();
  const payout = await make([first]);
  await run(payout);
  await forgetting(async () => {
    await fund(first.destination);
    assert.equal((await run(await retry(payout))).status, 'completed');
  });
  const paid = await balanceOf(first.destination);
  const again = await retry(payout);
  assert.equal((await run(again)).status, 'completed');
  assert.deepEqual(
    (await rowsOf(again)).map(({ status }) => status),
    ['confirmed'],
  );
  assert.equal(await balanceOf(first.destination), paid);
});

test('in a copy that has forgotten a retry that failed and the next one that was paid, both are found again', async () => {
  const first = row();
  const payout = await make([first]);
  await run(payout);
  await forgetting(async () => {
    assert.equal((await run(await retry(payout))).status, 'completed');
    await fund(first.destination);
    assert.equal((await run(await retry(payout))).status, 'completed');
  });
  const paid = await balanceOf(first.destination);
  const one = await retry(payout);
  await run(one);
  assert.deepEqual(
    (await rowsOf(one)).map(({ status }) => status),
    ['failed'],
    'the ledger has failed it',
  );
  const two = await retry(payout);
  await run(two);
  assert.deepEqual(
    (await rowsOf(two)).map(({ status }) => status),
    ['confirmed'],
  );
  assert.equal(await balanceOf(first.destination), paid);
});

test('in a copy that shows a paid payout as a draft, a start pays nothing again, and a cancel is refused', async () => {
  const destination = Keypair.random().publicKey();
  await fund(destination);
  const payout = await make([row({ destination }), row({ destination })]);
  await forgetting(async () => {
    assert.equal((await run(payout)).status, 'completed');
  });
  const paid = await balanceOf(destination);
  const isEarly = (error: unknown) => error instanceof AppError && error.code === 'ledger_not_caught_up';
  await processLedgers();
  await assert.rejects(cancelPayout(world.deps, payout.id, on(wallet)), isEarly);
  assert.equal((await run(payout)).status, 'completed');
  assert.deepEqual(
    (await rowsOf(payout)).map(({ status }) => status),
    ['confirmed', 'confirmed'],
  );
  assert.equal(await balanceOf(destination), paid);
});
