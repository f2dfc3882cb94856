/** The budget of a team: the treasury pays no more for it in 24 hours, however many ask at once. */

import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { ACTOR } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { newId } from '../../lib/ids.ts';
import type { Wallet } from '../../wallets/access.ts';
import { type Claimed, createClaims } from '../engine/claims.ts';
import type { EngineDeps } from '../engine/hooks.ts';
import { changeTreasuryBudget } from './describe-treasury.ts';
import { foreseeTreasuryBudget, listTreasurySpending } from './treasury-budgets.ts';

const BUDGET = 1_000n;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: InProcessService;
let wallet: Wallet;
before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0', TREASURY_TEAM_DAILY_STROOPS: `${BUDGET}` });
  wallet = await world.wallet();
});
after(() => world.close());
beforeEach(async () => {
  await world.deps.db.updateTable('withdrawals').set({ treasury_stroops: null }).execute();
});

type Asked = {
  stroops?: bigint | null;
  operation?: 'payment' | 'add_trust_line';
  owner_id?: string;
  of?: Wallet;
};

async function claimed(
  { stroops = 400n, operation = 'payment', owner_id, of = wallet }: Asked,
  deps = world.deps,
) {
  const created_at = deps.clock.now();
  const id = newId('wd', created_at);
  const answer = await createClaims(deps).claim({
    id,
    idempotency_key: id,
    operation,
    created_at,
    treasury_stroops: stroops,
    wallet_id: of.id,
    owner_id: owner_id ?? of.owner_id,
    wallet_account: of.account,
    destination: Keypair.random().publicKey(),
    actor: ACTOR,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    ...(operation === 'payment'
      ? { asset_code: 'native', asset_issuer: null, amount_stroops: 1n }
      : { asset_code: 'USD', asset_issuer: Keypair.random().publicKey(), amount_stroops: 0n }),
  });
  return { id, answer };
}

const codeOf = ({ answer }: { answer: Claimed }) => answer.violation?.code ?? null;
const at = (ms: number): EngineDeps => ({
  ...world.deps,
  clock: { ...world.deps.clock, now: () => new Date(Date.now() + ms) },
});
const used = async () => {
  const now = new Date();
  const teams = await listTreasurySpending(world.deps.db, world.deps.config, { now, limit: 9 });
  return teams.find(({ team_id }) => team_id === wallet.owner_id)?.used_stroops ?? 0n;
};

test('of many claims at once, by several processes, as many are taken as the budget pays for', async () => {
  // Of one wallet, claims wait for each other at the policy of the wallet already.
  const processes: { deps: EngineDeps; of: Wallet }[] = [];
  for (const deps of [world.deps, world.another(), world.another()])
    processes.push({ deps, of: await world.wallet() });
  const claims = Array.from({ length: 10 }, () =>
    processes.map(({ deps, of }) => claimed({ stroops: 90n, of }, deps)),
  );
  const all = await Promise.all(claims.flat());
  const codes = Map.groupBy(all, codeOf);
  assert.equal(codes.get(null)?.length, 11);
  assert.equal(codes.get('treasury_budget_spent')?.length, 19);
  assert.equal(await used(), 990n);
  // What is refused keeps no key.
  const refused = all.find((each) => codeOf(each) !== null);
  const rows = world.deps.db
    .selectFrom('withdrawals')
    .select('id')
    .where('id', '=', refused?.id ?? '');
  assert.deepEqual(await rows.execute(), []);
});

test('the refusal says what is left, what is needed and when that is possible; another team is not refused', async () => {
  const [first, second] = [await claimed({}, at(-20 * HOUR_MS)), await claimed({}, at(-3 * HOUR_MS))];
  const { answer } = await claimed({ stroops: 300n });
  const row = await world.deps.db
    .selectFrom('withdrawals')
    .select('created_at')
    .where('id', '=', first.id)
    .executeTakeFirstOrThrow();
  const possible = new Date(row.created_at.getTime() + DAY_MS).toISOString();
  assert.equal(
    answer.violation?.message,
    'The operator of the service pays fees and reserves for your team, up to 1000 stroops in 24 hours. 200 stroops are left, ' +
      `and this needs 300 stroops; this is possible from ${possible} on, if nothing else is paid until then. Nothing was started.`,
  );
  assert.match(
    (await claimed({ stroops: 1_001n })).answer.violation?.message ?? '',
    /more than the budget itself/,
  );
  assert.equal(codeOf(await claimed({ stroops: 300n }, at(4.1 * HOUR_MS))), null);
  assert.equal(codeOf(second), null);
  assert.equal(codeOf(await claimed({ stroops: 900n, owner_id: 'usr_another' })), null);
  assert.equal(codeOf(await claimed({ stroops: null })), null, 'the wallet pays for it');
});

test('a row counts as its bid once that is more, and then as what the treasury was charged', async () => {
  const { id } = await claimed({ stroops: 400n });
  const set = (values: object) =>
    world.deps.db.updateTable('withdrawals').set(values).where('id', '=', id).execute();
  assert.equal(await used(), 400n);
  await set({ fee_bid_stroops: 700n });
  assert.equal(await used(), 700n);
  await set({ fee_bid_stroops: 100n });
  assert.equal(await used(), 400n);
  const applied = { ledger: 9, settled_at: new Date(), fee_stroops: 0n, fee_charged_stroops: 120n };
  await set({ ...applied, status: 'failed', fee_paid_by: 'treasury' });
  assert.equal(await used(), 120n);
  await set({ fee_paid_by: 'other' });
  assert.equal(await used(), 0n, 'a stranger has paid');
  await set({ ledger: null, fee_stroops: null, fee_charged_stroops: null, fee_paid_by: null });
  assert.equal(await used(), 0n, 'no ledger has it');
});

test('a trust line that was added counts with its reserve, one that was not only with its fee', async () => {
  const { id } = await claimed({ stroops: 900n, operation: 'add_trust_line' });
  const set = (values: object) =>
    world.deps.db.updateTable('withdrawals').set(values).where('id', '=', id).execute();
  const applied = { ledger: 9, settled_at: new Date(), fee_stroops: 0n, fee_charged_stroops: 300n };
  await set({ ...applied, fee_paid_by: 'treasury', status: 'confirmed' });
  assert.equal(await used(), 900n);
  await set({ status: 'failed' });
  assert.equal(await used(), 300n);
});

test('a row counts for 24 hours from its claim, or from its approval', async () => {
  const { id } = await claimed({ stroops: 900n }, at(-25 * HOUR_MS));
  assert.equal(await used(), 0n);
  await world.deps.db
    .updateTable('withdrawals')
    .set({ approved_at: new Date(Date.now() - HOUR_MS) })
    .where('id', '=', id)
    .execute();
  assert.equal(await used(), 900n);
});

test('a team may have a budget of its own, and that of all teams again', async () => {
  const { db } = world.deps;
  const order = { owner_id: wallet.owner_id, treasury_stroops: 1_500n };
  assert.equal((await foreseeTreasuryBudget(world.deps, order))?.code, 'treasury_budget_spent');
  assert.match(await changeTreasuryBudget(world.deps, wallet.owner_id, 2_000n), /up to 2000 stroops/);
  assert.equal(await foreseeTreasuryBudget(world.deps, order), null);
  assert.equal(codeOf(await claimed({ stroops: 1_500n })), null);
  await changeTreasuryBudget(world.deps, wallet.owner_id, 0n);
  assert.equal(codeOf(await claimed({ stroops: 1n })), 'treasury_budget_spent');
  await changeTreasuryBudget(world.deps, wallet.owner_id, null);
  assert.equal((await foreseeTreasuryBudget(world.deps, order))?.code, 'treasury_budget_spent');
  await assert.rejects(changeTreasuryBudget(world.deps, 'usr_nobody', 1n), /There is no team usr_nobody/);
  const own = await db.selectFrom('treasury_budgets').select('team_id').execute();
  assert(!own.some(({ team_id }) => team_id === 'usr_nobody'));
});
