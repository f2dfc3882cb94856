import type { Clock } from '../lib/clock.ts';
import type { LedgerRange } from './chain.ts';

type Read = (after_ledger: number) => Promise<LedgerRange>;

/** Long enough for whoever follows the ledgers to come by, and too short to be wrong about how far behind one is. */
const FRESH_MS = 5_000;

/**
 * Several follow the ledgers in one process, each at its own pace, and read each ledger once: who asks while the same
 * question is on its way gets that answer, who comes soon after gets the ledgers that were read last. They are final.
 * No other answer is kept: that there is nothing new is no news a moment later.
 */
export function readOnce(read: Read, clock: Clock): Read {
  const nowMs = () => clock.now().getTime();
  const asked = new Map<number, Promise<LedgerRange>>();
  let last: { after_ledger: number; range: LedgerRange; until_ms: number } | null = null;

  return async (after_ledger) => {
    if (last?.after_ledger === after_ledger && nowMs() < last.until_ms) return last.range;
    let reading = asked.get(after_ledger);
    if (!reading) {
      reading = read(after_ledger).finally(() => asked.delete(after_ledger));
      asked.set(after_ledger, reading);
    }
    const range = await reading;
    if (range.read === 'ledgers') last = { after_ledger, range, until_ms: nowMs() + FRESH_MS };
    return range;
  };
}
