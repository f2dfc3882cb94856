const PERCENTILES = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99] as const;

/**
 * The fee statistics for an operation, in the format that Horizon and RPC share.
 * @param fees in stroops, in any order
 * @param whenNone the value of every figure when there are no fees
 */
export function feeDistribution(fees: bigint[], whenNone: bigint): Record<string, string> {
  const sorted = (fees.length === 0 ? [whenNone] : fees).toSorted((a, b) => (a < b ? -1 : 1));
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

/** If several fees are equally frequent, the lowest of them. */
function mostFrequent(sorted: bigint[]): string {
  const groups = [...Map.groupBy(sorted, (fee) => fee).values()];
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best));
  return `${largest[0]}`;
}
