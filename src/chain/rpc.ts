import { xdr } from '@stellar/stellar-sdk';
import { type Agent, request } from 'undici';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { accountStates, ledgerKeysOf } from './account-state.ts';
import type { Chain, LedgerRange, Lookup, SubmitHint } from './chain.ts';
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
    readSequences: (accounts) =>
      sources.ask(async (source) => {
        const latest = await latestLedger(source);
        const keys = accounts.flatMap((account) => ledgerKeysOf(account).slice(0, 1));
        const { entries } = await source.call('getLedgerEntries', { keys }, Entries);
        const xdrs = (entries ?? []).map((entry) => entry.xdr);
        const states = decoding('getLedgerEntries', () => accountStates(xdrs, latest.base_reserve_stroops));
        const sequences = new Map([...states].map(([account, { sequence }]) => [account, sequence]));
        return { answer: { latest, sequences }, rank: latest.sequence, doubtful: isStale(latest.close_time) };
      }),
    async feePerOperation() {
      const { inclusionFee } = await ask((source) => source.call('getFeeStats', undefined, FeeStats));
      const p90 = BigInt(inclusionFee.p90);
      return p90 > MIN_FEE_STROOPS ? p90 : MIN_FEE_STROOPS;
    },
    async submit(envelope_xdr) {
      try {
        return hintOf(
          await ask((source) => source.call('sendTransaction', { transaction: envelope_xdr }, Sent)),
        );
      } catch (error) {
        return { answer: 'no_answer', code: (error as Error).message, fee_needed_stroops: null };
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

const ANSWERS: Record<string, SubmitHint['answer'] | undefined> = {
  PENDING: 'pending',
  DUPLICATE: 'duplicate',
  TRY_AGAIN_LATER: 'try_again_later',
  ERROR: 'refused',
};

function hintOf({ status, errorResultXdr }: z.output<typeof Sent>): SubmitHint {
  const answer = ANSWERS[status] ?? 'no_answer';
  if (!errorResultXdr)
    return { answer, code: answer === 'no_answer' ? status : null, fee_needed_stroops: null };
  try {
    const result = xdr.TransactionResult.fromXdr(errorResultXdr, 'base64');
    const code = transactionCode(result.result.type);
    return { answer, code, fee_needed_stroops: code === 'tx_insufficient_fee' ? result.feeCharged : null };
  } catch {
    return { answer, code: 'unreadable', fee_needed_stroops: null }; // a hint need not be readable
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
