import { xdr } from '@stellar/stellar-sdk';
import { type Agent, request } from 'undici';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { accountStates, ledgerKeysOf } from './account-state.ts';
import type { Chain, LedgerRange, Lookup } from './chain.ts';
import { transactionCode } from './result-codes.ts';
import { latestLedger, readLedgersAfter } from './rpc-ledgers.ts';
import { lookUp } from './rpc-lookup.ts';
import { decoding, type RpcSource, rpcAgent } from './rpc-source.ts';
import { createSources, type Judged } from './rpc-sources.ts';

const FRIENDBOT_TIMEOUT_MS = 10_000;
const MIN_FEE_STROOPS = 100n;
/** A healthy network closes a ledger every 5 s or so; Stellar RPC itself calls a node unhealthy after 30 s. */
const STALE_SECONDS = 30n;

const Entries = z.object({ entries: z.array(z.object({ xdr: z.string() })).nullish() });
const FeeStats = z.object({ inclusionFee: z.object({ p90: z.string().regex(/^\d{1,18}$/) }) });
const Sent = z.object({ status: z.string(), errorResultXdr: z.string().optional() });

/** Stellar RPC, one or several URLs of the same network. */
export function createRpcChain(options: {
  urls: string[];
  passphrase: string;
  clock: Clock;
  log: Log;
}): Chain {
  const { passphrase, clock } = options;
  const agent = rpcAgent();
  const sources = createSources({ ...options, agent });
  /** The machine's clock only says that it is worth asking somebody else too; it decides nothing. */
  const isStale = (close_time: bigint) =>
    BigInt(Math.floor(clock.now().getTime() / 1000)) - close_time > STALE_SECONDS;
  const ask = <T>(question: (source: RpcSource) => Promise<T>) =>
    sources.ask(async (source) => ({ answer: await question(source), rank: 0, doubtful: false }));

  return {
    latestLedger: () =>
      sources.ask(async (source) => {
        const answer = await latestLedger(source);
        return { answer, rank: answer.sequence, doubtful: isStale(answer.close_time) };
      }),
    readAccounts: (accounts) =>
      sources.ask(async (source) => {
        const latest = await latestLedger(source);
        const keys = accounts.flatMap(ledgerKeysOf);
        const { entries } = await source.call('getLedgerEntries', { keys }, Entries);
        const xdrs = (entries ?? []).map((entry) => entry.xdr);
        const states = decoding('getLedgerEntries', () => accountStates(xdrs, latest.base_reserve_stroops));
        return {
          answer: { latest, accounts: states },
          rank: latest.sequence,
          doubtful: isStale(latest.close_time),
        };
      }),
    async feePerOperation() {
      const { inclusionFee } = await ask((source) => source.call('getFeeStats', undefined, FeeStats));
      const p90 = BigInt(inclusionFee.p90);
      return p90 > MIN_FEE_STROOPS ? p90 : MIN_FEE_STROOPS;
    },
    async submit(envelope_xdr) {
      try {
        const sent = await ask((source) =>
          source.call('sendTransaction', { transaction: envelope_xdr }, Sent),
        );
        return sent.errorResultXdr ? `${sent.status} ${errorCode(sent.errorResultXdr)}` : sent.status;
      } catch (error) {
        return `no answer: ${(error as Error).message}`;
      }
    },
    async find(hash) {
      try {
        return await sources.ask(async (source) =>
          judgeLookup(await lookUp(source, passphrase, hash), isStale),
        );
      } catch (error) {
        return { found: 'unknown', reason: (error as Error).message };
      }
    },
    readLedgersAfter: (after_ledger) =>
      sources.ask(async (source) => {
        const { range, latest } = await readLedgersAfter(source, after_ledger);
        const current = latest.sequence >= after_ledger && !isStale(latest.close_time);
        const doubtful = range.read !== 'ledgers' && !(range.read === 'nothing_new' && current);
        return { answer: range, rank: RANKS[range.read], doubtful };
      }),
    async fund(account) {
      const friendbot = await sources.ask(async (source) => ({
        answer: source.friendbot_url,
        rank: 0,
        doubtful: false,
      }));
      if (!friendbot) throw new AppError('network_unavailable', 'This network has no friendbot.');
      await askFriendbot(agent, friendbot, account);
    },
    close: () => agent.close(),
  };
}

const RANKS: Record<LedgerRange['read'], number> = { ledgers: 3, nothing_new: 2, gap: 1, reset: 0 };

function judgeLookup(answer: Lookup, isStale: (close_time: bigint) => boolean): Judged<Lookup> {
  if (answer.found === 'applied') return { answer, rank: Number.POSITIVE_INFINITY, doubtful: false };
  if (answer.found === 'unknown') return { answer, rank: -1, doubtful: true };
  return { answer, rank: answer.latest_ledger, doubtful: isStale(answer.latest_close_time) };
}

function errorCode(result_xdr: string): string {
  try {
    return transactionCode(xdr.TransactionResult.fromXdr(result_xdr, 'base64').result.type);
  } catch {
    return 'with an unreadable result'; // only logged
  }
}

async function askFriendbot(agent: Agent, friendbot: string, account: string): Promise<void> {
  const url = new URL(friendbot);
  url.searchParams.set('addr', account);
  let failure: unknown;
  try {
    const signal = AbortSignal.timeout(FRIENDBOT_TIMEOUT_MS);
    const response = await request(url, { dispatcher: agent, signal });
    const text = await response.body.text();
    if (response.statusCode === 200) return;
    failure = new Error(`friendbot: HTTP ${response.statusCode} ${text.slice(0, 200)}`);
  } catch (error) {
    failure = error;
  }
  throw new AppError('network_unavailable', 'Friendbot did not fund the account.', { cause: failure });
}
