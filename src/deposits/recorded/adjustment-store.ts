/** The only writer of adjustments: what others did to a wallet without paying it. */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { AdjustmentOperation, AdjustmentReason } from '../../stellar/credits/adjustment.ts';

export type Adjustment = Omit<Selectable<Tables['adjustments']>, 'reason' | 'operation'> & {
  reason: AdjustmentReason;
  operation: AdjustmentOperation;
};
export type NewAdjustment = Insertable<Tables['adjustments']>;

const columns = {
  id: 'text',
  wallet_id: 'text',
  asset_code: 'text',
  asset_issuer: 'text',
  reason: 'text',
  amount_stroops: 'bigint',
  operation: 'text',
  caused_by: 'text',
  stellar_tx_hash: 'text',
  operation_index: 'integer',
  event_index: 'integer',
  ledger: 'integer',
  created_at: 'timestamptz',
} as const;

/** Inserts adjustments and gives the new ones. Known adjustments stay unchanged. */
export async function insertAdjustments(trx: Trx, adjustments: NewAdjustment[]): Promise<Adjustment[]> {
  if (adjustments.length === 0) return [];
  const names = Object.keys(columns) as (keyof typeof columns)[];
  // One array per column, as for deposits: an issuer can claw back from thousands of wallets in a page of ledgers.
  const arrays = names.map((name) => {
    return sql`${adjustments.map((adjustment) => adjustment[name] ?? null)}::${sql.raw(columns[name])}[]`;
  });
  const { rows } = await sql<Adjustment>`
    insert into adjustments (${sql.join(names.map((name) => sql.ref(name)))})
    select * from unnest(${sql.join(arrays)})
    on conflict (stellar_tx_hash, operation_index, event_index, wallet_id) do nothing
    returning *`.execute(trx);
  return rows;
}

export async function findAdjustment(db: Db, wallet_id: string, id: string): Promise<Adjustment | undefined> {
  return db
    .selectFrom('adjustments')
    .selectAll()
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<Adjustment | undefined>;
}

export async function adjustmentsOfTransaction(
  db: Db,
  wallet_id: string,
  hash: string,
): Promise<Adjustment[]> {
  return db
    .selectFrom('adjustments')
    .selectAll()
    .where('stellar_tx_hash', '=', hash)
    .where('wallet_id', '=', wallet_id)
    .orderBy('operation_index')
    .orderBy('event_index')
    .execute() as Promise<Adjustment[]>;
}
