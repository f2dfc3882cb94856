/**
 * What a transaction paid to whom, and took from whom without being asked, from its operations and their results; of
 * contracts, from their events. For the first reader of the ledger (ledger.ts).
 */
import { Account, MuxedAccount, StrKey, type xdr } from '@stellar/stellar-sdk/base';

export type AppliedCredit = {
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

export type AppliedMemo = { type: string; value: string | null };

/** Of a transaction that succeeded. */
export function creditsIn(
  { sourceAccount, operations }: xdr.TransactionWire,
  result: xdr.TransactionResultWire,
  meta: xdr.TransactionMetaWire,
): AppliedCredit[] {
  const results = resultsOf(result);
  return operations.flatMap((operation, operation_index) => {
    const { body } = operation;
    const own = muxed(operation.sourceAccount ?? sourceAccount);
    const isContract = body.type === 24;
    const source_muxed = own.id === null || isContract ? null : muxedOf(own.account, own.id);
    const events = meta.v === 4 ? (meta.v4.operations[operation_index]?.events ?? []) : [];
    const found = isContract ? creditsOfEvents(events) : creditOfOperation(body, results[operation_index]);
    return found.map((credit) => ({
      operation_index,
      event_index: 0,
      source: own.account,
      source_muxed,
      ...credit,
    }));
  });
}

/** What contracts of assets clawed back. What a contract transfers is its caller's payment. */
export function contractClawbacksIn(
  { operations }: xdr.TransactionWire,
  meta: xdr.TransactionMetaWire,
): Pick<AppliedCredit, 'operation_index' | 'account' | 'asset' | 'amount_stroops'>[] {
  return operations.flatMap(({ body }, operation_index) => {
    if (body.type !== 24 || meta.v !== 4) return [];
    return (meta.v4.operations[operation_index]?.events ?? []).flatMap((event) => {
      const { topics, data } = event.body.v0;
      const [name, account = '', asset = ''] = topics.map(topicText);
      if (name !== 'clawback' || !account.startsWith('G')) return [];
      return [{ operation_index, account, asset, amount_stroops: movedBy(data).amount_stroops }];
    });
  });
}

type FoundCredit = Omit<AppliedCredit, 'operation_index' | 'event_index' | 'source' | 'source_muxed'> &
  Partial<Pick<AppliedCredit, 'event_index' | 'source'>>;

function creditOfOperation(body: xdr.OperationBodyWire, result: any): FoundCredit[] {
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
function creditsOfEvents(events: xdr.ContractEventWire[]): FoundCredit[] {
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

function resultsOf({ result }: xdr.TransactionResultWire): any[] {
  const { innerResultPair, results = [] } = result as any;
  return (innerResultPair?.result.result.results ?? results).map(({ tr }: any) => tr);
}

export function memoIn(memo: xdr.MemoWire): AppliedMemo {
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

/** Returns the text; base64 for bytes that are no UTF-8, or have a zero byte, which no text of PostgreSQL may have. */
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

/** G…, or M… with an id. */
export function addressOf(account: xdr.MuxedAccountWire): string {
  const { account: base, id } = muxed(account);
  return id === null ? base : muxedOf(base, id);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function i128Of(value: xdr.ScValWire | undefined): bigint | undefined {
  return value?.type === 10 ? (value.i128.hi << 64n) | value.i128.lo : undefined;
}

export function assetText(asset: xdr.AssetWire): string {
  if (asset.type === 0) return 'native';
  const { assetCode, issuer } = asset.type === 1 ? asset.alphaNum4 : asset.alphaNum12;
  return `${Buffer.from(assetCode).toString('latin1').replace(/\0+$/, '')}:${address(issuer.ed25519)}`;
}
