/** Collects the evidence from a service that has come to rest, and waits for that rest. */
import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { createLog } from '../../src/lib/log.ts';
import { createKeys } from '../../src/vault/keys.ts';
import type { Ask } from '../oracle/ask.ts';
import { audit, remember } from '../oracle/audit.ts';
import type { Evidence, ShownAsset } from '../oracle/evidence.ts';
import { readEvidence } from '../oracle/read-database.ts';
import { createLedgerReader } from '../oracle/read-ledger.ts';
import { readWebhooks } from '../oracle/read-webhooks.ts';
import type { Receipt } from '../oracle/receipt.ts';
import { eventually } from '../support/eventually.ts';
import { findAccount, linesOf } from '../support/find-account.ts';
import type { ApiEndpoint, ApiWallet, ClientEvidence, CrashEvidence } from './evidence.ts';
import type { UnreliableService } from './killable-service.ts';
import type { Journal } from './load-state.ts';
import { serverOf } from './payers.ts';
import { have, listAll, persist } from './persistent-client.ts';

const SILENT = createLog('silent', false);
const PASSPHRASE = 'Standalone Network ; February 2017';
/** src/webhooks/delivery/deliverer.ts: what a killed deliverer had in hand is sent again when its lease ends. */
const WEBHOOK_LEASE_MS = 60_000;
/** src/withdrawals/engine/engine.ts. */
const WITHDRAWAL_LEASE_MS = 15_000;
const SLACK_MS = 2_000;
/** Much longer than it takes on a loaded machine. */
const PATIENCE_MS = 180_000;

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
export async function endLeases(service: UnreliableService, wait_for: WaitFor): Promise<Leases> {
  const db = new pg.Client(service.database());
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
export async function rest(service: UnreliableService, wait_for: WaitFor): Promise<string | null> {
  const db = new pg.Client(service.database());
  await db.connect();
  const { sequence } = await persist(service, () => serverOf(service).getLatestLedger());
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

/** For the oracle's questions to the database, and for its triggers: to be called when the tables are there. */
export async function connectOracle(config: pg.ClientConfig): Promise<{ ask: Ask; end(): Promise<void> }> {
  const { types } = openDatabase('postgres://nobody@localhost/none', SILENT).pool.options;
  const client = new pg.Client({ ...config, ...(types && { types }) });
  await client.connect();
  return {
    ask: async (sql, values) => (await client.query(sql, values)).rows,
    end: () => client.end(),
  };
}

/** From now on the database notes what the rows do not show afterwards. Before any endpoint is made. */
export async function watchDatabase(service: UnreliableService): Promise<void> {
  const { ask, end } = await connectOracle(service.database());
  try {
    await audit(ask);
    await remember(ask);
  } finally {
    await end();
  }
}

/**
 * @param waited whether all leases ran out in real time, and none was ended by hand
 * @param restored whether the database was restored from a backup
 */
export async function gather(
  service: UnreliableService,
  journal: Journal,
  { receipts, waited, restored = false }: { receipts: Receipt[]; waited: boolean; restored?: boolean },
): Promise<CrashEvidence> {
  const { calls, returned_addresses, endpoint_calls } = journal;
  const server = serverOf(service);
  const clients = await clientsOf(service, journal);
  const shown_assets = await assetsShown(service, journal);
  const reader = createLedgerReader(service.rpc_url, PASSPHRASE);
  const readLedger = () => persist(service, reader);
  const ledger = await readLedger();
  const { ask, end } = await connectOracle(service.database());
  try {
    // One snapshot: the service goes on reading ledgers, and its cursor must agree with the notes of its moves.
    await ask('begin isolation level repeatable read read only');
    const webhooks = await readWebhooks(ask, createKeys([service.master_key()]).secrets, {
      faultless: false,
      days_passed: false,
      delivering: true,
      leases_ended: !waited,
      retry_seconds: service.retry_seconds,
      now_ms: Date.now(),
      skews_ms: { least: 0, most: 0 },
      receipts: [...receipts],
      calls: endpoint_calls,
    });
    const evidence = await readEvidence(ask, {
      ...ledger,
      webhooks,
      calls,
      returned_addresses,
      opening: new Map(),
      compared: false,
      limits: [],
      inbox: [],
      decisions: [],
      paying: { uploads: [], calls: [], shown: null },
      approving: { passphrase: PASSPHRASE, skew_ms: 0 },
      foreign: [],
      restored,
      treasury: await treasuryOf(service, ask),
      asset_calls: journal.asset_calls,
      shown_assets,
      async accountState(account) {
        const entry = await persist(service, () => findAccount(server, account));
        const balance_stroops = BigInt(`${entry?.balance ?? 0}`);
        const issued = await persist(service, () => linesOf(server, account, journal.assets));
        return { balance_stroops, issued, sequence: entry && BigInt(`${entry.seqNum}`) };
      },
    });
    // Once more after the rows: ledgers go on closing, and no cursor may be ahead of the newest.
    return { ...evidence, ...(await readLedger()), clients };
  } finally {
    await end();
  }
}

/** Null where there is none: no channel was needed, and it pays nothing for wallets. */
async function treasuryOf(service: UnreliableService, ask: Ask): Promise<Evidence['treasury']> {
  if (service.treasury_pays === null) return null;
  const [newest] = await ask('select account from treasury order by id desc limit 1');
  if (!newest) return null;
  const { account } = newest;
  const entry = await persist(service, () => findAccount(serverOf(service), account));
  const balance_stroops = BigInt(`${entry?.balance ?? 0}`);
  return {
    account,
    pays: service.treasury_pays,
    channel_stroops: service.channel_stroops,
    balance_stroops,
    sponsoring: sponsoringIn(entry),
    daily_stroops: null, // more than anybody asks for
  };
}

function sponsoringIn(entry: xdr.AccountEntry | null): number {
  if (entry?.ext.type !== 'v1' || entry.ext.v1.ext.type !== 'v2') return 0;
  return entry.ext.v1.ext.v2.numSponsoring;
}

/** Null for a service that knows no assets. */
async function assetsShown(
  service: UnreliableService,
  { token, assets }: Journal,
): Promise<ShownAsset[] | null> {
  if (assets.length === 0) return null;
  const shown: ShownAsset[] = [];
  for (const { id: wallet_id } of await listAll(service, '/v1/wallets', token)) {
    const { items } = await have(service, 'GET', `/v1/wallets/${wallet_id}/assets`, { token });
    for (const { asset_code, asset_issuer, status } of items)
      shown.push({ wallet_id, asset: `${asset_code}:${asset_issuer}`, status });
  }
  return shown;
}

async function clientsOf(
  service: UnreliableService,
  { token, answers, seen_by_payers, secrets }: Journal,
): Promise<ClientEvidence> {
  const wallets: ApiWallet[] = [];
  for (const { id, account } of await listAll(service, '/v1/wallets', token)) {
    const path = `/v1/wallets/${id}`;
    const endpoints: ApiEndpoint[] = [];
    for (const { id: endpoint_id, url } of await listAll(service, `${path}/webhooks`, token)) {
      const deliveries = await listAll(service, `${path}/webhooks/${endpoint_id}/deliveries`, token);
      endpoints.push({ id: endpoint_id, url, signing_secret: secrets.get(url) ?? '', deliveries });
    }
    const deposits = await listAll(service, `${path}/deposits`, token);
    const withdrawals = await listAll(service, `${path}/withdrawals`, token);
    wallets.push({ id, account, deposits, withdrawals, endpoints });
  }
  return { wallets, answers, seen_by_payers };
}
