/**
 * Payments in the ledger whose withdrawals this database has forgotten: a backup was restored, or a standby took over
 * without the newest commits. Each names its Idempotency-Key by a fingerprint (key-fingerprint.ts).
 *
 * | what the ledger has                                  | what happens                                                |
 * |------------------------------------------------------|-------------------------------------------------------------|
 * | the payment of an open withdrawal, by key and terms  | the withdrawal gets the outcome, by itself                  |
 * | … that was signed again since                        | the same, once its own envelope has expired (outcome.ts)    |
 * | the key of an open withdrawal, but another payment   | the withdrawal is not signed until a person has decided      |
 * | the payment of a key that the database does not know | nothing, until a request has the key: then the first line   |
 * | a second payment of a key                            | the wallet is blocked until a person has decided            |
 * | a refund                                             | the same (paymentFingerprint tells why)                     |
 *
 * Nobody signs in between: recordSigned refuses a withdrawal while `hasUnmatched` is true of it.
 */
import type { Trx } from '../../db/database.ts';
import {
  assignTransaction,
  blockWallet,
  forgottenPayments,
  type NewUnmatched,
  possibleDuplicates,
  type UnmatchedTransaction,
} from '../../ledgers/unmatched-store.ts';
import { provesOwnTransfer } from '../../stellar/contracts/proven-transfer.ts';
import { isSameRecipient } from '../../stellar/recipient.ts';
import { paymentIn, trustLineIn } from '../../stellar/transactions/envelope.ts';
import type { Violation } from './hooks.ts';
import { fingerprintIn, keyFingerprint } from './key-fingerprint.ts';
import { decodeUnmatched, hasPaid, outcomeOf } from './outcome.ts';
import { openWithForgottenPayment, withSettledKeys } from './queries.ts';
import type { NewWithdrawal, Outcome } from './store.ts';

type Paying = Pick<
  NewWithdrawal,
  | 'wallet_id'
  | 'operation'
  | 'asset_code'
  | 'asset_issuer'
  | 'destination'
  | 'amount_stroops'
  | 'memo_id'
  | 'memo_return'
>;

/** Returns true when the transaction does the same as the withdrawal, from the same wallet: the payment, or the change of the trust line. */
export function isPaymentOf(
  passphrase: string,
  unmatched: UnmatchedTransaction,
  withdrawal: Paying,
): boolean {
  if (unmatched.wallet_id !== withdrawal.wallet_id) return false;
  const done = paymentIn(passphrase, unmatched.envelope_xdr) ?? trustLineIn(unmatched.envelope_xdr);
  if (done?.asset_code !== withdrawal.asset_code || done.asset_issuer !== withdrawal.asset_issuer)
    return false;
  if (!('destination' in done)) return done.operation === withdrawal.operation;
  return (
    isSameRecipient(done, withdrawal) &&
    done.amount_stroops === withdrawal.amount_stroops &&
    done.memo_return === withdrawal.memo_return
  );
}

/**
 * `outcomes` to record. `second`: payments of keys that have another payment. `other`: payments of an open withdrawal's key
 * that are not its payment.
 */
export type Matched = { outcomes: Outcome[]; second: string[]; other: string[] };

/**
 * Assigns forgotten payments to the open withdrawals that they pay. Call it in the transaction that records the outcomes.
 * The outcome of a withdrawal that was signed again is not among them: `recordExpiryIfProven` records it.
 */
export async function matchForgottenPayments(trx: Trx, passphrase: string, now: Date): Promise<Matched> {
  const matched: Matched = { outcomes: [], second: [], other: [] };
  const open = await openWithForgottenPayment(trx);
  if (open.length === 0) return matched;
  const payments = Map.groupBy(await forgottenPayments(trx, open), ({ open_id }) => open_id);
  for (const withdrawal of open) {
    const decoded = (payments.get(withdrawal.id) ?? []).map((unmatched) => ({
      unmatched,
      applied: decodeUnmatched(passphrase, unmatched),
    }));
    for (const { unmatched, applied } of paidFirst(decoded)) {
      const { hash } = unmatched;
      const isPayment = isPaymentOf(passphrase, unmatched, withdrawal);
      if (
        'unusable' in applied ||
        !isPayment ||
        !provesOwnTransfer(passphrase, unmatched.envelope_xdr, applied)
      )
        matched.other.push(hash);
      else if (await assignTransaction(trx, { hash, withdrawal_id: withdrawal.id, now })) {
        if (withdrawal.status !== 'signed') matched.outcomes.push(outcomeOf(withdrawal, applied));
      } else if (applied.successful) {
        await blockWallet(trx, hash);
        matched.second.push(hash);
      }
    }
  }
  return matched;
}

/** Sorts transactions that have paid first: a failed one beside them means nothing. */
function paidFirst<T extends { applied: ReturnType<typeof decodeUnmatched> }>(decoded: T[]): T[] {
  return decoded.toSorted((a, b) => Number(hasPaid(b.applied)) - Number(hasPaid(a.applied)));
}

/**
 * Finds for each order the reason why it may repeat a payment that this database has forgotten, or null. An order that is that
 * payment, by key and terms, is no duplicate: `matchForgottenPayments` gives it the outcome.
 */
export async function checkDuplicates(
  trx: Trx,
  passphrase: string,
  orders: NewWithdrawal[],
): Promise<(Violation | null)[]> {
  const found = await possibleDuplicates(trx, orders);
  return orders.map((order) => {
    for (const unmatched of found) {
      const violation = whyDuplicate(passphrase, order, unmatched);
      if (violation) return violation;
    }
    return null;
  });
}

function whyDuplicate(
  passphrase: string,
  order: NewWithdrawal,
  unmatched: UnmatchedTransaction & { owner_id: string },
): Violation | null {
  const { hash, ledger } = unmatched;
  const transaction = `transaction ${hash} of ledger ${ledger}`;
  const decide = 'Nothing was started. The operator of the service decides with "teller unmatched".';
  if (unmatched.key_fingerprint !== null) {
    const isSameKey =
      unmatched.owner_id === order.owner_id &&
      unmatched.key_fingerprint === keyFingerprint(unmatched.wallet_id, order.idempotency_key);
    if (!isSameKey || isPaymentOf(passphrase, unmatched, order)) return null;
    const message = `This Idempotency-Key has paid something else: ${transaction}. ${decide}`;
    return { code: 'possible_duplicate', message };
  }
  // An unresolved one blocks the wallet already.
  if (unmatched.resolved_at === null || !isPaymentOf(passphrase, unmatched, order)) return null;
  const applied = decodeUnmatched(passphrase, unmatched);
  if (!('unusable' in applied) && !applied.successful) return null; // nothing was paid
  const message = `This may be paid already: ${transaction} pays the same, and its Idempotency-Key is not known. ${decide}`;
  return { code: 'possible_duplicate', message };
}

/**
 * Returns the fingerprint of a transaction that pays a key; null for any other. `envelope_xdr`: base64.
 *
 * A refund's key has the deposit's id and the number of the attempt, and a restored database gives both again. So the key
 * of a repeated refund differs from the paid one: a refund blocks its wallet, or it would be paid twice.
 */
export function paymentFingerprint(passphrase: string, envelope_xdr: string): number | null {
  if (trustLineIn(envelope_xdr)) return fingerprintIn(envelope_xdr);
  const payment = paymentIn(passphrase, envelope_xdr);
  return payment === null || payment.memo_return !== null ? null : fingerprintIn(envelope_xdr);
}

/** Returns true when the transaction may be the payment of the key: a fingerprint of another key rules that out. */
export function mayPayKey(
  passphrase: string,
  unmatched: UnmatchedTransaction,
  idempotency_key: string,
): boolean {
  const { wallet_id, envelope_xdr } = unmatched;
  const fingerprint = paymentFingerprint(passphrase, envelope_xdr);
  return fingerprint === null || fingerprint === keyFingerprint(wallet_id, idempotency_key);
}

/**
 * Takes the fingerprints from transactions whose keys have an outcome by other transactions: the key was paid twice, or
 * paid though it failed. Such a transaction blocks its wallet until a person has seen it. Returns their hashes.
 */
export async function blockSettledKeys(trx: Trx, unmatched: NewUnmatched[]): Promise<string[]> {
  const keyed = unmatched.flatMap(({ hash, wallet_id, key_fingerprint }) =>
    key_fingerprint === null ? [] : [{ hash, wallet_id, key_fingerprint }],
  );
  const settled = await withSettledKeys(trx, keyed);
  for (const hash of settled) await blockWallet(trx, hash);
  return settled;
}
