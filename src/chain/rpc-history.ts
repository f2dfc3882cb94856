/**
 * Ledgers as Stellar RPC tells them: one answer of getLedgers has all of each, header, transactions, results and metas, and
 * so its own proof. (getTransactions would need the headers besides, which getLedgers alone has, with all the rest.)
 */
import { z } from 'zod';
import { decoding, NoAnswer, UnusableAnswer, xdrBytes } from './answers.ts';
import type { LedgerRange } from './chain.ts';
import { readLedgerCloseMeta } from './ledger-close-meta.ts';
import { type Header, ledgerHeader } from './ledger-header.ts';
import { isWhole } from './ledger-proof.ts';
import { type RpcClient, RpcError, seconds } from './rpc-client.ts';
import type { Newest, Source } from './source.ts';
import { nothingAfter, rangeOf, type WholeLedger } from './whole-ledgers.ts';

const LatestLedger = z.object({ sequence: z.int(), headerXdr: z.string() });
const Ledgers = z.object({
  ledgers: z.array(z.object({ sequence: z.int(), metadataXdr: z.string() })),
  oldestLedger: z.int(),
  latestLedger: z.int(),
  latestLedgerCloseTime: seconds,
});
const Health = z.object({ oldestLedger: z.int(), latestLedger: z.int(), latestLedgerCloseTime: seconds });

/** What one answer should have, by the size of those before: ten ledgers of the public network or so. */
const PAGE_BYTES = 16 * 1024 * 1024;
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

  async function ask(first: number) {
    try {
      const params = { startLedger: first, pagination: { limit } };
      const answer = await client.call('getLedgers', params, Ledgers);
      const chars = answer.ledgers.reduce((sum, { metadataXdr }) => sum + metadataXdr.length, 0);
      const fitting = Math.floor((PAGE_BYTES * answer.ledgers.length) / Math.max(chars, 1));
      limit = Math.min(Math.max(fitting, 1), limit * 2, MAX_LEDGERS);
      return answer;
    } catch (error) {
      // Too long an answer, or too slow a line for it: fewer will do.
      if (error instanceof NoAnswer && !(error instanceof RpcError)) limit = Math.ceil(limit / 2);
      throw error;
    }
  }

  /** Whether there is something to read after this ledger: a small question, for most answers are no. */
  async function look(after_ledger: number): Promise<{ range: LedgerRange; newest: Newest } | null> {
    const reach = await reachOf(client);
    newest = reach.newest;
    if (newest.sequence <= after_ledger) return { range: nothingAfter(after_ledger, newest), newest };
    const { oldest_ledger } = reach;
    return oldest_ledger > after_ledger + 1 ? { range: { read: 'gap', oldest_ledger }, newest } : null;
  }

  return async (after_ledger) => {
    if (newest === null || newest.sequence <= after_ledger) {
      const nothing = await look(after_ledger);
      if (nothing) return nothing;
    }
    try {
      const answer = await ask(after_ledger + 1);
      const { oldestLedger: oldest_ledger } = answer;
      newest = { sequence: answer.latestLedger, close_time: answer.latestLedgerCloseTime };
      // A history that begins later could answer with what it has: that is not the ledger we asked for.
      if (oldest_ledger > after_ledger + 1) return { range: { read: 'gap', oldest_ledger }, newest };
      const ledgers = answer.ledgers.map((ledger) => proven(passphrase, ledger.sequence, ledger.metadataXdr));
      return { range: rangeOf('getLedgers', after_ledger, ledgers, newest), newest };
    } catch (error) {
      newest = null;
      const nothing = error instanceof RpcError ? await look(after_ledger) : null;
      if (nothing) return nothing; // its history does not begin there any more, or it was reset
      throw error;
    }
  };
}

/** From where to where its history goes. A server that stands still calls itself unhealthy, and says no more than that. */
async function reachOf(client: RpcClient): Promise<{ oldest_ledger: number; newest: Newest }> {
  try {
    const health = await client.call('getHealth', undefined, Health);
    const newest = { sequence: health.latestLedger, close_time: health.latestLedgerCloseTime };
    return { oldest_ledger: health.oldestLedger, newest };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { oldest_ledger: 0, newest: await newestHeader(client) };
  }
}

function proven(passphrase: string, sequence: number, meta_xdr: string): WholeLedger {
  const method = 'getLedgers';
  const bytes = xdrBytes(method, meta_xdr);
  const ledger = decoding(method, () => readLedgerCloseMeta({ method, passphrase, sequence }, bytes));
  if (!isWhole(ledger.header, ledger.transactions))
    throw new UnusableAnswer(method, `ledger ${sequence} is not whole`);
  return ledger;
}
