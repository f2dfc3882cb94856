/** Pure: explains what each operation of a transaction did for one account. */
import { accountOf, addressOf } from '../address.ts';
import type { AssetFields } from '../asset.ts';
import type { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import type { DecodedTransaction } from '../transactions/applied.ts';
import { operationCode, snakeCase } from '../transactions/result-codes.ts';
import type { Adjustment } from './adjustment.ts';
import { lineOrdersIn, lossesIn } from './adjustments.ts';
import { MetaMissing, transferEvents } from './contract-events.ts';
import type { Credit, Memo, Movement } from './credit.ts';
import { memoOf, movementsOf, type OpenTransaction, openTransaction, whyNoCredit } from './credits.ts';
import { sayAsset, whyRefused } from './explain-asset.ts';
import { lineChanges } from './line-changes.ts';

/** The keys are stable: integrators and support tools branch on them. */
const MESSAGES = {
  credited: 'It paid the account.',
  transaction_failed: 'The transaction failed: it paid nobody.',
  operation_failed: 'The operation failed, so the whole transaction failed: it paid nobody.',
  other_account: 'It paid another account.',
  zero_amount: 'It moved an amount of 0 to the account.',
  burned: 'The account issues this asset. The payment burned the amount, and no balance grew.',
  paid_out: 'The account itself paid this to another account.',
  own_operation:
    'The account made this operation itself. Claims, trades and pool operations are no deposits.',
  claimable_balance: 'It created a claimable balance for the account. The account was not paid.',
  clawed_back: 'The issuer clawed back an amount of its asset from the account.',
  clawed_back_by_contract: 'The admin of the asset’s contract clawed back an amount from the account.',
  contract_transfer: 'A contract call of others transferred an amount out of the account.',
  contract_burn: 'A contract call of others burned an amount of the account.',
  authorized: 'It changed the authorization of the account: it may take and pay the asset.',
  maintain_liabilities:
    'It changed the authorization of the account: it may keep its offers of the asset, but neither take nor pay it.',
  authorization_revoked:
    'It changed the authorization of the account: it may neither take nor pay the asset.',
  authorization_unchanged:
    'It set what the account may do with the asset. After the transaction that is the same as before.',
  trust_line: 'It changed which asset the account may hold. The account was not paid.',
  other_contract:
    'A contract reports a transfer to the account, but it is not the contract of an asset of this network: ' +
    'a token that the account cannot hold, or a fake.',
  no_transfer: 'The contract call moved no asset to the account.',
  meta_missing:
    'This network source does not show the transfers of the contract call. Configure another source.',
  events_not_provable: 'The data of this network source does not prove the transfers of the contract call.',
  fee_source_only: 'The account only paid the fee of the transaction.',
  not_a_payment: 'Operations of this type pay nobody.',
};
export type ReasonCode = keyof typeof MESSAGES;

export type OperationExplanation = {
  operation_index: number;
  /** As Horizon names it: `path_payment_strict_send`. */
  type: string;
  /** Credits of the asked account. */
  credits: Credit[];
  /** What others did to it without paying it. */
  adjustments: Adjustment[];
  reason: ReasonCode;
  /** A sentence for a person. */
  message: string;
};

export type TransactionExplanation = {
  successful: boolean;
  failure_code: string | null;
  fee_bump: boolean;
  memo: Memo;
  operations: OperationExplanation[];
};

/** @param account G… @throws Error when the transaction does not decode or contradicts itself. */
export function explainTransaction(
  passphrase: string,
  transaction: LedgerTransaction,
  account: string,
): TransactionExplanation {
  const decoded = openTransaction(passphrase, transaction);
  const { inner, outcome, fee_bump } = decoded;
  const memo = memoOf(inner.memo);
  const done = doneTo(passphrase, decoded, { account, meta: transaction.meta });
  const operations = inner.operations.map((operation, operation_index): OperationExplanation => {
    const finding = outcome.successful
      ? explainOperation({ passphrase, decoded, operation_index, account, done })
      : explainFailure(decoded, operation, { operation_index, account });
    const { reason, movements = [], detail, advice } = finding;
    const adjustments = done.adjustments.filter((each) => each.operation_index === operation_index);
    const moved = movements[0] ?? adjustments[0] ?? finding.asset;
    const also = adjustments.map(reasonOf).filter((other) => other !== reason);
    const messages = [reason, ...new Set(also)].map((each) => MESSAGES[each]).join(' ');
    const said = detail ? `${messages} (${detail})` : messages;
    return {
      operation_index,
      type: snakeCase(operation.body.type),
      credits: movements.map((movement) => ({ ...movement, memo, operation_index })),
      adjustments,
      reason,
      message: [said, sayAsset(operation, moved), advice].filter((each) => each != null).join(' '),
    };
  });
  return { successful: outcome.successful, failure_code: outcome.failure_code, fee_bump, memo, operations };
}

/** `asset`: of what a contract paid out, which the operation does not name. `advice`: a sentence more. */
type Finding = {
  reason: ReasonCode;
  asset?: AssetFields;
  movements?: Movement[];
  detail?: string | null;
  advice?: string | null;
};

/** Explains a failed transaction. The failed operation has its own code. The other operations did nothing because of it. */
function explainFailure(
  { operation_results, outcome }: DecodedTransaction,
  operation: xdr.Operation,
  { operation_index, account }: { operation_index: number; account: string },
): Finding {
  const result = operation_results[operation_index];
  const code = result ? operationCode(result) : null;
  return code
    ? { reason: 'operation_failed', detail: code, advice: whyRefused(operation, account, code) }
    : { reason: 'transaction_failed', detail: outcome.failure_code };
}

type Question = {
  passphrase: string;
  decoded: OpenTransaction;
  operation_index: number;
  account: string;
  done: Done;
};

/** What others did to the account without paying it. */
type Done = {
  adjustments: Adjustment[];
  /** Operations that set what it may do with an asset. Null when their effect is unknown. */
  unchanged: Set<number> | null;
};

function doneTo(
  passphrase: string,
  decoded: OpenTransaction,
  { account, meta }: { account: string; meta: Buffer | null },
): Done {
  const isOurs = (each: { account: string }) => each.account === account;
  try {
    const losses = lossesIn(passphrase, decoded).filter(isOurs);
    const orders = lineOrdersIn(passphrase, decoded).filter(isOurs);
    const changes = lineChanges(meta, orders);
    const unchanged = changes && new Set(orders.map(({ operation_index }) => operation_index));
    return { adjustments: [...losses, ...(changes ?? [])], unchanged };
  } catch (error) {
    // The explanation of the contract call says why its events cannot be read.
    if (decoded.inner.operations.some(({ body }) => body.type === 'invokeHostFunction'))
      return { adjustments: [], unchanged: null };
    throw error;
  }
}

/** Explains an adjustment alone. */
export function explainAdjusted(adjustment: Pick<Adjustment, 'reason' | 'operation'>): {
  reason: ReasonCode;
  message: string;
} {
  const reason = reasonOf(adjustment);
  return { reason, message: MESSAGES[reason] };
}

function reasonOf({ reason, operation }: Pick<Adjustment, 'reason' | 'operation'>): ReasonCode {
  if (reason !== 'clawback') return reason;
  return operation === 'clawback' ? 'clawed_back' : 'clawed_back_by_contract';
}

function explainOperation(question: Question): Finding {
  const { passphrase, decoded, operation_index, account, done } = question;
  const operation = decoded.inner.operations[operation_index] as xdr.Operation;
  const isCall = operation.body.type === 'invokeHostFunction';
  try {
    const all = movementsOf(passphrase, decoded, operation_index);
    const ours = all.filter((movement) => movement.account === account);
    const movements = ours.filter((movement) => whyNoCredit(movement) === null);
    if (movements.length > 0) return { reason: 'credited', movements };
    const adjustment = done.adjustments.find((each) => each.operation_index === operation_index);
    if (adjustment) return { reason: reasonOf(adjustment) };
    if (done.unchanged?.has(operation_index)) return { reason: 'authorization_unchanged' };
    const [reason] = ours.flatMap((movement) => whyNoCredit(movement) ?? []);
    if (reason) return { reason };
    return isCall ? whyNoTransfer(question) : { reason: whyNotPaid(question, operation, all) };
  } catch (error) {
    if (!isCall) throw error;
    if (error instanceof MetaMissing) return { reason: 'meta_missing' };
    return { reason: 'events_not_provable', detail: (error as Error).message };
  }
}

function whyNotPaid({ decoded, account }: Question, operation: xdr.Operation, paid: Movement[]): ReasonCode {
  const { body } = operation;
  const isOwn = addressOf(operation.sourceAccount ?? decoded.inner.sourceAccount).account === account;
  if (paid.length > 0 && isOwn) return 'paid_out';
  if (body.type === 'createClaimableBalance' && claimantsOf(body).includes(account))
    return 'claimable_balance';
  if (isOwn ? body.type === 'changeTrust' : trustorOf(body) === account) return 'trust_line';
  if (isOwn) return 'own_operation';
  if (decoded.fee_account === account) return 'fee_source_only';
  return paid.length > 0 ? 'other_account' : 'not_a_payment';
}

function claimantsOf(body: Extract<xdr.OperationBody, { type: 'createClaimableBalance' }>): string[] {
  return body.createClaimableBalanceOp.claimants.map(({ v0 }) => accountOf(v0.destination.ed25519.value));
}

/** Returns the account whose trust line the issuer changes. */
function trustorOf(body: xdr.OperationBody): string | null {
  if (body.type === 'allowTrust') return accountOf(body.allowTrustOp.trustor.ed25519.value);
  if (body.type === 'setTrustLineFlags') return accountOf(body.setTrustLineFlagsOp.trustor.ed25519.value);
  return null;
}

/** Says why a contract call with proven events has no credit of the account. */
function whyNoTransfer({ passphrase, decoded, operation_index, account }: Question): Finding {
  const transfers = transferEvents(passphrase, decoded.eventsOf(operation_index));
  if (transfers.some(({ asset, to }) => !asset && to === account)) return { reason: 'other_contract' };
  for (const { asset, from } of transfers)
    if (asset && from === account) return { reason: 'paid_out', asset };
  return { reason: decoded.fee_account === account ? 'fee_source_only' : 'no_transfer' };
}
