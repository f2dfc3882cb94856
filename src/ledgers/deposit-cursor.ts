/** The only writer of deposit_cursor and deposit_positions. */
import { strict as assert } from 'node:assert';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { readStart } from '../db/installation.ts';
import type { Tables } from '../db/tables.ts';
import type { Anchor } from '../stellar/stellar.ts';

export type DepositCursor = Pick<
  Selectable<Tables['deposit_cursor']>,
  'ledger' | 'ledger_hash' | 'close_time' | 'stop_reason' | 'updated_at'
>;

/** A processed ledger: its number, its hash (hex), and its close time in Unix seconds. */
export type DepositPosition = Selectable<Tables['deposit_positions']>;

/** More ledgers than Stellar RPC keeps by default (120,960): earlier ones cannot be read there again. */
const KEPT_LEDGERS = 121_000;

/** Returns the ledger that the next ones must follow by its hash; null where the hash is not known. */
export function anchorOf({
  ledger,
  ledger_hash: hash,
}: Pick<DepositCursor, 'ledger' | 'ledger_hash'>): Anchor | null {
  return hash === null ? null : { ledger, hash };
}

/** Reads the last ledger whose deposits are committed. A new cursor begins at the installation's first ledger. */
export async function readDepositCursor(db: Db): Promise<DepositCursor> {
  const found = await findDepositCursor(db);
  if (found) return found;
  await db
    .insertInto('deposit_cursor')
    .values(await readStart(db))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const created = await findDepositCursor(db);
  assert(created, 'the row is there, made here or by another process');
  return created;
}

export async function findDepositCursor(db: Db): Promise<DepositCursor | undefined> {
  return db
    .selectFrom('deposit_cursor')
    .select(['ledger', 'ledger_hash', 'close_time', 'stop_reason', 'updated_at'])
    .executeTakeFirst();
}

type From = Pick<DepositCursor, 'ledger' | 'ledger_hash'>;

/**
 * Moves the cursor. Returns false, and changes nothing, when the cursor is no longer at `from`, by number and by hash: another process has
 * moved it, or an operator has rewound it and it is now at another ledger with the same number.
 */
export async function moveDepositCursor(
  trx: Trx,
  { from, to, now }: { from: From; to: DepositPosition; now: Date },
): Promise<boolean> {
  if (!(await setDepositCursor(trx, { from, to, now }))) return false;
  const { ledger } = to;
  await sql`
    with forgotten as (delete from deposit_positions where ledger < ${ledger - KEPT_LEDGERS}::int)
    insert into deposit_positions ${sql.raw('(ledger, ledger_hash, close_time)')}
    values (${ledger}, ${to.ledger_hash}, ${to.close_time})
    on conflict (ledger) do update set ledger_hash = excluded.ledger_hash, close_time = excluded.close_time`.execute(
    trx,
  );
  return true;
}

async function setDepositCursor(
  trx: Trx,
  {
    from,
    to,
    now,
  }: { from: From; to: Omit<DepositPosition, 'close_time'> & Pick<DepositCursor, 'close_time'>; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deposit_cursor')
    .set({ ...to, stop_reason: null, updated_at: now })
    .where('ledger', '=', from.ledger)
    .where('ledger_hash', 'is not distinct from', from.ledger_hash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Reads the close times of these ledgers. Where a step has read several ledgers at once, that of its last one: while the service catches
 * up, a time may be that much too late.
 */
export async function closeTimesOf(db: Db, ledgers: number[]): Promise<Map<number, bigint>> {
  const { rows } = await sql<{ ledger: number; close_time: bigint }>`
    select asked.ledger, position.close_time
      from unnest(${ledgers}::int[]) as asked (ledger)
     cross join lateral (select close_time from deposit_positions
                          where deposit_positions.ledger >= asked.ledger order by ledger limit 1) position`.execute(
    db,
  );
  return new Map(rows.map(({ ledger, close_time }) => [ledger, close_time]));
}

/** A position to rewind to. The installation's first ledger has no close time. */
export type KeptPosition = Omit<DepositPosition, 'close_time'> & { close_time: bigint | null };

/** Reads the positions up to `ledger`, oldest first, with the installation's first ledger at the head. */
export async function keptPositions(db: Db, ledger: number): Promise<KeptPosition[]> {
  const kept = await db
    .selectFrom('deposit_positions')
    .select(['ledger', 'ledger_hash', 'close_time'])
    .where('ledger', '<=', ledger)
    .orderBy('ledger')
    .execute();
  const start = await readStart(db);
  const is_first = start.ledger <= ledger && !kept.some((position) => position.ledger === start.ledger);
  return is_first ? [{ ...start, close_time: null }, ...kept] : kept;
}

/** Rewinds the cursor to `to` and forgets later positions. False, and nothing is changed, when it is no longer at `from`. */
export async function rewindCursor(
  trx: Trx,
  { from, to, now }: { from: From; to: KeptPosition; now: Date },
): Promise<boolean> {
  if (!(await setDepositCursor(trx, { from, to, now }))) return false;
  await trx.deleteFrom('deposit_positions').where('ledger', '>', to.ledger).execute();
  return true;
}

/** Records why the cursor stands still at ledger `from`, or null. Changes nothing when the cursor has moved since. */
export async function recordDepositStopReason(
  db: Db,
  from: number,
  stop_reason: string | null,
): Promise<void> {
  await db.updateTable('deposit_cursor').set({ stop_reason }).where('ledger', '=', from).execute();
}
