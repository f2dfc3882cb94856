import type { xdr } from '@stellar/stellar-sdk/base';
import { accountFields } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import { assetFields } from '../assets.ts';

/** An effect without id, paging_token, _links and created_at, which depend on its place in history. */
export type Effect = {
  account: string;
  account_muxed?: string;
  account_muxed_id?: string;
  type: EffectType;
  type_i: number;
  [field: string]: unknown;
};

/** Horizon's type numbers (protocols/horizon/effects). */
const NUMBERS = {
  account_created: 0,
  account_removed: 1,
  account_credited: 2,
  account_debited: 3,
  account_thresholds_updated: 4,
  account_home_domain_updated: 5,
  account_flags_updated: 6,
  account_inflation_destination_updated: 7,
  signer_created: 10,
  signer_removed: 11,
  signer_updated: 12,
  trustline_created: 20,
  trustline_removed: 21,
  trustline_updated: 22,
  trustline_authorized: 23,
  trustline_deauthorized: 24,
  trustline_authorized_to_maintain_liabilities: 25,
  trustline_flags_updated: 26,
  trade: 33,
  data_created: 40,
  data_removed: 41,
  data_updated: 42,
  sequence_bumped: 43,
  claimable_balance_created: 50,
  claimable_balance_claimant_created: 51,
  claimable_balance_claimed: 52,
  account_sponsorship_created: 60,
  account_sponsorship_updated: 61,
  account_sponsorship_removed: 62,
  trustline_sponsorship_created: 63,
  trustline_sponsorship_updated: 64,
  trustline_sponsorship_removed: 65,
  data_sponsorship_created: 66,
  data_sponsorship_updated: 67,
  data_sponsorship_removed: 68,
  claimable_balance_sponsorship_created: 69,
  claimable_balance_sponsorship_updated: 70,
  claimable_balance_sponsorship_removed: 71,
  signer_sponsorship_created: 72,
  signer_sponsorship_updated: 73,
  signer_sponsorship_removed: 74,
  claimable_balance_clawed_back: 80,
  contract_credited: 96,
  contract_debited: 97,
} as const;

export type EffectType = keyof typeof NUMBERS;

export function effect(
  type: EffectType,
  account: xdr.MuxedAccountWire,
  fields: Record<string, unknown> = {},
): Effect {
  return { ...accountFields('account', account), type, type_i: NUMBERS[type], ...fields };
}

export function credited(account: xdr.MuxedAccountWire, asset: xdr.AssetWire, amount: bigint): Effect {
  return effect('account_credited', account, { ...assetFields(asset), amount: amountText(amount) });
}

export function debited(account: xdr.MuxedAccountWire, asset: xdr.AssetWire, amount: bigint): Effect {
  return effect('account_debited', account, { ...assetFields(asset), amount: amountText(amount) });
}
