import type { Clock } from '../../lib/clock.ts';
import type { Anchor, LedgerRange, Stellar } from '../stellar.ts';

type WholeLedgers = Extract<LedgerRange, { read: 'ledgers' }>;

/** Long enough for whoever follows the ledgers to come by, and too short to be wrong about how far behind one is. */
const FRESH_MS = 5_000;

/**
 * Several follow the ledgers in one process, each at its own pace, and read each ledger once: who asks while the same
 * question is on its way gets that answer, who comes soon after gets the ledgers that were read last. They are final, but
 * of one chain: who knows another ledger before them asks anew.
 * No other answer is kept: that there is nothing new is no news a moment later.
 */
export function readOnce(read: Stellar['readLedgersAfter'], clock: Clock): Stellar['readLedgersAfter'] {
  const nowMs = () => clock.now().getTime();
  const asked = new Map<string, Promise<LedgerRange>>();
  let last: { after_ledger: number; range: WholeLedgers; until_ms: number } | null = null;

  return async (after_ledger, anchor) => {
    if (
      last?.after_ledger === after_ledger &&
      nowMs() < last.until_ms &&
      isOn(anchor, after_ledger, last.range)
    )
      return last.range;
    const question = `${after_ledger} ${anchor?.ledger} ${anchor?.hash}`;
    let reading = asked.get(question);
    if (!reading) {
      reading = read(after_ledger, anchor).finally(() => asked.delete(question));
      asked.set(question, reading);
    }
    const range = await reading;
    if (range.read === 'ledgers') last = { after_ledger, range, until_ms: nowMs() + FRESH_MS };
    return range;
  };
}

/** Whether these ledgers themselves show the anchor: where they do not, their source is to be asked. */
function isOn(anchor: Anchor | null, after_ledger: number, { hashes }: WholeLedgers): boolean {
  return anchor === null || hashes[anchor.ledger - after_ledger] === anchor.hash;
}
