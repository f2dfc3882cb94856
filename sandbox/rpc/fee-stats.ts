import type { RpcMethod } from './context.ts';

/** stellar-rpc's default windows, in ledgers. */
const CLASSIC_WINDOW = 10;
const SOROBAN_WINDOW = 50;

const PERCENTILES = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99] as const;

/** Fees charged for each operation in the last ledgers. With no transactions in them every figure is "0". */
export const getFeeStats: RpcMethod = (_params, { node }) => {
  const latest = node.latest.header.ledgerSeq;
  const ledgerCount = Math.min(CLASSIC_WINDOW, latest);
  const fees = node.fees(ledgerCount);
  return {
    sorobanInclusionFee: distribution([], Math.min(SOROBAN_WINDOW, latest)),
    inclusionFee: distribution(fees, ledgerCount),
    latestLedger: latest,
  };
};

/** @param fees ascending, in stroops; without any, stellar-rpc also counts no ledgers */
function distribution(fees: bigint[], ledgerCount: number) {
  const at = (index: number) => (fees[index] ?? 0n).toString();
  const percentiles = PERCENTILES.map((percent) => {
    const rank = Math.max(1, Math.ceil((fees.length * percent) / 100));
    return [`p${percent}`, at(rank - 1)] as const;
  });
  return {
    max: at(fees.length - 1),
    min: at(0),
    mode: mode(fees).toString(),
    ...Object.fromEntries(percentiles),
    transactionCount: fees.length.toString(),
    ledgerCount: fees.length === 0 ? 0 : ledgerCount,
  };
}

function mode(fees: bigint[]): bigint {
  const counts = new Map<bigint, number>();
  let best = 0n;
  for (const fee of fees) {
    const count = (counts.get(fee) ?? 0) + 1;
    counts.set(fee, count);
    if (count > (counts.get(best) ?? 0)) best = fee;
  }
  return best;
}
