import type { Deps } from '../../deps.ts';
import { type AssetFields, NATIVE } from '../../stellar/asset.ts';
import { inFlightStroops, type Wallet } from '../../wallets/access.ts';
import type { ForeseenApprovals } from '../policies/policy-check.ts';
import type { ContractFee } from './contract-cost.ts';
import type { Payment } from './preflight.ts';

/** `awaiting`: the id of the withdrawal itself, when it was requested already and awaits approvals. */
export type PreviewOrder = Payment & { wallet: Wallet; awaiting?: string };

export type Problem = { code: string; message: string };

export type Preview = AssetFields &
  ForeseenApprovals & {
    operation: 'payment' | 'create_account' | 'contract_transfer';
    destination_exists: boolean;
    memo_required: boolean;
    memo_satisfied: boolean;
    fee_stroops: bigint;
    fee_max_stroops: bigint;
    /** Null for a payment. */
    contract_fee: ContractFee | null;
    fee_paid_by: 'wallet' | 'treasury';
    balance_stroops: bigint;
    reserve_stroops: bigint;
    available_stroops: bigint;
    fee_available_stroops: bigint;
    /** Null where the destination has no limit. */
    room_stroops: bigint | null;
    /** Null when it would not be paid. */
    balance_after_stroops: bigint | null;
    would_send: boolean;
    problems: Problem[];
  };

/**
 * Reads what is in flight beside the previewed withdrawal, of its asset and of the native one. Call it before anything is read of
 * the network. What gets its outcome in between is counted twice for a moment, never omitted.
 */
export async function readInFlightBeside(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  order: PreviewOrder,
): Promise<{ in_flight: bigint; native_in_flight: bigint }> {
  const { awaiting, amount_stroops, asset_issuer, wallet } = order;
  const payer = { pays_fees: !config.treasury_pays.fees };
  const [of_asset, of_native] = await Promise.all([
    inFlightStroops(db, wallet.id, order, payer),
    inFlightStroops(db, wallet.id, NATIVE, payer),
  ]);
  const in_flight = awaiting === undefined ? of_asset : of_asset - amount_stroops;
  return { in_flight, native_in_flight: asset_issuer === null ? in_flight : of_native };
}

export function atLeastZero(stroops: bigint): bigint {
  return stroops > 0n ? stroops : 0n;
}

/**
 * Returns what the budget of the team is asked about. For a withdrawal that awaits approvals it is asked about nothing: that
 * was done when the withdrawal was asked for.
 */
export function budgetOrderOf(
  { awaiting, wallet }: PreviewOrder,
  treasury_stroops: bigint | null,
): { owner_id: string; treasury_stroops: bigint | null } {
  return {
    owner_id: wallet.owner_id,
    treasury_stroops: awaiting === undefined ? treasury_stroops : null,
  };
}
