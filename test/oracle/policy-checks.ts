/** Pure: what contradicts "no wallet pays more than its limits allow, nor an asset for which it has none", in words. */
import type { Evidence, WalletLimits } from './evidence.ts';
import { refundIn } from './ledger.ts';

/** Shorter than the 24 hours by what the clocks of processes may be wrong. */
const WINDOW_MS = 23 * 3_600_000;

/** `counted_ms`: when it began to count, which is not when the ledger had it: processes may have been away for days. */
type Paid = { hash: string; asset: string; amount_stroops: bigint; counted_ms: number; successful: boolean };

export function policyViolations(evidence: Evidence): string[] {
  return evidence.limits.flatMap((limits) => {
    const paid = paidBy(evidence, limits.wallet_id);
    return [
      ...paid.flatMap((one) => paymentViolations(limits, one)),
      // What an older copy of the database has forgotten it cannot count.
      ...(evidence.restored ? [] : sumViolations(limits, paid)),
    ];
  });
}

/** In the order of the ledger. A refund is what somebody has paid in. */
function paidBy({ wallets, transactions, foreign, deposits, rows }: Evidence, wallet_id: string): Paid[] {
  const counted = new Map(rows.map(({ inner_tx_hash, counted_ms }) => [inner_tx_hash, counted_ms]));
  const account = wallets.find(({ id }) => id === wallet_id)?.account;
  return transactions
    .filter((one) => one.ledger > deposits.start_ledger && !foreign.includes(one.hash) && !refundIn(one))
    .flatMap(({ hash, inner_hash, payments, close_time, successful }) => {
      const counted_ms = counted.get(inner_hash) ?? Number(close_time) * 1000;
      return payments
        .filter(({ source }) => source === account)
        .map(({ asset, amount_stroops }) => ({ hash, asset, amount_stroops, counted_ms, successful }));
    });
}

/** Checks failed payments too, because they were signed. */
function paymentViolations(
  { wallet_id, assets }: WalletLimits,
  { hash, asset, amount_stroops }: Paid,
): string[] {
  const limit = assets.find((one) => one.asset === asset);
  if (!limit) return [`${hash} pays ${asset} from wallet ${wallet_id}, which has limits and none for it`];
  return amount_stroops <= limit.max_withdrawal_stroops
    ? []
    : [`${hash} pays ${amount_stroops} from wallet ${wallet_id}, more than its limit`];
}

function sumViolations({ wallet_id, assets }: WalletLimits, paid: Paid[]): string[] {
  return assets.flatMap(({ asset, max_rolling_24h_stroops }) => {
    const own = paid.filter((one) => one.asset === asset && one.successful);
    return own.flatMap(({ counted_ms }) => {
      const window = own.filter(
        (one) => one.counted_ms >= counted_ms && one.counted_ms < counted_ms + WINDOW_MS,
      );
      const sum = window.reduce((total, { amount_stroops }) => total + amount_stroops, 0n);
      return sum <= max_rolling_24h_stroops
        ? []
        : [`wallet ${wallet_id} paid ${sum} of ${asset} in less than a day, more than its limit`];
    });
  });
}
