import type { xdr } from '@stellar/stellar-sdk/base';
import type { IssuedAsset } from './asset.ts';
import { trustLineKey } from './entry.ts';
import type { LedgerTxn, LedgerView } from './ledger-txn.ts';

export type TrustLine = xdr.TrustLineEntryWire;

export const AUTHORIZED = 0x1;
export const AUTHORIZED_TO_MAINTAIN_LIABILITIES = 0x2;
export const CLAWBACK_ENABLED = 0x4;

export function loadTrustLine(
  view: LedgerView,
  ed25519: Uint8Array,
  asset: IssuedAsset,
): TrustLine | undefined {
  const data = view.get(trustLineKey(ed25519, asset))?.data;
  return data?.type === 1 ? data.trustLine : undefined;
}

export function storeTrustLine(txn: LedgerTxn, line: TrustLine): void {
  txn.put(trustLineKey(line.accountId.ed25519, line.asset), { type: 1, trustLine: line });
}

export function isAuthorized(line: TrustLine): boolean {
  return (line.flags & AUTHORIZED) !== 0;
}

/** May keep its offers, but may neither send nor receive (CAP-18). */
export function mayMaintainLiabilities(line: TrustLine): boolean {
  return (line.flags & (AUTHORIZED | AUTHORIZED_TO_MAINTAIN_LIABILITIES)) !== 0;
}

/** What the open offers of the line would buy and sell, in stroops of its asset. */
export function lineLiabilities(line: TrustLine): xdr.LiabilitiesWire {
  return line.ext.v === 1 ? line.ext.v1.liabilities : { buying: 0n, selling: 0n };
}

/** Whether the account has shares of a liquidity pool with the asset (CAP-38). */
export function servesPools(line: TrustLine): boolean {
  return line.ext.v === 1 && line.ext.v1.ext.v === 2 && line.ext.v1.ext.v2.liquidityPoolUseCount !== 0;
}

export function withLineLiabilities(line: TrustLine, liabilities: xdr.LiabilitiesWire): TrustLine {
  const v1 = line.ext.v === 1 ? line.ext.v1 : { ext: { v: 0 } as const };
  return { ...line, ext: { v: 1, v1: { ...v1, liabilities } } };
}

/**
 * The line with `delta` stroops more, or undefined when authorization, limit or liabilities forbid it
 * (stellar-core, TransactionUtils addBalance).
 */
export function addLineBalance(line: TrustLine, delta: bigint): TrustLine | undefined {
  if (delta === 0n) return line;
  if (!mayMaintainLiabilities(line)) return undefined;
  const balance = line.balance + delta;
  const { buying, selling } = lineLiabilities(line);
  return balance < selling || balance > line.limit - buying ? undefined : { ...line, balance };
}
