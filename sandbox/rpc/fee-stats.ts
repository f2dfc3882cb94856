import { feeDistribution } from '../fee-distribution.ts';
import type { RpcMethod } from './context.ts';

/** Default windows of stellar-rpc, in ledgers. */
const CLASSIC_WINDOW = 10;
const SOROBAN_WINDOW = 50;

/** Fees charged for each operation in the last ledgers. Without transactions, every figure is "0". */
export const getFeeStats: RpcMethod = (_params, { node }) => {
  const latest = node.latest.header.ledgerSeq;
  const ledgerCount = Math.min(CLASSIC_WINDOW, latest);
  const fees = node.fees(ledgerCount, 'classic');
  const contractCount = Math.min(SOROBAN_WINDOW, latest);
  return {
    sorobanInclusionFee: distribution(node.fees(contractCount, 'contract'), contractCount),
    inclusionFee: distribution(fees, ledgerCount),
    latestLedger: latest,
  };
};

/** Without fees, stellar-rpc counts no ledgers either. */
function distribution(fees: bigint[], ledgerCount: number) {
  return {
    ...feeDistribution(fees, 0n),
    transactionCount: fees.length.toString(),
    ledgerCount: fees.length === 0 ? 0 : ledgerCount,
  };
}
