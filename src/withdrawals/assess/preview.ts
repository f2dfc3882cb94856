import type { Deps } from '../../deps.ts';
import { readDestination } from '../../http/destination.ts';
import type { Address } from '../../stellar/address.ts';
import { FROZEN } from '../../stellar/transactions/result-codes.ts';
import { foreseeTreasuryBudget } from '../channels/treasury-budgets.ts';
import type { NewWithdrawal } from '../engine/store.ts';
import { foreseePolicy } from '../policies/policy-check.ts';
import { assessPayment } from './assess.ts';
import { previewContractTransfer } from './contract-preview.ts';
import { keysOfPayment, touchesFrozen } from './frozen-entries.ts';
import { foreseenMessage, type Inspection, namesRecipient } from './preflight.ts';
import {
  atLeastZero,
  budgetOrderOf,
  type Preview,
  type PreviewOrder,
  readInFlightBeside,
} from './preview-answer.ts';

/**
 * Returns the result that `withdraw` would have with the same body, by the latest ledger and without a lock: balances, policies
 * and fees may have changed when the withdrawal is made. Sends nothing and writes nothing.
 * @throws AppError `invalid_request`, `ambiguous_destination`; NetworkUnavailable
 */
export async function previewWithdrawal(deps: Deps, order: PreviewOrder): Promise<Preview> {
  const destination = readDestination(order);
  return destination.contract === null
    ? previewPayment(deps, order, destination)
    : previewContractTransfer(deps, order);
}

async function previewPayment(deps: Deps, order: Order, destination: Address): Promise<Preview> {
  const { asset_code, asset_issuer, wallet } = order;
  const { in_flight, native_in_flight } = await readInFlightBeside(deps, order);
  const { fees: treasury_pays_fee } = deps.config.treasury_pays;
  const payment = asset_issuer === null ? 'payment' : 'asset_payment';
  const named = keysOfPayment(wallet.account, destination.account, order);
  const [assessed, isFrozen, { violations, approvals }] = await Promise.all([
    assessPayment(deps, { ...order, address: destination }),
    touchesFrozen(deps, named),
    foreseePolicy(deps.db, policyOrderOf(order, payment), deps.clock.now()),
  ]);
  const { inspection, fee_stroops, treasury_stroops } = assessed;
  const { operation, own, target } = inspection;
  const of_budget = await foreseeTreasuryBudget(deps, budgetOrderOf(order, treasury_stroops));
  const refused = [...assessed.refusals, ...violations, ...(of_budget ? [of_budget] : [])].map(
    ({ code, message }) => ({ code: code as string, message }),
  );
  const fee_available = (own?.spendable_stroops ?? 0n) - native_in_flight;
  const foresee = asset_issuer === null ? foreseeNative : foreseeIssued;
  const funds = foresee(order, destination, inspection, { in_flight, fee_stroops });
  const cannotPayFee = own !== null && fee_stroops > 0n && fee_available < fee_stroops;
  const of_funds = cannotPayFee ? ['tx_insufficient_balance'] : funds.failures;
  const failures = isFrozen ? [FROZEN] : of_funds; // the network looks for frozen entries first
  const problems = [
    ...refused,
    ...failures.map((code) => ({ code, message: foreseenMessage(code, inspection, asset_issuer) })),
  ];
  return {
    operation: operation === 'asset_payment' ? 'payment' : operation,
    destination_exists: target !== null,
    memo_required: target?.memo_required ?? false,
    memo_satisfied: !target?.memo_required || namesRecipient(order, destination),
    fee_stroops,
    fee_max_stroops: treasury_pays_fee ? 0n : deps.config.fee_max_stroops,
    contract_fee: null,
    fee_paid_by: treasury_pays_fee ? 'treasury' : 'wallet',
    asset_code,
    asset_issuer,
    balance_stroops: funds.balance_stroops,
    reserve_stroops: asset_issuer === null ? (own?.reserve_stroops ?? 0n) : 0n,
    available_stroops: atLeastZero(funds.available_stroops),
    fee_available_stroops: atLeastZero(fee_available),
    room_stroops: roomOf(order, destination, inspection),
    balance_after_stroops: problems.length === 0 ? funds.balance_after_stroops : null,
    would_send: refused.length === 0,
    ...approvals,
    problems,
  };
}

function policyOrderOf(order: Order, operation: NewWithdrawal['operation']) {
  const { wallet, awaiting, asset_code, asset_issuer, destination, memo_id, amount_stroops } = order;
  const except = awaiting === undefined ? [] : [awaiting];
  const terms = { asset_code, asset_issuer, destination, memo_id, amount_stroops };
  return { wallet_id: wallet.id, operation, ...terms, except };
}

type Order = PreviewOrder;
type Known = { in_flight: bigint; fee_stroops: bigint };
/** `failures`: what the network would say of the operation, once the fee is taken. */
type Funds = {
  balance_stroops: bigint;
  available_stroops: bigint;
  balance_after_stroops: bigint;
  failures: string[];
};

/** Foresees a payment of the native asset in the network's order: it checks the destination, then the balance. */
function foreseeNative(
  { wallet, amount_stroops }: Order,
  destination: Address,
  { operation, own, target }: Inspection,
  { in_flight, fee_stroops }: Known,
): Funds {
  const balance_stroops = own?.balance_stroops ?? 0n;
  const available = (own?.spendable_stroops ?? 0n) - in_flight;
  // A payment to itself does not leave the account, and the network checks no balance (PaymentOpFrame).
  const leaving = destination.account === wallet.account ? 0n : amount_stroops;
  const failures: string[] = [];
  if (own && !target && operation === 'payment') failures.push('op_no_destination');
  else if (own && available - fee_stroops < leaving) failures.push('op_underfunded');
  return {
    balance_stroops,
    available_stroops: available,
    balance_after_stroops: balance_stroops - in_flight - leaving - fee_stroops,
    failures,
  };
}

/**
 * Foresees a payment of an issued asset in the network's order (stellar-core PathPaymentStrictReceiveOpFrame): the destination
 * first. The issuer has an endless trust line. A payment to itself is credited before it is debited: it needs room, and no
 * balance.
 */
function foreseeIssued(
  order: Order,
  destination: Address,
  inspection: Inspection,
  { in_flight }: Known,
): Funds {
  const { own_line, target, target_line } = inspection;
  const { wallet, amount_stroops, asset_issuer } = order;
  const balance_stroops = own_line?.balance_stroops ?? 0n;
  const available = balance_stroops - (own_line?.selling_liabilities_stroops ?? 0n) - in_flight;
  const toIssuer = destination.account === asset_issuer;
  const toItself = destination.account === wallet.account;
  const room = roomOf(order, destination, inspection);
  const failures: string[] = [];
  if (!target && !toIssuer) failures.push('op_no_destination');
  else if (!target_line && !toIssuer) failures.push('op_no_trust');
  else if (target_line && target_line.authorization !== 'full') failures.push('op_not_authorized');
  else if (room !== null && room < amount_stroops) failures.push('op_line_full');
  else if (own_line && own_line.authorization !== 'full') failures.push('op_src_not_authorized');
  else if (!toItself && available < amount_stroops) failures.push('op_underfunded');
  const leaving = toItself ? 0n : amount_stroops;
  return {
    balance_stroops,
    available_stroops: available,
    // Below 0 before a payment to itself, which needs no balance: the network will fail some of what is in flight.
    balance_after_stroops: atLeastZero(balance_stroops - in_flight - leaving),
    failures,
  };
}

/**
 * Returns how much of the asset the destination can still take, in stroops; null for the native asset, and where there is no
 * trust line.
 */
function roomOf({ asset_issuer }: Order, destination: Address, { target_line }: Inspection): bigint | null {
  if (target_line === null || destination.account === asset_issuer) return null;
  const { limit_stroops, balance_stroops, buying_liabilities_stroops } = target_line;
  return atLeastZero(limit_stroops - balance_stroops - buying_liabilities_stroops);
}
