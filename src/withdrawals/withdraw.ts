/**
 * The command behind POST …/withdraw: check, claim the Idempotency-Key, then wait for the outcome (engine/).
 *
 * | step                    | a refusal or crash here                                                              |
 * |-------------------------|--------------------------------------------------------------------------------------|
 * | destination, memo       | 400; nothing is stored, the key stays free                                           |
 * | key already used        | 409 with the withdrawal that has it                                                  |
 * | preflight (network)     | 400, 422 or 503; nothing is stored, the key stays free                               |
 * | claim and policy        | 409 when another request has the key, 422 by the policy: nothing is stored. Once it  |
 * |                         | is committed, the withdrawal continues, whatever happens to this process              |
 * | wait                    | the caller gets 504 (or nothing); this or another process records the outcome        |
 */
import { isConnectionLost } from '../db/failures.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import { NetworkUnavailable } from '../stellar/network-unavailable.ts';
import type { Wallet } from '../wallets/access.ts';
import type { ClaimOrder, Claims } from './engine/claims.ts';
import type { WithdrawalEngine } from './engine/engine.ts';
import type { NewWithdrawal, Withdrawal } from './engine/store.ts';
import { inspectAccounts, type Payee, readDestination, refusals } from './preflight.ts';
import { errorOf, refundedBy } from './refunds/refund-check.ts';
import { showWithdrawal } from './schema.ts';

/** `refund_of`: the deposit that the withdrawal pays back, whole (refund.ts). */
export type WithdrawalOrder = Payee & { wallet: Wallet; idempotency_key: string; refund_of: string | null };

const CLAIM_TRIES = 5;
const CLAIM_PAUSE_MS = 500;
const RETRY_AFTER_SECONDS = 2;

/** The withdrawal with its proven outcome. @throws AppError as the table above says. */
export async function withdraw(
  deps: Deps,
  { claims, engine }: { claims: Claims; engine: WithdrawalEngine },
  order: WithdrawalOrder,
): Promise<Withdrawal> {
  const deadline = new AbortController();
  let late = false;
  const waited = deps.clock.sleep(deps.config.withdraw_wait_seconds * 1000, deadline.signal).then(() => {
    late = true;
  });
  try {
    const destination = readDestination(order);
    const { owner_id } = order.wallet;
    const known = await claims.findByKey({ owner_id, idempotency_key: order.idempotency_key });
    if (known) throw keyUsed(known, order);
    const inspection = await inspectAccounts(deps, order, destination);
    const [refusal] = refusals(order, destination, inspection);
    if (refusal) throw refusal;
    if (late) throw tooLate();
    const withdrawal = await claimKey(deps, claims, order, inspection.operation);
    await Promise.race([engine.waitFor(withdrawal.id), waited]);
    return await outcomeOrPending(deps, claims, withdrawal);
  } finally {
    deadline.abort('answered'); // without a reason, abort() builds an Error
  }
}

/**
 * After a lost commit nobody knows whether the key is ours: claiming again with the same id finds out. "Nothing was
 * started" on a guess could make the caller pay again with another key.
 * @throws AppError 409 when another withdrawal has the key, or the deposit must not be refunded; 422 `policy_…`; 504
 * `outcome_pending` when the database does not come back
 */
async function claimKey(
  deps: Deps,
  claims: Claims,
  order: WithdrawalOrder,
  operation: NewWithdrawal['operation'],
): Promise<Withdrawal> {
  const created_at = deps.clock.now();
  const row: ClaimOrder = {
    id: newId('wd', created_at),
    wallet_id: order.wallet.id,
    owner_id: order.wallet.owner_id,
    idempotency_key: order.idempotency_key,
    operation,
    destination: order.destination,
    amount_stroops: order.amount_stroops,
    memo_id: order.memo_id,
    memo_return: order.memo_return,
    refund_of: order.refund_of,
    wallet_account: order.wallet.account,
    created_at,
  };
  let in_doubt = false;
  for (let tries = 1; ; tries++) {
    try {
      const { holder, violation } = await claims.claim(row);
      if (violation) throw new AppError(violation.code, violation.message, violation);
      if (holder.id !== row.id) throw keyUsed(holder, order);
      return holder;
    } catch (error) {
      if (error instanceof AppError) throw error;
      in_doubt ||= isConnectionLost(error);
      if (!in_doubt) throw error; // the database refused it, or never got it: the key is free
      if (tries === CLAIM_TRIES) throw inDoubt(order, error);
      deps.log.warn(
        { err: error, withdrawal_id: row.id },
        'a claim was interrupted; it is repeated with the same id',
      );
      await deps.clock.sleep(CLAIM_PAUSE_MS);
    }
  }
}

async function outcomeOrPending(deps: Deps, claims: Claims, claimed: Withdrawal): Promise<Withdrawal> {
  const withdrawal = await latestKnown(deps, claims, claimed);
  if (withdrawal.settled_at) return withdrawal;
  throw new AppError(
    'outcome_pending',
    'Accepted. The outcome is not proven yet; the withdrawal continues without this request.',
    {
      data: showWithdrawal(withdrawal),
      retry_after_seconds: RETRY_AFTER_SECONDS,
    },
  );
}

/** The row as it is now, or as it was claimed when the database does not answer. */
async function latestKnown(deps: Deps, claims: Claims, claimed: Withdrawal): Promise<Withdrawal> {
  try {
    return (await claims.find(claimed.id)) ?? claimed;
  } catch (error) {
    deps.log.error(
      { err: error, withdrawal_id: claimed.id },
      'the withdrawal could not be read after its claim',
    );
    return claimed;
  }
}

function keyUsed(known: Withdrawal, order: WithdrawalOrder): AppError {
  // The key of a refund is derived, not chosen: another request for the same refund was quicker.
  if (order.refund_of !== null) return errorOf(refundedBy(known));
  const data = showWithdrawal(known);
  const same =
    known.wallet_id === order.wallet.id &&
    known.destination === order.destination &&
    known.amount_stroops === order.amount_stroops &&
    known.memo_id === order.memo_id;
  if (!same) {
    return new AppError('idempotency_key_mismatch', 'This Idempotency-Key belongs to another withdrawal.', {
      data,
    });
  }
  if (!known.settled_at) {
    return new AppError(
      'idempotency_key_in_flight',
      'The withdrawal with this Idempotency-Key is in flight.',
      {
        data,
        retry_after_seconds: RETRY_AFTER_SECONDS,
      },
    );
  }
  return new AppError(
    'idempotency_key_reused',
    'The withdrawal with this Idempotency-Key is done; see data.',
    { data },
  );
}

function tooLate(): NetworkUnavailable {
  return new NetworkUnavailable('The Stellar network answers too slowly; nothing was started.', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  });
}

function inDoubt({ refund_of }: WithdrawalOrder, cause: unknown): AppError {
  const message =
    refund_of === null
      ? 'The database went away while the withdrawal was being recorded. Ask again with the same Idempotency-Key.'
      : 'The database went away while the refund was being recorded. Ask for it again: it is made once.';
  return new AppError('outcome_pending', message, { cause, retry_after_seconds: RETRY_AFTER_SECONDS });
}
