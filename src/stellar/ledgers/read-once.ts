import type { Clock } from '../../lib/clock.ts';
import type { Anchor, LedgerRange, Stellar, WholeLedgers } from '../stellar.ts';

/** Long enough for every reader of the process to ask; short enough that `newest_ledger` stays true. */
const FRESH_MS = 5_000;

/**
 * Lets several readers in one process share each read of ledgers. Concurrent equal calls share one request. The last
 * ledgers are kept for FRESH_MS, for callers whose anchor is on their chain. Other answers are not kept: they change.
 */
export function readOnce(read: Stellar['readLedgersAfter'], clock: Clock): Stellar['readLedgersAfter'] {
  const nowMs = () => clock.now().getTime();
  const underWay = new Map<string, Promise<LedgerRange>>();
  let last: { after_ledger: number; range: WholeLedgers; until_ms: number } | null = null;

  return async (after_ledger, anchor) => {
    if (
      last?.after_ledger === after_ledger &&
      nowMs() < last.until_ms &&
      isOn(anchor, after_ledger, last.range)
    )
      return last.range;
    const question = `${after_ledger} ${anchor?.ledger} ${anchor?.hash}`;
    let answer = underWay.get(question);
    if (!answer) {
      answer = read(after_ledger, anchor).finally(() => underWay.delete(question));
      underWay.set(question, answer);
    }
    const range = await answer;
    if (range.read === 'ledgers') last = { after_ledger, range, until_ms: nowMs() + FRESH_MS };
    return range;
  };
}

/** Returns true when these ledgers have the anchor's hash. If they do not, the source must be asked. */
function isOn(anchor: Anchor | null, after_ledger: number, { hashes }: WholeLedgers): boolean {
  return anchor === null || hashes[anchor.ledger - after_ledger] === anchor.hash;
}
