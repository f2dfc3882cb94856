/** Pure: what a transaction did for one account, operation by operation, for whoever is asked where the money is. */
import type { xdr } from '@stellar/stellar-sdk';
import { accountOf, addressOf } from '../address.ts';
import type { LedgerTransaction } from '../stellar.ts';
import type { DecodedTransaction } from '../transactions/applied.ts';
import { operationCode, snakeCase } from '../transactions/result-codes.ts';
import { MetaMissing, provenEvents, transferEvents } from './contract-events.ts';
import { type Credit, type Memo, memoOf, movementsOf, openTransaction } from './credits.ts';
import { type Movement, reasonForNone } from './movement.ts';

/** Stable: integrators and support tools branch on them. */
const MESSAGES = {
  credited: 'It paid the account.',
  transaction_failed: 'The transaction failed, so that nothing in it happened.',
  operation_failed: 'It failed, and with it the whole transaction: nothing in it happened.',
  other_account: 'It paid another account.',
  zero_amount: 'It moved an amount of 0 to the account.',
  burned: 'The account issues this asset: what it is paid of it ceases to be, and no balance grows.',
  paid_out: 'The account itself paid this to another.',
  own_operation:
    'It is the account’s own operation: what it claims, trades or puts into or takes out of a pool is no deposit.',
  claimable_balance: 'It set an amount aside that the account may claim, and paid nothing.',
  clawed_back: 'The issuer took an amount of its asset back from the account.',
  trust_line: 'It sets which asset the account may hold, and paid nothing.',
  other_contract:
    'A contract says that it moved something to the account, but it is not the contract of an asset of this network: ' +
    'a token that the account cannot hold, or a fake.',
  no_transfer: 'The call of a contract moved no asset to the account.',
  meta_missing:
    'This source of the network does not tell what the call of a contract moved: another must be asked.',
  events_not_provable:
    'What the call of a contract moved could not be proven by what this source of the network tells.',
  fee_source_only: 'The account paid no more than the fee of the transaction.',
  not_a_payment: 'An operation of this kind pays nobody.',
};
export type ReasonCode = keyof typeof MESSAGES;

export type OperationExplanation = {
  operation_index: number;
  /** As Horizon names it: `path_payment_strict_send`. */
  type: string;
  /** To this account. */
  credits: Credit[];
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
  const operations = inner.operations.map(({ body }, operation_index): OperationExplanation => {
    const finding = outcome.successful
      ? whatHappened({ passphrase, decoded, meta: transaction.meta, operation_index, account })
      : whatFailed(decoded, operation_index);
    const { reason, movements = [], detail } = finding;
    return {
      operation_index,
      type: snakeCase(body.type),
      credits: movements.map((movement) => ({ ...movement, memo, operation_index })),
      reason,
      message: detail ? `${MESSAGES[reason]} (${detail})` : MESSAGES[reason],
    };
  });
  return { successful: outcome.successful, failure_code: outcome.failure_code, fee_bump, memo, operations };
}

type Finding = { reason: ReasonCode; movements?: Movement[]; detail?: string | null };

/** The operation that failed is told by its own code; the others did nothing because of it. */
function whatFailed({ operation_results, outcome }: DecodedTransaction, operation_index: number): Finding {
  const result = operation_results[operation_index];
  const code = result ? operationCode(result) : null;
  return code
    ? { reason: 'operation_failed', detail: code }
    : { reason: 'transaction_failed', detail: outcome.failure_code };
}

type About = {
  passphrase: string;
  decoded: DecodedTransaction;
  meta: Buffer | null;
  operation_index: number;
  account: string;
};

function whatHappened(about: About): Finding {
  const { passphrase, decoded, meta, operation_index, account } = about;
  const operation = decoded.inner.operations[operation_index] as xdr.Operation;
  const isCall = operation.body.type === 'invokeHostFunction';
  try {
    const all = movementsOf(passphrase, decoded, meta, operation_index);
    const ours = all.filter((movement) => movement.account === account);
    const movements = ours.filter((movement) => reasonForNone(movement) === null);
    if (movements.length > 0) return { reason: 'credited', movements };
    const [none] = ours.flatMap((movement) => reasonForNone(movement) ?? []);
    if (none) return { reason: none };
    return { reason: isCall ? whyNoTransfer(about) : whyNotPaid(about, operation, all) };
  } catch (error) {
    if (!isCall) throw error;
    if (error instanceof MetaMissing) return { reason: 'meta_missing' };
    return { reason: 'events_not_provable', detail: (error as Error).message };
  }
}

function whyNotPaid({ decoded, account }: About, operation: xdr.Operation, paid: Movement[]): ReasonCode {
  const { body } = operation;
  const isOwn = addressOf(operation.sourceAccount ?? decoded.inner.sourceAccount).account === account;
  if (paid.length > 0 && isOwn) return 'paid_out';
  if (body.type === 'createClaimableBalance' && claimantsOf(body).includes(account))
    return 'claimable_balance';
  if (body.type === 'clawback' && addressOf(body.clawbackOp.from).account === account) return 'clawed_back';
  if (isOwn ? body.type === 'changeTrust' : trustorOf(body) === account) return 'trust_line';
  if (isOwn) return 'own_operation';
  if (decoded.fee_account === account) return 'fee_source_only';
  return paid.length > 0 ? 'other_account' : 'not_a_payment';
}

function claimantsOf(body: Extract<xdr.OperationBody, { type: 'createClaimableBalance' }>): string[] {
  return body.createClaimableBalanceOp.claimants.map(({ v0 }) => accountOf(v0.destination.ed25519.value));
}

/** Whose trust line an issuer sets the flags of. */
function trustorOf(body: xdr.OperationBody): string | null {
  if (body.type === 'allowTrust') return accountOf(body.allowTrustOp.trustor.ed25519.value);
  if (body.type === 'setTrustLineFlags') return accountOf(body.setTrustLineFlagsOp.trustor.ed25519.value);
  return null;
}

/** Of a contract call whose events are proven, and paid the account nothing. */
function whyNoTransfer({ passphrase, decoded, meta, operation_index, account }: About): ReasonCode {
  const events = provenEvents(decoded.operation_results[operation_index], meta, operation_index);
  const transfers = transferEvents(passphrase, events);
  if (transfers.some(({ asset, to }) => !asset && to === account)) return 'other_contract';
  if (transfers.some(({ asset, from }) => asset && from === account)) return 'paid_out';
  return decoded.fee_account === account ? 'fee_source_only' : 'no_transfer';
}
