import type { Deps } from '../../deps.ts';
import { FROZEN, failureMessage } from '../../stellar/transactions/result-codes.ts';
import { foreseeTreasuryBudget } from '../channels/treasury-budgets.ts';
import { transferOf } from '../engine/contract-transfer.ts';
import { foreseePolicy } from '../policies/policy-check.ts';
import { mostOf } from './contract-cost.ts';
import { type ContractInspection, inspectContractTransfer } from './contract-preflight.ts';
import { keysOfTransfer, touchesFrozen } from './frozen-entries.ts';
import {
  atLeastZero,
  budgetOrderOf,
  type Preview,
  type PreviewOrder,
  readInFlightBeside,
} from './preview-answer.ts';

type Order = PreviewOrder;

/** Previews a transfer to a contract (C…). @throws NetworkUnavailable */
export async function previewContractTransfer(deps: Deps, order: Order): Promise<Preview> {
  const { asset_code, asset_issuer, destination, memo_id, wallet, amount_stroops } = order;
  const { in_flight, native_in_flight } = await readInFlightBeside(deps, order);
  const except = order.awaiting === undefined ? [] : [order.awaiting];
  const terms = { asset_code, asset_issuer, destination, memo_id, amount_stroops };
  const transfer = transferOf({ operation: 'contract_transfer', ...order }, wallet.account);
  const [inspection, isFrozen, { violations, approvals }] = await Promise.all([
    inspectContractTransfer(deps, order),
    touchesFrozen(deps, keysOfTransfer(deps.config.passphrase, transfer)),
    foreseePolicy(
      deps.db,
      { wallet_id: wallet.id, operation: 'contract_transfer', ...terms, except },
      deps.clock.now(),
    ),
  ]);
  const { operation, own, state, refusals } = inspection;
  const fee_paid_by = deps.config.treasury_pays.fees ? 'treasury' : 'wallet';
  const fee_stroops = fee_paid_by === 'wallet' ? inspection.fee_stroops : 0n;
  const of_budget = await foreseeTreasuryBudget(deps, budgetOrderOf(order, inspection.treasury_stroops));
  const refused = [...refusals, ...violations, ...(of_budget ? [of_budget] : [])].map(
    ({ code, message }) => ({
      code: code as string,
      message,
    }),
  );
  const holding = holdingOf(order, inspection);
  const available = holding.spendable_stroops - in_flight;
  const fee_available = (own?.spendable_stroops ?? 0n) - native_in_flight;
  const failures = isFrozen
    ? [FROZEN] // the network looks for frozen entries first
    : failuresOf(order, { available, fee_available, fee_stroops });
  const problems =
    refused.length > 0
      ? refused
      : failures.map((code) => ({ code, message: failureMessage(code, asset_issuer) }));
  const fee_of_asset = asset_issuer === null ? fee_stroops : 0n;
  return {
    operation,
    destination_exists: state?.contract === 'live',
    memo_required: false,
    memo_satisfied: true,
    fee_stroops,
    fee_max_stroops: fee_paid_by === 'wallet' ? mostOf(deps.config, inspection.simulated) : 0n,
    contract_fee: inspection.contract_fee,
    fee_paid_by,
    asset_code,
    asset_issuer,
    balance_stroops: holding.balance_stroops,
    reserve_stroops: asset_issuer === null ? (own?.reserve_stroops ?? 0n) : 0n,
    available_stroops: atLeastZero(available),
    fee_available_stroops: atLeastZero(fee_available),
    room_stroops: null, // a contract has no limit
    balance_after_stroops:
      problems.length === 0 ? holding.balance_stroops - in_flight - amount_stroops - fee_of_asset : null,
    would_send: refused.length === 0,
    ...approvals,
    problems,
  };
}

function holdingOf({ asset_issuer }: Order, { own, own_line }: ContractInspection) {
  if (asset_issuer === null)
    return {
      balance_stroops: own?.balance_stroops ?? 0n,
      spendable_stroops: own?.spendable_stroops ?? 0n,
    };
  const balance_stroops = own_line?.balance_stroops ?? 0n;
  return {
    balance_stroops,
    spendable_stroops: balance_stroops - (own_line?.selling_liabilities_stroops ?? 0n),
  };
}

/**
 * Returns the failure with which the network would answer once the withdrawals in flight are paid; empty when it would not
 * fail.
 */
function failuresOf(
  { asset_issuer, amount_stroops }: Order,
  funds: { available: bigint; fee_available: bigint; fee_stroops: bigint },
): string[] {
  const { available, fee_available, fee_stroops } = funds;
  if (fee_stroops > 0n && fee_available < fee_stroops) return ['tx_insufficient_balance'];
  const needed = asset_issuer === null ? amount_stroops + fee_stroops : amount_stroops;
  return available < needed ? ['op_underfunded'] : [];
}
