import type { Header } from '../account.ts';
import { accountLiabilities, minimumBalance } from '../account.ts';
import type { Asset, IssuedAsset } from '../asset.ts';
import { isIssuer, issuerOf } from '../asset.ts';
import { INT64_MAX } from '../bytes.ts';
import { accountKey, trustLineKey } from '../entry.ts';
import type { ScAddress, ScVal } from '../sc-val.ts';
import { addressValue, fieldsOf, i128, i128Of, struct, symbol } from '../sc-val.ts';
import type { TrustLine } from '../trust-line.ts';
import { isAuthorized, lineLiabilities } from '../trust-line.ts';
import type { ContractStorage } from './contract-storage.ts';
import { HostError } from './host-error.ts';

/**
 * Balances of accounts and contracts in an asset, as its Stellar Asset Contract changes them (soroban-env-host,
 * stellar_asset_contract/balance.rs). Accounts have theirs in classic entries, contracts in the data of the asset's
 * contract.
 */

export type AssetContext = { asset: Asset; contract: ScAddress; header: Header; storage: ContractStorage };

/** An account or a contract. The muxed id of a destination does not matter for balances. */
export type Holder = Extract<ScAddress, { type: 0 | 1 }>;

const DAY_LEDGERS = 17_280;
const BALANCE_LIFETIME = { threshold: 29 * DAY_LEDGERS, extendTo: 30 * DAY_LEDGERS };
const INT128_MAX = 2n ** 127n - 1n;
const AUTH_REQUIRED = 0x1;
const AUTH_CLAWBACK = 0x8;

/** @throws HostError when the holder has too little, or may not pay */
export function spend(context: AssetContext, from: Holder, amount: bigint): void {
  mustBeAuthorized(context, from);
  if (from.type === 0) {
    moveClassic(context, from.accountId.ed25519, -int64(amount));
    return;
  }
  const balance = contractBalance(context, from);
  if (balance === undefined && amount === 0n) return;
  if (balance === undefined || balance.amount < amount) {
    throw HostError.ofAsset('balance', 'balance is not sufficient to spend');
  }
  writeBalance(context, from, { ...balance, amount: balance.amount - amount });
}

/** @throws HostError when the holder does not exist, has no room for the amount, or may not hold the asset */
export function receive(context: AssetContext, to: Holder, amount: bigint): void {
  mustBeAuthorized(context, to);
  if (to.type === 0) {
    moveClassic(context, to.accountId.ed25519, int64(amount));
    return;
  }
  const present = contractBalance(context, to) ?? newBalance(context);
  const after = present.amount + amount;
  if (after > INT128_MAX) throw HostError.ofAsset('overflow', 'balance overflow');
  writeBalance(context, to, { ...present, amount: after });
}

function mustBeAuthorized(context: AssetContext, holder: Holder): void {
  const authorized =
    holder.type === 0
      ? isAccountAuthorized(context, holder.accountId.ed25519)
      : (contractBalance(context, holder)?.authorized ?? (issuerFlags(context) & AUTH_REQUIRED) === 0);
  if (!authorized) throw HostError.ofAsset('balanceDeauthorized', 'balance is deauthorized');
}

function isAccountAuthorized({ asset, storage }: AssetContext, ed25519: Uint8Array): boolean {
  if (asset.type === 0 || isIssuer(asset, ed25519)) return true;
  return isAuthorized(mustHaveLine(storage, ed25519, asset));
}

/** Unlike a classic payment, a contract checks the bounds of the balance also when the balance grows. */
function moveClassic({ asset, header, storage }: AssetContext, ed25519: Uint8Array, delta: bigint): void {
  if (asset.type === 0) {
    const account = mustHaveAccount(storage, ed25519);
    const { buying, selling } = accountLiabilities(account);
    const bounds = { least: minimumBalance(header, account) + selling, most: INT64_MAX - buying };
    const balance = within(account.balance + delta, bounds);
    storage.put(accountKey(ed25519), { type: 0, account: { ...account, balance } });
  } else if (!isIssuer(asset, ed25519)) {
    const line = mustHaveLine(storage, ed25519, asset);
    const { buying, selling } = lineLiabilities(line);
    const balance = within(line.balance + delta, { least: selling, most: line.limit - buying });
    storage.put(trustLineKey(ed25519, asset), { type: 1, trustLine: { ...line, balance } });
  }
}

function within(balance: bigint, { least, most }: { least: bigint; most: bigint }): bigint {
  if (balance >= least && balance <= most) return balance;
  throw HostError.ofAsset('balance', 'resulting balance is not within the allowed range');
}

function int64(amount: bigint): bigint {
  if (amount <= INT64_MAX) return amount;
  throw HostError.ofAsset('overflow', 'amount is too large for an account');
}

function mustHaveAccount(storage: ContractStorage, ed25519: Uint8Array) {
  const account = storage.account(ed25519);
  if (account === undefined) throw HostError.ofAsset('accountMissing', 'account entry is missing');
  return account;
}

function mustHaveLine(storage: ContractStorage, ed25519: Uint8Array, asset: IssuedAsset): TrustLine {
  const data = storage.get(trustLineKey(ed25519, asset))?.data;
  if (data?.type === 1) return data.trustLine;
  throw HostError.ofAsset('trustLineMissing', 'trustline entry is missing for account');
}

type Balance = { amount: bigint; authorized: boolean; clawback: boolean };

function contractBalance({ contract, storage }: AssetContext, holder: Holder): Balance | undefined {
  const value = storage.getData(contract, balanceKey(holder), 'persistent');
  const fields = fieldsOf(value, 'amount', 'authorized', 'clawback');
  const amount = i128Of(fields?.amount);
  if (fields === undefined || amount === undefined) return undefined;
  return { amount, authorized: isTrue(fields.authorized), clawback: isTrue(fields.clawback) };
}

function newBalance(context: AssetContext): Balance {
  return { amount: 0n, authorized: true, clawback: (issuerFlags(context) & AUTH_CLAWBACK) !== 0 };
}

function writeBalance({ contract, storage }: AssetContext, holder: Holder, balance: Balance): void {
  const { amount, authorized, clawback } = balance;
  const value = struct({
    amount: i128(amount),
    authorized: { type: 0, b: authorized },
    clawback: { type: 0, b: clawback },
  });
  storage.putData(contract, balanceKey(holder), 'persistent', value);
  storage.extendData(contract, balanceKey(holder), 'persistent', BALANCE_LIFETIME);
}

function balanceKey(holder: Holder): ScVal {
  return { type: 16, vec: [symbol('Balance'), addressValue(holder)] };
}

function isTrue(value: ScVal): boolean {
  return value.type === 0 && value.b;
}

function issuerFlags({ asset, storage }: AssetContext): number {
  if (asset.type === 0) return 0;
  return mustHaveAccount(storage, issuerOf(asset)).flags;
}
