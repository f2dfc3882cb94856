import { batched } from '../../lib/batch.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { ask, NoAnswer, type Wire } from '../answers/answers.ts';
import type { CheckedTransaction, ContractSource, Source } from '../answers/source.ts';
import { httpTransport, type Transport } from '../answers/transport.ts';
import { readOnce } from '../ledgers/read-once.ts';
import { createUnknownReport } from '../ledgers/report-unknown.ts';
import { NetworkUnavailable } from '../network-unavailable.ts';
import {
  type AccountsAnswer,
  type Holder,
  type LedgerPosition,
  type LineName,
  type Lookup,
  lineKey,
  type Stellar,
  type SubmitHint,
} from '../stellar.ts';
import { createSources, type Ranked, type Sources } from './fail-over.ts';
import { horizonSource } from './horizon-source.ts';
import { createLedgerReader } from './ledger-reader.ts';
import { rpcSource } from './rpc-source.ts';

export type StellarOptions = {
  /** Stellar RPC and Horizon servers of one network, in order of preference. */
  rpc_urls: string[];
  horizon_urls: string[];
  passphrase: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  transport?: Transport;
};

const MIN_FEE_STROOPS = 100n;
/** A healthy network closes a ledger about every 5 s. Stellar RPC reports a node as unhealthy after 30 s. */
const STALE_SECONDS = 30n;
/** Fee statistics change at most once per ledger. */
const FEE_FRESH_MS = 2_000;
/** Settings change by votes, and the rent when the state is measured: every 64 ledgers on the public network. */
const SETTINGS_FRESH_MS = 10_000;
/** Calls that share one request. A request to the API reads two accounts. */
const MAX_JOINED = 500;

/** Creates a Stellar network that is reached through one or several servers. */
export function createStellar(options: StellarOptions): Stellar {
  const { passphrase, clock, metrics, transport = httpTransport() } = options;
  const wire = { transport, metrics, clock };
  const rpc_sources = options.rpc_urls.map((url) => rpcSource(url, wire, passphrase));
  const horizon_sources = options.horizon_urls.map((url) => horizonSource(url, wire, passphrase));
  const sources = createSources([...rpc_sources, ...horizon_sources], options);
  // Apart: a question that Horizon cannot answer must not change which source is asked first for everything else.
  const contract_sources = createSources(rpc_sources, options);
  /** Compares with the machine's clock. A stale answer only causes a second source to be asked; it decides nothing. */
  const isStale = (close_time: bigint) =>
    BigInt(Math.floor(clock.now().getTime() / 1000)) - close_time > STALE_SECONDS;
  const rank = <T>(latest: LedgerPosition, answer: T): Ranked<T> => ({
    answer,
    rank: latest.sequence,
    doubtful: isStale(latest.close_time),
  });
  const readAccounts = (accounts: string[], lines: LineName[]) =>
    sources.ask(async (source) => {
      const read = await source.readAccounts(accounts, lines);
      return rank(read.latest, read);
    });
  type Question = { accounts: string[]; lines: LineName[] };
  const readAccountsJoined = batched<Question, AccountsAnswer>({
    max: MAX_JOINED,
    run: async (questions) => {
      const lines = new Map(questions.flatMap((each) => each.lines.map((line) => [lineKey(line), line])));
      const accounts = new Set(questions.flatMap((each) => each.accounts));
      const read = await readAccounts([...accounts], [...lines.values()]);
      return questions.map((asked) => ({
        latest: read.latest,
        accounts: pick(read.accounts, asked.accounts),
        lines: pick(read.lines, asked.lines.map(lineKey)),
      }));
    },
  });

  /** Reads the network's settings; null while no source has them, for callers that can do without. */
  function settingOf<T>(read: (contracts: ContractSource) => Promise<T>): () => Promise<T | null> {
    return cachedFor(SETTINGS_FRESH_MS, clock, async () => {
      try {
        return await contract_sources.ask(async (source) => {
          return { answer: await read(contractsOf(source)), rank: 0, doubtful: false };
        });
      } catch (error) {
        if (!(error instanceof NetworkUnavailable)) throw error;
        return null;
      }
    });
  }

  async function find(hash: string): Promise<CheckedTransaction | Exclude<Lookup, { found: 'applied' }>> {
    try {
      return await sources.ask(async (source) => rankLookup(await source.find(hash), isStale));
    } catch (error) {
      return { found: 'unknown', reason: reasonOf(error) };
    }
  }

  const readBalances = (from: Sources, holders: Holder[]) =>
    from.ask(async (source) => {
      const { latest, balances } = await source.readBalances(holders);
      return rank(latest, balances);
    });
  const latestLedger = () =>
    sources.ask(async (source) => {
      const latest = await source.latestLedger();
      return rank(latest, latest);
    });
  const callsPerLedger = settingOf(async ({ readCallsPerLedger }) => readCallsPerLedger());

  return {
    sources: sources.reports,
    latestLedger,
    readAccounts: (accounts, lines = []) => readAccountsJoined({ accounts, lines }),
    readSequences: (accounts) =>
      sources.ask(async (source) => {
        const read = await source.readSequences([...new Set(accounts)]);
        return rank(read.latest, read);
      }),
    readBalances: (holders) => readBalances(sources, holders),
    readBalancesByRpc: (holders) => readBalances(contract_sources, holders),
    feePerOperation: cachedFor(FEE_FRESH_MS, clock, async () => {
      const fee = await sources.ask(async (source) => {
        return { answer: await source.feePerOperation(), rank: 0, doubtful: false };
      });
      return fee > MIN_FEE_STROOPS ? fee : MIN_FEE_STROOPS;
    }),
    readsContracts: rpc_sources.length > 0,
    readContract: (to, asset) =>
      contract_sources.ask(async (source) => {
        const { latest_ledger, state } = await contractsOf(source).readContract(to, asset);
        // A source that lags does not know a new contract yet.
        return { answer: state, rank: latest_ledger, doubtful: state.contract === 'absent' };
      }),
    simulateTransfer: (transfer) =>
      contract_sources.ask(async (source) => {
        const { latest_ledger, simulated } = await contractsOf(source).simulateTransfer(transfer);
        return { answer: simulated, rank: latest_ledger, doubtful: !simulated.possible };
      }),
    contractFeePerOperation: cachedFor(FEE_FRESH_MS, clock, async () => {
      try {
        const fee = await contract_sources.ask(async (source) => {
          return { answer: await contractsOf(source).feePerOperation(), rank: 0, doubtful: false };
        });
        return fee > MIN_FEE_STROOPS ? fee : MIN_FEE_STROOPS;
      } catch (error) {
        if (!(error instanceof NetworkUnavailable)) throw error;
        return MIN_FEE_STROOPS; // too little is no harm: a fee-bump raises it
      }
    }),
    ledgerRoom: cachedFor(SETTINGS_FRESH_MS, clock, async () => {
      const [{ max_operations }, contract_calls] = await Promise.all([latestLedger(), callsPerLedger()]);
      return { operations: max_operations, contract_calls };
    }),
    contractPrices: settingOf(async ({ readPrices }) => readPrices()),
    frozenKeys: settingOf(async ({ readFrozenKeys }) => new Set(await readFrozenKeys())),
    async submit(envelope_xdr) {
      try {
        return await sources.ask(async (source) => rankHint(await source.submit(envelope_xdr)));
      } catch (error) {
        return { answer: 'no_answer', code: reasonOf(error), fee_needed_stroops: null };
      }
    },
    async find(hash) {
      const found = await find(hash);
      return found.found === 'applied' ? found.outcome : found;
    },
    async readTransaction(hash) {
      const found = await find(hash);
      if (found.found !== 'applied') return found;
      const { transaction, close_time } = found;
      return { found: 'applied', transaction, close_time };
    },
    readLedgersAfter: readOnce(createLedgerReader(sources, isStale, createUnknownReport(options)), clock),
    async fund(account) {
      const friendbot_url = await sources.ask(async (_, { friendbot_url: answer }) => {
        return { answer, rank: answer ? 1 : 0, doubtful: !answer };
      });
      if (!friendbot_url) throw new NetworkUnavailable('This network has no friendbot.');
      await askFriendbot(wire, friendbot_url, account);
    },
    close: () => transport.close(),
  };
}

/** @throws NoAnswer, so that the next source is asked */
function contractsOf({ contracts }: Source): ContractSource {
  if (!contracts) throw new NoAnswer('this server knows no contracts');
  return contracts;
}

type LookedUp = Awaited<ReturnType<Source['find']>>;

function rankLookup(answer: LookedUp, isStale: (close_time: bigint) => boolean): Ranked<LookedUp> {
  if (answer.found === 'applied') return { answer, rank: Number.POSITIVE_INFINITY, doubtful: false };
  return { answer, rank: answer.latest_ledger, doubtful: isStale(answer.latest_close_time) };
}

/** Ranks a hint. An envelope that one node refuses is sent to the next one: the same envelope may go to any number of nodes. */
function rankHint(answer: SubmitHint): Ranked<SubmitHint> {
  const doubtful = answer.answer !== 'pending' && answer.answer !== 'duplicate';
  const telling = answer.fee_needed_stroops !== null; // the caller can act on it
  return { answer, rank: telling ? HINT_RANKS.pending - 1 : HINT_RANKS[answer.answer], doubtful };
}

const HINT_RANKS = { pending: 4, duplicate: 4, try_again_later: 2, refused: 1, no_answer: 0 };

function pick<T>(known: Map<string, T>, keys: string[]): Map<string, T> {
  const own = new Map<string, T>();
  for (const key of keys) {
    const value = known.get(key);
    if (value !== undefined) own.set(key, value);
  }
  return own;
}

/** Reads once for all callers within `fresh_ms`. A failure reaches only the callers that waited for it. */
function cachedFor<T>(fresh_ms: number, clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; until_ms: number } | null = null;
  return () => {
    const now_ms = clock.now().getTime();
    if (kept && now_ms < kept.until_ms) return kept.answer;
    const asked = { answer: read(), until_ms: now_ms + fresh_ms };
    kept = asked;
    asked.answer.catch(() => {
      if (kept === asked) kept = null;
    });
    return asked.answer;
  };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

async function askFriendbot(wire: Wire, friendbot_url: string, account: string): Promise<void> {
  const url = new URL(friendbot_url);
  url.searchParams.set('addr', account);
  let failure: unknown;
  try {
    const { status, text } = await ask(wire, 'friendbot', { url: url.href, method: 'GET' });
    if (status === 200) return;
    failure = new Error(`friendbot: HTTP ${status} ${text.slice(0, 200)}`);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    failure = error;
  }
  throw new NetworkUnavailable('Friendbot did not fund the account.', { cause: failure });
}
