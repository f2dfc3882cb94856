/**
 * The second reader of the ledger: what each transaction changed in the balances of accounts and trust lines, fees
 * included, and in what trust lines may do. It reads entries before and after, never an operation, a result or an event, and shares no code with the
 * first reader (ledger.ts), so that agreement.ts can compare the two.
 */
import assert from 'node:assert/strict';
import { StrKey, xdr } from '@stellar/stellar-sdk';

export type BalanceChange = {
  /** Null for what the fee took, or gave back. */
  operation_index: number | null;
  account: string;
  /** `native` or CODE:ISSUER. */
  asset: string;
  stroops: bigint;
};

/** A trust line that was there before: what it may do has changed. */
export type LineChange = {
  operation_index: number;
  account: string;
  asset: string;
  authorization: 'full' | 'maintain_liabilities' | 'none';
};

/** A trust line that was made, or is gone, and who paid its reserve; null: its own account. */
export type LineSponsor = { account: string; asset: string; made: boolean; sponsor: string | null };

type Changes = readonly xdr.LedgerEntryChange[];

/** @param metadata the bytes of a LedgerCloseMeta, version 2 @returns by transaction hash */
export function balanceChangesIn(metadata: Uint8Array): Map<string, BalanceChange[]> {
  const meta = xdr.LedgerCloseMeta.fromXdr(Buffer.from(metadata));
  assert(meta.type === 'v2');
  return new Map(
    meta.v2.txProcessing.map((processed) => {
      const { result, feeProcessing, txApplyProcessing, postTxApplyFeeProcessing } = processed;
      assert(txApplyProcessing.type === 'v4');
      const { txChangesBefore, operations, txChangesAfter } = txApplyProcessing.v4;
      const beside = [...feeProcessing, ...txChangesBefore, ...txChangesAfter, ...postTxApplyFeeProcessing];
      const changes = [
        ...changesOf(null, beside),
        ...operations.flatMap((operation, index) => changesOf(index, operation.changes)),
      ];
      return [Buffer.from(result.transactionHash.value).toString('hex'), changes];
    }),
  );
}

/** @param metadata the bytes of a LedgerCloseMeta, version 2 @returns by transaction hash */
export function lineChangesIn(metadata: Uint8Array): Map<string, LineChange[]> {
  const meta = xdr.LedgerCloseMeta.fromXdr(Buffer.from(metadata));
  assert(meta.type === 'v2');
  return new Map(
    meta.v2.txProcessing.map(({ result, txApplyProcessing }) => {
      assert(txApplyProcessing.type === 'v4');
      const changes = txApplyProcessing.v4.operations.flatMap((operation, index) =>
        lineChangesOf(index, operation.changes),
      );
      return [Buffer.from(result.transactionHash.value).toString('hex'), changes];
    }),
  );
}

/** @param metadata the bytes of a LedgerCloseMeta, version 2 @returns by transaction hash */
export function lineSponsorsIn(metadata: Uint8Array): Map<string, LineSponsor[]> {
  const meta = xdr.LedgerCloseMeta.fromXdr(Buffer.from(metadata));
  assert(meta.type === 'v2');
  return new Map(
    meta.v2.txProcessing.map(({ result, txApplyProcessing }) => {
      assert(txApplyProcessing.type === 'v4');
      const sponsors = txApplyProcessing.v4.operations.flatMap(({ changes }) => lineSponsorsOf(changes));
      return [Buffer.from(result.transactionHash.value).toString('hex'), sponsors];
    }),
  );
}

/** The key of a trust line that is gone says nothing of its sponsor: its state before does. */
function lineSponsorsOf(changes: Changes): LineSponsor[] {
  const before = new Map<string, LineSponsor>();
  const found: LineSponsor[] = [];
  for (const change of changes) {
    if (change.type === 'ledgerEntryRemoved') {
      if (change.removed.type !== 'trustline') continue;
      const { accountId, asset } = change.removed.trustLine;
      const gone = before.get(`${strKey(accountId)} ${nameOf(asset)}`);
      if (gone) found.push(gone);
      continue;
    }
    const { data, ext } = change.value;
    if (data.type !== 'trustline') continue;
    const [account, asset] = [strKey(data.trustLine.accountId), nameOf(data.trustLine.asset)];
    if (asset === null) continue;
    const id = ext.type === 'v1' ? ext.v1.sponsoringId : null;
    const line = { account, asset, sponsor: id && strKey(id) };
    if (change.type === 'ledgerEntryCreated') found.push({ ...line, made: true });
    before.set(`${account} ${asset}`, { ...line, made: false });
  }
  return found;
}

/** By the two lowest flags of a trust line. */
const AUTHORIZATIONS = ['none', 'full', 'maintain_liabilities'] as const;

function lineChangesOf(operation_index: number, changes: Changes): LineChange[] {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const change of changes) {
    if (change.type === 'ledgerEntryRemoved' || change.value.data.type !== 'trustline') continue;
    const { accountId, asset, flags } = change.value.data.trustLine;
    const key = `${strKey(accountId)} ${nameOf(asset)}`;
    if (change.type === 'ledgerEntryState' && !first.has(key)) first.set(key, flags & 3);
    last.set(key, flags & 3);
  }
  return [...first]
    .filter(([key, flags]) => last.get(key) !== flags)
    .map(([key]) => {
      const [account = '', asset = ''] = key.split(' ');
      const authorization = AUTHORIZATIONS[last.get(key) ?? 0] ?? 'none';
      return { operation_index, account, asset, authorization };
    });
}

/** An entry without a state before was made; one without a state after is gone. */
function changesOf(operation_index: number | null, changes: Changes): BalanceChange[] {
  const sums = new Map<string, bigint>();
  const before = new Map<string, bigint>();
  for (const change of changes) {
    const found =
      change.type === 'ledgerEntryRemoved'
        ? balanceIn(change.removed.type, change.removed.value, 0n)
        : balanceIn(change.value.data.type, change.value.data.value);
    if (!found) continue;
    const { key, stroops } = found;
    const last = change.type === 'ledgerEntryState' ? stroops : (before.get(key) ?? 0n);
    sums.set(key, (sums.get(key) ?? 0n) + stroops - last);
    before.set(key, stroops);
  }
  return [...sums]
    .filter(([, stroops]) => stroops !== 0n)
    .map(([key, stroops]) => {
      const [account = '', asset = ''] = key.split(' ');
      return { operation_index, account, asset, stroops };
    });
}

/** Of an entry, or, with `gone`, of the key of one that was removed. */
function balanceIn(type: string, value: unknown, gone?: bigint): { key: string; stroops: bigint } | null {
  if (type !== 'account' && type !== 'trustline') return null;
  const { accountId, asset, balance = gone } = value as Partial<xdr.AccountEntry & xdr.TrustLineEntry>;
  assert(accountId && balance !== undefined);
  const name = asset ? nameOf(asset) : 'native';
  return name === null ? null : { key: `${strKey(accountId)} ${name}`, stroops: balance };
}

/** Null for shares of a liquidity pool. */
function nameOf(asset: xdr.TrustLineAsset): string | null {
  if (asset.type !== 'assetTypeCreditAlphanum4' && asset.type !== 'assetTypeCreditAlphanum12') return null;
  const { assetCode, issuer } = asset.value as xdr.AlphaNum4;
  const code = Buffer.from(assetCode.value).toString('latin1').split('\0')[0];
  return `${code}:${strKey(issuer)}`;
}

function strKey(account: xdr.PublicKey): string {
  return StrKey.encodeEd25519PublicKey(account.ed25519.value);
}
