/**
 * What a transaction paid to whom, twice over, by none of the service's code: once from its operations and their results
 * (of contracts, from their events), and once from the entries that it changed.
 */
import { Account, MuxedAccount, StrKey, xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../../sandbox/ledger/asset.ts';
import { base64 } from '../../sandbox/ledger/bytes.ts';
import type { ClosedTransaction } from '../../sandbox/ledger/close.ts';
import { i128Of } from '../../sandbox/ledger/sc-val.ts';

export type TrueCredit = {
  operation_index: number;
  event_index: number;
  kind: string;
  account: string;
  /** `native` or CODE:ISSUER. */
  asset: string;
  amount_stroops: bigint;
  muxed_id: bigint | null;
  /** G…, or C… of a contract. */
  source: string;
  /** M… of the same, if that is what paid. */
  source_muxed: string | null;
};

/** By how much an operation changed a balance. */
export type Delta = { operation_index: number; account: string; asset: string; stroops: bigint };

export type TrueMemo = { type: string; value: string | null };

/** Of a transaction that succeeded. */
export function creditsIn(closed: ClosedTransaction): TrueCredit[] {
  const results = resultsOf(closed.resultXdr);
  const source = address(closed.tx.source);
  return closed.tx.tx.operations.flatMap(({ sourceAccount, body }, operation_index) => {
    const own = sourceAccount ? muxed(sourceAccount) : { account: source, id: null };
    const source_muxed = own.id === null || body.type === 24 ? null : muxedOf(own.account, own.id);
    const events = closed.meta.v === 4 ? (closed.meta.v4.operations[operation_index]?.events ?? []) : [];
    const found =
      body.type === 24 ? creditsOfEvents(events) : creditOfOperation(body, results[operation_index]);
    return found.map((credit) => ({
      operation_index,
      event_index: 0,
      source: own.account,
      source_muxed,
      ...credit,
    }));
  });
}

type Found = Omit<TrueCredit, 'operation_index' | 'event_index' | 'source' | 'source_muxed'> &
  Partial<Pick<TrueCredit, 'event_index' | 'source'>>;

function creditOfOperation(body: xdr.OperationBodyWire, result: any): Found[] {
  const to = (destination: xdr.MuxedAccountWire, asset: string, amount_stroops: bigint, kind: string) => {
    const { account, id: muxed_id } = muxed(destination);
    return amount_stroops === 0n ? [] : [{ kind, account, muxed_id, asset, amount_stroops }];
  };
  switch (body.type) {
    case 0: {
      const { destination, startingBalance } = body.createAccountOp;
      return to({ type: 0, ed25519: destination.ed25519 }, 'native', startingBalance, 'create_account');
    }
    case 1: {
      const { destination, asset, amount } = body.paymentOp;
      return to(destination, assetText(asset), amount, 'payment');
    }
    case 2: {
      const { destination, destAsset, destAmount } = body.pathPaymentStrictReceiveOp;
      return to(destination, assetText(destAsset), destAmount, 'path_payment_strict_receive');
    }
    case 13: {
      const { destination, destAsset } = body.pathPaymentStrictSendOp;
      const { amount } = result.pathPaymentStrictSendResult.success.last;
      return to(destination, assetText(destAsset), amount, 'path_payment_strict_send');
    }
    case 8:
      return to(body.destination, 'native', result.accountMergeResult.sourceAccountBalance, 'account_merge');
    default:
      return [];
  }
}

/** Only contracts of assets run on the sandbox: what they say is so, and the entries below prove it. A mint is the issuer's. */
function creditsOfEvents(events: xdr.ContractEventWire[]): Found[] {
  return events.flatMap(({ body }, event_index) => {
    const { topics, data } = body.v0;
    const [name, ...rest] = topics.map(topicText);
    if (name !== 'transfer' && name !== 'mint') return [];
    const asset = rest.pop() ?? '';
    const account = rest.pop() ?? '';
    const issuer = asset.split(':')[1] ?? '';
    const { amount_stroops, muxed_id } = movedBy(data);
    if (amount_stroops === 0n) return [];
    const kind = `contract_${name}`;
    return [{ event_index, kind, account, asset, amount_stroops, muxed_id, source: rest.pop() ?? issuer }];
  });
}

function movedBy(data: xdr.ScValWire): { amount_stroops: bigint; muxed_id: bigint | null } {
  if (data.type !== 17) return { amount_stroops: i128Of(data) ?? 0n, muxed_id: null };
  const [amount, to] = data.map ?? [];
  return { amount_stroops: i128Of(amount?.val) ?? 0n, muxed_id: to?.val.type === 5 ? to.val.u64 : null };
}

function topicText(topic: xdr.ScValWire): string {
  if (topic.type === 15) return topic.sym.toString();
  if (topic.type === 14) return topic.str.toString();
  if (topic.type !== 18) return '';
  if (topic.address.type === 0) return address(topic.address.accountId.ed25519);
  return topic.address.type === 1 ? StrKey.encodeContract(topic.address.contractId) : '';
}

function resultsOf(result_xdr: Uint8Array): any[] {
  const { result }: any = xdr.TransactionResult.schema.decode(result_xdr);
  const { results = [] } = result.innerResultPair?.result.result ?? result;
  return results.map(({ tr }: any) => tr);
}

/** Balances of accounts and trust lines before and after each operation. */
export function deltasIn({ meta }: ClosedTransaction): Delta[] {
  if (meta.v !== 4) return [];
  return meta.v4.operations.flatMap(({ changes }, operation_index) => {
    const sums = new Map<string, Delta>();
    for (const change of changes) {
      // What was is taken away, what is then is added: an entry without one of them was made, or is gone.
      const sign = change.type === 3 ? -1n : 1n;
      const found = change.type === 2 ? null : balanceIn(entryIn(change));
      if (!found) continue;
      const key = `${found.account} ${found.asset}`;
      const before = sums.get(key)?.stroops ?? 0n;
      sums.set(key, { operation_index, ...found, stroops: before + sign * found.stroops });
    }
    return [...sums.values()].filter(({ stroops }) => stroops !== 0n);
  });
}

function entryIn(change: Exclude<xdr.LedgerEntryChangeWire, { type: 2 }>): xdr.LedgerEntryWire {
  if (change.type === 0) return change.created;
  if (change.type === 1) return change.updated;
  return change.type === 3 ? change.state : change.restored;
}

function balanceIn({ data }: xdr.LedgerEntryWire): Omit<Delta, 'operation_index'> | null {
  if (data.type === 0) {
    const { accountId, balance } = data.account;
    return { account: address(accountId.ed25519), asset: 'native', stroops: balance };
  }
  if (data.type !== 1 || data.trustLine.asset.type === 3) return null;
  const { accountId, asset, balance } = data.trustLine;
  return { account: address(accountId.ed25519), asset: assetText(asset), stroops: balance };
}

export function memoIn({ tx }: ClosedTransaction): TrueMemo {
  const { memo } = tx.tx;
  switch (memo.type) {
    case 0:
      return { type: 'none', value: null };
    case 1:
      return { type: 'text', value: textOf(memo.text) };
    case 2:
      return { type: 'id', value: `${memo.id}` };
    case 3:
      return { type: 'hash', value: base64(memo.hash) };
    case 4:
      return { type: 'return', value: base64(memo.retHash) };
  }
}

/** What is no UTF-8, or has a zero byte, which no text of PostgreSQL may have, is told in base64. */
function textOf({ bytes }: xdr.XdrString): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // no UTF-8
  }
  return `base64:${base64(bytes)}`;
}

export function muxed(account: xdr.MuxedAccountWire): { account: string; id: bigint | null } {
  if (account.type === 0) return { account: address(account.ed25519), id: null };
  return { account: address(account.med25519.ed25519), id: account.med25519.id };
}

export function muxedOf(account: string, id: bigint): string {
  return new MuxedAccount(new Account(account, '0'), `${id}`).accountId();
}

export function address(ed25519: Uint8Array): string {
  return StrKey.encodeEd25519PublicKey(ed25519);
}
