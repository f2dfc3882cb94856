import type { Deps } from '../deps.ts';
import type { Address } from '../stellar/address.ts';
import { failureMessage } from '../stellar/transactions/result-codes.ts';
import { inFlightStroops, type Wallet } from '../wallets/access.ts';
import { feeRate } from './engine/fee-rate.ts';
import { foreseeViolations } from './policies/policy-check.ts';
import {
  type Inspection,
  inspectAccounts,
  namesRecipient,
  type Payee,
  readDestination,
  refusals,
} from './preflight.ts';

export type Problem = { code: string; message: string };

export type Preview = {
  operation: Inspection['operation'];
  destination_exists: boolean;
  memo_required: boolean;
  memo_satisfied: boolean;
  fee_stroops: bigint;
  fee_max_stroops: bigint;
  balance_stroops: bigint;
  reserve_stroops: bigint;
  available_stroops: bigint;
  /** Null when it would not be paid. */
  balance_after_stroops: bigint | null;
  would_send: boolean;
  problems: Problem[];
};

/**
 * The result that `withdraw` would have with the same body, by the latest ledger and without a lock: balances, policies
 * and fees may have changed when the withdrawal is made. Sends nothing and writes nothing.
 * @throws AppError `invalid_request`, `ambiguous_destination`; NetworkUnavailable
 */
export async function previewWithdrawal(deps: Deps, order: Payee & { wallet: Wallet }): Promise<Preview> {
  const destination = readDestination(order);
  const checked = { ...order, wallet_id: order.wallet.id };
  // In-flight withdrawals are read first. One that gets its outcome in between is counted twice for a moment, never
  // omitted.
  const in_flight = await inFlightStroops(deps.db, order.wallet.id);
  const [inspection, fee_stroops, violations] = await Promise.all([
    inspectAccounts(deps, order, destination),
    feeRate(deps),
    foreseeViolations(deps.db, checked, deps.clock.now()),
  ]);
  const { operation, own, target } = inspection;
  const refused = [...refusals(order, destination, inspection), ...violations].map(({ code, message }) => ({
    code: code as string,
    message,
  }));
  const funds = foreseeFunds(order, destination, inspection, { in_flight, fee_stroops });
  const problems = [...refused, ...funds.failures.map((code) => ({ code, message: failureMessage(code) }))];
  return {
    operation,
    destination_exists: target !== null,
    memo_required: target?.memo_required ?? false,
    memo_satisfied: !target?.memo_required || namesRecipient(order, destination),
    fee_stroops,
    fee_max_stroops: deps.config.fee_max_stroops,
    balance_stroops: own?.balance_stroops ?? 0n,
    reserve_stroops: own?.reserve_stroops ?? 0n,
    available_stroops: funds.available_stroops,
    balance_after_stroops: problems.length === 0 ? funds.balance_after_stroops : null,
    would_send: refused.length === 0,
    problems,
  };
}

/** In the network's order: it takes the fee, then checks the destination, then the balance. */
function foreseeFunds(
  { wallet, amount_stroops }: Payee & { wallet: Wallet },
  destination: Address,
  { operation, own, target }: Inspection,
  { in_flight, fee_stroops }: { in_flight: bigint; fee_stroops: bigint },
) {
  const available = (own?.spendable_stroops ?? 0n) - in_flight;
  // A payment to itself does not leave the account, and the network checks no balance (PaymentOpFrame).
  const leaving = destination.account === wallet.account ? 0n : amount_stroops;
  const failures: string[] = [];
  if (own && available < fee_stroops) failures.push('tx_insufficient_balance');
  else if (own && !target && operation === 'payment') failures.push('op_no_destination');
  else if (own && available - fee_stroops < leaving) failures.push('op_underfunded');
  return {
    available_stroops: available > 0n ? available : 0n,
    balance_after_stroops: (own?.balance_stroops ?? 0n) - in_flight - leaving - fee_stroops,
    failures,
  };
}
