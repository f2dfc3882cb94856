/** The operator's commands for outgoing transactions that match no withdrawal (engine/ingest-outcomes.ts). */

import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../errors.ts';
import {
  findUnmatched,
  listUnmatched,
  resolveUnmatched,
  type UnmatchedTransaction,
} from '../../ledgers/unmatched-store.ts';
import { moveWithdrawalCursor, readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { type Payment, paymentIn } from '../../stellar/transactions/envelope.ts';
import { decodeUnmatched, outcomeOf } from '../engine/outcome.ts';
import { findWithdrawals, openOfWallet } from '../engine/queries.ts';
import { notifyOutcomes, recordOutcomes, type Withdrawal } from '../engine/store.ts';
import { freeTxSources } from '../engine/tx-source-store.ts';
import { refundableBy } from '../refunds/refund-store.ts';

/** A text: why ledgers cannot be processed, if they cannot, and the unresolved unmatched transactions. */
export async function describeUnmatched(deps: Pick<Deps, 'db' | 'config'>): Promise<string> {
  const [unmatched, cursor] = [await listUnmatched(deps.db), await readWithdrawalCursor(deps.db)];
  const stop_reason = cursor?.stop_reason ? `${cursor.stop_reason}\n` : '';
  if (unmatched.length === 0) return `${stop_reason}There is no unmatched transaction.\n`;
  return stop_reason + unmatched.map((unmatched) => describe(deps.config.passphrase, unmatched)).join('');
}

function describe(passphrase: string, unmatched: UnmatchedTransaction): string {
  const { hash, wallet_id, ledger } = unmatched;
  const payment = paymentIn(unmatched.envelope_xdr);
  const applied = decodeUnmatched(passphrase, unmatched);
  const outcome = 'unusable' in applied ? 'unreadable' : applied.successful ? 'successful' : 'failed';
  const what = payment ? describePayment(payment) : 'it is not a withdrawal';
  return `${hash}: wallet ${wallet_id}, ledger ${ledger}, ${outcome}: ${what}\n`;
}

function describePayment({ destination, amount_stroops, memo_id, memo_return }: Payment): string {
  const memo = memo_id === null ? '' : ` with memo id ${memo_id}`;
  const refund = memo_return === null ? '' : `, which pays transaction ${memo_return} back`;
  return `${stroopsInWords(amount_stroops)} to ${destination}${memo}${refund}`;
}

/**
 * The operator has found out that the transaction is not the payment of an open withdrawal, so it no longer blocks its
 * wallet. `allow_duplicate`: even if an open withdrawal or an unknown refund has the same payment.
 * @throws OperatorError when there is no such unresolved transaction. Without `allow_duplicate` also when an open
 * withdrawal has the same payment, or when the refund that this transaction looks like is unknown and would be paid again
 */
export async function acceptUnmatched(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  hash: string,
  { allow_duplicate = false }: { allow_duplicate?: boolean } = {},
): Promise<string> {
  const unmatched = await requireUnmatched(deps, hash);
  const duplicates = (await openOfWallet(deps.db, unmatched.wallet_id)).filter((each) =>
    isPaymentOf(unmatched, each),
  );
  if (duplicates.length > 0 && !allow_duplicate)
    throw new OperatorError(
      `An open withdrawal has the same payment and would pay it again: ${duplicates.map(({ id }) => id).join(', ')}. ` +
        'Assign the transaction to that withdrawal, or accept the transaction with --allow-duplicate.',
    );
  const refunds = await forgottenRefunds(deps, unmatched);
  if (refunds.length > 0 && !allow_duplicate)
    throw new OperatorError(
      `The transaction looks like the refund of ${refunds.join(' or ')}, which would be paid again. Request that refund and ` +
        'assign the transaction to it, or accept the transaction with --allow-duplicate.',
    );
  if (!(await resolveUnmatched(deps.db, { hash, withdrawal_id: null, now: deps.clock.now() })))
    throw notUnresolved(hash);
  return `Accepted: the transaction does not block wallet ${unmatched.wallet_id} any more.\n`;
}

/**
 * The transaction is this withdrawal's payment. A withdrawal that was never signed here gets its outcome at once. One
 * that was signed again gets it when its own envelope is proven to have expired, so that it is not paid twice.
 * @throws OperatorError when the payments differ, or the withdrawal already has an outcome
 */
export async function assignUnmatched(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  hash: string,
  withdrawal_id: string,
): Promise<string> {
  const unmatched = await requireUnmatched(deps, hash);
  const withdrawal = (await findWithdrawals(deps.db, [withdrawal_id])).get(withdrawal_id);
  if (!withdrawal || withdrawal.settled_at)
    throw new OperatorError(`${withdrawal_id} is not an open withdrawal.`);
  if (!isPaymentOf(unmatched, withdrawal))
    throw new OperatorError(
      `${hash} is not the payment of ${withdrawal_id}: the wallet, destination, amount or memo differs.`,
    );
  const applied = decodeUnmatched(deps.config.passphrase, unmatched);
  if ('unusable' in applied) throw new OperatorError(`${hash} cannot be read: ${applied.unusable}`);
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (trx) => {
    if (!(await resolveUnmatched(trx, { hash, withdrawal_id, now }))) throw notUnresolved(hash); // another operator was quicker
    if (withdrawal.status === 'signed')
      return `Assigned: ${withdrawal_id} gets this outcome once its own envelope has expired.\n`;
    const recorded = await recordOutcomes(trx, [outcomeOf(withdrawal_id, applied)], now);
    if (!recorded.has(withdrawal_id)) throw new OperatorError(`${withdrawal_id} already has an outcome.`);
    await freeTxSources(trx, [withdrawal_id]);
    await notifyOutcomes(trx);
    return `Assigned: ${withdrawal_id} is ${applied.successful ? 'confirmed' : 'failed'}.\n`;
  });
}

/**
 * Moves the withdrawal cursor to the network's newest ledger, because no source has the ledgers between any more. The
 * operator has compared the wallets' transactions with the withdrawals. Signing waits until envelopes in flight have
 * expired.
 * @throws OperatorError when there is nothing to skip; NetworkUnavailable
 */
export async function skipUnreadLedgers(
  deps: Pick<Deps, 'db' | 'stellar' | 'clock' | 'config'>,
): Promise<string> {
  const cursor = await readWithdrawalCursor(deps.db);
  if (!cursor?.stop_reason) throw new OperatorError('Every ledger is processed: there is nothing to skip.');
  const { sequence: ledger, hash: ledger_hash, close_time } = await deps.stellar.latestLedger();
  const sign_after = close_time + BigInt(deps.config.withdraw_valid_seconds);
  const moved = await moveWithdrawalCursor(deps.db, {
    from: cursor,
    to: { ledger, ledger_hash, close_time, sign_after },
    now: deps.clock.now(),
  });
  if (!moved)
    throw new OperatorError('The withdrawal cursor has moved in the meantime. Run "teller unmatched" again.');
  return `Skipped: ledgers after ${cursor.ledger} up to ${ledger} stay unread.\n`;
}

/** Deposits that the transaction pays back by its MEMO_RETURN, and whose refund this database does not know. */
async function forgottenRefunds(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  unmatched: UnmatchedTransaction,
): Promise<string[]> {
  const payment = paymentIn(unmatched.envelope_xdr);
  const applied = decodeUnmatched(config.passphrase, unmatched);
  if (!payment || payment.memo_return === null) return [];
  if (!('unusable' in applied) && !applied.successful) return []; // nothing was paid
  const { memo_return, destination, amount_stroops } = payment;
  return refundableBy(db, unmatched.wallet_id, { memo_return, destination, amount_stroops });
}

async function requireUnmatched(deps: Pick<Deps, 'db'>, hash: string): Promise<UnmatchedTransaction> {
  const unmatched = await findUnmatched(deps.db, hash);
  if (!unmatched) throw notUnresolved(hash);
  return unmatched;
}

function notUnresolved(hash: string): OperatorError {
  return new OperatorError(`There is no unresolved unmatched transaction ${hash}.`);
}

function isPaymentOf(unmatched: UnmatchedTransaction, withdrawal: Withdrawal): boolean {
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
