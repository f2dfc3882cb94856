/** Fetches the next ledgers while those before them are being recorded: at most one page, and one request. */
import type { Chain, LedgerRange } from '../chain/chain.ts';

export type LookAhead = {
  /** The ledgers after this one: those that were fetched ahead, when it is these. */
  after(ledger: number): Promise<LedgerRange>;
  /** Begins to fetch the ledgers after this one. */
  begin(ledger: number): void;
  /** Forgets what was fetched. Afterwards no request of this is under way. */
  drop(): Promise<void>;
};

export function createLookAhead(read: Chain['readLedgersAfter']): LookAhead {
  let ahead: { ledger: number; range: Promise<LedgerRange> } | null = null;

  async function drop(): Promise<void> {
    const dropped = ahead?.range;
    ahead = null;
    await dropped?.catch(() => undefined); // nobody wants to know any more
  }

  return {
    async after(ledger) {
      const range = ahead?.ledger === ledger ? ahead.range : undefined;
      if (!range) await drop(); // the cursor is elsewhere: another process has moved it
      ahead = null;
      return range ?? read(ledger);
    },
    begin(ledger) {
      const range = read(ledger);
      range.catch(() => undefined); // it is told to whoever asks for it
      ahead = { ledger, range };
    },
    drop,
  };
}
