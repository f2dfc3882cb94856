/** Collects the evidence from a service that has come to rest, and waits for that rest. */
import assert from 'node:assert/strict';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { readLedgerTruth } from '../support/ledger-truth.ts';
import type { Evidence, Receipt, Wallet } from './evidence.ts';
import type { Journal } from './load.ts';
import type { Mortal } from './mortal.ts';
import { listAll } from './patience.ts';
import { serverOf } from './payers.ts';

const PASSPHRASE = 'Standalone Network ; February 2017';
/** src/webhooks/delivery/deliverer.ts: what a killed deliverer had in hand is sent again when its lease ends. */
const WEBHOOK_LEASE_MS = 60_000;
/** src/withdrawals/engine/engine.ts. */
const WITHDRAWAL_LEASE_MS = 15_000;
const SLACK_MS = 2_000;
const PATIENCE_MS = 30_000;

export type Leases = { webhooks: number; withdrawals: number };

/** Whose leases run out in real time, because there is time; those of the others are ended by hand. */
export type WaitFor = { webhooks: boolean; withdrawals: boolean };

/** Only a lease that somebody had may end: a row without one was recorded. */
export const DUE_NOW = `
  update webhook_deliveries set next_attempt_at = now(), leased_until = case when leased_until is not null then now() end
   where status = 'pending'`;

/**
 * The rows that killed processes had in hand are due again within their lease; this shows it. Unless it is waited for,
 * the rest of that time is then taken off the rows, as if it had passed.
 */
export async function endLeases(mortal: Mortal, wait_for: WaitFor): Promise<Leases> {
  const db = new pg.Client(mortal.database());
  await db.connect();
  try {
    const webhooks = await db.query(
      `select id, extract(epoch from due_at - now()) * 1000 as ms
         from webhook_deliveries cross join lateral (select greatest(next_attempt_at, leased_until)) as due (due_at)
        where status = 'pending' and due_at > now()`,
    );
    const withdrawals = await db.query(
      `select id, extract(epoch from leased_until - now()) * 1000 as ms from withdrawals
        where status in ('queued', 'signed') and leased_until > now()`,
    );
    for (const { id, ms } of webhooks.rows)
      assert.ok(ms <= WEBHOOK_LEASE_MS + SLACK_MS, `delivery ${id} is due in ${ms} ms only`);
    for (const { id, ms } of withdrawals.rows)
      assert.ok(ms <= WITHDRAWAL_LEASE_MS + SLACK_MS, `withdrawal ${id} is taken up in ${ms} ms only`);
    if (!wait_for.webhooks) await db.query(DUE_NOW);
    if (!wait_for.withdrawals)
      await db.query(`update withdrawals set leased_until = now() where status in ('queued', 'signed')`);
    return { webhooks: webhooks.rows.length, withdrawals: withdrawals.rows.length };
  } finally {
    await db.end();
  }
}

/**
 * Until every ledger that was closed before is read, no delivery or withdrawal is open, and no transaction source is held. Gives what
 * is wrong if that never comes.
 */
export async function rest(mortal: Mortal, wait_for: WaitFor): Promise<string | null> {
  const db = new pg.Client(mortal.database());
  await db.connect();
  const { sequence } = await serverOf(mortal).getLatestLedger();
  const state = async () => {
    const { rows } = await db.query(
      `select (select ledger from deposit_cursor) as cursor, (select stop_reason from deposit_cursor) as problem,
              (select count(*)::int from webhook_deliveries where status = 'pending') as deliveries,
              (select count(*)::int from withdrawals where status in ('queued', 'signed')) as withdrawals,
              (select count(*)::int from tx_sources where withdrawal_id is not null) as blocked_tx_sources`,
    );
    return rows[0];
  };
  try {
    await eventually(
      'rest',
      async () => {
        const { cursor, deliveries, withdrawals, blocked_tx_sources } = await state();
        return cursor >= sequence && deliveries + withdrawals + blocked_tx_sources === 0;
      },
      wait_for.webhooks ? WEBHOOK_LEASE_MS + PATIENCE_MS : PATIENCE_MS,
    );
    return null;
  } catch {
    return `no rest at ledger ${sequence}: ${JSON.stringify(await state())}`;
  } finally {
    await db.end();
  }
}

export async function gather(mortal: Mortal, journal: Journal, receipts: Receipt[]): Promise<Evidence> {
  const { token, orders, said, seen_by_payers, secrets } = journal;
  const server = serverOf(mortal);
  const ledger = await readLedgerTruth(server, PASSPHRASE);
  const wallets: Wallet[] = [];
  for (const { id, account } of await listAll(mortal, '/v1/wallets', token)) {
    const path = `/v1/wallets/${id}`;
    const endpoints: Wallet['endpoints'] = [];
    for (const { id: endpoint_id, url } of await listAll(mortal, `${path}/webhooks`, token)) {
      const deliveries = await listAll(mortal, `${path}/webhooks/${endpoint_id}/deliveries`, token);
      endpoints.push({ id: endpoint_id, url, signing_secret: secrets.get(url) ?? '', deliveries });
    }
    const entry = await server.getAccountEntry(account).catch(() => null);
    wallets.push({
      id,
      account,
      balance_stroops: BigInt(`${entry?.balance ?? 0}`),
      addresses: await listAll(mortal, `${path}/addresses`, token),
      deposits: await listAll(mortal, `${path}/deposits`, token),
      withdrawals: await listAll(mortal, `${path}/withdrawals`, token),
      endpoints,
    });
  }
  return { ledger, wallets, orders, said, receipts: [...receipts], seen_by_payers };
}
