/** Fetches the next ledgers while the current ones are being recorded: at most one page, with one request. */
import type { Anchor, LedgerRange, Stellar } from '../../stellar/stellar.ts';

export type Prefetch = {
  /** Reads the ledgers after this one on the anchor's chain. Returns the prefetched ones if they are the right ones. */
  after(ledger: number, anchor: Anchor | null): Promise<LedgerRange>;
  /** Starts to fetch the ledgers after this one. */
  begin(after: Anchor): void;
  /** Discards the prefetched ledgers. Resolves when no request is under way any more. */
  drop(): Promise<void>;
};

export function createPrefetch(read: Stellar['readLedgersAfter']): Prefetch {
  let ahead: { after: Anchor; range: Promise<LedgerRange> } | null = null;

  async function drop(): Promise<void> {
    const dropped = ahead?.range;
    ahead = null;
    await dropped?.catch(() => undefined); // the result is not needed any more
  }

  return {
    async after(ledger, anchor) {
      const range = ahead && isAt(ahead.after, ledger, anchor) ? ahead.range : undefined;
      if (!range) await drop(); // another process has moved the cursor
      ahead = null;
      return range ?? read(ledger, anchor);
    },
    begin(after) {
      const range = read(after.ledger, after);
      range.catch(() => undefined); // `after` gives the rejection to its caller
      ahead = { after, range };
    },
    drop,
  };
}

function isAt(after: Anchor, ledger: number, anchor: Anchor | null): boolean {
  return after.ledger === ledger && anchor?.ledger === ledger && after.hash === anchor.hash;
}
