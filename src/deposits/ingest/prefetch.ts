/** Fetches the next ledgers while those before them are being recorded: at most one page, and one request. */
import type { Anchor, LedgerRange, Stellar } from '../../stellar/stellar.ts';

export type Prefetch = {
  /** The ledgers after this one, of the anchor's chain: those that were fetched ahead, when it is these. */
  after(ledger: number, anchor: Anchor | null): Promise<LedgerRange>;
  /** Begins to fetch the ledgers after this one. */
  begin(after: Anchor): void;
  /** Forgets what was fetched. Afterwards no request of this is under way. */
  drop(): Promise<void>;
};

export function createPrefetch(read: Stellar['readLedgersAfter']): Prefetch {
  let ahead: { after: Anchor; range: Promise<LedgerRange> } | null = null;

  async function drop(): Promise<void> {
    const dropped = ahead?.range;
    ahead = null;
    await dropped?.catch(() => undefined); // nobody wants to know any more
  }

  return {
    async after(ledger, anchor) {
      const range = ahead && isAt(ahead.after, ledger, anchor) ? ahead.range : undefined;
      if (!range) await drop(); // the cursor is elsewhere: another process has moved it
      ahead = null;
      return range ?? read(ledger, anchor);
    },
    begin(after) {
      const range = read(after.ledger, after);
      range.catch(() => undefined); // it is told to whoever asks for it
      ahead = { after, range };
    },
    drop,
  };
}

function isAt(after: Anchor, ledger: number, anchor: Anchor | null): boolean {
  return after.ledger === ledger && anchor?.ledger === ledger && after.hash === anchor.hash;
}
