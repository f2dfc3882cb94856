/** Pure: which rows of a payout are shown, as a search parameter: it survives a reload and can be shared. */
import type { PayoutRow } from '../../api/contract.ts';
import { ROW_STATUSES } from './status-words.ts';

export type PayoutSearch = { status?: PayoutRow['status'] | 'all' };

/** Ignores parameters that are unknown or invalid. */
export function readPayoutSearch({ status }: Record<string, unknown>): PayoutSearch {
  const known = (['all', ...ROW_STATUSES] as const).find((each) => each === status);
  return known === undefined ? {} : { status: known };
}
