import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import {
  accountLiabilities,
  addBalance,
  availableBalance,
  minimumBalance,
  withLiabilities,
} from './account.ts';
import type { Asset } from './asset.ts';
import { isIssuer } from './asset.ts';
import { INT64_MAX } from './bytes.ts';
import type { Account } from './entry.ts';
import type { LedgerTxn, LedgerView } from './ledger-txn.ts';
import { loadAccount, storeAccount } from './ledger-txn.ts';
import type { TrustLine } from './trust-line.ts';
import {
  addLineBalance,
  isAuthorized,
  lineLiabilities,
  loadTrustLine,
  mayMaintainLiabilities,
  storeTrustLine,
  withLineLiabilities,
} from './trust-line.ts';

/**
 * The balance of an account in one asset: its native balance, a trust line, or without limit for an asset that it
 * issues (stellar-core, TrustLineWrapper).
 */
export type Holding =
  | { kind: 'native'; account: Account }
  | { kind: 'line'; line: TrustLine }
  | { kind: 'issuer' };

const ISSUER: Holding = { kind: 'issuer' };

/** Undefined without the account (native asset) or the trust line. The account of the issuer need not exist. */
export function loadHolding(view: LedgerView, ed25519: Uint8Array, asset: Asset): Holding | undefined {
  if (asset.type === 0) {
    const account = loadAccount(view, ed25519);
    return account && { kind: 'native', account };
  }
  if (isIssuer(asset, ed25519)) return ISSUER;
  const line = loadTrustLine(view, ed25519, asset);
  return line && { kind: 'line', line };
}

export function storeHolding(txn: LedgerTxn, holding: Holding): void {
  if (holding.kind === 'native') storeAccount(txn, holding.account);
  if (holding.kind === 'line') storeTrustLine(txn, holding.line);
}

export function isHoldingAuthorized(holding: Holding): boolean {
  return holding.kind !== 'line' || isAuthorized(holding.line);
}

export function mayHoldingMaintainLiabilities(holding: Holding): boolean {
  return holding.kind !== 'line' || mayMaintainLiabilities(holding.line);
}

/**
 * The holding with `delta` stroops more, or undefined when reserve, limit, liabilities or authorization forbid it.
 */
export function addToHolding(header: Header, holding: Holding, delta: bigint): Holding | undefined {
  if (holding.kind === 'native') {
    const account = addBalance(header, holding.account, delta);
    return account && { kind: 'native', account };
  }
  if (holding.kind === 'issuer') return holding;
  const line = addLineBalance(holding.line, delta);
  return line && { kind: 'line', line };
}

/** In stroops, above reserve and selling liabilities; negative when fees have used part of the reserve. */
export function availableOf(header: Header, holding: Holding): bigint {
  if (holding.kind === 'native') return availableBalance(header, holding.account);
  if (holding.kind === 'issuer') return INT64_MAX;
  return holding.line.balance - lineLiabilities(holding.line).selling;
}

/** In stroops: nothing for an unauthorized line (stellar-core, OfferExchange canSellAtMost). */
export function canSellAtMost(header: Header, holding: Holding | undefined): bigint {
  if (holding === undefined || !mayHoldingMaintainLiabilities(holding)) return 0n;
  return atLeastZero(availableOf(header, holding));
}

/** In stroops, below the limit and buying liabilities (stellar-core, OfferExchange canBuyAtMost). */
export function canBuyAtMost(holding: Holding | undefined): bigint {
  if (holding === undefined) return 0n;
  if (holding.kind === 'issuer') return INT64_MAX;
  if (holding.kind === 'native') {
    return atLeastZero(INT64_MAX - holding.account.balance - accountLiabilities(holding.account).buying);
  }
  const { line } = holding;
  return mayMaintainLiabilities(line)
    ? atLeastZero(line.limit - line.balance - lineLiabilities(line).buying)
    : 0n;
}

/**
 * The holding with its liabilities changed by `delta`, or undefined when the balance cannot cover them
 * (stellar-core, TransactionUtils addBuyingLiabilities and addSellingLiabilities).
 */
export function addLiabilities(
  header: Header,
  holding: Holding,
  delta: xdr.LiabilitiesWire,
): Holding | undefined {
  if (holding.kind === 'issuer' || (delta.buying === 0n && delta.selling === 0n)) return holding;
  const present =
    holding.kind === 'native' ? accountLiabilities(holding.account) : lineLiabilities(holding.line);
  const changed = { buying: present.buying + delta.buying, selling: present.selling + delta.selling };
  if (delta.buying !== 0n && !isWithin(changed.buying, mostBuying(holding))) return undefined;
  if (delta.selling !== 0n && !isWithin(changed.selling, mostSelling(header, holding))) return undefined;
  if (holding.kind === 'native')
    return { kind: 'native', account: withLiabilities(holding.account, changed) };
  return { kind: 'line', line: withLineLiabilities(holding.line, changed) };
}

type Bounded = Exclude<Holding, { kind: 'issuer' }>;

function mostBuying(holding: Bounded): bigint {
  if (holding.kind === 'native') return INT64_MAX - holding.account.balance;
  return mayMaintainLiabilities(holding.line) ? holding.line.limit - holding.line.balance : -1n;
}

function mostSelling(header: Header, holding: Bounded): bigint {
  if (holding.kind === 'native') return holding.account.balance - minimumBalance(header, holding.account);
  return mayMaintainLiabilities(holding.line) ? holding.line.balance : -1n;
}

function isWithin(value: bigint, most: bigint): boolean {
  return value >= 0n && value <= most;
}

function atLeastZero(value: bigint): bigint {
  return value < 0n ? 0n : value;
}
