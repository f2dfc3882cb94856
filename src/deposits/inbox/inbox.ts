/**
 * What a person does with a deposit that found no address: assign it to one. To pay it back is a withdrawal
 * (withdrawals/refunds/refund.ts).
 *
 * | step                                  | what holds                                                                |
 * |---------------------------------------|---------------------------------------------------------------------------|
 * | lock the deposit                      | who would assign or refund it at the same time waits here                 |
 * | look again: unattributed, no refund   | a statement after the lock sees what the one before has committed: 409    |
 * | is anything forgotten?                | as long as nothing would be signed for the wallet, a refund may be on the |
 * |                                       | ledger that this database does not know: 503                              |
 * | one transaction: address, event,      | `deposit.created` is there exactly once; a crash before the commit leaves |
 * | deliveries                            | everything as it was, after it the next try gets 409                      |
 */
import { strict as assert } from 'node:assert';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { maxLagSeconds, mayHaveForgotten } from '../../ledgers/signing-allowed.ts';
import { requireRow } from '../../wallets/access.ts';
import { enqueueEvents } from '../../webhooks/enqueue.ts';
import { depositCreated, showDeposit } from '../schema.ts';
import { assignToAddress, type Deposit, findAddress, findDeposit, lockDeposit } from '../store.ts';

/**
 * The deposit as it is then, with the address's memo id.
 * @throws AppError `not_found`, 409 `deposit_attributed` or `deposit_refunded` with the deposit as `data`,
 * 503 `ledger_not_caught_up` while a refund may be forgotten; NetworkUnavailable.
 */
export async function assignDeposit(
  deps: Deps,
  order: { wallet_id: string; deposit_id: string; address_id: string },
): Promise<Deposit> {
  const { wallet_id } = order;
  const address = await requireRow('deposit address', order.address_id, (id) =>
    findAddress(deps.db, wallet_id, id),
  );
  const { close_time } = await deps.stellar.latestLedger();
  const least_close_time = close_time - BigInt(maxLagSeconds(deps.config));
  return deps.db.transaction().execute(async (trx) => {
    const lock = (id: string) => lockAndFind(trx, wallet_id, id);
    const deposit = await requireRow('deposit', order.deposit_id, lock);
    const refusal = whyNot(deposit);
    if (refusal) throw refusal;
    if (await mayHaveForgotten(trx, wallet_id, least_close_time)) throw notSureYet();
    await assignToAddress(trx, deposit.id, address);
    const assigned = await findDeposit(trx, wallet_id, deposit.id);
    assert(assigned);
    await enqueueEvents(trx, [depositCreated(assigned, deps.clock.now())]);
    return assigned;
  });
}

/** Two statements: the first may wait for the lock, and the second then sees a refund that was claimed meanwhile. */
async function lockAndFind(trx: Trx, wallet_id: string, id: string): Promise<Deposit | undefined> {
  await lockDeposit(trx, wallet_id, id);
  return findDeposit(trx, wallet_id, id);
}

function notSureYet(): AppError {
  return new AppError(
    'ledger_not_caught_up',
    'The ledgers are not processed far enough, or a transaction of the wallet matches no withdrawal: the deposit may be ' +
      'refunded already. Nothing was assigned.',
    { retry_after_seconds: 5 },
  );
}

function whyNot(deposit: Deposit): AppError | null {
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
