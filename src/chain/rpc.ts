import { xdr } from '@stellar/stellar-sdk';
import { type Agent, request } from 'undici';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import { accountStates, ledgerKeysOf } from './account-state.ts';
import type { Chain, LedgerRange, LedgerTransaction, Lookup } from './chain.ts';
import { envelopeHashes } from './payment.ts';
import { outcomeOf, transactionCode } from './result-codes.ts';
import { NoAnswer, RpcError, type RpcSource, rpcAgent, rpcSource } from './rpc-source.ts';

const PAGE_LIMIT = 200;
const FRIENDBOT_TIMEOUT_MS = 10_000;
const MIN_FEE_STROOPS = 100n;

const seconds = z.union([z.string().regex(/^\d+$/), z.int()]).transform(BigInt); // a string or a number, by method and version
const Network = z.object({ passphrase: z.string(), friendbotUrl: z.string().optional() });
const LatestLedger = z.object({ sequence: z.int(), closeTime: seconds, headerXdr: z.string() });
const Entries = z.object({ entries: z.array(z.object({ xdr: z.string() })).nullish() });
const FeeStats = z.object({ inclusionFee: z.object({ p90: z.string().regex(/^\d+$/) }) });
const Sent = z.object({ status: z.string(), errorResultXdr: z.string().optional() });
const Found = z.object({
  status: z.enum(['SUCCESS', 'FAILED', 'NOT_FOUND']),
  latestLedger: z.int(),
  latestLedgerCloseTime: seconds,
  oldestLedger: z.int(),
  ledger: z.int().optional(),
  envelopeXdr: z.string().optional(),
  resultXdr: z.string().optional(),
});
const Transactions = z.object({
  transactions: z.array(z.object({ ledger: z.int(), envelopeXdr: z.string(), resultXdr: z.string() })),
  latestLedger: z.int(),
  oldestLedger: z.int(),
  cursor: z.string(),
});

type Source = RpcSource & { network: z.output<typeof Network> | null };

/**
 * Stellar RPC, one or several URLs of the same network. A question goes to the source that answered last, and on to
 * the next when that one does not; whatever makes up one answer comes from one source.
 */
export function createRpcChain(options: { urls: string[]; passphrase: string; log: Log }): Chain {
  const { passphrase, log } = options;
  const agent = rpcAgent();
  const sources: Source[] = options.urls.map((url) => ({ ...rpcSource(url, agent), network: null }));
  let preferred = 0;

  /** Asks the sources in turn. @throws AppError `network_unavailable` when none gives an answer. */
  async function ask<T>(question: (source: Source) => Promise<T>): Promise<T> {
    const failures: string[] = [];
    for (let i = 0; i < sources.length; i++) {
      const index = (preferred + i) % sources.length;
      const source = sources[index] as Source;
      try {
        await identify(source, passphrase);
        const answer = await question(source);
        preferred = index;
        return answer;
      } catch (error) {
        if (!(error instanceof NoAnswer || error instanceof RpcError)) throw error;
        failures.push(`${source.url}: ${error.message}`);
      }
    }
    log.warn({ failures }, 'no answer from the network');
    throw new AppError('network_unavailable', 'The Stellar network cannot be reached; nothing was started.', {
      retry_after_seconds: 5,
      cause: new Error(failures.join('; ')),
    });
  }

  return {
    latestLedger: () => ask(latestLedger),
    async readAccounts(accounts) {
      return ask(async (source) => {
        const latest = await latestLedger(source);
        const keys = accounts.flatMap(ledgerKeysOf);
        const { entries } = await source.call('getLedgerEntries', { keys }, Entries);
        const xdrs = (entries ?? []).map((entry) => entry.xdr);
        return decoding('getLedgerEntries', () => ({
          latest,
          accounts: accountStates(xdrs, latest.base_reserve_stroops),
        }));
      });
    },
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
        return await ask((source) => lookUp(source, passphrase, hash));
      } catch (error) {
        return { found: 'unknown', reason: (error as Error).message };
      }
    },
    readLedgersAfter: (after_ledger) => ask((source) => readLedgersAfter(source, after_ledger)),
    async fund(account) {
      const friendbot = await ask(async (source) => source.network?.friendbotUrl);
      if (!friendbot) throw new AppError('network_unavailable', 'This network has no friendbot.');
      await askFriendbot(agent, friendbot, account);
    },
    close: () => agent.close(),
  };
}

/** A source of another network must never be asked anything: its "absent" would be a lie about ours. */
async function identify(source: Source, passphrase: string): Promise<void> {
  source.network ??= await source.call('getNetwork', undefined, Network);
  if (source.network.passphrase === passphrase) return;
  const found = source.network.passphrase;
  source.network = null;
  throw new NoAnswer(`is on another network ("${found}")`);
}

async function latestLedger(source: Source) {
  const latest = await source.call('getLatestLedger', undefined, LatestLedger);
  const header = decoding('getLatestLedger', () => xdr.LedgerHeader.fromXdr(latest.headerXdr, 'base64'));
  return {
    sequence: latest.sequence,
    close_time: latest.closeTime,
    base_reserve_stroops: BigInt(header.baseReserve),
  };
}

/**
 * "Absent" is said only after a second look: the first answer tells how far the source's history reaches, the second
 * look-up searches at least that far. A single look could miss a ledger that closed between search and report.
 */
async function lookUp(source: Source, passphrase: string, hash: string): Promise<Lookup> {
  const first = await source.call('getTransaction', { hash }, Found);
  if (first.status !== 'NOT_FOUND') return applied(passphrase, hash, first);
  const second = await source.call('getTransaction', { hash }, Found);
  if (second.status !== 'NOT_FOUND') return applied(passphrase, hash, second);
  if (second.latestLedger < first.latestLedger)
    return { found: 'unknown', reason: 'the source went backwards' };
  return {
    found: 'absent',
    oldest_ledger: Math.max(first.oldestLedger, second.oldestLedger),
    latest_ledger: first.latestLedger,
    latest_close_time: first.latestLedgerCloseTime,
  };
}

/** Believes an answer only when its own XDR says the same: this hash, this outcome. */
function applied(passphrase: string, hash: string, answer: z.output<typeof Found>): Lookup {
  const { envelopeXdr, resultXdr, ledger, status } = answer;
  if (!envelopeXdr || !resultXdr || !ledger) return { found: 'unknown', reason: 'an answer without its XDR' };
  return decoding('getTransaction', () => {
    const hashes = envelopeHashes(passphrase, xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64'));
    if (hash !== hashes.hash && hash !== hashes.inner_hash) {
      return { found: 'unknown', reason: `asked for ${hash}, got ${hashes.hash}` };
    }
    const outcome = outcomeOf(xdr.TransactionResult.fromXdr(resultXdr, 'base64'));
    if (outcome.successful !== (status === 'SUCCESS'))
      return { found: 'unknown', reason: 'status and result differ' };
    return { found: 'applied', ledger, hash: hashes.hash, ...outcome };
  });
}

async function readLedgersAfter(source: Source, after_ledger: number): Promise<LedgerRange> {
  const { sequence } = await source.call('getLatestLedger', undefined, LatestLedger);
  if (sequence < after_ledger) return { read: 'reset', latest_ledger: sequence };
  if (sequence === after_ledger) return { read: 'nothing_new' };

  const pagination = { limit: PAGE_LIMIT };
  const start = { startLedger: after_ledger + 1, pagination };
  let page: z.output<typeof Transactions>;
  try {
    page = await source.call('getTransactions', start, Transactions);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const oldest_ledger = await oldestLedger(source);
    if (oldest_ledger > after_ledger + 1) return { read: 'gap', oldest_ledger };
    throw error;
  }
  // A history that begins later would answer with what it has: that is not the ledger we asked for.
  if (page.oldestLedger > after_ledger + 1) return { read: 'gap', oldest_ledger: page.oldestLedger };

  const transactions: LedgerTransaction[] = [];
  for (;;) {
    for (const { ledger, envelopeXdr, resultXdr } of page.transactions) {
      transactions.push({ ledger, envelope_xdr: envelopeXdr, result_xdr: resultXdr });
    }
    // A page that is not full ran into the newest ledger: everything up to there is read.
    if (page.transactions.length < PAGE_LIMIT) return upTo(transactions, page.latestLedger);
    // A full page may end inside a ledger: keep the whole ledgers before it, or read on until there is one.
    const last = (transactions.at(-1) as LedgerTransaction).ledger;
    if (last - 1 > after_ledger) return upTo(transactions, last - 1);
    page = await source.call(
      'getTransactions',
      { pagination: { ...pagination, cursor: page.cursor } },
      Transactions,
    );
  }
}

function upTo(transactions: LedgerTransaction[], through_ledger: number): LedgerRange {
  const whole = transactions.filter(({ ledger }) => ledger <= through_ledger);
  return { read: 'ledgers', transactions: whole, through_ledger };
}

async function oldestLedger(source: Source): Promise<number> {
  const health = await source.call('getHealth', undefined, z.object({ oldestLedger: z.int() }));
  return health.oldestLedger;
}

function errorCode(result_xdr: string): string {
  try {
    return transactionCode(xdr.TransactionResult.fromXdr(result_xdr, 'base64').result.type);
  } catch {
    return 'with an unreadable result'; // only logged
  }
}

/** XDR that does not decode is no answer. */
function decoding<T>(method: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new NoAnswer(`${method}: ${(error as Error).message}`, { cause: error });
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
