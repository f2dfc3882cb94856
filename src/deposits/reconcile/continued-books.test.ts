import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { booksOf } from '../../../test/support/books.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Wallet } from '../../wallets/access.ts';
import { latenessOf } from './lateness.ts';
import { compareDueWallets } from './reconcile-loop.ts';
import { summarize } from './reconcile-store.ts';

const STARTING = 100_000_000_000n;

let world: InProcessService;
let ahead_ms = 0;
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
const books = booksOf(() => world);

before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0' });
  await books.catchUp();
});
after(() => world.close());

/** Compares the wallets that are due `minutes` later. */
async function later(minutes: number): Promise<void> {
  ahead_ms += minutes * 60_000;
  await compareDueWallets({ ...world.deps, clock });
}

const compared = async (wallet: Wallet) =>
  world.deps.db
    .selectFrom('reconciliations')
    .selectAll()
    .where('wallet_id', '=', wallet.id)
    .executeTakeFirstOrThrow();

test('a comparison adds what has moved since the last one to its sums, and reads no older row', async () => {
  const wallet = await world.wallet();
  await books.catchUp();
  await later(0);
  const change = { amount_stroops: 1n };
  await world.deps.db.updateTable('deposits').set(change).where('wallet_id', '=', wallet.id).execute();
  await books.paid(wallet, 2);
  await books.withdrawn(wallet, [{ destination: books.payer.publicKey(), amount_stroops: 5n }]);
  await books.catchUp();
  await later(1);
  const row = await compared(wallet);
  assert.deepEqual(
    [row.deposits_stroops, row.withdrawals_stroops, row.fees_stroops, row.difference_stroops],
    [STARTING + 20_000_000n, 5n, 100n, 0n],
  );
  const found = await books.difference(wallet);
  assert.equal(found.stroops, STARTING - 1n, 'a comparison of all rows finds the change');
});

test('a row of old books that is deleted, added or changed by hand is found within an hour', async () => {
  const [robbed, given, forged] = [await world.wallet(), await world.wallet(), await world.wallet()];
  await books.withdrawn(forged, [{ destination: books.payer.publicKey(), amount_stroops: 5n }]);
  await books.catchUp();
  await later(10);
  const { db } = world.deps;
  await db.deleteFrom('deposits').where('wallet_id', '=', robbed.id).execute();
  await db
    .insertInto('deposits')
    .values({
      id: 'dep_forged',
      wallet_id: given.id,
      asset_code: 'native',
      amount_stroops: 7n,
      ledger: 3,
      source_account: given.account,
      stellar_tx_hash: 'forged',
      operation_index: 0,
      attributed: false,
    })
    .execute();
  const change = { amount_stroops: 6n };
  await db.updateTable('withdrawals').set(change).where('wallet_id', '=', forged.id).execute();
  for (let minutes = 0; minutes < 60; minutes += 10) await later(10);
  const differences = [await compared(robbed), await compared(given), await compared(forged)];
  assert.deepEqual(
    differences.map(({ difference_stroops }) => difference_stroops),
    [STARTING, -7n, 1n],
  );
  assert.match(JSON.stringify(differences[0]?.may_explain), /"reason":"books_changed"/);
});

test('books that were not summed from all rows for two hours are an alarm', async () => {
  await later(60);
  const { db } = world.deps;
  assert.equal(latenessOf(await summarize(db), clock.now()), null);
  const two_hours_ago = new Date(clock.now().getTime() - 7_260_000);
  await db.updateTable('reconciliations').set({ summed_at: two_hours_ago }).execute();
  assert.match(`${latenessOf(await summarize(db), clock.now())}`, /not summed from all rows for 121 minutes/);
});
