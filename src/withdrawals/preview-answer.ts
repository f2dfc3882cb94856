import type { AssetFields } from '../stellar/asset.ts';

export type Problem = { code: string; message: string };

export type Preview = AssetFields & {
  operation: 'payment' | 'create_account' | 'contract_transfer';
  destination_exists: boolean;
  memo_required: boolean;
  memo_satisfied: boolean;
  fee_stroops: bigint;
  fee_max_stroops: bigint;
  fee_paid_by: 'wallet' | 'treasury';
  balance_stroops: bigint;
  reserve_stroops: bigint;
  available_stroops: bigint;
  fee_available_stroops: bigint;
  /** Null where the destination has no limit. */
  room_stroops: bigint | null;
  /** Null when it would not be paid. */
  balance_after_stroops: bigint | null;
  would_send: boolean;
  problems: Problem[];
};

export function atLeastZero(stroops: bigint): bigint {
  return stroops > 0n ? stroops : 0n;
}
