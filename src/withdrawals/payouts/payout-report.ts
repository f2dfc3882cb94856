/** What a check has found of a payout, before anything is kept. */
import type { AssetFields } from '../../stellar/asset.ts';
import type { NeededApprovals } from '../policies/approval-rules.ts';
import type { ReadColumn } from './csv-header.ts';
import type { Problem } from './problems.ts';
import type { RowReading } from './read-given.ts';
import type { ReadRow } from './read-rows.ts';

export type LargestRow = AssetFields &
  Pick<ReadRow, 'number' | 'line' | 'destination' | 'amount_stroops' | 'reference'>;

/** `available_stroops`: what the wallet could pay of the asset now; null when that was not read. */
export type Total = AssetFields & {
  rows: number;
  amount_stroops: bigint;
  available_stroops: bigint | null;
  largest_row: LargestRow;
};

/**
 * `errors`, `warnings` and `readings` name the first ones only; the counts are of all. `fee_stroops`: the least that all rows cost.
 * `new_payees`: destinations that the wallet has never paid.
 */
export type PayoutReport = NeededApprovals & {
  rows: number;
  totals: Total[];
  fee_stroops: bigint;
  fee_paid_by: 'wallet' | 'treasury';
  errors: Problem[];
  error_count: number;
  warnings: Problem[];
  warning_count: number;
  needs_confirmation: boolean;
  readings: RowReading[];
  reading_count: number;
  columns: ReadColumn[];
  has_made_keys: boolean;
  new_payees: Set<string>;
  sample: ReadRow[];
};
