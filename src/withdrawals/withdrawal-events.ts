/**
 * The events of withdrawals and of changes of trust lines. They are recorded in the transaction that changes the row, as its
 * last statements but those of the audit log (webhooks/enqueue.ts says why). A wallet whose endpoints have chosen none of
 * them costs one statement for each such transaction, however many rows it changes.
 */
import { strict as assert } from 'node:assert';
import type { Trx } from '../db/database.ts';
import {
  assetChanged,
  type EventType,
  enqueueEvents,
  type OutgoingEvent,
  walletsToTell,
} from '../webhooks/enqueue.ts';
import { findWithdrawals } from './engine/queries.ts';
import type { Withdrawal } from './engine/store.ts';
import { showWithdrawal } from './schema.ts';

type Changed = Pick<Withdrawal, 'id' | 'wallet_id'>;

const OUTCOMES: EventType[] = ['withdrawal.confirmed', 'withdrawal.failed', 'asset.changed'];

/** Tells of the outcomes that the transaction has recorded for these rows. */
export async function tellOutcomes(trx: Trx, recorded: Changed[], now: Date): Promise<void> {
  await tell(trx, recorded, OUTCOMES, (row) => outcomeEvent(row, now));
}

/** Tells that these rows await approvals, which the transaction has just claimed. */
export async function tellAwaiting(trx: Trx, held: Changed[], now: Date): Promise<void> {
  await tell(trx, held, ['withdrawal.awaiting_approval'], (row) => ({
    ...{
      wallet_id: row.wallet_id,
      type: 'withdrawal.awaiting_approval',
      about: aboutOf(row),
      deposit_id: null,
    },
    ...{ data: showWithdrawal(row), now },
  }));
}

async function tell(
  trx: Trx,
  changed: Changed[],
  types: EventType[],
  eventOf: (row: Withdrawal) => OutgoingEvent,
): Promise<void> {
  const wallets = await walletsToTell(
    trx,
    changed.map(({ wallet_id }) => wallet_id),
    types,
  );
  const ids = changed.filter(({ wallet_id }) => wallets.has(wallet_id)).map(({ id }) => id);
  const rows = await findWithdrawals(trx, ids);
  // In the order of the claims: so the numbers of the events do not depend on how a statement has read its rows.
  await enqueueEvents(trx, [...rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(eventOf));
}

function outcomeEvent(row: Withdrawal, now: Date): OutgoingEvent {
  const { wallet_id, status } = row;
  assert(status === 'confirmed' || status === 'failed', 'its outcome was recorded just now');
  if (row.operation === 'add_trust_line' || row.operation === 'remove_trust_line')
    return assetChanged({
      ...{ wallet_id, about: `${aboutOf(row)} ${status}`, now },
      ...{ asset_code: row.asset_code, asset_issuer: row.asset_issuer ?? '' },
      change: CHANGE_OF[row.operation][status],
      failure:
        row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
      ...{ caused_by: null, stellar_tx_hash: row.stellar_tx_hash, ledger: row.ledger },
    });
  const type = `withdrawal.${status}` as const;
  return { wallet_id, type, about: aboutOf(row), deposit_id: null, data: showWithdrawal(row), now };
}

const CHANGE_OF = {
  add_trust_line: { confirmed: 'added', failed: 'addition_failed' },
  remove_trust_line: { confirmed: 'removed', failed: 'removal_failed' },
} as const;

/** By its key, not by its id: a restored copy may give the key another row. */
function aboutOf({ owner_id, idempotency_key }: Withdrawal): string {
  return `${owner_id} ${idempotency_key}`;
}
