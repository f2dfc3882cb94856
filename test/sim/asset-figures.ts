/** What many runs came to with issued assets and trust lines. */
import { comparedSums } from '../oracle/book-checks.ts';
import type { Evidence } from '../oracle/evidence.ts';
import { countsOf } from './treasury-figures.ts';

export type AssetFigures = {
  counts: Record<string, number>;
  /** Withdrawals of issued assets that failed on the ledger, and requests that were refused, by their codes. */
  reasons: Record<string, number>;
  /** Requests for trust lines, by what was answered. */
  answers: Record<string, number>;
};

export function noAssetFigures(): AssetFigures {
  return { counts: {}, reasons: {}, answers: {} };
}

export function assetFigures(evidence: Evidence): AssetFigures {
  const { rows, trust_lines, calls, asset_calls, deposits, transactions } = evidence;
  const issued = rows.filter(({ asset_issuer }) => asset_issuer !== null);
  const paid = issued.filter(({ status }) => status === 'confirmed');
  const failed = issued.filter(({ status }) => status === 'failed');
  const received = deposits.rows.filter(({ asset_issuer }) => asset_issuer !== null);
  const lines = (wanted: string) =>
    trust_lines.filter(({ operation, status }) => operation === wanted && status === 'confirmed').length;
  const own = new Set(evidence.wallets.map(({ account }) => account));
  const taken_back = transactions.flatMap(({ successful, clawbacks }) =>
    successful ? clawbacks.filter(({ account }) => own.has(account)) : [],
  );
  const refused = calls.filter(
    ({ order, answer }) => order.asset !== 'native' && answer !== null && answer.status === 422,
  );
  return {
    counts: {
      paid: paid.length,
      failed: failed.length,
      received: received.length,
      refunded: paid.filter(({ refund_of }) => refund_of !== null).length,
      to_issuers: paid.filter(({ destination, asset_issuer }) => destination === asset_issuer).length,
      clawbacks: taken_back.length,
      line_changes: evidence.adjustments.filter(({ amount_stroops }) => amount_stroops === 0n).length,
      lines_added: lines('add_trust_line'),
      lines_removed: lines('remove_trust_line'),
      lines_failed: trust_lines.filter(({ status }) => status === 'failed').length,
      sums_compared: comparedSums(evidence),
    },
    reasons: countsOf([
      ...failed.map(({ failure_code }) => failure_code ?? 'none'),
      ...refused.map(({ answer }) => answer?.code ?? ''),
    ]),
    answers: countsOf(
      asset_calls.map(
        ({ wish, answer }) => `${wish}_${answer === null ? 'lost' : `${answer.status}_${answer.code}`}`,
      ),
    ),
  };
}
