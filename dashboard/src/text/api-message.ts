/** Pure: API messages for readers, with units for stroops and local time for UTC. */
import { formatDateTime } from './date-time.ts';
import { formatUnits } from './money.ts';

/**
 * `at most 12.5 XLM` for `at most 125000000 stroops`; times in the reader's time zone. `unit`: of the asset that the
 * message is about.
 */
export function readableMessage(message: string, unit = 'XLM'): string {
  return message
    .replace(/\b([0-9]+) stroops?\b/g, (_whole, stroops: string) => `${formatUnits(BigInt(stroops))} ${unit}`)
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => formatDateTime(at, true));
}
