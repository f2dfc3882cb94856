import { previousOf } from '../network.ts';
import type { StellarNode } from '../node.ts';
import type { FeeRow } from '../store/history-query.ts';

const LEDGERS = 5;
const PERCENTILES = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99];

/** What the last five ledgers' transactions paid for an operation, what they had offered, and how full they were. */
export function feeStats(node: StellarNode) {
  const { header } = node.latest;
  const rows = node.feeRows(LEDGERS);
  const perOperation = (of: (row: FeeRow) => bigint) =>
    distribution(
      rows.map((row) => ceilOfQuotient(of(row), row.operation_count)),
      header.baseFee,
    );
  return {
    last_ledger: `${header.ledgerSeq}`,
    last_ledger_base_fee: `${header.baseFee}`,
    ledger_capacity_usage: `${capacityUsage(node)}`,
    fee_charged: perOperation(({ fee_charged }) => fee_charged),
    max_fee: perOperation(({ max_fee }) => max_fee),
  };
}

/** Operations in the ledgers ÷ operations that they could have had, in hundredths; 0 when they could have none. */
function capacityUsage(node: StellarNode): number {
  const ledgers = node.ledgers(node.latest.header.ledgerSeq, 'desc', LEDGERS);
  const used = ledgers.reduce((sum, ledger) => sum + node.counts(ledger).operations, 0);
  const capacity = ledgers.reduce((sum, ledger) => sum + previousOf(ledger).header.maxTxSetSize, 0);
  return capacity === 0 ? 0 : Math.round((used / capacity) * 100) / 100;
}

function ceilOfQuotient(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Without any transactions everything is the base fee. */
function distribution(fees: bigint[], baseFee: number): Record<string, string> {
  const sorted = (fees.length === 0 ? [BigInt(baseFee)] : fees).toSorted((a, b) => (a < b ? -1 : 1));
  const at = (index: number) => `${sorted[index]}`;
  const percentiles = PERCENTILES.map(
    (percent) => [`p${percent}`, at(Math.ceil((sorted.length * percent) / 100) - 1)] as const,
  );
  return {
    max: at(sorted.length - 1),
    min: at(0),
    mode: mostFrequent(sorted),
    ...Object.fromEntries(percentiles),
  };
}

function mostFrequent(sorted: bigint[]): string {
  const groups = [...Map.groupBy(sorted, (fee) => fee).values()];
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best));
  return `${largest[0]}`;
}
