import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** A deposit, an adjustment, or a withdrawal with an outcome. `operation_index` and `event_index` are 0 for a withdrawal. */
export type RecordedMovement = {
  kind: 'deposit' | 'adjustment' | 'withdrawal';
  id: string;
  wallet_id: string;
  stellar_tx_hash: string;
  ledger: number;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  operation_index: number;
  event_index: number;
};

/** Reads the deposits, adjustments and settled withdrawals in ledgers after this one, in the order of the ledgers. */
export async function movementsAfter(db: Db, ledger: number): Promise<RecordedMovement[]> {
  const { rows } = await sql<RecordedMovement>`
    select 'deposit' as kind, id, wallet_id, stellar_tx_hash, ledger, asset_code, asset_issuer, amount_stroops,
           operation_index, event_index
      from deposits where ledger > ${ledger}::int
    union all
    select 'adjustment', id, wallet_id, stellar_tx_hash, ledger, asset_code, asset_issuer, amount_stroops,
           operation_index, event_index
      from adjustments where ledger > ${ledger}::int
    union all
    select 'withdrawal', id, wallet_id, stellar_tx_hash, ledger, asset_code, asset_issuer, amount_stroops, 0, 0
      from withdrawal_movements where ledger > ${ledger}::int
    order by ledger, id`.execute(db);
  return rows;
}
