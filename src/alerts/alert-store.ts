/** The only writer of alert_cursors and alerts. */
import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { AlertKind } from './kinds.ts';

/** The receiver of an alert that goes to the webhook of the team. Other receivers: old webhooks, and users who get a mail. */
export const WEBHOOK = 'webhook';

/** Returns the receiver of an alert that goes to a webhook which the team had before. */
export function oldWebhook(id: bigint): string {
  return `${WEBHOOK} ${id}`;
}

/** Returns the id of an old webhook; null for every other receiver. */
export function idOfOldWebhook(receiver: string): bigint | null {
  const [, id] = /^webhook (\d+)$/.exec(receiver) ?? [];
  return id === undefined ? null : BigInt(id);
}

/** `chain`, `seq`: the entry of the audit log. `receiver`: WEBHOOK, an old webhook, or the id of a user. */
export type NewAlert = { chain: string; seq: bigint; receiver: string; kind: AlertKind };

/** An alert that this process alone sends until its lease ends. `attempts` counts the one under way. */
export type ClaimedAlert = Omit<NewAlert, 'kind'> & { kind: string; attempts: number };

/** The text of an entry with its place in the chain, and the hash. */
export type StoredEntry = { chain: string; seq: bigint; entry: string; hash: Buffer };

/** Finds up to `limit` chains that have entries after their cursor, each with the number of its last entry. */
export async function chainsWithNews(db: Db, limit: number): Promise<{ chain: string; seq: bigint }[]> {
  return db
    .selectFrom('audit_tails as tail')
    .leftJoin('alert_cursors as cursor', 'cursor.chain', 'tail.chain')
    .select(['tail.chain', 'tail.seq'])
    .where((eb) => eb.or([eb('cursor.seq', 'is', null), eb('tail.seq', '>', eb.ref('cursor.seq'))]))
    .limit(limit)
    .execute();
}

/** Returns the number of the last entry of a chain; 0 for an empty chain. */
export async function lastEntry(db: Db, chain: string): Promise<bigint> {
  const tail = await db.selectFrom('audit_tails').select('seq').where('chain', '=', chain).executeTakeFirst();
  return tail?.seq ?? 0n;
}

/**
 * Locks the cursor of a chain and returns the entry up to which alerts are made. Returns null while another process makes them:
 * that process keeps the lock until its commit.
 */
export async function lockCursor(trx: Trx, chain: string): Promise<bigint | null> {
  const cursor = await (await selectCursor(trx, chain)).forUpdate().skipLocked().executeTakeFirst();
  return cursor?.seq ?? null;
}

/** Waits until no other process makes alerts of the chain. Then locks the cursor, and returns the entry up to which they are made. */
export async function waitForCursor(trx: Trx, chain: string): Promise<bigint> {
  const { seq } = await (await selectCursor(trx, chain)).forUpdate().executeTakeFirstOrThrow();
  return seq;
}

async function selectCursor(trx: Trx, chain: string) {
  await trx
    .insertInto('alert_cursors')
    .values({ chain, seq: 0n })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return trx.selectFrom('alert_cursors').select('seq').where('chain', '=', chain);
}

export async function moveCursor(trx: Trx, chain: string, seq: bigint): Promise<void> {
  await trx.updateTable('alert_cursors').set({ seq }).where('chain', '=', chain).execute();
}

/** Reads the entries with one of these actions after `after` up to `until`, oldest first. */
export async function readEntries(
  db: Db,
  chain: string,
  range: { after: bigint; until: bigint; actions: string[] },
): Promise<StoredEntry[]> {
  return db
    .selectFrom('audit_entries')
    .select(['chain', 'seq', 'entry', 'hash'])
    .where('chain', '=', chain)
    .where('action', '=', sql<string>`any(${range.actions}::text[])`)
    .where('seq', '>', range.after)
    .where('seq', '<=', range.until)
    .orderBy('seq')
    .execute();
}

export async function findEntry(
  db: Db,
  { chain, seq }: { chain: string; seq: bigint },
): Promise<StoredEntry> {
  return db
    .selectFrom('audit_entries')
    .select(['chain', 'seq', 'entry', 'hash'])
    .where('chain', '=', chain)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow();
}

export async function insertAlerts(trx: Trx, alerts: NewAlert[], now: Date): Promise<void> {
  if (alerts.length === 0) return;
  const rows = alerts.map((alert) => ({ ...alert, due_at: now, created_at: now }));
  await trx.insertInto('alerts').values(rows).execute();
}

/**
 * Leases up to `limit` due alerts until `lease_until`: of each receiver of a team the oldest one, so that a receiver that hangs delays
 * no other. `busy`: receivers that this process is sending to. `mails`: whether it can send mails.
 */
export async function claimAlerts(
  db: Db,
  order: { now: Date; lease_until: Date; limit: number; busy: string[]; mails: boolean },
): Promise<ClaimedAlert[]> {
  const { now, lease_until, limit, busy, mails } = order;
  const { rows } = await sql<ClaimedAlert>`
    with oldest as (
      select distinct on (chain, receiver) chain, seq, receiver, due_at from alerts
       where due_at <= ${now} and (receiver like ${`${WEBHOOK}%`} or ${mails})
         and chain || ' ' || receiver <> all (${busy}::text[])
       order by chain, receiver, seq
    ), due as (
      select alerts.chain, alerts.seq, alerts.receiver from alerts
        join oldest using (chain, seq, receiver)
       where alerts.due_at <= ${now}
       order by alerts.due_at limit ${limit} for update of alerts skip locked
    )
    update alerts set attempts = attempts + 1, due_at = ${lease_until} from due
     where alerts.chain = due.chain and alerts.seq = due.seq and alerts.receiver = due.receiver
    returning alerts.chain, alerts.seq, alerts.receiver, alerts.kind, alerts.attempts`.execute(db);
  return rows;
}

/** Ends every lease; only where no other process uses the database. What waits for its next attempt by then is due too. */
export async function endLeases(db: Db, order: { now: Date; longest_lease_ms: number }): Promise<void> {
  const { now, longest_lease_ms } = order;
  await db
    .updateTable('alerts')
    .set({ due_at: now })
    .where('due_at', '>', now)
    .where('due_at', '<=', new Date(now.getTime() + longest_lease_ms))
    .execute();
}

/** Returns the receiver of an alert, as `busy` of `claimAlerts` names it. */
export function receiverOf({ chain, receiver }: { chain: string; receiver: string }): string {
  return `${chain} ${receiver}`;
}

export async function deleteAlert(db: Db, alert: ClaimedAlert): Promise<void> {
  await db
    .deleteFrom('alerts')
    .where('chain', '=', alert.chain)
    .where('seq', '=', alert.seq)
    .where('receiver', '=', alert.receiver)
    .execute();
}

/** Ends the lease, unless it has run out and another process has taken the alert over. `attempts`: how many count. */
export async function postponeAlert(
  db: Db,
  alert: ClaimedAlert,
  next: { due_at: Date; attempts: number },
): Promise<void> {
  await db
    .updateTable('alerts')
    .set(next)
    .where('chain', '=', alert.chain)
    .where('seq', '=', alert.seq)
    .where('receiver', '=', alert.receiver)
    .where('attempts', '=', alert.attempts)
    .execute();
}

/** Moves the alerts that wait for the webhook of a team to its old webhook `id`. An alert that is under way may come twice. */
export async function giveToOldWebhook(trx: Trx, chain: string, id: bigint): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({ receiver: oldWebhook(id) })
    .where('chain', '=', chain)
    .where('receiver', '=', WEBHOOK)
    .execute();
}

/** Deletes the alerts that wait for the webhook of a team, because the webhook was removed or disabled. */
export async function deleteWebhookAlerts(trx: Trx, chain: string): Promise<void> {
  await trx.deleteFrom('alerts').where('chain', '=', chain).where('receiver', '=', WEBHOOK).execute();
}

/** Deletes the alerts that were made before `before`, whatever their state. Returns their number. */
export async function deleteOldAlerts(db: Db, before: Date): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('alerts')
    .where('created_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows;
}

/** Returns the ids of the users to whom mails of a team go: its owners and admins who can sign in. */
export async function managersOf(db: Db, team_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member_roles')
    .innerJoin('user_addresses', 'user_addresses.id', 'member_roles.user_id')
    .select('user_id')
    .where('team_id', '=', team_id)
    .where('role', 'in', ['owner', 'admin'])
    .where('disabled_at', 'is', null)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function addressOf(db: Db, user_id: string): Promise<string | undefined> {
  const user = await db
    .selectFrom('user_addresses')
    .select('email')
    .where('id', '=', user_id)
    .executeTakeFirst();
  return user?.email;
}

/** Returns the name of a team; undefined for the log of the service, which belongs to no team. */
export async function teamName(db: Db, team_id: string): Promise<string | undefined> {
  const team = await db.selectFrom('team_names').select('name').where('id', '=', team_id).executeTakeFirst();
  return team?.name;
}
