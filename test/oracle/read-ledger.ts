/** Reads the ledgers of a node over JSON-RPC, from its oldest to its newest, and remembers what it has read. */
import { balanceChangesIn, lineChangesIn, lineSponsorsIn } from './balance-changes.ts';
import { type AppliedTransaction, transactionsIn } from './ledger.ts';

export type LedgerReading = {
  latest_ledger: number;
  /** Unix seconds. */
  latest_close_time: bigint;
  /** In the order of application. */
  transactions: AppliedTransaction[];
};

const PAGE = 200;

/** @returns a function that reads on to the newest ledger and gives all that was read so far */
export function createLedgerReader(rpc_url: string, passphrase: string): () => Promise<LedgerReading> {
  const transactions: AppliedTransaction[] = [];
  let next = 1;
  let reading: Promise<LedgerReading> | null = null;

  async function readOn(): Promise<LedgerReading> {
    for (;;) {
      const { oldestLedger, latestLedger } = await ask(rpc_url, 'getHealth', {});
      next = Math.max(next, oldestLedger);
      const startLedger = Math.min(next, latestLedger);
      const page = await ask(rpc_url, 'getLedgers', { startLedger, pagination: { limit: PAGE } });
      for (const { sequence, metadataXdr } of page.ledgers) {
        if (sequence < next) continue;
        transactions.push(...bothReadings(Buffer.from(metadataXdr, 'base64'), passphrase));
        next = sequence + 1;
      }
      if (next <= page.latestLedger) continue;
      const latest_close_time = BigInt(page.latestLedgerCloseTime);
      return { latest_ledger: page.latestLedger, latest_close_time, transactions };
    }
  }

  // One reading at a time: two would note the same ledger twice.
  return () => {
    reading ??= readOn().finally(() => {
      reading = null;
    });
    return reading;
  };
}

/** @param metadata the bytes of a LedgerCloseMeta */
export function bothReadings(
  metadata: Buffer,
  passphrase: string,
  isWanted: (account: string) => boolean = () => true,
): AppliedTransaction[] {
  const changes = balanceChangesIn(metadata);
  const lines = lineChangesIn(metadata);
  const sponsors = lineSponsorsIn(metadata);
  return transactionsIn(metadata, passphrase).map((transaction) => ({
    ...transaction,
    balance_changes: (changes.get(transaction.hash) ?? []).filter(({ account }) => isWanted(account)),
    line_changes: (lines.get(transaction.hash) ?? []).filter(({ account }) => isWanted(account)),
    line_sponsors: (sponsors.get(transaction.hash) ?? []).filter(({ account }) => isWanted(account)),
  }));
}

/** The result of a JSON-RPC call. @throws Error for an answer without one */
export async function ask(rpc_url: string, method: string, params: object): Promise<any> {
  const response = await fetch(rpc_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
