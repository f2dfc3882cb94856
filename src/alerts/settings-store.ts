/** The only writer of alert_settings and alert_thresholds. */
import type { Db, Trx } from '../db/database.ts';
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

/** The row stays locked until the transaction ends, so that two changes come one after the other. */
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

/** A webhook that was disabled or failing begins anew. */
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

/** The webhook has acknowledged an alert. */
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
