/** Pure: what contradicts "no wallet pays more than its limits allow, nor an asset for which it has none", in words. */
import type { Evidence, WalletLimits } from './evidence.ts';
import { refundIn } from './ledger.ts';

/** Shorter than the 24 hours by what the clocks of processes may be wrong, and a payment may wait. */
const WINDOW_SECONDS = 20n * 3_600n;

type Paid = { hash: string; asset: string; amount_stroops: bigint; close_time: bigint; successful: boolean };

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
function paidBy({ wallets, transactions, foreign, deposits }: Evidence, wallet_id: string): Paid[] {
  const account = wallets.find(({ id }) => id === wallet_id)?.account;
  return transactions
    .filter((one) => one.ledger > deposits.start_ledger && !foreign.includes(one.hash) && !refundIn(one))
    .flatMap(({ hash, payments, close_time, successful }) =>
      payments
        .filter(({ source }) => source === account)
        .map(({ asset, amount_stroops }) => ({ hash, asset, amount_stroops, close_time, successful })),
    );
}

/** Of what failed too: it was signed. */
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
    return own.flatMap(({ close_time }) => {
      const window = own.filter(
        (one) => one.close_time >= close_time && one.close_time < close_time + WINDOW_SECONDS,
      );
      const sum = window.reduce((total, { amount_stroops }) => total + amount_stroops, 0n);
      return sum <= max_rolling_24h_stroops
        ? []
        : [`wallet ${wallet_id} paid ${sum} of ${asset} in less than a day, more than its limit`];
    });
  });
}
