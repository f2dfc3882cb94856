/**
 * Reads ledgers along one chain of hashes. A source that is on another chain than the anchor has no answer for us, as one that
 * is silent has none: others are asked, and its ledgers never stand beside theirs.
 */
import { NoAnswer, OtherChain } from '../sources/answers.ts';
import type { Sources } from '../sources/fail-over.ts';
import type { Source, SourceRange } from '../sources/source.ts';
import type { Anchor, LedgerRange, Stellar } from '../stellar.ts';

const RANKS: Record<SourceRange['range']['read'], number> = { ledgers: 3, nothing_new: 2, gap: 1, reset: 0 };

/** `isStale`: whether a newest ledger of this time makes it worth asking another source too. */
export function ledgerReader(
  sources: Sources,
  isStale: (close_time: bigint) => boolean,
): Stellar['readLedgersAfter'] {
  return async (after_ledger, anchor) => {
    let elsewhere = false;
    const read = async (source: Source): Promise<SourceRange> => {
      try {
        return await readFrom(source, after_ledger, anchor);
      } catch (error) {
        elsewhere ||= error instanceof OtherChain;
        throw error;
      }
    };
    try {
      return await sources.ask<LedgerRange>(async (source) => {
        const { range, newest } = await read(source);
        const current = newest.sequence >= after_ledger && !isStale(newest.close_time);
        const doubtful = range.read !== 'ledgers' && !(range.read === 'nothing_new' && current);
        return { answer: range, rank: RANKS[range.read], doubtful };
      });
    } catch (error) {
      if (elsewhere) return { read: 'other_chain' };
      throw error;
    }
  };
}

async function readFrom(source: Source, after_ledger: number, anchor: Anchor | null): Promise<SourceRange> {
  if (anchor === null) return source.readLedgersAfter(after_ledger, null);
  if (anchor.ledger !== after_ledger) await proveToHave(source, anchor);
  return source.readLedgersAfter(after_ledger, anchor.ledger === after_ledger ? anchor.hash : null);
}

/** Where reading does not begin at the anchor. @throws OtherChain, NoAnswer when the source cannot show it */
async function proveToHave(source: Source, { ledger, hash }: Anchor): Promise<void> {
  const { range } = await source.readLedgersAfter(ledger - 1, null);
  if (range.read !== 'ledgers')
    throw new NoAnswer(`cannot show the ledger ${ledger} we know (${range.read})`);
  if (range.hashes[1] !== hash)
    throw new OtherChain('anchor', `another ledger ${ledger} than the one we know`);
}
