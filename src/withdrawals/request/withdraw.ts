/**
 * The command behind POST …/withdraw: check, claim the Idempotency-Key, then wait for the outcome (engine/).
 *
 * | step                    | a refusal or crash here                                                              |
 * |-------------------------|--------------------------------------------------------------------------------------|
 * | destination, memo       | 400; nothing is stored, the key stays free                                           |
 * | key already used        | 409 with the withdrawal that has it                                                  |
 * | payee                   | 422 when it was deleted; nothing is stored, the key stays free                       |
 * | preflight (network)     | 400, 422 or 503; nothing is stored, the key stays free                               |
 * | claim and policy        | 409 when another request has the key, 422 by the policy: nothing is stored. Once it  |
 * |                         | is committed, the withdrawal continues, whatever happens to this process              |
 * | approvals               | the answer comes at once: members must approve it first (approvals/)                 |
 * | wait                    | the caller gets 504 (or nothing); this or another process records the outcome. With   |
 * |                         | `Prefer: respond-async` the answer is 202, at once or when the caller's time is over  |
 */
import { strict as assert } from 'node:assert';
import type { Actor } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { type Destination, readDestination } from '../../http/destination.ts';
import type { Preferences } from '../../http/prefer.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Payee, payeeDeleted } from '../../payees/payees.ts';
import { isSameRecipient } from '../../stellar/recipient.ts';
import type { Wallet } from '../../wallets/access.ts';
import { showWithdrawal } from '../answers/schema.ts';
import { assessPayment } from '../assess/assess.ts';
import { inspectContractTransfer } from '../assess/contract-preflight.ts';
import type { Payment } from '../assess/preflight.ts';
import { claimKey, RETRY_AFTER_SECONDS } from '../engine/claim-key.ts';
import type { ClaimOrder } from '../engine/hooks.ts';
import type { NewWithdrawal, Withdrawal } from '../engine/store.ts';
import { errorOf, refundedBy } from '../refunds/refund-check.ts';
import { type EngineParts, outcomeOrAccepted, outcomeOrPending, withinWait } from './wait-for-outcome.ts';

/** `refund_of`: the deposit that the withdrawal pays back, whole (refund.ts). */
export type WithdrawalOrder = Payment & {
  wallet: Wallet;
  actor: Actor;
  idempotency_key: string;
  /** The wallets that the requester may see; null or absent for all of the team. */
  wallet_ids?: readonly string[] | null;
  refund_of: string | null;
  /** The payee that the caller names, a deleted one too; absent where the caller names an address. */
  payee?: Payee | null;
  /** What the caller calls it. The network does not get it, and members do not approve it: it changes nothing that is paid. */
  reference: string | null;
  /** Of a caller who may want a response before the outcome; absent: the answer is held. */
  prefer?: Preferences;
};

/**
 * Makes a withdrawal. Returns it with its proven outcome, or awaiting approvals; without its outcome too, where the caller
 * prefers an early response.
 * @throws AppError as the table above says
 */
export async function withdraw(deps: Deps, parts: EngineParts, order: WithdrawalOrder): Promise<Withdrawal> {
  return withinWait(deps, async (wait) => {
    const destination = readDestination(order);
    const { owner_id } = order.wallet;
    const known = await parts.claims.findByKey({ owner_id, idempotency_key: order.idempotency_key });
    if (known) throw keyUsed(known, order);
    // Only now: who repeats an order to a payee that was deleted since must learn of the withdrawal.
    if (order.payee?.deleted_at) throw payeeDeleted(order.payee);
    const way = await wayOf(deps, order, destination);
    wait.throwIfOver();
    const claimed = await claimKey(deps, parts.claims, rowOf(deps, order, way), {
      taken: (holder) => keyUsed(holder, order),
      in_doubt: order.refund_of === null ? IN_DOUBT : REFUND_IN_DOUBT,
    });
    if (claimed.status === 'awaiting_approval') return claimed;
    if (order.prefer?.respond_async) {
      const wait_seconds = order.prefer.wait_seconds ?? 0;
      return outcomeOrAccepted(deps, parts, { claimed, wait, wait_seconds });
    }
    return outcomeOrPending(deps, parts, { claimed, wait, show: showWithdrawal });
  });
}

/** The operation that pays the order, and what its envelope is built with. */
type Way = Pick<NewWithdrawal, 'operation' | 'soroban_data' | 'resource_fee_stroops' | 'treasury_stroops'>;

/** @throws AppError when the preflight refuses the order; NetworkUnavailable */
async function wayOf(deps: Deps, order: WithdrawalOrder, destination: Destination): Promise<Way> {
  if (destination.contract !== null) {
    const inspection = await inspectContractTransfer(deps, order);
    const { operation, simulated, refusals: found, treasury_stroops } = inspection;
    if (found[0]) throw found[0];
    assert(simulated?.possible);
    const { soroban_data, resource_fee_stroops } = simulated;
    return { operation, soroban_data, resource_fee_stroops, treasury_stroops };
  }
  // A payment of the native asset is not refused for its fee, so that costs no look at the fees of the network.
  const noFee = order.asset_issuer === null && !deps.config.treasury_pays.fees ? () => 0n : undefined;
  const assessed = await assessPayment(deps, { ...order, address: destination }, noFee);
  if (assessed.refusals[0]) throw assessed.refusals[0];
  return { operation: assessed.inspection.operation, treasury_stroops: assessed.treasury_stroops };
}

const IN_DOUBT =
  'The database went away while the withdrawal was being recorded. Ask again with the same Idempotency-Key.';
const REFUND_IN_DOUBT =
  'The database went away while the refund was being recorded. Ask for it again: it is made once.';

function rowOf(deps: Pick<Deps, 'clock'>, order: WithdrawalOrder, way: Way): ClaimOrder {
  const created_at = deps.clock.now();
  return {
    id: newId('wd', created_at),
    wallet_id: order.wallet.id,
    owner_id: order.wallet.owner_id,
    idempotency_key: order.idempotency_key,
    ...way,
    asset_code: order.asset_code,
    asset_issuer: order.asset_issuer,
    destination: order.destination,
    amount_stroops: order.amount_stroops,
    memo_id: order.memo_id,
    memo_return: order.memo_return,
    refund_of: order.refund_of,
    reference: order.reference,
    wallet_account: order.wallet.account,
    actor: order.actor,
    created_at,
  };
}

function keyUsed(known: Withdrawal, order: WithdrawalOrder): AppError {
  // The key of a refund is derived, not chosen: another request for the same refund was quicker.
  if (order.refund_of !== null) return errorOf(refundedBy(known));
  // A wallet that a limited member may not see does not exist for them (404 elsewhere).
  const isSeen = order.wallet_ids?.includes(known.wallet_id) ?? true;
  const data = isSeen ? showWithdrawal(known) : undefined;
  const same =
    known.wallet_id === order.wallet.id &&
    known.asset_code === order.asset_code &&
    known.asset_issuer === order.asset_issuer &&
    isSameRecipient(known, order) &&
    known.amount_stroops === order.amount_stroops;
  if (!same) {
    return new AppError('idempotency_key_mismatch', 'This Idempotency-Key belongs to another withdrawal.', {
      data,
    });
  }
  // Not compared: the reference changes nothing that is paid, and a caller who reads "another withdrawal" would pay again.
  if (known.status === 'awaiting_approval')
    return new AppError('idempotency_key_in_flight', 'The withdrawal with this key awaits approvals.', {
      data,
    });
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
