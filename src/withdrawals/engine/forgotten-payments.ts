/**
 * Payments in the ledger whose withdrawals this database has forgotten: a backup was restored, or a standby took over
 * without the newest commits. Each names its Idempotency-Key by a fingerprint (key-fingerprint.ts).
 *
 * | what the ledger has                                  | what happens                                                |
 * |------------------------------------------------------|-------------------------------------------------------------|
 * | the payment of an open withdrawal, by key and terms  | the withdrawal gets the outcome, by itself                  |
 * | … that was signed again meanwhile                    | the same, once its own envelope has expired (outcome.ts)    |
 * | the key of an open withdrawal, but another payment   | the wallet is blocked until a person has decided            |
 * | the payment of a key that the database does not know | nothing, until a request has the key: then the first line   |
 *
 * Nobody signs in between: recordSigned refuses a withdrawal while `hasUnmatched` is true of it.
 */
import type { Trx } from '../../db/database.ts';
import {
  assignTransaction,
  forgetFingerprint,
  forgottenPayments,
  possibleDuplicates,
  type UnmatchedTransaction,
} from '../../ledgers/unmatched-store.ts';
import { paymentIn } from '../../stellar/transactions/envelope.ts';
import { fingerprintIn, keyFingerprint } from './key-fingerprint.ts';
import { decodeUnmatched, outcomeOf } from './outcome.ts';
import { openWithForgottenPayment } from './queries.ts';
import type { NewWithdrawal, Outcome, Withdrawal } from './store.ts';

type Paying = Pick<Withdrawal, 'wallet_id' | 'destination' | 'amount_stroops' | 'memo_id' | 'memo_return'>;

/** Whether the transaction pays what the withdrawal does, from the same wallet. */
export function isPaymentOf(unmatched: UnmatchedTransaction, withdrawal: Paying): boolean {
  const payment = paymentIn(unmatched.envelope_xdr);
  return (
    payment !== null &&
    unmatched.wallet_id === withdrawal.wallet_id &&
    payment.destination === withdrawal.destination &&
    payment.amount_stroops === withdrawal.amount_stroops &&
    payment.memo_id === withdrawal.memo_id &&
    payment.memo_return === withdrawal.memo_return
  );
}

/** `outcomes` to record. `blocked`: transactions that pay an open withdrawal's key, and something else than it does. */
export type Matched = { outcomes: Outcome[]; blocked: string[] };

/**
 * Assigns forgotten payments to the open withdrawals that they pay. Call it in the transaction that records the outcomes.
 * The outcome of a withdrawal that was signed again is not among them: `recordExpiryIfProven` records it.
 */
export async function matchForgottenPayments(trx: Trx, passphrase: string, now: Date): Promise<Matched> {
  const matched: Matched = { outcomes: [], blocked: [] };
  const open = await openWithForgottenPayment(trx);
  if (open.length === 0) return matched;
  const payments = await forgottenPayments(trx, [...new Set(open.map(({ wallet_id }) => wallet_id))]);
  for (const withdrawal of open) {
    const fingerprint = keyFingerprint(withdrawal.owner_id, withdrawal.idempotency_key);
    const own = payments.get(withdrawal.wallet_id) ?? [];
    for (const unmatched of own.filter(({ key_fingerprint }) => key_fingerprint === fingerprint)) {
      const outcome = await assignOrBlock(trx, passphrase, { unmatched, withdrawal, now });
      if (outcome === 'blocked') matched.blocked.push(unmatched.hash);
      else if (outcome) matched.outcomes.push(outcome);
    }
  }
  return matched;
}

async function assignOrBlock(
  trx: Trx,
  passphrase: string,
  { unmatched, withdrawal, now }: { unmatched: UnmatchedTransaction; withdrawal: Withdrawal; now: Date },
): Promise<Outcome | 'blocked' | null> {
  const applied = decodeUnmatched(passphrase, unmatched);
  if (!isPaymentOf(unmatched, withdrawal) || 'unusable' in applied) {
    await forgetFingerprint(trx, unmatched.hash);
    return 'blocked';
  }
  if (!(await assignTransaction(trx, { hash: unmatched.hash, withdrawal_id: withdrawal.id, now })))
    return null;
  return withdrawal.status === 'queued' ? outcomeOf(withdrawal.id, applied) : null;
}

export type DuplicateViolation = { code: 'possible_duplicate'; message: string; data?: undefined };

/**
 * For each order the reason why it may repeat a payment that this database has forgotten, or null. An order that is that
 * payment, by key and terms, is no duplicate: `matchForgottenPayments` gives it the outcome.
 */
export async function checkDuplicates(
  trx: Trx,
  passphrase: string,
  orders: NewWithdrawal[],
): Promise<(DuplicateViolation | null)[]> {
  const asked = orders.map((order) => ({
    ...order,
    fingerprint: keyFingerprint(order.owner_id, order.idempotency_key),
  }));
  const found = await possibleDuplicates(trx, asked);
  return asked.map((order) => {
    for (const unmatched of found) {
      const violation = whyDuplicate(passphrase, order, unmatched);
      if (violation) return violation;
    }
    return null;
  });
}

function whyDuplicate(
  passphrase: string,
  order: NewWithdrawal & { fingerprint: number },
  unmatched: UnmatchedTransaction & { owner_id: string },
): DuplicateViolation | null {
  const { hash, ledger } = unmatched;
  const transaction = `transaction ${hash} of ledger ${ledger}`;
  const decide = 'Nothing was started. The operator decides with "teller unmatched".';
  if (unmatched.key_fingerprint !== null) {
    const isSameKey =
      unmatched.key_fingerprint === order.fingerprint && unmatched.owner_id === order.owner_id;
    if (!isSameKey || isPaymentOf(unmatched, order)) return null;
    const message = `This Idempotency-Key has paid something else: ${transaction}. ${decide}`;
    return { code: 'possible_duplicate', message };
  }
  if (!isPaymentOf(unmatched, order)) return null;
  const applied = decodeUnmatched(passphrase, unmatched);
  if (!('unusable' in applied) && !applied.successful) return null; // nothing was paid
  const message = `This may be paid already: ${transaction} pays the same, and its Idempotency-Key is not known. ${decide}`;
  return { code: 'possible_duplicate', message };
}

/** The fingerprint of a transaction that has the form of our payments; null for any other. `envelope_xdr`: base64. */
export function paymentFingerprint(envelope_xdr: string): number | null {
  return paymentIn(envelope_xdr) === null ? null : fingerprintIn(envelope_xdr);
}
