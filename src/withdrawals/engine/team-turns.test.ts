/** Which withdrawals of several teams get transaction sources first. Nothing is signed here. */
import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { ACTOR } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { createUser } from '../../auth/login/login.ts';
import { createWalletAccess, type Wallet } from '../../wallets/access.ts';
import { createWallet } from '../../wallets/create-wallet.ts';
import { severalTeamsSince } from './queries.ts';
import { assignTxSources } from './tx-source-store.ts';

let world: InProcessService;
const { claim, read, processLedgers } = withdrawalSteps(() => world);

before(async () => {
  world = await startInProcess();
  await processLedgers();
});
after(() => world.close());

beforeEach(async () => {
  const { db } = world.deps;
  await db.deleteFrom('tx_sources').execute();
  await db.deleteFrom('channels').execute();
  await db.deleteFrom('treasury').execute();
  await db.deleteFrom('withdrawals').execute();
});

let users = 0;

/** A team of one with so many wallets, which need no account: nothing is signed. */
async function team(count: number): Promise<Wallet[]> {
  const { deps } = world;
  const user = await createUser(
    deps,
    { email: `team-${users++}@example.com`, password: 'correct horse', name: 'Owner' },
    ACTOR,
  );
  assert(user);
  const unfunded = { ...deps, stellar: { ...deps.stellar, fund: async () => undefined } };
  const wallets: Wallet[] = [];
  for (let n = 0; n < count; n++) {
    const { wallet } = await createWallet(unfunded, { owner_id: user.id, name: 'Test' }, ACTOR);
    wallets.push(await createWalletAccess(deps.db)({ kind: 'api_key', wallet_id: wallet.id }, wallet.id));
  }
  return wallets;
}

async function addChannels(count: number): Promise<void> {
  const { db } = world.deps;
  const numbers = Array.from({ length: count }, (_, n) => `${n}`.padStart(3, '0'));
  const { sealed_seed } = await world.deps.vault.generate('trs_turns'); // nobody signs with it
  await db.insertInto('treasury').values({ id: 'trs_turns', account: 'treasury', sealed_seed }).execute();
  await db
    .insertInto('channels')
    .values(
      numbers.map((n) => ({
        id: `chn_${n}`,
        account: `channel ${n}`,
        sealed_seed,
        sponsor: 'treasury',
        status: 'active' as const,
      })),
    )
    .execute();
  await db
    .insertInto('tx_sources')
    .values(numbers.map((n) => ({ account: `channel ${n}`, kind: 'channel' as const })))
    .execute();
}

/** Rows of a payout, claimed before everything else. */
async function claimRows(wallet: Wallet | undefined, count: number): Promise<string[]> {
  const ids = await claimMany(wallet, count);
  for (const [index, id] of ids.entries())
    await world.deps.db
      .updateTable('withdrawals')
      .set({ payout_id: `pay_${ids[0]}`, payout_row: index + 1 })
      .where('id', '=', id)
      .execute();
  return ids;
}

async function claimMany(wallet: Wallet | undefined, count: number): Promise<string[]> {
  assert(wallet);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await claim(wallet)).id);
  return ids;
}

const assign = (options: { limit: number; shared?: boolean; payouts?: boolean }) =>
  assignTxSources(world.deps.db, { ...LEASE, ...options });

test('behind twenty wallets of another team, a team’s withdrawals are the next ones to get channels', async () => {
  await addChannels(12);
  const loud = await team(20);
  const [quiet] = await team(1);
  for (const wallet of loud) await claimMany(wallet, 3);
  const own = await claimMany(quiet, 5);
  const given = await assign({ limit: 100 });
  assert.equal(given.length, 21 + 12, 'every own account, and every channel');
  assert.deepEqual(
    own.filter((id) => !given.includes(id)),
    [],
    'the quiet team had its turns, though all of the others came before',
  );
});

test('a team with many wallets takes turns with a team that has one, when there is room for few', async () => {
  const loud = await team(10);
  const [quiet] = await team(1);
  for (const wallet of loud) await claimMany(wallet, 1);
  const [last] = await claimMany(quiet, 1);
  const given = await assign({ limit: 3 });
  assert.equal(given.length, 3);
  assert(last !== undefined && given.includes(last));
});

test('room for few is shared between own accounts and channels', async () => {
  await addChannels(4);
  const loud = await team(10);
  const [quiet] = await team(1);
  for (const wallet of loud) await claimMany(wallet, 1);
  const own = await claimMany(quiet, 3);
  const given = await assign({ limit: 6 });
  assert.equal(given.length, 6, 'no room is left unused');
  assert.deepEqual(
    own.filter((id) => !given.includes(id)),
    [],
  );
});

test('while several teams withdraw, an eighth of the channels stays free for a team that has few of them', async () => {
  await addChannels(16);
  const [loud] = await team(1);
  const [quiet] = await team(1);
  await claimMany(loud, 40);
  assert.equal((await assign({ limit: 100, shared: true })).length, 1 + 14);
  assert.deepEqual(await assign({ limit: 100, shared: true }), [], 'the rest of them is not for this team');
  const own = await claimMany(quiet, 3);
  assert.deepEqual((await assign({ limit: 100, shared: true })).sort(), own.sort());
  const sources = await Promise.all(own.map(async (id) => (await read(id)).tx_source));
  assert.equal(sources.filter((source) => source?.startsWith('channel')).length, 2);
});

test('a team that withdraws alone uses every channel', async () => {
  await addChannels(16);
  const [loud] = await team(1);
  await claimMany(loud, 40);
  assert.equal((await assign({ limit: 100 })).length, 1 + 16);
});

test('single withdrawals go before the rows of payouts of the same wallet, which leave an eighth of the channels to them', async () => {
  await addChannels(16);
  const [wallet] = await team(1);
  const rows = await claimRows(wallet, 40);
  const singles = await claimMany(wallet, 3);
  assert.deepEqual(
    (await assign({ limit: 100, payouts: false })).sort(),
    singles.sort(),
    'though they came last',
  );
  const given = await assign({ limit: 100, payouts: true });
  assert.equal(given.length, 14 - 2, 'two of sixteen channels are used, and two are kept free');
  assert.ok(given.every((id) => rows.includes(id)));
  assert.equal((await assign({ limit: 100, payouts: true })).length, 0);
  const later = await claimMany(wallet, 2);
  assert.deepEqual(
    (await assign({ limit: 100, payouts: false })).sort(),
    later.sort(),
    'they wait for no ledger',
  );
});

test('several teams withdraw when the withdrawals of a time belong to more than one', async () => {
  const { db } = world.deps;
  const since = new Date();
  const several = () => severalTeamsSince(db, since);
  assert.equal(await several(), false);
  const [first] = await team(1);
  await claimMany(first, 2);
  assert.equal(await several(), false);
  const [second] = await team(1);
  await claimMany(second, 1);
  assert.equal(await several(), true);
  assert.equal(await severalTeamsSince(db, new Date(Date.now() + 60_000)), false);
});
