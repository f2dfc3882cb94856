import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { balancesIn, holderKeys } from '../accounts/account-balances.ts';
import { accountKey, accountSequences, accountStates, memoRequiredKey } from '../accounts/account-state.ts';
import { keyOfLine, trustLines } from '../accounts/trust-lines.ts';
import { decoding, NoAnswer, protocolNumber, UnusableAnswer, type Wire } from '../answers/answers.ts';
import type { Source } from '../answers/source.ts';
import { CALLS_PER_LEDGER_KEY } from '../contracts/contract-prices.ts';
import { positionOf } from '../ledgers/ledger-header.ts';
import { isHashOf } from '../ledgers/ledger-proof.ts';
import { type Balances, type Holder, lineKey } from '../stellar.ts';
import { checkFound } from './found-transaction.ts';
import { CoreBusy, type RpcClient, RpcError, rpcClient, seconds } from './rpc-client.ts';
import { rpcContracts } from './rpc-contracts.ts';
import { rpcHistory } from './rpc-history.ts';
import { createRpcLedgers } from './rpc-ledgers.ts';
import { hintOf } from './submit-hint.ts';

/** The limit of getLedgerEntries. */
const MAX_KEYS = 200;

const Network = z.object({ passphrase: z.string(), friendbotUrl: z.string().optional() });
const NetworkProtocol = z.object({ protocolVersion: protocolNumber });
const VersionInfo = z.object({ version: z.string().max(100), protocolVersion: protocolNumber });
const Entries = z.object({
  entries: z.array(z.object({ xdr: z.string() })).nullish(),
  latestLedger: z.int(),
});
const DatedEntries = Entries.extend({
  entries: z.array(z.object({ xdr: z.string(), lastModifiedLedgerSeq: z.int() })).nullish(),
});
const FeeStats = z.object({ inclusionFee: z.object({ p90: z.string().regex(/^\d{1,18}$/) }) });
const SendAnswer = z.object({ status: z.string(), hash: z.string(), errorResultXdr: z.string().optional() });
const TransactionAnswer = z.object({
  status: z.enum(['SUCCESS', 'FAILED', 'NOT_FOUND']),
  latestLedger: z.int(),
  latestLedgerCloseTime: seconds,
  oldestLedger: z.int(),
  ledger: z.int().optional(),
  createdAt: seconds.optional(), // close time of the ledger of a transaction that was found
  envelopeXdr: z.string().optional(),
  resultXdr: z.string().optional(),
  resultMetaXdr: z.string().optional(),
});

/** Makes the source of a Stellar RPC server. */
export function rpcSource(url: string, wire: Wire, passphrase: string): Source {
  const client = rpcClient(url, wire);
  const history = rpcHistory(client);
  const latestLedger = async () => positionOf(await history.newestHeader());
  return {
    async identify() {
      const network = await client.call('getNetwork', undefined, Network);
      return { passphrase: network.passphrase, friendbot_url: network.friendbotUrl };
    },
    async describe() {
      const [version, latest, { oldest_ledger }] = await Promise.all([
        versionOf(client),
        latestLedger(),
        history.span(),
        checkCore(client, wire.clock),
      ]);
      const software = version ? `Stellar RPC ${version.version}` : 'Stellar RPC';
      const supported_protocol = version?.protocolVersion ?? null;
      return { software, latest, oldest_ledger, lacks: history.lacks(), supported_protocol };
    },
    async protocols() {
      const [network, version] = await Promise.all([
        client.call('getNetwork', undefined, NetworkProtocol),
        versionOf(client),
      ]);
      return { network: network.protocolVersion, supported: version?.protocolVersion ?? null };
    },
    latestLedger,
    async readAccounts(accounts, names) {
      const latest = await latestLedger();
      const keys = accounts.flatMap((account) => [accountKey(account), memoRequiredKey(account)]);
      const { entries } = await readEntries(client, [...keys, ...names.map(keyOfLine)]);
      const states = decoding('getLedgerEntries', () => accountStates(entries, latest.base_reserve_stroops));
      const lines = decoding('getLedgerEntries', () => trustLines(entries));
      return {
        latest,
        accounts: onlyAsked(accounts, states),
        lines: onlyAsked(names.map(lineKey), lines),
      };
    },
    async readSequences(accounts) {
      const latest = await latestLedger();
      const { entries, as_of } = await readEntries(client, accounts.map(accountKey));
      // Another node behind the same address may lag. A transaction with a used sequence number would only expire.
      if (as_of < latest.sequence) throw new NoAnswer('getLedgerEntries: the source went backwards');
      const { base_reserve_stroops } = latest;
      const read = decoding('getLedgerEntries', () => accountSequences(entries, base_reserve_stroops));
      return { latest, ...read, sequences: onlyAsked(accounts, read.sequences) };
    },
    async readBalances(holders) {
      const latest = await latestLedger();
      const read = await Promise.all(
        requestsFor(holders).map((some) => balancesOf(client, some, latest.sequence)),
      );
      return { latest, balances: new Map(read.flatMap((balances) => [...balances])) };
    },
    async feePerOperation() {
      const { inclusionFee } = await client.call('getFeeStats', undefined, FeeStats);
      return BigInt(inclusionFee.p90);
    },
    contracts: rpcContracts(client, passphrase),
    async submit(envelope_xdr) {
      const sent = await client.call('sendTransaction', { transaction: envelope_xdr }, SendAnswer);
      if (!isHashOf(passphrase, Buffer.from(envelope_xdr, 'base64'), sent.hash))
        throw new UnusableAnswer('sendTransaction', `an answer about ${sent.hash}`);
      return hintOf(sent.status, sent.errorResultXdr);
    },
    find: (hash) => find(client, passphrase, hash),
    readLedgersAfter: createRpcLedgers(client, history, passphrase),
  };
}

/** A stellar-core is busy for half a minute after its restart. */
const BUSY_LASTS_MS = 60_000;

/**
 * Asks a stellar-core that was busy for an entry: perhaps nobody has asked since. So nothing is asked of one that was not.
 * @throws NoAnswer when it has been busy for a minute, and is still.
 */
async function checkCore(client: RpcClient, clock: Clock): Promise<void> {
  const since = client.busySince();
  if (since === null) return;
  try {
    await client.call('getLedgerEntries', { keys: [CALLS_PER_LEDGER_KEY] }, Entries);
  } catch (error) {
    if (!(error instanceof CoreBusy)) throw error;
    if (clock.now().getTime() - since.getTime() < BUSY_LASTS_MS) return;
    throw new NoAnswer(`its stellar-core has been busy since ${since.toISOString()}, so it gives no entries`);
  }
}

/** Reads the version; null when the server, or a gateway before it, does not say it. */
async function versionOf(client: RpcClient): Promise<z.output<typeof VersionInfo> | null> {
  try {
    return await client.call('getVersionInfo', undefined, VersionInfo);
  } catch (error) {
    if (error instanceof RpcError || error instanceof UnusableAnswer) return null;
    throw error;
  }
}

/** Splits holders into requests. All keys of one account go into one request, if one can hold them: so its balances are of one ledger. */
function requestsFor(holders: Holder[]): Holder[][] {
  const requests: Holder[][] = [];
  let free = 0;
  for (const holder of holders) {
    const keys = 1 + holder.assets.length;
    if (keys > free) {
      requests.push([]);
      free = MAX_KEYS;
    }
    requests.at(-1)?.push(holder);
    free -= keys;
  }
  return requests;
}

/** A ledger may close between the requests for one account. */
const SAME_LEDGER_TRIES = 5;

/**
 * Reads balances from answers that name the same ledger: all of them are of that ledger. One answer is enough, but for an
 * account with more assets than an answer can hold.
 */
async function balancesOf(
  client: RpcClient,
  holders: Holder[],
  least_ledger: number,
): Promise<Map<string, Balances>> {
  const keys = holders.flatMap(holderKeys);
  for (let tries = 1; tries <= SAME_LEDGER_TRIES; tries++) {
    const answers = await Promise.all(chunked(keys).map((some) => datedEntries(client, some, least_ledger)));
    const [ledger = least_ledger, ...others] = new Set(answers.map(({ latestLedger }) => latestLedger));
    const entries = answers.flatMap(({ entries }) => entries);
    if (others.length === 0) return decoding('getLedgerEntries', () => balancesIn(holders, entries, ledger));
  }
  throw new NoAnswer('getLedgerEntries: ledgers close faster than the source answers');
}

/** Reads entries (base64 LedgerEntryData) as they are at `latestLedger`. */
async function datedEntries(client: RpcClient, keys: string[], least_ledger: number) {
  const method = 'getLedgerEntries';
  const { latestLedger, entries } = await client.call(method, { keys }, DatedEntries);
  // Another node behind the same address may lag.
  if (latestLedger < least_ledger) throw new NoAnswer(`${method}: the source went backwards`);
  if (entries?.some(({ lastModifiedLedgerSeq }) => lastModifiedLedgerSeq > latestLedger))
    throw new UnusableAnswer(method, `entries of a ledger after ${latestLedger}`);
  return { latestLedger, entries: (entries ?? []).map(({ xdr }) => xdr) };
}

function chunked(keys: string[]): string[][] {
  const chunks: string[][] = [];
  for (let start = 0; start < keys.length; start += MAX_KEYS)
    chunks.push(keys.slice(start, start + MAX_KEYS));
  return chunks;
}

/** Reads the entries that exist. `as_of`: the lowest ledger of the answers. */
async function readEntries(client: RpcClient, keys: string[]): Promise<{ entries: string[]; as_of: number }> {
  const answers = await Promise.all(
    chunked(keys).map((chunk) => client.call('getLedgerEntries', { keys: chunk }, Entries)),
  );
  return {
    entries: answers.flatMap(({ entries }) => entries ?? []).map((entry) => entry.xdr),
    as_of: Math.min(...answers.map(({ latestLedger }) => latestLedger)),
  };
}

function onlyAsked<T>(names: string[], known: Map<string, T>): Map<string, T> {
  const asked = new Set(names);
  for (const name of known.keys()) {
    if (!asked.has(name))
      throw new UnusableAnswer('getLedgerEntries', `an entry that was not asked for: ${name}`);
  }
  return known;
}

/**
 * Looks twice before it gives `absent`: the first answer names the newest ledger, and the second look-up searches at
 * least that far. One look-up alone could miss a ledger that closed between its search and its answer.
 */
async function find(client: RpcClient, passphrase: string, hash: string): ReturnType<Source['find']> {
  const looks: z.output<typeof TransactionAnswer>[] = [];
  for (let look = 1; look <= 2; look++) {
    const answer = await client.call('getTransaction', { hash }, TransactionAnswer);
    looks.push(answer);
    if (answer.status === 'NOT_FOUND') continue;
    const { envelopeXdr, resultXdr, resultMetaXdr, createdAt, ledger, status } = answer;
    if (!envelopeXdr || !resultXdr || !ledger)
      throw new UnusableAnswer('getTransaction', 'a transaction without its XDR');
    const asked = { passphrase, hash };
    return checkFound('getTransaction', asked, {
      ledger,
      successful: status === 'SUCCESS',
      close_time: createdAt ?? null,
      envelope_xdr: envelopeXdr,
      result_xdr: resultXdr,
      meta_xdr: resultMetaXdr ?? null,
    });
  }
  const [first, second] = looks as [z.output<typeof TransactionAnswer>, z.output<typeof TransactionAnswer>];
  if (second.latestLedger < first.latestLedger)
    throw new NoAnswer('getTransaction: the source went backwards');
  return {
    found: 'absent',
    oldest_ledger: Math.max(first.oldestLedger, second.oldestLedger),
    latest_ledger: first.latestLedger,
    latest_close_time: first.latestLedgerCloseTime,
  };
}
