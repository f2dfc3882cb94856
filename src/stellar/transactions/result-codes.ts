import type { xdr } from '../protocol/sdk.ts';

export type TransactionOutcome = {
  successful: boolean;
  fee_stroops: bigint;
  /** Null when successful; else the network's code as Horizon spells it: `tx_bad_seq`, `op_no_destination`. */
  failure_code: string | null;
  /**
   * Of a successful contract call: the hash (hex) of its return value and its events, which the result proves. Null for any
   * other transaction.
   */
  call_result: string | null;
};

/** Reads the outcome in a transaction result; of a fee-bump, in the inner result. The first failed operation gives the code. */
export function outcomeOf(result: xdr.TransactionResult): TransactionOutcome {
  const effective = effectiveResult(result);
  const { type } = result.result;
  const successful = type === 'txSuccess' || type === 'txFeeBumpInnerSuccess';
  return {
    successful,
    fee_stroops: result.feeCharged,
    failure_code: successful ? null : failureCode(effective),
    call_result: callResult(effective),
  };
}

/** Reads the result of a contract call, which is the only operation of its transaction. */
function callResult(result: EffectiveResult): string | null {
  const [first] = result.type === 'txSuccess' ? result.results : [];
  if (first?.type !== 'opInner' || first.tr.type !== 'invokeHostFunction') return null;
  const { invokeHostFunctionResult: called } = first.tr;
  if (called.type !== 'invokeHostFunctionSuccess') return null;
  return Buffer.from(called.success.value).toString('hex');
}

export type EffectiveResult = xdr.TransactionResultResult | xdr.InnerTransactionResultResult;

/** Returns the result of the transaction that has the operations: of a fee-bump, the inner one. */
export function effectiveResult({ result }: xdr.TransactionResult): EffectiveResult {
  const feeBump = result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed';
  return feeBump ? result.innerResultPair.result.result : result;
}

function failureCode(result: EffectiveResult): string {
  if (result.type !== 'txFailed') return transactionCode(result.type);
  for (const operation of result.results) {
    const code = operationCode(operation);
    if (code !== null) return code;
  }
  return 'tx_failed';
}

/** Returns the code of a failed operation; null for a successful one. */
export function operationCode(operation: xdr.OperationResult): string | null {
  if (operation.type === 'opNoAccount') return 'op_no_source_account';
  if (operation.type !== 'opInner') return snakeCase(operation.type);
  const { tr } = operation;
  const inner = Object.values(tr).find((value): value is { type: string } => isResultUnion(value));
  // A passive offer has a result of type manageSellOffer (Stellar-transaction.x).
  const kind = tr.type === 'createPassiveSellOffer' ? 'manageSellOffer' : tr.type;
  const name = inner?.type ?? kind;
  if (name === `${kind}Success`) return null;
  if (name === 'createAccountAlreadyExist') return 'op_already_exists';
  return `op_${snakeCase(name.startsWith(kind) ? name.slice(kind.length) : name)}`;
}

function isResultUnion(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function transactionCode(type: string): string {
  return type === 'txNoAccount' ? 'tx_no_source_account' : snakeCase(type);
}

export function snakeCase(name: string): string {
  return name
    .replace(/([A-Z])/g, '_$1')
    .toLowerCase()
    .replace(/^_/, '');
}

/** Sentences for the failures that users see most. */
const MESSAGES: Record<string, string | undefined> = {
  op_no_destination:
    'The destination account does not exist. A payment of the native asset to a G… address creates it, from two base reserves on ' +
    '(1 XLM on the public network).',
  op_underfunded: 'The wallet does not hold enough above its reserve to pay this amount and the fee.',
  op_low_reserve:
    'The reserve is too low: of the new account, or of who pays for one more trust line (the wallet, or the treasury).',
  op_too_many_sponsoring: 'The treasury sponsors as many entries as the network allows.',
  op_already_sponsored: 'The wallet’s entries are being sponsored already.',
  op_recursive: 'The treasury is itself being sponsored, so it cannot sponsor the wallet.',
  op_not_sponsored: 'No sponsorship of the wallet’s entries was begun.',
  op_no_source_account:
    'An account that the transaction acts for does not exist: the wallet, or the treasury.',
  tx_bad_sponsorship: 'The sponsorship of the trust line was begun and not ended, so nothing was changed.',
  op_already_exists:
    'Somebody else created the destination account in the same moment. Send again, with another key, to pay it.',
  op_line_full: 'The destination cannot hold this much more.',
  op_no_trust: 'The destination does not accept this asset.',
  op_not_authorized: 'The destination is not authorized to hold this asset.',
  op_src_no_trust: 'The wallet does not have this asset.',
  op_src_not_authorized: 'The issuer does not let the wallet pay this asset.',
  op_no_issuer: 'The issuer of the asset is no account of this network.',
  op_invalid_limit: 'The trust line still has a balance or offers, or there is none.',
  op_cannot_delete: 'The trust line is used by a share of a liquidity pool.',
  op_too_many_subentries: 'The account has as many entries as the network allows.',
  op_trapped:
    'The contract refused the transfer, and does not say why: a balance was too low, or a holder is not authorized.',
  op_resource_limit_exceeded:
    'The transfer needed more resources than its simulation had found. Send it again.',
  op_entry_archived:
    'The network has archived an entry of the transfer since it was simulated. Send it again: it is restored then.',
  op_insufficient_refundable_fee:
    'The rent of the destination’s balance has become dearer since the transfer was simulated. Send it again.',
  op_malformed: 'The network calls the operation malformed.',
  tx_insufficient_balance: 'The account that pays the fee cannot pay it and keep its reserve.',
  tx_soroban_invalid:
    'The resources that the transfer declares are not enough or not allowed any more. Send it again.',
  tx_frozen_key_accessed:
    'The network has frozen an account or a trust line that the transaction touches. Only a vote of the network ends that.',
  op_trustline_frozen: 'The network has frozen the trust line.',
  tx_insufficient_fee: 'The fee was too low for the network.',
  tx_bad_seq: 'The sequence number was used by another transaction of the wallet.',
  expired:
    'The network did not include the transaction before its time bound, and cannot include it any more.',
};

/** A node's answer to a transaction that names a frozen entry (CAP-77). */
export const FROZEN = 'tx_frozen_key_accessed';

/** Why a transaction has expired, where nodes have said that it names a frozen entry. */
export const EXPIRED_FROZEN =
  'The network has frozen an account or a trust line that the transaction touches (tx_frozen_key_accessed). So it did not ' +
  'include the transaction before its time bound, and cannot include it any more. Only a vote of the network ends that.';

/** Of an issued asset, where the network's code means something else than of the native one: fee and reserve are native. */
const MESSAGES_OF_ISSUED: Record<string, string | undefined> = {
  op_underfunded: 'The wallet does not hold enough of the asset to pay this amount.',
};

/** Explains a code. `asset_issuer`: of the asset that was to be paid; null for the native one, and where no asset was. */
export function failureMessage(code: string, asset_issuer: string | null = null): string {
  const of_issued = asset_issuer === null ? undefined : MESSAGES_OF_ISSUED[code];
  return of_issued ?? MESSAGES[code] ?? `The network refused the transaction: ${code}.`;
}
