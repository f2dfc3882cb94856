import type { Db } from '../../db/database.ts';
import { foreseeStarts } from '../policies/policy-check.ts';
import { countRows } from './payout-row-store.ts';
import { type ShownPayout, showPayout } from './payout-schema.ts';
import type { Payout } from './payout-store.ts';

/**
 * Shows payouts of a wallet as responses have them, in the same order. A draft tells which approvals its start would ask for
 * now, so that nobody starts a payout in the belief that it pays at once. Locks nothing; call it outside of transactions.
 */
export async function showPayouts(
  db: Db,
  { wallet_id, payouts }: { wallet_id: string; payouts: Payout[] },
  now: Date,
): Promise<ShownPayout[]> {
  const counted = await countRows(
    db,
    payouts.map(({ id }) => id),
  );
  const shown = payouts.map((payout) => showPayout(payout, counted));
  const drafts = shown.filter(({ status }) => status === 'draft');
  const needed = await foreseeStarts(db, { wallet_id, payouts: drafts.map(({ totals }) => totals) }, now);
  const approvals_of = new Map(drafts.map(({ id }, index) => [id, needed[index]]));
  return shown.map((payout) => ({ ...payout, ...approvals_of.get(payout.id) }));
}
