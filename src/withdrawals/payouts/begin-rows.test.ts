/** Which rows of running payouts begin. Nothing is signed unless a test lets an engine work. */

import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { ACTOR, on } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { newId } from '../../lib/ids.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createClaims } from '../engine/claims.ts';
import { cancelPayout, pausePayout, resumePayout, startPayout } from './change-payout.ts';
import { createPayout } from './create-payout.ts';
import { payoutStep } from './payout-loop.ts';
import type { GivenRow } from './read-rows.ts';

let world: InProcessService;
const { balanceOf, claim, processLedgers, signOnly, waitForOutcomes } = withdrawalSteps(() => world);
let existing: string;
before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  existing = (await world.wallet()).account;
});
after(() => world.close());

beforeEach(async () => {
  const { db } = world.deps;
  await db.deleteFrom('unmatched_transactions').execute();
  await db.deleteFrom('payout_rows').execute();
  await db.deleteFrom('payouts').execute();
  await db.updateTable('tx_sources').set({ withdrawal_id: null, blocked_reason: null }).execute();
  await db.deleteFrom('withdrawals').execute();
  await processLedgers();
});

let keys = 0;
const row = (more: Partial<GivenRow> = {}): GivenRow => ({
  ...{ idempotency_key: `row-${++keys}`, destination: existing, amount_stroops: 1_000n + BigInt(keys) },
  ...more,
});
const rowsOf = (count: number): GivenRow[] => Array.from({ length: count }, () => row());

async function started(wallet: Wallet, rows: GivenRow[]): Promise<string> {
  const order = { name: 'May', rows, confirm_duplicates: true };
  const { id } = await createPayout(world.deps, on(wallet), order);
  await startPayout(world.deps, id, on(wallet));
  return id;
}

/** The statuses of its rows, by number. */
async function statusesOf(payout_id: string): Promise<string[]> {
  const rows = await world.deps.db
    .selectFrom('payout_rows')
    .select('status')
    .where('payout_id', '=', payout_id)
    .orderBy('number')
    .execute();
  return rows.map(({ status }) => status);
}

const begunOf = async (payout_id: string) =>
  (await statusesOf(payout_id)).filter((status) => status !== 'waiting').length;

async function stepUntilIdle(): Promise<void> {
  while ((await payoutStep(world.deps)).more);
}

/** As after a restore: the ledger has a transaction of the wallet, and nobody knows which payment it is. */
async function blockByUnmatched({ id }: Wallet): Promise<void> {
  const unmatched = { hash: id, wallet_id: id, ledger: 1, envelope_xdr: '', result_xdr: '' };
  await world.deps.db.insertInto('unmatched_transactions').values(unmatched).execute();
}

async function blockAccount({ account }: Wallet): Promise<void> {
  await world.deps.db
    .updateTable('tx_sources')
    .set({ blocked_reason: 'blocked' })
    .where('account', '=', account)
    .execute();
}

test('two wallets that are blocked with all the open rows that they may have do not stop the payouts of another', async () => {
  const blocked = [await world.wallet(), await world.wallet()] as const;
  const [first, second] = [
    await started(blocked[0], rowsOf(1_100)),
    await started(blocked[1], rowsOf(1_100)),
  ];
  await stepUntilIdle();
  const begun = [1_000, 1_000];
  assert.deepEqual([await begunOf(first), await begunOf(second)], begun, 'there is no room for more');
  const payout = await started(await world.wallet(), rowsOf(3));
  await stepUntilIdle();
  assert.equal(await begunOf(payout), 0, 'while these may be paid in the next ledgers');
  await blockByUnmatched(blocked[0]);
  await blockAccount(blocked[1]);
  await stepUntilIdle();
  assert.equal(await begunOf(payout), 3);
  assert.deepEqual([await begunOf(first), await begunOf(second)], begun);
});

test('a blocked wallet begins no further row, and goes on once it is not blocked any more', async () => {
  const wallet = await world.wallet();
  await blockByUnmatched(wallet);
  const payout = await started(wallet, rowsOf(2));
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), ['waiting', 'waiting']);
  await world.deps.db.deleteFrom('unmatched_transactions').execute();
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), ['pending', 'pending']);
});

test('a payment of one key that is forgotten does not keep the other rows of its wallet from beginning', async () => {
  const wallet = await world.wallet();
  const rows = rowsOf(2);
  const payout = await started(wallet, rows);
  const key_fingerprint = 7; // of a key that no row has
  await blockByUnmatched(wallet);
  await world.deps.db.updateTable('unmatched_transactions').set({ key_fingerprint }).execute();
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), ['pending', 'pending']);
});

const CREATES = 20_000_000n;
const toNew = (destination: string, amount_stroops = CREATES): GivenRow =>
  row({ destination, amount_stroops });

/** Another wallet creates the account. */
async function create({ id: wallet_id, owner_id, account }: Wallet, destination: string): Promise<void> {
  const created_at = new Date();
  const id = newId('wd', created_at);
  const { holder } = await createClaims(world.deps).claim({
    ...{ id, wallet_id, owner_id, idempotency_key: id, wallet_account: account, created_at, actor: ACTOR },
    ...{ operation: 'create_account', asset_code: 'native', asset_issuer: null, destination },
    ...{ amount_stroops: CREATES, memo_id: null, memo_return: null, refund_of: null },
  });
  assert(holder);
  await waitForOutcomes([id]);
}

/** Everything that has begun gets its outcome, and rows note it. */
async function reachOutcomes(): Promise<void> {
  const open = await world.deps.db
    .selectFrom('withdrawals')
    .select('id')
    .where('settled_at', 'is', null)
    .execute();
  await waitForOutcomes(open.map(({ id }) => id));
  await stepUntilIdle();
}

test('two rows to an account that does not exist yet are both paid: the second one waits until the first has created it', async () => {
  const [payee, other] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
  const rows = [toNew(payee), row(), toNew(payee), toNew(payee, 5n), toNew(other)];
  const payout = await started(await world.wallet(), rows);
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), ['pending', 'pending', 'waiting', 'waiting', 'pending']);
  await reachOutcomes();
  await reachOutcomes();
  assert.deepEqual(await statusesOf(payout), Array(5).fill('confirmed'));
  assert.equal(await balanceOf(payee), 2n * CREATES + 5n);
});

test('a row waits while a withdrawal of another wallet creates its payee, and the rows behind it begin', async () => {
  const creating = await claim(await world.wallet());
  const payee = creating.destination ?? '';
  const many = Array.from({ length: 120 }, (_, index) => toNew(payee, CREATES + BigInt(index)));
  const payout = await started(await world.wallet(), [...many, row()]);
  await stepUntilIdle();
  assert.equal(await begunOf(payout), 1, 'the last row');
  await reachOutcomes();
  assert.equal(await begunOf(payout), 121);
});

test('once the creation has failed, the row that waited creates the account itself', async () => {
  const too_much = 10n ** 15n;
  const creating = await claim(await world.wallet(), too_much);
  const payout = await started(await world.wallet(), [toNew(creating.destination ?? '')]);
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), ['waiting']);
  await reachOutcomes();
  await reachOutcomes();
  assert.deepEqual(await statusesOf(payout), ['confirmed']);
  assert.equal(await balanceOf(creating.destination ?? ''), CREATES);
});

test('a creation that waits for an operator keeps no row waiting; one that is signed does', async () => {
  const [stuck, signed] = [await world.wallet(), await world.wallet()];
  const first = await claim(stuck);
  await blockByUnmatched(stuck);
  const second = await claim(signed);
  await signOnly(second.id);
  await blockByUnmatched(signed);
  const rows = [first, second].map(({ destination }) => toNew(destination ?? ''));
  const payout = await started(await world.wallet(), rows);
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), ['pending', 'waiting']);
});

test('a cancel ends a row that waits for a creation, and after a pause such a row is paid', async () => {
  const wallet = await world.wallet();
  const twice = () => {
    const payee = Keypair.random().publicKey();
    return [toNew(payee), toNew(payee)];
  };
  const [ended, kept] = [await started(wallet, twice()), await started(wallet, twice())];
  await stepUntilIdle();
  await pausePayout(world.deps, kept, on(wallet));
  await processLedgers();
  await cancelPayout(world.deps, ended, on(wallet));
  await reachOutcomes();
  assert.deepEqual(await statusesOf(ended), ['confirmed', 'cancelled']);
  assert.deepEqual(await statusesOf(kept), ['confirmed', 'waiting']);
  await resumePayout(world.deps, kept, on(wallet));
  await stepUntilIdle();
  await reachOutcomes();
  assert.deepEqual(await statusesOf(kept), ['confirmed', 'confirmed']);
});

test('a row whose payee is created after the network was asked for it waits, and is a payment then', async () => {
  const payee = Keypair.random().publicKey();
  const payout = await started(await world.wallet(), [toNew(payee)]);
  const other = await world.wallet();
  const { stellar } = world.deps;
  const readAccounts: typeof stellar.readAccounts = async (...names) => {
    const answer = await stellar.readAccounts(...names);
    await create(other, payee); // to its end: no open withdrawal tells of it
    return answer;
  };
  await payoutStep({ ...world.deps, stellar: { ...stellar, readAccounts } });
  assert.deepEqual(await statusesOf(payout), ['waiting']);
  await stepUntilIdle();
  await reachOutcomes();
  assert.deepEqual(await statusesOf(payout), ['confirmed']);
  assert.equal(await balanceOf(payee), 2n * CREATES);
});
