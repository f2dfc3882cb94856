import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { booksOf } from '../../../test/support/books.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { createReadiness } from '../../api/service-routes.ts';
import type { Deps } from '../../deps.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { Wallet } from '../../wallets/access.ts';
import { compareDueWallets, startReconcileLoop } from './reconcile-loop.ts';
import { walletAccounts } from './reconcile-store.ts';
import { createBalanceWatch } from './watch-balances.ts';

const HOUR = 3_600;

let world: InProcessService;
let ahead_ms = 0;
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
const books = booksOf(() => world);
let deps: Deps;

before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0' });
  deps = { ...world.deps, clock };
  await books.catchUp();
});
after(() => world.close());

const compared = async (wallet: Wallet) =>
  world.deps.db
    .selectFrom('reconciliations')
    .selectAll()
    .where('wallet_id', '=', wallet.id)
    .executeTakeFirst();

/** Compares the wallets that are due `seconds` later. */
async function later(seconds: number): Promise<number> {
  ahead_ms += seconds * 1000;
  return compareDueWallets(deps);
}

test('a wallet is compared when it is new, soon after money moved, and every ten minutes when none does', async () => {
  const [quiet, busy] = [await world.wallet(), await world.wallet()];
  await books.catchUp();
  assert.equal(await later(0), 2);
  const { ledger } = (await compared(quiet)) ?? {};
  assert(ledger);
  assert.equal(await later(0), 0);
  await books.paid(busy, 1);
  await books.catchUp();
  assert.equal(await later(1), 0, 'not in every ledger');
  assert.equal(await later(31), 1);
  assert(((await compared(busy))?.ledger ?? 0) > ledger);
  assert.equal((await compared(quiet))?.ledger, ledger);
  assert.equal(await later(31), 0, 'nothing has moved since');
  await books.withdrawn(busy, [{ destination: books.payer.publicKey(), amount_stroops: 1n }]);
  await books.catchUp();
  assert.equal(await later(31), 1);
  assert.equal((await compared(busy))?.withdrawals_stroops, 1n);
  assert.equal(await later(600), 2);
  assert(((await compared(quiet))?.ledger ?? 0) > ledger);
});

test('a wallet that differs is compared again soon, so that the alarm ends soon after the repair', async () => {
  const wallet = await world.wallet();
  await books.catchUp();
  await later(600);
  const change = (by: bigint) =>
    world.deps.db
      .updateTable('deposits')
      .set(({ eb }) => ({ amount_stroops: eb('amount_stroops', '+', by) }))
      .where('wallet_id', '=', wallet.id)
      .execute();
  await change(1n);
  await later(HOUR);
  assert.equal((await compared(wallet))?.difference_stroops, -1n);
  await change(-1n);
  assert.equal(await later(31), 1);
  assert.equal((await compared(wallet))?.difference_stroops, 0n);
  assert.equal(await later(31), 0);
});

/** The part of /readyz about reconciliation, without its cache. */
async function readiness(): Promise<{ ok: boolean; message: string }> {
  return (await createReadiness(deps)()).checks.reconciliation;
}

test('a wallet that was never compared does not count as agreeing: readiness counts it, and reports it after twenty minutes', async () => {
  const { id } = await world.wallet();
  await world.deps.db.updateTable('wallets').set({ created_at: clock.now() }).where('id', '=', id).execute();
  await books.catchUp();
  const { ok, message } = await readiness();
  assert.deepEqual([ok, /^3 wallets agree .*; 1 are not compared yet$/.test(message)], [true, true], message);
  ahead_ms += 1_201_000;
  const now = clock.now();
  await world.deps.db.updateTable('reconciliations').set({ checked_at: now, summed_at: now }).execute();
  const late = await readiness();
  assert.equal(late.ok, false);
  assert.match(late.message, /a wallet was not compared with the ledger for \d+ minutes/);
  await later(0);
  assert.match((await readiness()).message, /^4 wallets agree with the ledger, as of \d+ s ago or less$/);
});

test('while nothing can be compared, readiness and the metric show the age of the comparisons', async () => {
  ahead_ms += 3_601_000;
  assert.equal((await readiness()).ok, false);
  const readBalances = () => Promise.reject(new NetworkUnavailable('away'));
  const metrics = createMetrics();
  const reconciler = startReconcileLoop({ ...deps, metrics, stellar: { ...deps.stellar, readBalances } });
  await eventually('the age', async () => {
    const age = (await metrics.reconciliation_age_seconds.get()).values[0]?.value ?? 0;
    return age > 3_600;
  });
  await reconciler.stop();
  await later(0);
  assert.equal((await readiness()).ok, true);
});

test('a clock that is set back by an hour keeps no wallet from being compared', async () => {
  await later(3600);
  ahead_ms -= 3_600_000;
  assert((await later(0)) > 0);
  assert.equal(await later(0), 0);
});

test('when many wallets differ at once, all alarms are raised at once, and all get explanations over time', async () => {
  const wallets: Wallet[] = [];
  for (let i = 0; i < 25; i++) wallets.push(await world.wallet());
  const ids = wallets.map(({ id }) => id);
  await books.catchUp();
  await later(600);
  await world.deps.db.deleteFrom('deposits').where('wallet_id', 'in', ids).execute();
  const alarms = async () =>
    (
      await world.deps.db
        .selectFrom('reconciliations')
        .select(['difference_stroops', 'may_explain'])
        .where('wallet_id', 'in', ids)
        .execute()
    ).filter(({ difference_stroops }) => difference_stroops === 100_000_000_000n);
  const explained = async () => (await alarms()).filter(({ may_explain }) => may_explain !== null).length;
  await later(HOUR);
  assert.deepEqual([(await alarms()).length, await explained()], [25, 20]);
  await later(31);
  assert.equal(await explained(), 25);
});

test('of two processes one compares; when it stops the other takes over; both tell the metric', async () => {
  const quick: Clock = { now: clock.now, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) };
  const processes = [1, 2].map(() => ({ ...world.another(), clock: quick }));
  const asked = [0, 0];
  const reconcilers = processes.map((each, index) => {
    const readBalances: Deps['stellar']['readBalances'] = (holders) => {
      asked[index] = (asked[index] ?? 0) + 1;
      return each.stellar.readBalances(holders);
    };
    return startReconcileLoop({ ...each, stellar: { ...each.stellar, readBalances } });
  });
  const told = async ({ metrics }: Deps) => (await metrics.wallets_different.get()).values[0]?.value === 25;
  await eventually('both tell', async () => (await told(processes[0] as Deps)) && told(processes[1] as Deps));
  const next = async () => {
    const wallet = await world.wallet();
    await books.catchUp();
    await eventually('the new wallet’s comparison', () => compared(wallet));
  };
  await next();
  assert.deepEqual([...asked].sort((a, b) => a - b)[0], 0, `one leads: ${asked}`);
  const leader = asked[0] === 0 ? 1 : 0;
  await reconcilers[leader]?.stop();
  await next();
  assert((asked[1 - leader] ?? 0) > 0);
  await reconcilers[1 - leader]?.stop();
});

test('a change on the ledger that was never recorded is seen though the wallet is not due, and only this wallet is compared', async () => {
  const [wallet, quiet] = [await world.wallet(), await world.wallet()];
  await books.catchUp();
  await later(600);
  const before = await compared(quiet);
  await books.paid(wallet, 1);
  await books.catchUp();
  const { ledger = 0, deposits_stroops } = (await compared(wallet)) ?? {};
  await world.deps.db
    .deleteFrom('deposits')
    .where('wallet_id', '=', wallet.id)
    .where('ledger', '>', ledger)
    .execute();
  await later(31);
  assert.equal((await compared(wallet))?.ledger, ledger, 'nothing says that it is due');
  const reconciler = startReconcileLoop({ ...deps, metrics: createMetrics() });
  await eventually(
    'the difference',
    async () => (await compared(wallet))?.difference_stroops === 10_000_000n,
  );
  await reconciler.stop();
  assert.equal((await compared(wallet))?.deposits_stroops, deposits_stroops);
  assert.deepEqual(await compared(quiet), before);
});

test('all wallets are looked at in turns, none of them while no Stellar RPC answers', async () => {
  const soon = () => clock.now();
  const wallets = (await walletAccounts(world.deps.db)).map(({ account }) => account);
  const asked: string[] = [];
  const readBalancesByRpc: Deps['stellar']['readBalancesByRpc'] = async (holders) => {
    asked.push(...holders.map(({ account }) => account));
    return new Map(); // as if each account were gone
  };
  const moved = createBalanceWatch({ ...deps, stellar: { ...deps.stellar, readBalancesByRpc } });
  assert.deepEqual((await moved(soon())).map(({ account }) => account).sort(), wallets.sort());
  assert.deepEqual(asked.sort(), wallets);
  assert.deepEqual(await moved(soon()), [], 'a turn takes half a minute');
  ahead_ms += 30_000;
  assert.equal((await moved(soon())).length, wallets.length);
  const away = { ...deps.stellar, readBalancesByRpc: () => Promise.reject(new NetworkUnavailable('away')) };
  assert.deepEqual(await createBalanceWatch({ ...deps, stellar: away })(soon()), []);
  const without = { ...deps.stellar, readBalancesByRpc, readsContracts: false };
  assert.deepEqual(await createBalanceWatch({ ...deps, stellar: without })(soon()), []);
});
