import { xdr } from '@stellar/stellar-sdk/base';
import { INT64_MAX } from './bytes.ts';
import type { Account } from './entry.ts';
import { publicKey } from './entry.ts';

export type Header = xdr.LedgerHeaderWire;

/** ACCOUNT_SUBENTRY_LIMIT (stellar-core, TransactionUtils.h). */
export const MAX_SUBENTRIES = 1000;

/** Account flags: the issuer's settings for trust lines to it (AccountFlags in XDR). */
export const AUTH_REQUIRED = 0x1;
export const AUTH_REVOCABLE = 0x2;
export const AUTH_IMMUTABLE = 0x4;
export const AUTH_CLAWBACK_ENABLED = 0x8;

/**
 * A new account with a balance of zero. Sequence numbers start at `ledgerSeq << 32`, so no old transaction is valid
 * for it.
 */
export function newAccount(ed25519: Uint8Array, header: Header): Account {
  return {
    accountId: publicKey(ed25519),
    balance: 0n,
    seqNum: startingSequence(header),
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: new xdr.XdrString(''),
    thresholds: new Uint8Array([1, 0, 0, 0]),
    signers: [],
    ext: { v: 0 },
  };
}

export function startingSequence(header: Header): bigint {
  return BigInt(header.ledgerSeq) << 32n;
}

/** What the open offers of the account would buy and sell of the native asset, in stroops. */
export function accountLiabilities(account: Account): xdr.LiabilitiesWire {
  return extensionV1(account).liabilities;
}

export function withLiabilities(account: Account, liabilities: xdr.LiabilitiesWire): Account {
  return { ...account, ext: { v: 1, v1: { ...extensionV1(account), liabilities } } };
}

/** The account with more base reserves that it sponsors for others, and that others sponsor for it (CAP-33). */
export function addSponsorship(
  account: Account,
  reserves: { sponsoring: number; sponsored: number },
): Account {
  const before = extensionV2(account);
  const numSponsoring = before.numSponsoring + reserves.sponsoring;
  const numSponsored = before.numSponsored + reserves.sponsored;
  return withExtensionV2(account, { ...before, numSponsoring, numSponsored });
}

function extensionV1(account: Account): xdr.AccountEntryExtensionV1Wire {
  return account.ext.v === 1 ? account.ext.v1 : { liabilities: { buying: 0n, selling: 0n }, ext: { v: 0 } };
}

function extensionV2(account: Account): xdr.AccountEntryExtensionV2Wire {
  const { ext } = extensionV1(account);
  if (ext.v === 2) return ext.v2;
  const none = { numSponsored: 0, numSponsoring: 0, ext: { v: 0 } as const };
  return { ...none, signerSponsoringIDs: account.signers.map(() => null) };
}

function withExtensionV2(account: Account, v2: xdr.AccountEntryExtensionV2Wire): Account {
  return { ...account, ext: { v: 1, v1: { ...extensionV1(account), ext: { v: 2, v2 } } } };
}

/** In stroops: 2 base reserves for the account and one for each subentry, adjusted by sponsorship (CAP-33). */
export function minimumBalance(header: Header, account: Account): bigint {
  const { numSponsored, numSponsoring } = extensionV2(account);
  return BigInt(2 + account.numSubEntries + numSponsoring - numSponsored) * BigInt(header.baseReserve);
}

/** What the account can spend, in stroops: negative when fees have used part of its reserve. */
export function availableBalance(header: Header, account: Account): bigint {
  return account.balance - minimumBalance(header, account) - extensionV1(account).liabilities.selling;
}

/**
 * The account with `delta` stroops more. Undefined when the balance and its buying liabilities would exceed int64,
 * or when a debit would use the reserve or selling liabilities (stellar-core, TransactionUtils addBalance).
 */
export function addBalance(header: Header, account: Account, delta: bigint): Account | undefined {
  if (delta === 0n) return account;
  const balance = account.balance + delta;
  if (balance < 0n || balance > INT64_MAX - extensionV1(account).liabilities.buying) return undefined;
  const after = { ...account, balance };
  if (delta < 0n && availableBalance(header, after) < 0n) return undefined;
  return after;
}

/**
 * The account after a transaction used its sequence number. Since protocol 19 it records the time of that (CAP-21).
 */
export function withSequence(header: Header, account: Account, seqNum: bigint): Account {
  const moved = { ...account, seqNum };
  if (header.ledgerVersion < 19) return moved;
  const v3 = { ext: { v: 0 } as const, seqLedger: header.ledgerSeq, seqTime: header.scpValue.closeTime };
  return withExtensionV2(moved, { ...extensionV2(moved), ext: { v: 3, v3 } });
}

/** When the sequence number of the account was last used, for minSeqAge and minSeqLedgerGap (CAP-21). */
export function sequenceUse(account: Account): { seqLedger: number; seqTime: bigint } {
  const { ext } = extensionV2(account);
  return ext.v === 3 ? ext.v3 : { seqLedger: 0, seqTime: 0n };
}

/** Reserves of entries of others that the account pays. */
export function numSponsoring(account: Account): number {
  return extensionV2(account).numSponsoring;
}

/** The account that pays the reserve of the signer at this index instead of this account (CAP-33). */
export function signerSponsor(account: Account, at: number): Uint8Array | undefined {
  return extensionV2(account).signerSponsoringIDs[at]?.ed25519;
}

export function withoutSigner(account: Account, at: number): Account {
  return spliceSigners(account, at, 1, [], null);
}

export function withSigner(
  account: Account,
  at: number,
  signer: xdr.SignerWire,
  sponsor: Uint8Array | undefined,
): Account {
  return spliceSigners(account, at, 0, [signer], sponsor === undefined ? null : publicKey(sponsor));
}

/** `signerSponsoringIDs` is parallel to the signers, so both are edited at the same index. */
function spliceSigners(
  account: Account,
  at: number,
  remove: number,
  add: xdr.SignerWire[],
  sponsor: xdr.PublicKeyWire | null,
): Account {
  const signers = account.signers.toSpliced(at, remove, ...add);
  const changed = { ...account, signers, numSubEntries: account.numSubEntries + add.length - remove };
  const hasSponsors = account.ext.v === 1 && account.ext.v1.ext.v === 2;
  if (!hasSponsors && sponsor === null) return changed;
  const v2 = extensionV2(account);
  const signerSponsoringIDs = v2.signerSponsoringIDs.toSpliced(at, remove, ...add.map(() => sponsor));
  return withExtensionV2(changed, { ...v2, signerSponsoringIDs });
}

/** 0 = master key weight, 1..3 = low, medium and high threshold. */
export function thresholdOf(account: Account, index: 0 | 1 | 2 | 3): number {
  return account.thresholds[index] ?? 0;
}
