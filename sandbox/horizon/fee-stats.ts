import { feeDistribution } from '../fee-distribution.ts';
import { previousOf } from '../network.ts';
import type { StellarNode } from '../node.ts';
import type { FeeRow } from '../store/history-query.ts';

const LEDGERS = 5;

/** The fees paid and offered for an operation in the last five ledgers, and how full these ledgers were. */
export function feeStats(node: StellarNode) {
  const { header } = node.latest;
  const rows = node.feeRows(LEDGERS);
  const perOperation = (of: (row: FeeRow) => bigint) =>
    feeDistribution(
      rows.map((row) => ceilOfQuotient(of(row), row.operation_count)),
      BigInt(header.baseFee),
    );
  return {
    last_ledger: `${header.ledgerSeq}`,
    last_ledger_base_fee: `${header.baseFee}`,
    ledger_capacity_usage: `${capacityUsage(node)}`,
    fee_charged: perOperation(({ fee_charged }) => fee_charged),
    max_fee: perOperation(({ max_fee }) => max_fee),
  };
}

/** Operations in the ledgers ÷ their capacity, in hundredths; 0 when they have no capacity. */
function capacityUsage(node: StellarNode): number {
  const ledgers = node.ledgers(node.latest.header.ledgerSeq, 'desc', LEDGERS);
  const used = ledgers.reduce((sum, ledger) => sum + node.counts(ledger).operations, 0);
  const capacity = ledgers.reduce((sum, ledger) => sum + previousOf(ledger).header.maxTxSetSize, 0);
  return capacity === 0 ? 0 : Math.round((used / capacity) * 100) / 100;
}

function ceilOfQuotient(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
