/**
 * Reads ledgers along one chain of hashes. A source on another chain than the anchor counts as a source without an answer:
 * the next one is asked, and ledgers of two chains are never mixed.
 */
import { NoAnswer, OtherChain } from '../answers/answers.ts';
import type { Source, SourceRange } from '../answers/source.ts';
import type { Anchor, LedgerRange, Stellar, UnknownMet } from '../stellar.ts';
import type { Sources } from './fail-over.ts';

const RANKS: Record<SourceRange['range']['read'], number> = { ledgers: 3, nothing_new: 2, gap: 1, reset: 0 };
const NOTHING_NEW = { read: 'nothing_new' } as const;

/**
 * Creates the reader. `isStale`: whether another source is asked too when the newest ledger closed at this time. A source far below
 * `after_ledger` whose newest ledger is stale lags; a network that was reset closes ledgers now. `onUnknown`: called with what
 * proven ledgers have of later protocols.
 */
export function createLedgerReader(
  sources: Sources,
  isStale: (close_time: bigint) => boolean,
  onUnknown: (unknown: UnknownMet[]) => void = () => undefined,
): Stellar['readLedgersAfter'] {
  return async (after_ledger, anchor) => {
    let sawOtherChain = false;
    const read = async (source: Source): Promise<SourceRange> => {
      try {
        return await readFrom(source, after_ledger, anchor);
      } catch (error) {
        sawOtherChain ||= error instanceof OtherChain;
        throw error;
      }
    };
    try {
      return await sources.askLedgers<LedgerRange>(async (source) => {
        const { range: told, newest, unknown } = await read(source);
        if (unknown) onUnknown(unknown);
        const range = told.read === 'reset' && isStale(newest.close_time) ? NOTHING_NEW : told;
        const current = newest.sequence >= after_ledger && !isStale(newest.close_time);
        const doubtful = range.read !== 'ledgers' && !(range.read === 'nothing_new' && current);
        return { answer: range, rank: RANKS[range.read], doubtful };
      });
    } catch (error) {
      if (sawOtherChain) return { read: 'other_chain' };
      throw error;
    }
  };
}

async function readFrom(source: Source, after_ledger: number, anchor: Anchor | null): Promise<SourceRange> {
  if (anchor === null) return source.readLedgersAfter(after_ledger, null);
  if (anchor.ledger !== after_ledger) await requireAnchor(source, anchor);
  return source.readLedgersAfter(after_ledger, anchor.ledger === after_ledger ? anchor.hash : null);
}

/** Checks the anchor, for a read that does not begin there. @throws OtherChain; NoAnswer when the source does not have the ledger */
async function requireAnchor(source: Source, { ledger, hash }: Anchor): Promise<void> {
  const { range } = await source.readLedgersAfter(ledger - 1, null);
  if (range.read !== 'ledgers')
    throw new NoAnswer(`cannot show the ledger ${ledger} we know (${range.read})`);
  if (range.hashes[1] !== hash)
    throw new OtherChain('anchor', `another ledger ${ledger} than the one we know`);
}
