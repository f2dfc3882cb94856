/**
 * The events of withdrawals and of changes of trust lines. They are recorded in the transaction that changes the row, as its
 * last statements but those of the audit log (webhooks/events/enqueue.ts says why). A wallet whose endpoints have chosen none of
 * them costs one statement for each such transaction, however many rows it changes.
 */
import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import {
  type EventType,
  enqueueEvents,
  isToBeTold,
  type OutgoingEvent,
} from '../../webhooks/events/enqueue.ts';
import { showWithdrawal } from '../answers/schema.ts';
import { findWithdrawals } from '../engine/queries.ts';
import type { Withdrawal } from '../engine/store.ts';
import { assetAfter, isLineChange, type LinesRead } from '../trust-lines/told-assets.ts';
import { keyOfLine, newestChangesOf, type WalletLine } from '../trust-lines/trust-line-store.ts';

type Changed = Pick<Withdrawal, 'id'>;

const OUTCOMES: EventType[] = ['withdrawal.confirmed', 'withdrawal.failed', 'asset.changed'];

/**
 * Tells of the outcomes that the transaction has recorded for these rows. `read`: by `readLinesOf`, before the transaction;
 * without it the event of a trust line shows what the outcome proves.
 */
export async function tellOutcomes(
  trx: Trx,
  { config }: Pick<Deps, 'config'>,
  recorded: Changed[],
  { now, read = new Map() }: { now: Date; read?: LinesRead },
): Promise<void> {
  await tell(trx, recorded, OUTCOMES, async (rows) => {
    const lines = rows.filter(isLineChange).map(lineOf);
    const newest = await newestChangesOf(trx, lines);
    return rows.map((row) => {
      if (!isLineChange(row)) return outcomeEvent(row, now);
      const data = assetAfter({ config }, row, newest.get(keyOfLine(lineOf(row))) ?? row, read);
      const about = `${aboutOf(row)} ${row.status}`;
      const { wallet_id, traceparent } = row;
      return { wallet_id, type: 'asset.changed', about, deposit_id: null, data, traceparent, now };
    });
  });
}

/** Tells that these rows await approvals, which the transaction has just claimed. */
export async function tellAwaiting(trx: Trx, held: Changed[], now: Date): Promise<void> {
  await tell(trx, held, ['withdrawal.awaiting_approval'], async (rows) =>
    rows.map((row) => ({
      wallet_id: row.wallet_id,
      type: 'withdrawal.awaiting_approval',
      about: aboutOf(row),
      deposit_id: null,
      data: showWithdrawal(row),
      traceparent: row.traceparent,
      now,
    })),
  );
}

async function tell(
  trx: Trx,
  changed: Changed[],
  types: EventType[],
  eventsOf: (rows: Withdrawal[]) => Promise<OutgoingEvent[]>,
): Promise<void> {
  const ids = changed.map(({ id }) => id);
  const rows = await findWithdrawals(trx, ids, isToBeTold(sql.ref('withdrawals.wallet_id'), types));
  // In the order of the claims: so the numbers of the events do not depend on how a statement has read its rows.
  const in_order = [...rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await enqueueEvents(trx, await eventsOf(in_order));
}

function outcomeEvent(row: Withdrawal, now: Date): OutgoingEvent {
  const { wallet_id, status, traceparent } = row;
  assert(status === 'confirmed' || status === 'failed', 'its outcome was recorded just now');
  const type = `withdrawal.${status}` as const;
  const data = showWithdrawal(row);
  return { wallet_id, type, about: aboutOf(row), deposit_id: null, data, traceparent, now };
}

function lineOf({ wallet_id, asset_code, asset_issuer }: Withdrawal): WalletLine {
  return { wallet_id, asset_code, asset_issuer: asset_issuer ?? '' };
}

/**
 * Returns what an event is about: the key of the withdrawal, not its id. A restored copy of the database may give the key
 * another row.
 */
function aboutOf({ owner_id, idempotency_key }: Withdrawal): string {
  return `${owner_id} ${idempotency_key}`;
}
