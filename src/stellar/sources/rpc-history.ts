/**
 * The newest ledger and the first one of a Stellar RPC server, at every version since v22.1. Release notes of stellar-rpc:
 * v22.1.0 brought getLedgers, v25.0.0 the header in getLatestLedger, v27.1.0 the close times in getHealth.
 */
import { z } from 'zod';
import { xdrBytes } from '../answers/answers.ts';
import type { Newest } from '../answers/source.ts';
import { type Header, historyHeader, ledgerHeader } from '../ledgers/ledger-header.ts';
import { type RpcClient, RpcError, seconds } from './rpc-client.ts';

const LatestLedger = z.object({ sequence: z.int(), headerXdr: z.string().optional() });
const OneLedger = z.object({ ledgers: z.tuple([z.object({ headerXdr: z.string() })]) });
/** Fields of getTransaction and getLedgers at every version. */
export const Range = z.object({
  oldestLedger: z.int(),
  latestLedger: z.int(),
  latestLedgerCloseTime: seconds,
});
const Health = Range.extend({ latestLedgerCloseTime: seconds.optional() });

const NO_HASH = '0'.repeat(64);

/** The first and the last ledger that a server has in its database. */
export type HistorySpan = { oldest_ledger: number; newest: Newest };

export type RpcHistory = {
  /** Reads the header of the newest ledger. @throws NoAnswer */
  newestHeader(): Promise<Header>;
  /** Reads the span of the history by small answers, whatever the size of a ledger. @throws NoAnswer */
  span(): Promise<HistorySpan>;
  /** Returns what the answers so far did not have, and how the server is asked instead. */
  lacks(): string[];
};

export function rpcHistory(client: RpcClient): RpcHistory {
  let healthHasTimes = true;
  let latestHasHeader = true;

  /** Reads the health; null when the server says that it is not healthy. */
  async function health(): Promise<z.output<typeof Health> | null> {
    try {
      return await client.call('getHealth', undefined, Health);
    } catch (error) {
      // A server without new ledgers answers with an error only.
      if (!(error instanceof RpcError)) throw error;
      return null;
    }
  }

  return {
    async newestHeader() {
      const { sequence, headerXdr } = await client.call('getLatestLedger', undefined, LatestLedger);
      latestHasHeader = headerXdr !== undefined;
      if (headerXdr !== undefined)
        return ledgerHeader('getLatestLedger', sequence, xdrBytes('getLatestLedger', headerXdr));
      const params = { startLedger: sequence, pagination: { limit: 1 } };
      const [newest] = (await client.call('getLedgers', params, OneLedger)).ledgers;
      return historyHeader('getLedgers', sequence, xdrBytes('getLedgers', newest.headerXdr));
    },
    async span() {
      const healthy = healthHasTimes ? await health() : null;
      const closed = healthy?.latestLedgerCloseTime;
      if (healthy && closed !== undefined) return spanOf({ ...healthy, latestLedgerCloseTime: closed });
      if (healthy) healthHasTimes = false;
      // Also for a hash that does not exist, and from a server that is not healthy.
      return spanOf(await client.call('getTransaction', { hash: NO_HASH }, Range));
    },
    lacks: () => [
      ...(healthHasTimes ? [] : ['no close times in getHealth: getTransaction is asked']),
      ...(latestHasHeader ? [] : ['no header in getLatestLedger: getLedgers is asked']),
    ],
  };
}

/** Returns the span in an answer with the fields of `Range`. */
export function spanOf({
  oldestLedger,
  latestLedger,
  latestLedgerCloseTime,
}: z.output<typeof Range>): HistorySpan {
  return {
    oldest_ledger: oldestLedger,
    newest: { sequence: latestLedger, close_time: latestLedgerCloseTime },
  };
}
