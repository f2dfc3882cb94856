/**
 * What the credits of a transaction must be, told from other sources than `stellar/credits/credits.ts` reads: every balance before
 * and after each operation, and the events that a node wrote for it (CAP-67).
 */
import { strict as assert } from 'node:assert';
import { Asset, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk';
import { accountOf, addressOf } from '../../src/stellar/address.ts';
import { assetOf } from '../../src/stellar/credits/classic-movement.ts';
import type { Credit } from '../../src/stellar/credits/credit.ts';
import { creditsOf } from '../../src/stellar/credits/credits.ts';
import type { LedgerTransaction } from '../../src/stellar/stellar.ts';
import { decodedTransaction } from '../../src/stellar/transactions/applied.ts';

export type Counts = Record<string, number>;

type OperationMeta = xdr.OperationMeta | xdr.OperationMetaV2;
type ComparedOperation = {
  passphrase: string;
  operation: xdr.Operation;
  result: xdr.OperationResult | undefined;
  /** G… */
  source: string;
  credits: Credit[];
  meta: OperationMeta | undefined;
  name: string;
  counts: Counts;
};

/**
 * Holds the credits of each operation against the balances that it changed and the events that tell of it; `counts` grows
 * by what was compared. @throws AssertionError when they differ. @returns the credits
 */
export function compareCredits(passphrase: string, transaction: LedgerTransaction, counts: Counts): Credit[] {
  const credits = creditsOf(passphrase, transaction);
  const { inner, operation_results, outcome } = decodedTransaction(passphrase, transaction);
  count(counts, outcome.successful ? 'transactions' : 'failed transactions');
  const metas = outcome.successful ? operationMetas(transaction.meta) : [];
  for (const [index, meta] of metas.entries()) {
    const operation = inner.operations[index] as xdr.Operation;
    const reckoned = {
      passphrase,
      operation,
      meta,
      counts,
      result: operation_results[index],
      source: addressOf(operation.sourceAccount ?? inner.sourceAccount).account,
      credits: credits.filter(({ operation_index }) => operation_index === index),
      name: `${transaction.hash}, operation ${index}, ${operation.body.type}`,
    };
    compareBalances(reckoned);
    compareEvents(reckoned);
  }
  for (const { kind } of credits) count(counts, `credits by ${kind}`);
  return credits;
}

/**
 * What each account has more of is its credits less what it paid. Left out are those whose offers were taken, and the
 * source of an operation that does not say itself what it costs.
 */
function compareBalances({
  passphrase,
  operation,
  result,
  source,
  credits,
  meta,
  name,
  counts,
}: ComparedOperation): void {
  const changed = balanceChanges(meta?.changes ?? []);
  const expected = new Map<string, bigint>();
  for (const credit of credits) add(expected, `${credit.account} ${nameOf(credit)}`, credit.amount_stroops);
  const paid = paidIn(passphrase, operation, result, source, meta);
  for (const [key, stroops] of paid ?? []) add(expected, key, -stroops);
  const traders = sellersIn(result);
  for (const key of new Set([...changed.keys(), ...expected.keys()])) {
    const [account = '', asset = ''] = key.split(' ');
    const isIssuer = asset.endsWith(`:${account}`);
    if (traders.has(account)) count(counts, 'balances left out: offers taken');
    else if (paid === null && account === source) count(counts, 'balances left out: source of an operation');
    else {
      assert.equal(changed.get(key) ?? 0n, isIssuer ? 0n : (expected.get(key) ?? 0n), `${name}, ${key}`);
      count(counts, 'balances compared');
    }
  }
}

/** What an operation took from accounts, by account and asset; null when that does not follow from it alone. */
function paidIn(
  passphrase: string,
  { body }: xdr.Operation,
  result: xdr.OperationResult | undefined,
  source: string,
  meta: OperationMeta | undefined,
): [string, bigint][] | null {
  switch (body.type) {
    case 'payment':
      return [[`${source} ${nameOf(assetOf(body.paymentOp.asset))}`, body.paymentOp.amount]];
    case 'createAccount':
      return [[`${source} native`, body.createAccountOp.startingBalance]];
    case 'pathPaymentStrictSend': {
      const { sendAsset, sendAmount } = body.pathPaymentStrictSendOp;
      return [[`${source} ${nameOf(assetOf(sendAsset))}`, sendAmount]];
    }
    case 'accountMerge':
      assert(result?.type === 'opInner' && result.tr.type === 'accountMerge');
      return [[`${source} native`, result.tr.accountMergeResult.value as bigint]];
    case 'clawback': {
      const { from, asset, amount } = body.clawbackOp;
      return [[`${addressOf(from).account} ${nameOf(assetOf(asset))}`, amount]];
    }
    case 'invokeHostFunction':
      return eventsIn(passphrase, meta).flatMap(({ from, asset, amount }): [string, bigint][] =>
        from && StrKey.isValidEd25519PublicKey(from) ? [[`${from} ${asset}`, amount]] : [],
      );
    default:
      return null;
  }
}

const TOLD_BY_LAST_EVENT = ['pathPaymentStrictSend', 'pathPaymentStrictReceive'];
const TOLD_BY_EVENTS = ['payment', 'createAccount', 'accountMerge', 'invokeHostFunction'];

/** A path payment's other events tell of the trades on its way. */
function compareEvents({ passphrase, operation, credits, meta, name, counts }: ComparedOperation): void {
  const { type } = operation.body;
  const events = eventsIn(passphrase, meta);
  if (events.length === 0 || ![...TOLD_BY_EVENTS, ...TOLD_BY_LAST_EVENT].includes(type)) return;
  const relevant = TOLD_BY_LAST_EVENT.includes(type) ? events.slice(-1) : events;
  const told = relevant.filter(
    ({ to, asset, amount }) => StrKey.isValidEd25519PublicKey(to) && !asset.endsWith(`:${to}`) && amount > 0n,
  );
  assert.deepEqual(
    credits.map((credit) => [credit.account, nameOf(credit), credit.amount_stroops, mark(credit)]),
    told.map(({ to, asset, amount, to_muxed_id }) => [to, asset, amount, to_muxed_id]),
    name,
  );
  count(counts, 'events compared', told.length);
}

/** What CAP-67 has as `to_muxed_id`: the muxed id, else the memo. */
function mark({ muxed_id, memo, kind }: Credit): unknown {
  if (muxed_id !== null || kind.startsWith('contract')) return muxed_id;
  return memo.type === 'id' ? BigInt(memo.value) : memo.value;
}

type ToldMovement = {
  /** None of a mint. */
  from: string | null;
  /** '' where it ceased to be. */
  to: string;
  asset: string;
  amount: bigint;
  to_muxed_id: unknown;
};

/** Events of contracts of assets, taken apart by the SDK's own conversion. */
function eventsIn(passphrase: string, meta: OperationMeta | undefined): ToldMovement[] {
  const events = meta && 'events' in meta ? meta.events : [];
  return events.flatMap(({ contractId, body }) => {
    const [name, ...rest] = body.v0.topics.map((topic): unknown => scValToNative(topic));
    const asset = rest.at(-1);
    if (!contractId || StrKey.encodeContract(contractId.value) !== contractOf(passphrase, asset)) return [];
    const data: unknown = scValToNative(body.v0.data);
    if (typeof data !== 'bigint' && (typeof data !== 'object' || data === null)) return [];
    const { amount, to_muxed_id = null } =
      typeof data === 'bigint' ? { amount: data } : (data as ToldMovement);
    const isGift = name === 'transfer' || name === 'mint';
    const to = isGift ? `${rest.at(-2)}` : '';
    const from = name === 'mint' ? null : `${rest.at(isGift ? -3 : -2)}`;
    const id = to_muxed_id instanceof Uint8Array ? Buffer.from(to_muxed_id).toString('base64') : to_muxed_id;
    return [{ from, to, asset: `${asset}`, amount, to_muxed_id: id }];
  });
}

function contractOf(passphrase: string, name: unknown): string | null {
  if (name === 'native') return Asset.native().contractId(passphrase);
  const [code = '', issuer = ''] = `${name}`.split(':');
  return StrKey.isValidEd25519PublicKey(issuer) ? new Asset(code, issuer).contractId(passphrase) : null;
}

function operationMetas(meta: Buffer | null): readonly OperationMeta[] {
  const decoded = xdr.TransactionMeta.fromXdr(meta ?? Buffer.alloc(0));
  return decoded.type === 'operations' ? decoded.operations : decoded.value.operations;
}

/** By account and asset, what each balance grew by. */
function balanceChanges(changes: readonly xdr.LedgerEntryChange[]): Map<string, bigint> {
  const [grown, last] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const change of changes) {
    const held =
      change.type === 'ledgerEntryRemoved'
        ? balanceOf(change.removed.type, change.removed.value, 0n)
        : balanceOf(change.value.data.type, change.value.data.value);
    if (!held) continue;
    const before = change.type === 'ledgerEntryState' ? held.balance : (last.get(held.key) ?? 0n);
    add(grown, held.key, held.balance - before);
    last.set(held.key, held.balance);
  }
  return grown;
}

/** Of an entry, or of the key of one that is gone. */
function balanceOf(type: string, entry: unknown, gone?: bigint): { key: string; balance: bigint } | null {
  if (type !== 'account' && type !== 'trustline') return null;
  const { accountId, balance = gone, asset } = entry as Partial<xdr.AccountEntry & xdr.TrustLineEntry>;
  assert(accountId && balance !== undefined);
  const account = accountOf(accountId.ed25519.value);
  if (!asset) return { key: `${account} native`, balance };
  if (asset.type === 'assetTypePoolShare') return null;
  return { key: `${account} ${nameOf(assetOf(asset))}`, balance };
}

function nameOf({ asset_code, asset_issuer }: ReturnType<typeof assetOf>): string {
  return asset_issuer === null ? asset_code : `${asset_code}:${asset_issuer}`;
}

/** Whose offers an operation took. */
function sellersIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  if ('sellerId' in value) return new Set([accountOf((value.sellerId as xdr.PublicKey).ed25519.value)]);
  return new Set(Object.values(value).flatMap((inner) => [...sellersIn(inner)]));
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

function count(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}
