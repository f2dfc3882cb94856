/**
 * Assigns an unattributed deposit to a deposit address, for a person. A refund is a withdrawal
 * (withdrawals/request/refund.ts).
 *
 * | step (in one transaction)              | guarantee                                                                |
 * |----------------------------------------|--------------------------------------------------------------------------|
 * | lock the deposit                       | a concurrent assignment or refund of it waits here                       |
 * | read it again: is it assigned, or      | this statement sees what the other transaction committed: 409            |
 * | refunded?                              |                                                                          |
 * | can the ledger have a refund that this | while the wallet's ledgers are not processed, or it has an unmatched     |
 * | database does not know?                | transaction: 503                                                         |
 * | write address, event and deliveries    | `deposit.created` exists exactly once. A crash before the commit changes |
 * |                                        | nothing; after the commit, the next try gets 409.                        |
 */
import { strict as assert } from 'node:assert';
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { leastCloseTime } from '../../ledgers/least-close-time.ts';
import { mayHaveForgotten } from '../../ledgers/signing-allowed.ts';
import { AppError } from '../../lib/errors.ts';
import { currentTraceparent } from '../../lib/log-context.ts';
import { requireRow } from '../../wallets/access.ts';
import { enqueueEvents } from '../../webhooks/events/enqueue.ts';
import { findAddress } from '../addresses/address-store.ts';
import { depositEvent, showDeposit } from '../recorded/deposit-schema.ts';
import { assignToAddress, type Deposit, findDeposit, lockDeposit } from '../recorded/deposit-store.ts';

/**
 * Assigns a deposit, and returns it with the memo id of the address.
 * @throws AppError `not_found`; 409 `deposit_attributed` or `deposit_refunded` with the deposit as `data`; 503 while the
 * ledger may have a refund that this database does not know.
 */
export async function assignDeposit(
  deps: Deps,
  by: OnWallet,
  order: { deposit_id: string; address_id: string },
): Promise<Deposit> {
  const wallet_id = by.wallet.id;
  const address = await requireRow('deposit address', order.address_id, (id) =>
    findAddress(deps.db, wallet_id, id),
  );
  const least_close_time = await leastCloseTime(deps);
  return auditedOnWallet(deps, by, async (trx, note) => {
    const lock = (id: string) => lockAndFind(trx, wallet_id, id);
    const deposit = await requireRow('deposit', order.deposit_id, lock);
    const refusal = refusalOf(deposit);
    if (refusal) throw refusal;
    const paid_by = deposit.stellar_tx_hash;
    if (await mayHaveForgotten(trx, { wallet_id, paid_by }, least_close_time)) throw refundUnknown();
    await assignToAddress(trx, deposit.id, address);
    const assigned = await findDeposit(trx, wallet_id, deposit.id);
    assert(assigned);
    await enqueueEvents(trx, [depositEvent(assigned, deps.clock.now(), currentTraceparent())]);
    const target = { kind: 'deposit', id: assigned.id };
    note({ action: 'deposit.assigned', target, after: { address_id: address.id } });
    return assigned;
  });
}

/** Locks the deposit and finds it by two statements: the first may wait for the lock; the second then sees a refund that was created during the wait. */
async function lockAndFind(trx: Trx, wallet_id: string, id: string): Promise<Deposit | undefined> {
  await lockDeposit(trx, wallet_id, id);
  return findDeposit(trx, wallet_id, id);
}

function refundUnknown(): AppError {
  return new AppError(
    'ledger_not_caught_up',
    'The ledgers are not processed yet, or the wallet has an unmatched transaction. The deposit may be refunded ' +
      'already, so nothing was assigned.',
    { retry_after_seconds: 5 },
  );
}

function refusalOf(deposit: Deposit): AppError | null {
  const data = showDeposit(deposit);
  if (deposit.attributed)
    return new AppError('deposit_attributed', 'The deposit belongs to a deposit address already; see data.', {
      data,
    });
  if (deposit.refund_withdrawal_id !== null)
    return new AppError('deposit_refunded', 'The deposit is refunded, or being refunded; see data.', {
      data,
    });
  return null;
}
