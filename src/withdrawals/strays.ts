/** What a person does about transactions in the ledger that no withdrawal of this database knows (follow.ts). */
import { type Payment, paymentIn } from '../chain/envelope.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../errors.ts';
import { stroopsInWords } from '../lib/stroops.ts';
import { findOpenStray, judgeStray, moveCursor, openStrays, readCursor, type Stray } from './cursor-store.ts';
import { freeLanes } from './lane-store.ts';
import { findWithdrawals, openOfWallet } from './look-up-store.ts';
import { refundableBy } from './refund-store.ts';
import { appliedStray, outcomeOf } from './settle.ts';
import { announceSettled, finishApplied, type Withdrawal } from './store.ts';

/** The strays that nobody has judged, and why ledgers cannot be accounted for, in words. */
export async function describeStrays(deps: Pick<Deps, 'db' | 'config'>): Promise<string> {
  const [strays, cursor] = [await openStrays(deps.db), await readCursor(deps.db)];
  const trouble = cursor?.trouble ? `${cursor.trouble}\n` : '';
  if (strays.length === 0) return `${trouble}No transaction waits to be judged.\n`;
  return trouble + strays.map((stray) => describe(deps.config.passphrase, stray)).join('');
}

function describe(passphrase: string, stray: Stray): string {
  const { hash, wallet_id, ledger } = stray;
  const payment = paymentIn(stray.envelope_xdr);
  const applied = appliedStray(passphrase, stray);
  const outcome = 'unusable' in applied ? 'unreadable' : applied.successful ? 'successful' : 'failed';
  const what = payment ? describePayment(payment) : 'not a withdrawal';
  return `${hash}: wallet ${wallet_id}, ledger ${ledger}, ${outcome}: ${what}\n`;
}

function describePayment({ destination, amount_stroops, memo_id, memo_return }: Payment): string {
  const memo = memo_id === null ? '' : ` with memo id ${memo_id}`;
  const refund = memo_return === null ? '' : `, which pays transaction ${memo_return} back`;
  return `${stroopsInWords(amount_stroops)} to ${destination}${memo}${refund}`;
}

/**
 * The person has found out what the transaction is, and that none of the waiting withdrawals is it: its wallet goes on.
 * `allow_duplicate`: accept although one of them pays the same.
 * @throws OperatorError when no such transaction waits to be judged; when a waiting withdrawal pays the same, because it
 * would be paid again; when it pays a deposit back whose refund is not known.
 */
export async function acceptStray(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  hash: string,
  { allow_duplicate = false }: { allow_duplicate?: boolean } = {},
): Promise<string> {
  const stray = await requireStray(deps, hash);
  const twins = (await openOfWallet(deps.db, stray.wallet_id)).filter((each) => isPaymentOf(stray, each));
  if (twins.length > 0 && !allow_duplicate)
    throw new OperatorError(
      `${twins.map(({ id }) => id).join(', ')} pays the same and waits: it would be paid again. ` +
        'Assign the transaction to it, or accept it with --allow-duplicate.',
    );
  const refunds = await forgottenRefunds(deps, stray);
  if (refunds.length > 0 && !allow_duplicate)
    throw new OperatorError(
      `It looks like the refund of ${refunds.join(' or ')}, which would be paid again. Ask for that refund, and assign ` +
        'the transaction to it, or accept it with --allow-duplicate.',
    );
  if (!(await judgeStray(deps.db, { hash, withdrawal_id: null, now: deps.clock.now() }))) throw notOpen(hash);
  return `Accepted: wallet ${stray.wallet_id} goes on.\n`;
}

/**
 * The transaction is this withdrawal's payment. One that was never signed here has its outcome at once; one that was
 * signed again gets it when its own envelope is proven to be dead, so that it cannot be paid twice.
 * @throws OperatorError when they do not fit together.
 */
export async function assignStray(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  hash: string,
  withdrawal_id: string,
): Promise<string> {
  const stray = await requireStray(deps, hash);
  const withdrawal = (await findWithdrawals(deps.db, [withdrawal_id])).get(withdrawal_id);
  if (!withdrawal || withdrawal.settled_at)
    throw new OperatorError(`${withdrawal_id} is no waiting withdrawal.`);
  if (!isPaymentOf(stray, withdrawal))
    throw new OperatorError(`${hash} pays something else than ${withdrawal_id}, or from another wallet.`);
  const applied = appliedStray(deps.config.passphrase, stray);
  if ('unusable' in applied) throw new OperatorError(`${hash} cannot be read: ${applied.unusable}`);
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (trx) => {
    if (!(await judgeStray(trx, { hash, withdrawal_id, now }))) throw notOpen(hash); // by another operator
    if (withdrawal.status === 'signed')
      return `Assigned: ${withdrawal_id} gets this outcome once its own envelope can no longer be applied.\n`;
    await finishApplied(trx, [outcomeOf(withdrawal_id, applied)], now);
    await freeLanes(trx, [withdrawal_id]);
    await announceSettled(trx);
    return `Assigned: ${withdrawal_id} is ${applied.successful ? 'confirmed' : 'failed'}.\n`;
  });
}

/**
 * Goes on from the network's newest ledger though those before it are unread, because no source has them any more: the
 * person has compared the wallets' transactions with the withdrawals. What may still be in flight is waited for.
 * @throws OperatorError when ledgers are accounted for as they should; AppError `network_unavailable`.
 */
export async function skipUnread(deps: Pick<Deps, 'db' | 'chain' | 'clock' | 'config'>): Promise<string> {
  const cursor = await readCursor(deps.db);
  if (!cursor?.trouble) throw new OperatorError('Every ledger is accounted for: there is nothing to skip.');
  const { sequence: ledger, hash: ledger_hash, close_time } = await deps.chain.latestLedger();
  const sign_after = close_time + BigInt(deps.config.withdraw_valid_seconds);
  const moved = await moveCursor(deps.db, {
    from: cursor,
    to: { ledger, ledger_hash, close_time, sign_after },
    now: deps.clock.now(),
  });
  if (!moved) throw new OperatorError('The accounting has gone on in the meantime.');
  return `Skipped: ledgers after ${cursor.ledger} up to ${ledger} stay unread.\n`;
}

/** Deposits that it pays back by its MEMO_RETURN, and of whose refund this database knows nothing. */
async function forgottenRefunds(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  stray: Stray,
): Promise<string[]> {
  const payment = paymentIn(stray.envelope_xdr);
  const applied = appliedStray(config.passphrase, stray);
  if (!payment || payment.memo_return === null) return [];
  if (!('unusable' in applied) && !applied.successful) return []; // it has paid nothing
  const { memo_return, destination, amount_stroops } = payment;
  return refundableBy(db, stray.wallet_id, { memo_return, destination, amount_stroops });
}

async function requireStray(deps: Pick<Deps, 'db'>, hash: string): Promise<Stray> {
  const stray = await findOpenStray(deps.db, hash);
  if (!stray) throw notOpen(hash);
  return stray;
}

function notOpen(hash: string): OperatorError {
  return new OperatorError(`No transaction ${hash} waits to be judged.`);
}

function isPaymentOf(stray: Stray, withdrawal: Withdrawal): boolean {
  const payment = paymentIn(stray.envelope_xdr);
  return (
    payment !== null &&
    stray.wallet_id === withdrawal.wallet_id &&
    payment.destination === withdrawal.destination &&
    payment.amount_stroops === withdrawal.amount_stroops &&
    payment.memo_id === withdrawal.memo_id &&
    payment.memo_return === withdrawal.memo_return
  );
}
