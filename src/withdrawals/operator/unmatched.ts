/** The operator's commands for outgoing transactions that match no withdrawal (engine/ingest-outcomes.ts). */
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { signAfter } from '../../ledgers/sign-after.ts';
import {
  acceptTransaction,
  assignTransaction,
  forgottenPayments,
  listUnassigned,
  lockUnassigned,
  releaseTransaction,
  type UnmatchedTransaction,
} from '../../ledgers/unmatched-store.ts';
import { moveWithdrawalCursor, readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import { OperatorError } from '../../lib/errors.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { assetText } from '../../stellar/asset.ts';
import {
  type Payment,
  paymentIn,
  type TrustLineChange,
  trustLineIn,
} from '../../stellar/transactions/envelope.ts';
import { isPaymentOf } from '../engine/forgotten-payments.ts';
import { decodeUnmatched, outcomeOf } from '../engine/outcome.ts';
import { findWithdrawals, openOfWallet } from '../engine/queries.ts';
import { notifyOutcomes, recordKeyTaken, recordOutcomes } from '../engine/store.ts';
import { freeTxSources } from '../engine/tx-source-store.ts';
import { tellOutcomes } from '../events/withdrawal-events.ts';
import { refundableBy } from '../refunds/refund-store.ts';
import { refuseOtherKey, restoreWithdrawal } from './restore-withdrawal.ts';

/** What an operator sees of a transaction. `blocks`: what is kept back because of it. */
export type UnmatchedReport = {
  hash: string;
  wallet_id: string;
  ledger: number;
  outcome: 'successful' | 'failed' | 'unreadable';
  blocks: 'wallet' | 'key' | 'equal_withdrawals' | 'nothing';
  /** Null when it is not a payment as withdrawals make them. Amounts and memo ids are decimal numbers as text. */
  payment: {
    asset_code: string;
    asset_issuer: string | null;
    destination: string;
    amount_stroops: string;
    memo_id: string | null;
    memo_return: string | null;
  } | null;
};

/** Reports why ledgers cannot be processed (null when they can), and the transactions that no withdrawal has. */
export async function reportUnmatched(
  deps: Pick<Deps, 'db' | 'config'>,
): Promise<{ stop_reason: string | null; transactions: UnmatchedReport[] }> {
  const [unmatched, cursor] = [await listUnassigned(deps.db), await readWithdrawalCursor(deps.db)];
  const transactions = unmatched.map((each) => reportOf(deps.config.passphrase, each));
  return { stop_reason: cursor?.stop_reason ?? null, transactions };
}

/** Describes what `reportUnmatched` reports as a text: of the transactions only those that an operator has not resolved. */
export async function describeUnmatched(deps: Pick<Deps, 'db' | 'config'>): Promise<string> {
  const [unmatched, cursor] = [await listUnassigned(deps.db), await readWithdrawalCursor(deps.db)];
  const stop_reason = cursor?.stop_reason ? `${cursor.stop_reason}\n` : '';
  const open = unmatched.filter(({ resolved_at }) => resolved_at === null);
  if (open.length === 0) return `${stop_reason}There is no unmatched transaction.\n`;
  return stop_reason + open.map((each) => describeTransaction(deps.config.passphrase, each)).join('');
}

/** Describes a transaction in one line, with what it pays and what it blocks. */
export function describeTransaction(passphrase: string, unmatched: UnmatchedTransaction): string {
  const { hash, wallet_id, ledger, outcome, blocks } = reportOf(passphrase, unmatched);
  const payment = paymentIn(passphrase, unmatched.envelope_xdr);
  const change = trustLineIn(unmatched.envelope_xdr);
  const what = payment
    ? describePayment(payment)
    : change
      ? describeChange(change)
      : 'it is not a withdrawal';
  return `${hash}: wallet ${wallet_id}, ledger ${ledger}, ${outcome}: ${what}; ${BLOCKS[blocks]}\n`;
}

const BLOCKS: Record<UnmatchedReport['blocks'], string> = {
  wallet: 'nothing is signed for the wallet',
  key: 'its Idempotency-Key is not paid again',
  equal_withdrawals: 'withdrawals that equal it are refused',
  nothing: 'it blocks nothing',
};

function reportOf(passphrase: string, unmatched: UnmatchedTransaction): UnmatchedReport {
  const { hash, wallet_id, ledger, envelope_xdr } = unmatched;
  const payment = paymentIn(passphrase, envelope_xdr);
  const applied = decodeUnmatched(passphrase, unmatched);
  return {
    hash,
    wallet_id,
    ledger,
    outcome: 'unusable' in applied ? 'unreadable' : applied.successful ? 'successful' : 'failed',
    blocks: blockedBy(unmatched),
    payment: payment && {
      asset_code: payment.asset_code,
      asset_issuer: payment.asset_issuer,
      destination: payment.destination,
      amount_stroops: `${payment.amount_stroops}`,
      memo_id: payment.memo_id === null ? null : `${payment.memo_id}`,
      memo_return: payment.memo_return,
    },
  };
}

function blockedBy({
  released_at,
  key_fingerprint,
  resolved_at,
}: UnmatchedTransaction): UnmatchedReport['blocks'] {
  if (released_at !== null) return 'nothing';
  if (key_fingerprint !== null) return 'key';
  return resolved_at === null ? 'wallet' : 'equal_withdrawals';
}

function describeChange(change: TrustLineChange): string {
  const verb = change.operation === 'add_trust_line' ? 'adds' : 'removes';
  return `${verb} the trust line for ${assetText(change)}`;
}

function describePayment(payment: Payment): string {
  const { destination, amount_stroops, memo_id, memo_return } = payment;
  const memo = memo_id === null ? '' : ` with memo id ${memo_id}`;
  const refund = memo_return === null ? '' : `, which pays transaction ${memo_return} back`;
  const asset = payment.asset_issuer === null ? '' : ` of ${assetText(payment)}`;
  return `${stroopsInWords(amount_stroops)}${asset} to ${destination}${memo}${refund}`;
}

type OperatorDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/**
 * Accepts transactions, so they no longer block their wallets: the operator has found out that they are not the payments of
 * open withdrawals. A new withdrawal that equals one is refused until it is released. All are accepted, or none. Returns a text
 * for the operator. `allow_duplicate`: even if an open withdrawal or an unknown refund has the same payment; then it is
 * released at once.
 * @throws OperatorError when one is no unresolved transaction. Without `allow_duplicate` also when an open withdrawal has the
 * same payment, or when the refund that it looks like is unknown and would be paid again
 */
export async function acceptUnmatched(
  deps: OperatorDeps,
  hashes: string | string[],
  { allow_duplicate = false }: { allow_duplicate?: boolean } = {},
): Promise<string> {
  return deps.db.transaction().execute(async (trx) => {
    const lines: string[] = [];
    for (const hash of [hashes].flat()) lines.push(await acceptOne(trx, deps, { hash, allow_duplicate }));
    return lines.join('');
  });
}

/** Accepts one transaction in a database transaction of the caller, who undoes it after an OperatorError. */
export async function acceptOne(
  trx: Trx,
  deps: OperatorDeps,
  { hash, allow_duplicate }: { hash: string; allow_duplicate: boolean },
): Promise<string> {
  const unmatched = await lockUnassigned(trx, hash);
  if (!unmatched || unmatched.resolved_at !== null) throw notUnresolved(hash);
  if (!allow_duplicate) await refuseDuplicates(trx, deps, unmatched);
  const now = deps.clock.now();
  const change = allow_duplicate ? releaseTransaction : acceptTransaction;
  if (!(await change(trx, hash, now))) throw notUnresolved(hash);
  return `Accepted: ${hash} does not block wallet ${unmatched.wallet_id} any more.\n`;
}

async function refuseDuplicates(trx: Trx, { config }: OperatorDeps, unmatched: UnmatchedTransaction) {
  // A transaction with a fingerprint names its key: an equal withdrawal with another key is another payment.
  const open = unmatched.key_fingerprint === null ? await openOfWallet(trx, unmatched.wallet_id) : [];
  const duplicates = open.filter((each) => isPaymentOf(config.passphrase, unmatched, each));
  if (duplicates.length > 0)
    throw new OperatorError(
      `An open withdrawal has the same payment and would pay it again: ${duplicates.map(({ id }) => id).join(', ')}. ` +
        'Assign the transaction to that withdrawal, or accept the transaction with --allow-duplicate.',
    );
  await refuseRefund(trx, config.passphrase, unmatched);
}

/**
 * Refuses a transaction that looks like a refund. The deposit may be known already or not: if its ledger is still to be read,
 * it comes with another id.
 */
async function refuseRefund(trx: Trx, passphrase: string, unmatched: UnmatchedTransaction): Promise<void> {
  const payment = paymentIn(passphrase, unmatched.envelope_xdr);
  if (!payment || payment.memo_return === null) return;
  const applied = decodeUnmatched(passphrase, unmatched);
  if (!('unusable' in applied) && !applied.successful) return; // nothing was paid
  const { memo_return } = payment;
  const found = await refundableBy(trx, unmatched.wallet_id, { ...payment, memo_return });
  const deposit = found.length > 0 ? found.join(' or ') : `a deposit by transaction ${memo_return}`;
  throw new OperatorError(
    `The transaction looks like the refund of ${deposit}, which would be paid again. Request that refund and ` +
      'assign the transaction to it, or accept the transaction with --allow-duplicate.',
  );
}

/**
 * Releases transactions, so withdrawals which equal them are not refused any more: the operator has found out that those are
 * other payments. All are released, or none. Returns a text for the operator.
 * @throws OperatorError when a withdrawal has one of them, it is released already, it blocks its wallet, or it is the refund of
 * a deposit
 */
export async function releaseUnmatched(deps: OperatorDeps, hashes: string[]): Promise<string> {
  return deps.db.transaction().execute(async (trx) => {
    for (const hash of hashes) {
      const unmatched = await lockUnassigned(trx, hash);
      if (unmatched?.resolved_at === null && unmatched.key_fingerprint === null)
        throw new OperatorError(
          `${hash} blocks its wallet: assign or accept the transaction first. Nothing was changed.`,
        );
      if (unmatched) await refuseRefund(trx, deps.config.passphrase, unmatched);
      if (!(await releaseTransaction(trx, hash, deps.clock.now())))
        throw new OperatorError(`${hash} keeps no withdrawal back. Nothing was changed.`);
    }
    return hashes.map((hash) => `Released: withdrawals that equal ${hash} are paid.\n`).join('');
  });
}

/**
 * Assigns the transaction to this withdrawal as its payment. A withdrawal that was never signed here gets its outcome at once,
 * and so does one whose own transaction it is. One that was signed again gets it when its own envelope is proven to have
 * expired, so that it is not paid twice. Returns a text for the operator.
 * @throws OperatorError when the payments or the keys differ, or the withdrawal already has an outcome
 */
export async function assignUnmatched(
  deps: OperatorDeps,
  hash: string,
  withdrawal_id: string,
): Promise<string> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (trx) => {
    const unmatched = await requireUnassigned(trx, hash);
    const withdrawal = (await findWithdrawals(trx, [withdrawal_id])).get(withdrawal_id);
    if (!withdrawal || withdrawal.settled_at)
      throw new OperatorError(`${withdrawal_id} is not an open withdrawal.`);
    if (!isPaymentOf(deps.config.passphrase, unmatched, withdrawal))
      throw new OperatorError(
        `${hash} is not the payment of ${withdrawal_id}: the wallet, asset, destination, amount or memo differs.`,
      );
    refuseOtherKey(deps.config.passphrase, unmatched, withdrawal.idempotency_key);
    const applied = decodeUnmatched(deps.config.passphrase, unmatched);
    if ('unusable' in applied) throw new OperatorError(`${hash} cannot be read: ${applied.unusable}`);
    if (!(await assignTransaction(trx, { hash, withdrawal_id, now }))) throw notUnresolved(hash); // another operator was quicker
    // A transaction of the row itself is here when its ledger does not prove what it moved: the operator has looked.
    if (withdrawal.status === 'signed' && withdrawal.inner_tx_hash !== applied.inner_hash)
      return `Assigned: ${withdrawal_id} gets this outcome once its own envelope has expired.\n`;
    const recorded = await recordOutcomes(trx, [outcomeOf(withdrawal, applied)], now);
    if (!recorded.has(withdrawal_id)) throw new OperatorError(`${withdrawal_id} already has an outcome.`);
    await freeTxSources(trx, [withdrawal_id]);
    await tellOutcomes(trx, deps, [...recorded.values()], { now });
    return `Assigned: ${withdrawal_id} is ${applied.successful ? 'confirmed' : 'failed'}.\n`;
  });
}

/**
 * Ends a withdrawal that was never signed, because the ledger has another payment with its key: it fails, and nothing is paid.
 * @throws OperatorError when it was signed, has an outcome, or the ledger has no payment with its key or has its own
 */
export async function failWithdrawal(deps: OperatorDeps, withdrawal_id: string): Promise<string> {
  return deps.db.transaction().execute(async (trx) => {
    const withdrawal = (await findWithdrawals(trx, [withdrawal_id])).get(withdrawal_id);
    const payments = withdrawal ? await forgottenPayments(trx, [withdrawal]) : [];
    const { passphrase } = deps.config;
    const own = payments.find((unmatched) => withdrawal && isPaymentOf(passphrase, unmatched, withdrawal));
    if (own) throw new OperatorError(`${own.hash} is its payment: it gets that outcome by itself.`);
    const now = deps.clock.now();
    if (!withdrawal || !(await recordKeyTaken(trx, withdrawal_id, now)))
      throw new OperatorError(
        `${withdrawal_id} is not a withdrawal that waits because its key has paid something else. Nothing was changed.`,
      );
    await freeTxSources(trx, [withdrawal_id]);
    await notifyOutcomes(trx);
    await tellOutcomes(trx, deps, [withdrawal], { now });
    return `Failed: ${withdrawal_id} is not paid. Its key stays used.\n`;
  });
}

/**
 * Assigns the transaction as its payment to this Idempotency-Key of the wallet's owner, whose withdrawal this database has
 * forgotten: the key gets a withdrawal again. Returns a text for the operator.
 * @throws OperatorError when the transaction is no payment of this key, or the key has a withdrawal
 */
export async function assignUnmatchedToKey(
  deps: OperatorDeps,
  hash: string,
  idempotency_key: string,
): Promise<string> {
  return deps.db.transaction().execute(async (trx) => {
    const unmatched = await requireUnassigned(trx, hash);
    const id = await restoreWithdrawal(trx, deps, { unmatched, idempotency_key, reference: null });
    return `Assigned: the key ${idempotency_key} has the withdrawal ${id}.\n`;
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
  const sign_after = signAfter(deps, close_time, cursor);
  const moved = await moveWithdrawalCursor(deps.db, {
    from: cursor,
    to: { ledger, ledger_hash, close_time, sign_after },
    now: deps.clock.now(),
  });
  if (!moved)
    throw new OperatorError('The withdrawal cursor has moved in the meantime. Run "teller unmatched" again.');
  return `Skipped: ledgers after ${cursor.ledger} up to ${ledger} stay unread.\n`;
}

async function requireUnassigned(trx: Trx, hash: string): Promise<UnmatchedTransaction> {
  const unmatched = await lockUnassigned(trx, hash);
  if (!unmatched) throw notUnresolved(hash);
  return unmatched;
}

function notUnresolved(hash: string): OperatorError {
  return new OperatorError(`There is no unresolved unmatched transaction ${hash}.`);
}
