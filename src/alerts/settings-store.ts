/** The only writer of alert_settings, alert_thresholds and alert_old_webhooks. */
import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { sealedRows } from '../db/sealed-rows.ts';
import type { Threshold } from './rules.ts';

/** What a team has set. `kinds`: null for every kind; `url`: null without a webhook. */
export type Wished = { kinds: string[] | null; url: string | null; thresholds: Threshold[] };

export type Settings = Wished & {
  sealed_secret: Buffer | null;
  /** Why nothing is sent to the webhook any more. */
  disabled_reason: string | null;
  failing_since: Date | null;
  last_failed_at: Date | null;
  last_failure: string | null;
};

const NOTHING_SET: Settings = {
  kinds: null,
  url: null,
  thresholds: [],
  sealed_secret: null,
  disabled_reason: null,
  failing_since: null,
  last_failed_at: null,
  last_failure: null,
};

const columns = [
  ...(['kinds', 'url', 'sealed_secret', 'disabled_reason'] as const),
  ...(['failing_since', 'last_failed_at', 'last_failure'] as const),
];

export async function findSettings(db: Db, team_id: string): Promise<Settings> {
  const row = await db
    .selectFrom('alert_settings')
    .select(columns)
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  if (!row) return NOTHING_SET;
  const thresholds = await db
    .selectFrom('alert_thresholds')
    .select(['asset_code', 'asset_issuer', 'amount_stroops'])
    .where('team_id', '=', team_id)
    .orderBy('asset_code')
    .orderBy('asset_issuer')
    .execute();
  return { ...row, thresholds };
}

/** Locks and reads the settings of a team until the transaction ends, so that two changes come one after the other. */
export async function lockSettings(trx: Trx, team_id: string): Promise<Settings> {
  await trx
    .insertInto('alert_settings')
    .values({ team_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx
    .selectFrom('alert_settings')
    .select('team_id')
    .where('team_id', '=', team_id)
    .forUpdate()
    .execute();
  return findSettings(trx, team_id);
}

/** Replaces the settings. A webhook that was disabled or failing starts again, enabled and without failures. */
export async function replaceSettings(
  trx: Trx,
  team_id: string,
  { kinds, url, thresholds, sealed_secret }: Wished & { sealed_secret: Buffer | null },
): Promise<void> {
  const health = { disabled_reason: null, failing_since: null, last_failed_at: null, last_failure: null };
  await trx
    .updateTable('alert_settings')
    .set({ kinds, url, sealed_secret, ...health })
    .where('team_id', '=', team_id)
    .execute();
  await trx.deleteFrom('alert_thresholds').where('team_id', '=', team_id).execute();
  if (thresholds.length > 0)
    await trx
      .insertInto('alert_thresholds')
      .values(thresholds.map((threshold) => ({ team_id, ...threshold })))
      .execute();
}

export async function replaceSecret(trx: Trx, team_id: string, sealed_secret: Buffer): Promise<void> {
  await trx.updateTable('alert_settings').set({ sealed_secret }).where('team_id', '=', team_id).execute();
}

/** Where alerts are posted, and the sealed secret that signs them. */
export type Webhook = { url: string; sealed_secret: Buffer };

/**
 * Keeps a webhook that is replaced, or whose secret is, until `told_until`. At most `at_most` of a team, the oldest: otherwise some
 * more changes would push out the one that must be told. Returns its id; null when it is not kept.
 */
export async function keepOldWebhook(
  trx: Trx,
  team_id: string,
  {
    url,
    sealed_secret,
    now,
    told_until,
    at_most,
  }: Webhook & { now: Date; told_until: Date; at_most: number },
): Promise<bigint | null> {
  await trx.deleteFrom('alert_old_webhooks').where('told_until', '<=', now).execute();
  const { rows } = await sql<{ id: bigint }>`
    insert into alert_old_webhooks (team_id, url, sealed_secret, told_until)
    select ${team_id}, ${url}, ${sealed_secret}, ${told_until}
     where (select count(*) from alert_old_webhooks where team_id = ${team_id}) < ${at_most}
    returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

/** Returns the name under which the signing secret of a team is sealed. */
export function sealedFor(team_id: string): string {
  return `alerts of ${team_id}`;
}

const SEALED_FOR = "'alerts of ' || team_id"; // as `sealedFor`

export const sealedAlertSettings = sealedRows({
  kind: 'alert webhooks',
  table: 'alert_settings',
  column: 'sealed_secret',
  key: 'team_id',
  key_type: 'text',
  sealed_for: SEALED_FOR,
});

export const sealedOldAlertWebhooks = sealedRows({
  kind: 'replaced alert webhooks',
  table: 'alert_old_webhooks',
  column: 'sealed_secret',
  key: 'id',
  key_type: 'bigint',
  sealed_for: SEALED_FOR,
});

/** Returns the ids of the old webhooks of a team that still get alerts. */
export async function listOldWebhooks(db: Db, team_id: string, now: Date): Promise<bigint[]> {
  const rows = await db
    .selectFrom('alert_old_webhooks')
    .select('id')
    .where('team_id', '=', team_id)
    .where('told_until', '>', now)
    .execute();
  return rows.map(({ id }) => id);
}

export async function findOldWebhook(db: Db, id: bigint): Promise<Webhook | undefined> {
  return db
    .selectFrom('alert_old_webhooks')
    .select(['url', 'sealed_secret'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Records that the webhook has acknowledged an alert, and so fails no longer. */
export async function markHealthy(db: Db, team_id: string): Promise<void> {
  await db
    .updateTable('alert_settings')
    .set({ failing_since: null })
    .where('team_id', '=', team_id)
    .where('failing_since', 'is not', null)
    .execute();
}

export type Failure = {
  failing_since: Date;
  last_failed_at: Date;
  last_failure: string;
  disabled_reason: string | null;
};

export async function markFailing(trx: Trx, team_id: string, failure: Failure): Promise<void> {
  await trx.updateTable('alert_settings').set(failure).where('team_id', '=', team_id).execute();
}
