/**
 * Ledgers as Stellar RPC tells them: one answer of getLedgers has all of each, header, transactions, results and metas, and
 * so its own proof. (getTransactions would need the headers besides, which getLedgers alone has, with all the rest.)
 */
import { z } from 'zod';
import { readLedgerCloseMeta } from '../ledgers/ledger-close-meta.ts';
import { type Header, ledgerHeader } from '../ledgers/ledger-header.ts';
import { isWhole } from '../ledgers/ledger-proof.ts';
import { nothingAfter, rangeOf, type WholeLedger } from '../ledgers/whole-ledgers.ts';
import { decoding, NoAnswer, UnusableAnswer, xdrBytes } from './answers.ts';
import { type RpcClient, RpcError, seconds } from './rpc-client.ts';
import type { Newest, Source, SourceRange } from './source.ts';

const LatestLedger = z.object({ sequence: z.int(), headerXdr: z.string() });
const Range = z.object({ oldestLedger: z.int(), latestLedger: z.int(), latestLedgerCloseTime: seconds });
const Ledgers = Range.extend({
  ledgers: z.array(z.object({ sequence: z.int(), metadataXdr: z.string() })),
});

const NO_HASH = '0'.repeat(64);

/** What one answer should have, by the size of the last one's ledgers: six of the public network or so. */
const PAGE_BYTES = 8 * 1024 * 1024;
const MAX_LEDGERS = 100;
const FIRST_LEDGERS = 5;

/** The newest ledger of a source, by its header: whatever else the answer says must agree with that. */
export async function newestHeader(client: RpcClient): Promise<Header> {
  const { sequence, headerXdr } = await client.call('getLatestLedger', undefined, LatestLedger);
  return ledgerHeader('getLatestLedger', sequence, xdrBytes('getLatestLedger', headerXdr));
}

/** Reads ledgers from this server; how many at once follows from how large they are. */
export function ledgersAfter(client: RpcClient, passphrase: string): Source['readLedgersAfter'] {
  let limit = FIRST_LEDGERS;
  let newest: Newest | null = null;

  async function ask(first: number): Promise<z.output<typeof Ledgers>> {
    try {
      const params = { startLedger: first, pagination: { limit } };
      const answer = await client.call('getLedgers', params, Ledgers);
      limit = nextLimit(limit, answer.ledgers);
      return answer;
    } catch (error) {
      // Too long an answer, too slow a line for it, more than the server allows at once: fewer will do.
      if (error instanceof NoAnswer) limit = Math.ceil(limit / 2);
      throw error;
    }
  }

  /** What there is instead of ledgers after this one, null when they are there: a small question, most answers are no. */
  async function look(after_ledger: number): Promise<SourceRange | null> {
    const known = await reachOf(client);
    newest = known.newest;
    if (newest.sequence <= after_ledger) return { range: nothingAfter(after_ledger, newest), newest };
    const { oldest_ledger } = known;
    return oldest_ledger > after_ledger + 1 ? { range: { read: 'gap', oldest_ledger }, newest } : null;
  }

  return async (after_ledger, after_hash) => {
    if (newest === null || newest.sequence <= after_ledger) {
      const nothing = await look(after_ledger);
      if (nothing) return nothing;
    }
    try {
      const { ledgers, ...range } = await ask(after_ledger + 1);
      const { oldest_ledger, newest: last } = reach(range);
      newest = last;
      // A history that begins later could answer with what it has: that is not the ledger we asked for.
      if (oldest_ledger > after_ledger + 1) return { range: { read: 'gap', oldest_ledger }, newest };
      const from = { method: 'getLedgers', after_ledger, after_hash };
      return { range: rangeOf(from, provenOf(passphrase, ledgers), last), newest };
    } catch (error) {
      newest = null;
      const nothing = error instanceof RpcError ? await look(after_ledger) : null;
      if (nothing) return nothing; // its history does not begin there any more, or it was reset
      throw error;
    }
  };
}

/** So many as should fit, going up to it by twice at most: a long answer may take too long. */
function nextLimit(limit: number, ledgers: { metadataXdr: string }[]): number {
  const bytes = ledgers.reduce((sum, { metadataXdr }) => sum + metadataXdr.length, 0);
  const fitting = Math.floor((PAGE_BYTES * ledgers.length) / Math.max(bytes, 1));
  return Math.min(Math.max(fitting, 1), limit * 2, MAX_LEDGERS);
}

type Reach = { oldest_ledger: number; newest: Newest };

/**
 * From where to where its history goes. A server that stands still calls itself unhealthy, and says no more than that: but
 * whoever looks up a transaction, one that cannot be here too, is told where was looked.
 */
async function reachOf(client: RpcClient): Promise<Reach> {
  try {
    return reach(await client.call('getHealth', undefined, Range));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return reach(await client.call('getTransaction', { hash: NO_HASH }, Range));
  }
}

function reach({ oldestLedger, latestLedger, latestLedgerCloseTime }: z.output<typeof Range>): Reach {
  const newest = { sequence: latestLedger, close_time: latestLedgerCloseTime };
  return { oldest_ledger: oldestLedger, newest };
}

/** Those before the first that cannot be proven. @throws UnusableAnswer when that is the first of all. */
function provenOf(passphrase: string, ledgers: z.output<typeof Ledgers>['ledgers']): WholeLedger[] {
  const whole: WholeLedger[] = [];
  for (const { sequence, metadataXdr } of ledgers) {
    try {
      whole.push(proven(passphrase, sequence, metadataXdr));
    } catch (error) {
      // Whoever goes on after the others comes to it as the first.
      if (whole.length > 0 && error instanceof UnusableAnswer) break;
      throw error;
    }
  }
  return whole;
}

function proven(passphrase: string, sequence: number, meta_xdr: string): WholeLedger {
  const method = 'getLedgers';
  const bytes = xdrBytes(method, meta_xdr);
  const ledger = decoding(method, () => readLedgerCloseMeta({ method, passphrase, sequence }, bytes));
  if (!isWhole(ledger.header, ledger.transactions))
    throw new UnusableAnswer(method, `ledger ${sequence} is not whole`);
  return ledger;
}
