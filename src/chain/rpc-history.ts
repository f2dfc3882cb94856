import { z } from 'zod';
import { decodeHeader, decodeHistoryHeader, type Header } from './ledger-header.ts';
import { type RpcClient, RpcError } from './rpc-client.ts';
import type { History } from './whole-ledgers.ts';

const PAGE_LIMIT = 200;

const LatestLedger = z.object({ sequence: z.int(), headerXdr: z.string() });
const Ledgers = z.object({
  ledgers: z.array(z.object({ sequence: z.int(), headerXdr: z.string() })),
  oldestLedger: z.int(),
});
const Health = z.object({ oldestLedger: z.int() });
const Transactions = z.object({
  transactions: z.array(
    z.object({ ledger: z.int(), txHash: z.string(), envelopeXdr: z.string(), resultXdr: z.string() }),
  ),
  cursor: z.string().regex(/^\d{1,20}$/), // a TOID: ledger << 32 | …
});

/** The newest ledger of a source, by its header: whatever else the answer says must agree with that. */
export async function newestHeader(client: RpcClient): Promise<Header> {
  const { sequence, headerXdr } = await client.call('getLatestLedger', undefined, LatestLedger);
  return decodeHeader('getLatestLedger', sequence, headerXdr);
}

export function rpcHistory(client: RpcClient): History {
  return {
    names: { headers: 'getLedgers', page: 'getTransactions' },
    newest: () => newestHeader(client),
    async headers(first, count) {
      const params = { startLedger: first, pagination: { limit: count } };
      try {
        const { ledgers, oldestLedger } = await client.call('getLedgers', params, Ledgers);
        // A history that begins later could answer with what it has: that is not the ledger we asked for.
        if (oldestLedger > first) return { oldest_ledger: oldestLedger };
        return ledgers.map(({ sequence, headerXdr }) =>
          decodeHistoryHeader('getLedgers', sequence, headerXdr),
        );
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        const { oldestLedger } = await client.call('getHealth', undefined, Health);
        if (oldestLedger > first) return { oldest_ledger: oldestLedger };
        throw error;
      }
    },
    async page(from) {
      const params =
        'ledger' in from
          ? { startLedger: from.ledger, pagination: { limit: PAGE_LIMIT } }
          : { pagination: { cursor: from.cursor, limit: PAGE_LIMIT } };
      const { transactions, cursor } = await client.call('getTransactions', params, Transactions);
      return {
        cursor,
        transactions: transactions.map(({ ledger, txHash, envelopeXdr, resultXdr }) => ({
          ledger,
          hash: txHash,
          envelope_xdr: envelopeXdr,
          result_xdr: resultXdr,
        })),
      };
    },
  };
}
