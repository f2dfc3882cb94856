import { z } from 'zod';
import { assetKey, noBalances } from '../accounts/account-balances.ts';
import { MEMO_REQUIRED, spendableOf } from '../accounts/account-state.ts';
import { authorizationOf } from '../accounts/trust-lines.ts';
import { NoAnswer, UnusableAnswer, type Wire } from '../answers/answers.ts';
import type { Source } from '../answers/source.ts';
import { positionOf } from '../ledgers/ledger-header.ts';
import { isHashOf } from '../ledgers/ledger-proof.ts';
import { readPagedLedgers } from '../ledgers/paged-ledgers.ts';
import {
  type AccountState,
  type Balances,
  type LedgerPosition,
  lineKey,
  type TrustLine,
} from '../stellar.ts';
import { checkFound } from './found-transaction.ts';
import { type HorizonClient, horizonClient } from './horizon-client.ts';
import { headerAt, horizonHistory, newestHeader, protocolsOf, readRoot } from './horizon-ledgers.ts';
import { hintOf } from './submit-hint.ts';

/** Horizon gives one account per request. This many requests run at the same time. */
const ACCOUNTS_AT_ONCE = 16;

const integer = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);
/** An amount with seven decimals, as stroops. */
const stroops = z
  .string()
  .regex(/^\d{1,12}\.\d{7}$/)
  .transform((text) => BigInt(text.replace('.', '')));
const count = z.int().min(0);

const Account = z.object({
  account_id: z.string(),
  sequence: z
    .string()
    .regex(/^\d{1,19}$/)
    .transform(BigInt),
  subentry_count: count,
  num_sponsoring: count,
  num_sponsored: count,
  balances: z.array(
    z.union([
      z.object({ asset_type: z.literal('native'), balance: stroops, selling_liabilities: stroops }),
      z.object({
        asset_type: z.enum(['credit_alphanum4', 'credit_alphanum12']),
        asset_code: z.string(),
        asset_issuer: z.string(),
        balance: stroops,
        limit: stroops,
        buying_liabilities: stroops,
        selling_liabilities: stroops,
        is_authorized: z.boolean(),
        is_authorized_to_maintain_liabilities: z.boolean(),
        is_clawback_enabled: z.boolean().default(false), // Horizon before 2.0 has none
      }),
      z.object({ asset_type: z.literal('liquidity_pool_shares') }),
    ]),
  ),
  flags: z.object({
    auth_required: z.boolean(),
    auth_revocable: z.boolean(),
    auth_immutable: z.boolean(),
    auth_clawback_enabled: z.boolean().default(false),
  }),
  home_domain: z.string().optional(),
  data: z.record(z.string(), z.string()),
});
const AccountBalances = z.object({
  account_id: z.string(),
  last_modified_ledger: z.int(),
  balances: z.array(
    z.union([
      z.object({ asset_type: z.literal('native'), balance: stroops }),
      z.object({
        asset_type: z.enum(['credit_alphanum4', 'credit_alphanum12']),
        asset_code: z.string(),
        asset_issuer: z.string(),
        balance: stroops,
        last_modified_ledger: z.int(),
      }),
      z.object({ asset_type: z.literal('liquidity_pool_shares') }),
    ]),
  ),
});
const FeeStats = z.object({ last_ledger_base_fee: integer, fee_charged: z.object({ p90: integer }) });
const Submitted = z.object({
  tx_status: z.string(),
  hash: z.string(),
  error_result_xdr: z.string().optional(),
});
const Transaction = z.object({
  successful: z.boolean(),
  ledger: z.int(),
  created_at: z.iso.datetime({ precision: 0 }).nullish(), // when its ledger closed
  envelope_xdr: z.string(),
  result_xdr: z.string(),
  result_meta_xdr: z.string().nullish(), // an operator may leave it out (SKIP_TXMETA)
});

/** Makes the source of a Horizon server. Its newest ledger is that of its history; the stellar-core behind it may be ahead. */
export function horizonSource(url: string, wire: Wire, passphrase: string): Source {
  const client = horizonClient(url, wire);
  const history = horizonHistory(client);
  const latestLedger = async () => positionOf(await newestHeader(client));
  return {
    async identify() {
      const { network_passphrase, _links } = await readRoot(client);
      const friendbot_url = _links.friendbot?.href.replace(/\{.*\}$/, ''); // a URI template that ends with {?addr}
      return { passphrase: network_passphrase, friendbot_url };
    },
    async describe() {
      const [root, latest] = await Promise.all([readRoot(client), latestLedger()]);
      const { horizon_version, history_elder_ledger: oldest_ledger } = root;
      const software = horizon_version ? `Horizon ${horizon_version}` : 'Horizon';
      const supported_protocol = protocolsOf(root).supported;
      return { software, latest, oldest_ledger, lacks: [], supported_protocol };
    },
    protocols: async () => protocolsOf(await readRoot(client)),
    latestLedger,
    async readAccounts(accounts, names) {
      const latest = await latestLedger();
      const holders = new Set([...accounts, ...names.map(({ account }) => account)]);
      const known = await readAll(client, [...holders], Account);
      const states = known.map(([account, record]) => [account, stateOf(record, latest)] as const);
      const asked = new Set(names.map(lineKey));
      const lines = known.flatMap(([, record]) => linesOf(record)).filter(([key]) => asked.has(key));
      return { latest, accounts: new Map(states), lines: new Map(lines) };
    },
    async readSequences(accounts) {
      const latest = await latestLedger();
      const known = await readAll(client, accounts, Account);
      const states = known.map(([account, record]) => [account, stateOf(record, latest)] as const);
      return {
        latest,
        sequences: new Map(states.map(([account, { sequence }]) => [account, sequence])),
        spendable: new Map(states.map(([account, { spendable_stroops }]) => [account, spendable_stroops])),
      };
    },
    async readBalances(holders) {
      const latest = await latestLedger();
      const accounts = holders.map(({ account }) => account);
      const known = new Map(await readAll(client, accounts, AccountBalances));
      const after = await newestHeader(client);
      if (after.sequence < latest.sequence) throw new NoAnswer('horizon:ledgers: the source went backwards');
      const balances = accounts.map((account) => {
        const record = known.get(account);
        return [account, record ? balancesOf(record, latest.sequence) : noBalances(latest.sequence)] as const;
      });
      return { latest, balances: new Map(balances) };
    },
    async feePerOperation() {
      const stats = await client.get('horizon:fee_stats', '/fee_stats', FeeStats);
      const { last_ledger_base_fee, fee_charged } = stats;
      return fee_charged.p90 > last_ledger_base_fee ? fee_charged.p90 : last_ledger_base_fee;
    },
    contracts: null,
    async submit(envelope_xdr) {
      const name = 'horizon:submit_async';
      const { status, text } = await client.post(name, '/transactions_async', { tx: envelope_xdr });
      // Horizon answers with 201, 409, 503 or 400. Only the body tells its answer from the page of a gateway.
      const body = Submitted.safeParse(jsonOrNull(text)).data;
      if (!body) throw new NoAnswer(`${name}: HTTP ${status}`);
      if (!isHashOf(passphrase, Buffer.from(envelope_xdr, 'base64'), body.hash))
        throw new UnusableAnswer(name, `an answer about ${body.hash}`);
      return hintOf(body.tx_status, body.error_result_xdr);
    },
    find: (hash) => find(client, passphrase, hash),
    readLedgersAfter: (after_ledger, after_hash) =>
      readPagedLedgers(history, passphrase, after_ledger, after_hash),
  };
}

type AccountRecord = z.output<typeof Account>;

/** Reads the accounts that exist. */
async function readAll<T extends z.ZodType<{ account_id: string }>>(
  client: HorizonClient,
  accounts: string[],
  shape: T,
): Promise<[string, z.output<T>][]> {
  const known: [string, z.output<T>][] = [];
  for (let start = 0; start < accounts.length; start += ACCOUNTS_AT_ONCE) {
    const some = accounts.slice(start, start + ACCOUNTS_AT_ONCE);
    const records = await Promise.all(
      some.map((account) => client.look('horizon:account', `/accounts/${account}`, shape)),
    );
    for (const [index, record] of records.entries()) {
      const account = some[index] as string;
      if (!record) continue;
      if (record.account_id !== account) throw new UnusableAnswer('horizon:account', `not ${account}`);
      known.push([account, record]);
    }
  }
  return known;
}

function stateOf(record: AccountRecord, { base_reserve_stroops }: LedgerPosition): AccountState {
  const native = record.balances.find((balance) => balance.asset_type === 'native');
  if (!native) throw new UnusableAnswer('horizon:account', 'an account without a native balance');
  const facts = {
    balance_stroops: native.balance,
    selling_liabilities_stroops: native.selling_liabilities,
    subentries: record.subentry_count,
    sponsoring: record.num_sponsoring,
    sponsored: record.num_sponsored,
  };
  return {
    sequence: record.sequence,
    ...spendableOf(facts, base_reserve_stroops),
    memo_required: Buffer.from(record.data[MEMO_REQUIRED] ?? '', 'base64').toString() === '1',
    flags: {
      auth_required: record.flags.auth_required,
      auth_revocable: record.flags.auth_revocable,
      auth_immutable: record.flags.auth_immutable,
      clawback_enabled: record.flags.auth_clawback_enabled,
    },
    home_domain: record.home_domain || null,
  };
}

/** Reads the trust lines of an account, by `lineKey`. */
function linesOf({ account_id, balances }: AccountRecord): [string, TrustLine][] {
  return balances.flatMap((each) => {
    if (!('asset_code' in each)) return [];
    const asset = { code: each.asset_code, issuer: each.asset_issuer };
    const line: TrustLine = {
      balance_stroops: each.balance,
      limit_stroops: each.limit,
      buying_liabilities_stroops: each.buying_liabilities,
      selling_liabilities_stroops: each.selling_liabilities,
      authorization: authorizationOf(each.is_authorized, each.is_authorized_to_maintain_liabilities),
      clawback_enabled: each.is_clawback_enabled,
    };
    return [[lineKey({ account: account_id, asset }), line] as [string, TrustLine]];
  });
}

/**
 * Reads balances. Horizon does not name the ledger of an account's balances. The account was read when `least_ledger` was in the history,
 * and did not change after its last change. So the balances are those of the later one of these two ledgers.
 */
function balancesOf(record: z.output<typeof AccountBalances>, least_ledger: number): Balances {
  const balances = noBalances(Math.max(least_ledger, record.last_modified_ledger));
  for (const each of record.balances) {
    if (each.asset_type === 'native') balances.native = each.balance;
    if (!('asset_code' in each)) continue;
    balances.issued.set(assetKey({ code: each.asset_code, issuer: each.asset_issuer }), each.balance);
    balances.ledger = Math.max(balances.ledger, each.last_modified_ledger);
  }
  if (balances.native === null)
    throw new UnusableAnswer('horizon:account', 'an account without a native balance');
  return balances;
}

/**
 * Finds a transaction. Horizon's "not found" does not name the ledgers that it searched. So the root (the history's first and last ledger) is
 * read, the hash is looked up again, and the root is read again: the history must not have gone backwards.
 */
async function find(client: HorizonClient, passphrase: string, hash: string): ReturnType<Source['find']> {
  const name = 'horizon:transaction';
  const look = async () => {
    const found = await client.look(name, `/transactions/${hash}`, Transaction);
    if (!found) return null;
    const { created_at, result_meta_xdr, ...stated } = found;
    const close_time = created_at ? BigInt(Date.parse(created_at) / 1000) : null;
    const meta_xdr = result_meta_xdr || null;
    return checkFound(name, { passphrase, hash }, { ...stated, close_time, meta_xdr });
  };
  const first = await look();
  if (first) return first;
  const before = await readOwnRoot(client, passphrase);
  const { close_time } = await headerAt(client, before.history_latest_ledger);
  const again = await look();
  if (again) return again;
  const after = await readOwnRoot(client, passphrase);
  if (after.history_latest_ledger < before.history_latest_ledger)
    throw new NoAnswer(`${name}: the source went backwards`);
  return {
    found: 'absent',
    oldest_ledger: Math.max(before.history_elder_ledger, after.history_elder_ledger),
    latest_ledger: before.history_latest_ledger,
    latest_close_time: close_time,
  };
}

async function readOwnRoot(client: HorizonClient, passphrase: string) {
  const root = await readRoot(client);
  if (root.network_passphrase !== passphrase) throw new NoAnswer('horizon:root: is on another network');
  return root;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
