/** Makes the row of a withdrawal that this database has forgotten, from its transaction in the ledger. */
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { assignTransaction, type UnmatchedTransaction } from '../../ledgers/unmatched-store.ts';
import { OperatorError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { paymentIn } from '../../stellar/transactions/envelope.ts';
import { mayPayKey } from '../engine/forgotten-payments.ts';
import { decodeUnmatched, outcomeOf } from '../engine/outcome.ts';
import { ownerOfWallet } from '../engine/queries.ts';
import { insertPaid } from '../engine/store.ts';
import { tellOutcomes } from '../events/withdrawal-events.ts';

/** `reference`: the ledger does not know it, but a client may. */
type Restored = { unmatched: UnmatchedTransaction; idempotency_key: string; reference: string | null };

/**
 * Makes a withdrawal of the key with the transaction's payment and outcome, so that the key is answered as before. Returns its
 * id.
 * @throws OperatorError when the transaction is a refund or no payment of the key, a withdrawal has it, or the key has a
 * withdrawal: then the caller must undo its database transaction
 */
export async function restoreWithdrawal(
  trx: Trx,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { unmatched, idempotency_key, reference }: Restored,
): Promise<string> {
  const { hash, wallet_id, found_at, envelope_xdr } = unmatched;
  const payment = paymentIn(config.passphrase, envelope_xdr);
  const applied = decodeUnmatched(config.passphrase, unmatched);
  if (!payment || 'unusable' in applied) throw new OperatorError(`${hash} is not a payment of a withdrawal.`);
  // Without its deposit the deposit would look as if nobody had refunded it.
  if (payment.memo_return !== null)
    throw new OperatorError(
      `${hash} is a refund: request that refund again, and assign it to the withdrawal.`,
    );
  refuseOtherKey(config.passphrase, unmatched, idempotency_key);
  const id = newId('wd', found_at);
  const now = clock.now();
  const paid = {
    id,
    wallet_id,
    idempotency_key,
    ...payment,
    refund_of: null,
    reference,
    created_at: found_at,
    owner_id: await ownerOfWallet(trx, wallet_id),
    tx_source: applied.source_account,
    sequence: applied.sequence,
    envelope_xdr,
    outcome: outcomeOf({ id, asset_issuer: payment.asset_issuer }, applied),
  };
  if (!(await insertPaid(trx, paid, now)))
    throw new OperatorError(`The key ${idempotency_key} has a withdrawal already. Nothing was changed.`);
  if (!(await assignTransaction(trx, { hash, withdrawal_id: id, now })))
    throw new OperatorError(`${hash} belongs to another withdrawal by now. Nothing was changed.`);
  await tellOutcomes(trx, { config }, [paid], { now });
  return id;
}

/** @throws OperatorError when the transaction has paid another key, which would be payable again */
export function refuseOtherKey(
  passphrase: string,
  unmatched: UnmatchedTransaction,
  idempotency_key: string,
): void {
  if (mayPayKey(passphrase, unmatched, idempotency_key)) return;
  throw new OperatorError(
    `${unmatched.hash} pays another Idempotency-Key than this one. Nothing was changed.`,
  );
}
