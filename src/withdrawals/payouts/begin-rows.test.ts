/** Which rows of running payouts begin. Nothing is signed unless a test lets an engine work. */

import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { on } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import type { Wallet } from '../../wallets/access.ts';
import { startPayout } from './change-payout.ts';
import { createPayout } from './create-payout.ts';
import { payoutStep } from './payout-loop.ts';
import type { GivenRow } from './read-rows.ts';

let world: InProcessService;
const { balanceOf, processLedgers, waitForOutcomes } = withdrawalSteps(() => world);
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
  idempotency_key: `row-${++keys}`,
  destination: existing,
  amount_stroops: 1_000n + BigInt(keys),
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

test('rows to an account that does not exist yet begin at once, and all are paid', async () => {
  const creates = 20_000_000n;
  const payees = [Keypair.random().publicKey(), Keypair.random().publicKey()] as const;
  const toNew = (destination: string, amount_stroops = creates) => row({ destination, amount_stroops });
  const rows = [toNew(payees[0]), row(), toNew(payees[0]), toNew(payees[0], 5n), toNew(payees[1])];
  const payout = await started(await world.wallet(), rows);
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), Array(5).fill('pending'));
  const begun = await world.deps.db.selectFrom('withdrawals').select('id').execute();
  await waitForOutcomes(begun.map(({ id }) => id));
  await stepUntilIdle();
  assert.deepEqual(await statusesOf(payout), Array(5).fill('confirmed'));
  assert.equal(await balanceOf(payees[0]), 2n * creates + 5n);
});
