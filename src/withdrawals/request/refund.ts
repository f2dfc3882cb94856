/**
 * Pays a deposit back to its sender, whole, with MEMO_RETURN of its transaction hash. A refund is a withdrawal and
 * takes the same path (withdraw.ts). If an M… address has paid, the refund goes there: many customers of an exchange
 * pay from one account, and only the id says whose money it is. A deposit is refunded once:
 *
 * | what happens                             | why the deposit is not refunded twice                                  |
 * |------------------------------------------|------------------------------------------------------------------------|
 * | the caller retries, or clicks twice      | the Idempotency-Key is derived from the deposit and the number of its  |
 * |                                          | failed refunds: 409 with the refund that has it                        |
 * | requests at once, on several processes   | the claim locks the deposit, then looks for refunds; besides, a unique |
 * |                                          | index on refund_of, while not failed, refuses a second one             |
 * | the deposit is assigned at the same time | that takes the same lock (deposits/inbox/assign-deposit.ts): one of them wins   |
 * | a crash before the claim is committed    | nothing has happened                                                   |
 * | a crash after the claim is committed     | the withdrawal continues, and the deposit shows it                     |
 * | the refund fails                         | by proof only, like every withdrawal: the next try has the next key    |
 *
 * A refund is a payment, never create_account: nobody may hold the key of an account that was merged away. The preflight
 * refuses it; if the account is merged after the preflight, the payment fails.
 */

import type { OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import type { Preferences } from '../../http/prefer.ts';
import { AppError } from '../../lib/errors.ts';
import { parseAddress } from '../../stellar/address.ts';
import { requireRow, type Wallet } from '../../wallets/access.ts';
import type { Claims } from '../engine/claims.ts';
import type { WithdrawalEngine } from '../engine/engine.ts';
import type { Withdrawal } from '../engine/store.ts';
import { errorOf, whyNot } from '../refunds/refund-check.ts';
import { findDeposit, findRefunds, type RefundedDeposit } from '../refunds/refund-store.ts';
import { withdraw } from './withdraw.ts';

/** `prefer`: of a caller who may want a response before the outcome; absent: the answer is held. */
type RefundOptions = { reference?: string | null; prefer?: Preferences };

/**
 * Refunds a deposit. Returns the refund with its proven outcome, or one that awaits approvals; without its outcome too, where
 * the caller prefers an early response.
 * @throws AppError `not_found`; 409 `deposit_attributed`, or `deposit_refunded` with the refund as `data`; 422
 * `refund_not_possible`; and the errors of `withdraw`
 */
export async function refundDeposit(
  deps: Deps,
  parts: { claims: Claims; engine: WithdrawalEngine },
  { wallet, actor }: OnWallet & { wallet: Wallet },
  deposit_id: string,
  { reference = null, prefer }: RefundOptions = {},
): Promise<Withdrawal> {
  const deposit = await requireRow('deposit', deposit_id, (id) => findDeposit(deps.db, wallet.id, id));
  const refunds = await findRefunds(deps.db, [deposit.id]);
  const violation = whyNot(deposit, refunds);
  if (violation) throw errorOf(violation);
  const impossible = whyImpossible(deposit, wallet);
  if (impossible) throw new AppError('refund_not_possible', impossible);
  return withdraw(deps, parts, {
    wallet,
    actor,
    idempotency_key: refundKey(deposit.id, refunds.length + 1),
    destination: deposit.source_account_muxed ?? deposit.source_account,
    amount_stroops: deposit.amount_stroops,
    asset_code: deposit.asset_code,
    asset_issuer: deposit.asset_issuer,
    memo_id: null,
    memo_return: deposit.stellar_tx_hash,
    allow_issuer: true, // the issuer is the sender: it gets back what it has issued
    refund_of: deposit.id,
    reference,
    ...(prefer && { prefer }),
  });
}

/** Callers cannot choose such a key: a header takes printable ASCII only, and · is not ASCII. */
function refundKey(deposit_id: string, attempt: number): string {
  return `refund·${deposit_id}·${attempt}`;
}

function whyImpossible({ source_account }: RefundedDeposit, wallet: Wallet): string | null {
  if (source_account === wallet.account) return 'The wallet itself is the sender of this deposit.';
  if (!parseAddress(source_account)) return 'The sender is a contract, which a payment cannot reach.';
  return null;
}
