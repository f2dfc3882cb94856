/** Events of withdrawals beside everything else that locks endpoints: no two transactions wait for each other. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { ACTOR, on } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { insertMember } from '../../auth/teams/team-store.ts';
import { record } from '../../deposits/ingest/record.ts';
import { createDepositSpans } from '../../deposits/ingest/trace-deposits.ts';
import { newId } from '../../lib/ids.ts';
import { NATIVE } from '../../stellar/asset.ts';
import type { Wallet } from '../../wallets/access.ts';
import { disableEndpoint } from '../../webhooks/endpoints/disable-endpoint.ts';
import { changeEndpoint, registerEndpoint } from '../../webhooks/endpoints/endpoints.ts';
import { PING, sendTestEvent } from '../../webhooks/events/send-test-event.ts';
import { EVENT_TYPES } from '../../webhooks/store/event-types.ts';
import { createClaims } from '../engine/claims.ts';
import type { EngineDeps } from '../engine/hooks.ts';
import { recordOutcomes } from '../engine/store.ts';
import { changePolicy } from '../policies/policy-changes.ts';
import { tellOutcomes } from './withdrawal-events.ts';

const ROUNDS = 25;

let world: InProcessService;
let processes: EngineDeps[];
let wallets: Wallet[];
let endpoints: { wallet: Wallet; id: string }[];

before(async () => {
  world = await startInProcess({ WEBHOOK_ALLOWED_HOSTS: 'receiver.test' });
  processes = [world.deps, world.another()];
  wallets = [await world.wallet(), await world.wallet()];
  endpoints = [];
  // Ids of both wallets in turn: in the order of wallets their locks would be in another order.
  for (const wallet of [...wallets, ...wallets]) {
    const order = { url: 'http://93.184.216.34/', description: null, events: [...EVENT_TYPES] };
    const { endpoint } = await registerEndpoint(world.deps, on(wallet), order);
    endpoints.push({ wallet, id: endpoint.id });
  }
  const rule = {
    required: 1,
    above: [{ ...NATIVE, amount_stroops: 100n }],
    for: ['withdrawals' as const],
    without_factor: true,
  };
  for (const wallet of wallets) {
    await addApprover(world.deps, wallet.owner_id);
    await changePolicy(world.deps, { actor: ACTOR, wallet }, (policy) => ({ ...policy, approvals: rule }));
  }
});
after(() => world.close());

async function addApprover({ db, clock }: EngineDeps, team_id: string): Promise<void> {
  const now = clock.now();
  const id = newId('usr', now);
  await db.transaction().execute(async (trx) => {
    const email = `${id}@example.com`;
    await trx
      .insertInto('users')
      .values({ id, email, email_folded: email, name: id, password_hash: '' })
      .execute();
    await insertMember(trx, { user_id: id, team_id, role: 'approver', wallet_ids: null, now });
  });
}

let serial = 0;

function orderOf(deps: EngineDeps, wallet: Wallet, amount_stroops: bigint) {
  const created_at = deps.clock.now();
  return {
    id: newId('wd', created_at),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key: `key-${++serial}`,
    operation: 'payment' as const,
    ...NATIVE,
    destination: wallet.account,
    amount_stroops,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    wallet_account: wallet.account,
    actor: ACTOR,
    created_at,
  };
}

/** Claims one withdrawal of each wallet, then records both outcomes in one transaction, as the ingest loop does. */
async function payBoth(deps: EngineDeps, turn: Wallet[]): Promise<void> {
  const claims = createClaims(deps);
  const orders = turn.map((wallet) => orderOf(deps, wallet, 1n));
  await Promise.all(orders.map((order) => claims.claim(order)));
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const outcomes = orders.map(({ id, wallet_account: fee_account }) => ({
      id,
      successful: true,
      ledger: 5,
      fee_stroops: 100n,
      fee_account,
      failure: null,
      stellar_tx_hash: id.padEnd(64, '0').slice(-64),
      inner_tx_hash: id.padEnd(64, '0').slice(-64),
    }));
    await tellOutcomes(trx, deps, [...(await recordOutcomes(trx, outcomes, now)).values()], { now });
  });
}

async function hold(deps: EngineDeps, turn: Wallet[]): Promise<void> {
  const claims = createClaims(deps);
  await Promise.all(turn.map((wallet) => claims.claim(orderOf(deps, wallet, 101n))));
}

/** Unattributed deposits of both wallets, as the ingester records a page of ledgers. */
async function deposit(deps: EngineDeps, turn: Wallet[]): Promise<void> {
  const credits = turn.map((wallet) => ({
    wallet_id: wallet.id,
    address_id: null,
    account: wallet.account,
    ...NATIVE,
    amount_stroops: 1n,
    source_account: wallet.account,
    source_account_muxed: null,
    hash: `${++serial}`.padStart(64, '0'),
    operation_index: 0,
    event_index: 0,
    kind: 'payment' as const,
    ledger: 5,
    memo_id: null,
    memo: { type: 'none' as const, value: null },
    muxed_id: null,
  }));
  const nothing = { adjustments: [], unread_lines: [], readable: [], quarantined: [] };
  const reading = { ...nothing, credits } as unknown as Parameters<typeof record>[1];
  await deps.db
    .transaction()
    .execute((trx) =>
      record(trx, reading, { assets: new Map(), now: deps.clock.now(), spans: createDepositSpans(deps, 0) }),
    );
}

async function change(deps: EngineDeps, round: number): Promise<void> {
  const { wallet, id } = endpoints[round % endpoints.length] as (typeof endpoints)[number];
  const by = { actor: ACTOR, wallet };
  await changeEndpoint(deps, by, id, { description: `${round}` });
  await sendTestEvent(deps, by, id, PING);
  const failing_since = new Date(0);
  await deps.db.updateTable('webhook_endpoints').set({ failing_since }).where('id', '=', id).execute();
  assert.ok(await disableEndpoint(deps, id, { if_since: failing_since, reason: 'a test' }));
  await changeEndpoint(deps, by, id, { enabled: true });
}

test('outcomes, holds, deposits and changes of endpoints at once, of two wallets in both orders, never deadlock', async () => {
  const work: Promise<void>[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, deps] of processes.entries()) {
      const turn = (round + index) % 2 === 0 ? wallets : wallets.toReversed();
      work.push(payBoth(deps, turn), hold(deps, turn.toReversed()), deposit(deps, turn));
      // One change of an endpoint at a time: it would otherwise find the endpoint disabled.
      if (index === 0) work.push(change(deps, round));
      if (round % endpoints.length === endpoints.length - 1) await Promise.all(work.splice(0));
    }
  await Promise.all(work);
  const { rows } = await world.deps.pool.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  assert.equal(rows[0].deadlocks, 0);
  const numbered = await world.deps.pool.query(`
    select wallet_id, count(*)::int as count, max(sequence)::int as last from webhook_events group by wallet_id`);
  assert.equal(numbered.rows.length, wallets.length);
  for (const { count, last } of numbered.rows) assert.equal(count, last, 'no gap');
  const told = await world.deps.pool.query(`
    select count(*)::int as count from webhook_events where type in ('withdrawal.confirmed', 'withdrawal.awaiting_approval')`);
  assert.equal(told.rows[0].count, 2 * 2 * wallets.length * ROUNDS);
});
