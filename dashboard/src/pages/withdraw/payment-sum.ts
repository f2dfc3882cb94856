/** Pure: what a wallet has available before and after a payment, as figures that add up. */
import type { WithdrawalPreview } from '../../api/contract.ts';
import type { WithdrawalRequest } from './withdrawal-input.ts';

/** The last line is the sum of the others. Null: it cannot be told, because the payment would not be made. */
export type PaymentSum = { name: string; stroops: bigint | null }[];

/** Of an issued asset the fee is no line: it is paid in the native asset. */
export function paymentSum(
  { amount_stroops }: Pick<WithdrawalRequest, 'amount_stroops'>,
  preview: WithdrawalPreview,
): PaymentSum {
  const { available_stroops, balance_after_stroops, fee_max_stroops, fee_paid_by, asset_issuer } = preview;
  const left_stroops = available_stroops - amount_stroops;
  const lines = [
    { name: 'Available', stroops: available_stroops },
    { name: 'Amount', stroops: -amount_stroops },
  ];
  const isPossible = balance_after_stroops !== null && left_stroops >= 0n;
  if (asset_issuer !== null || fee_paid_by === 'treasury')
    return [...lines, { name: 'Available after', stroops: isPossible ? left_stroops : null }];
  // A wallet pays no more than it has.
  const fee_stroops = isPossible && left_stroops < fee_max_stroops ? left_stroops : fee_max_stroops;
  return [
    ...lines,
    { name: 'Network fee, at most', stroops: -fee_stroops },
    { name: 'Available after, at least', stroops: isPossible ? left_stroops - fee_stroops : null },
  ];
}
