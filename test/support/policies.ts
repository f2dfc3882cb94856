/** Policies as tests of the pure rules ask for them, at hours after a beginning. */
import { StrKey } from '@stellar/stellar-sdk';
import { accountOf, muxedAddress } from '../../src/stellar/address.ts';
import { type AssetFields, NATIVE } from '../../src/stellar/asset.ts';
import { contractAddress } from '../../src/stellar/contract-address.ts';
import { entryOfPayee } from '../../src/withdrawals/policies/allowed-destinations.ts';
import {
  type AssetLimits,
  type LimitField,
  limitOf,
  limitsOf,
} from '../../src/withdrawals/policies/asset-limits.ts';
import {
  asOf,
  changed,
  NO_LIMITS,
  type Policy,
  type PolicyState,
  targetOf,
} from '../../src/withdrawals/policies/policies.ts';
import { brokenRules } from '../../src/withdrawals/policies/policy-rules.ts';

export const [ANNA, BERT, CARL] = [1, 2, 3].map((byte) => accountOf(Buffer.alloc(32, byte))) as [
  string,
  string,
  string,
];
export const ANNA_7 = muxedAddress(ANNA, 7n);
export const ANNA_8 = muxedAddress(ANNA, 8n);
export const [SMART, OTHER_SMART] = [1, 2].map((byte) => StrKey.encodeContract(Buffer.alloc(32, byte))) as [
  string,
  string,
];
export const SMART_7 = contractAddress({ contract: SMART, muxed_id: 7n });

/** Makes the entry of a payee: of the account, with these members. */
export const payeeEntry = (
  number: number,
  destination: string,
  { memo_id = null, asset = null }: { memo_id?: bigint | null; asset?: AssetFields | null } = {},
) =>
  entryOfPayee({
    id: `pye_${`${number}`.padStart(26, '0')}`,
    destination,
    memo_id,
    ...(asset ?? { asset_code: null, asset_issuer: null }),
  });

export const USDC = { asset_code: 'USDC', asset_issuer: ANNA };
export const EURC = { asset_code: 'EURC', asset_issuer: ANNA };
export const IN_XLM = { ...NATIVE, changes_trust_line: false, memo_id: null };

export const HOUR_MS = 3_600_000;
export const DAY_SECONDS = 86_400;
export const NOTHING_ASKED: PolicyState = { policy: NO_LIMITS, pending: [] };
export const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * HOUR_MS);

/** The two fields are of the native asset, as in the API. */
export type Wish = Partial<Policy> & Partial<Record<LimitField, bigint | null>>;
/** The target that the fields make of `before`, as in PATCH; a null is no limit. */
export function wished(
  { limits, max_withdrawal_stroops, max_rolling_24h_stroops, ...wish }: Wish,
  before: Policy,
): Policy {
  const fields = { max_withdrawal_stroops, max_rolling_24h_stroops };
  const named = Object.entries(fields).filter(([, limit]) => limit !== undefined);
  const list = limits === undefined ? before.limits : limits;
  if (named.length === 0) return { ...before, ...wish, limits: list };
  const native = { ...limitsFor(NATIVE), ...limitOf(list, NATIVE), ...Object.fromEntries(named) };
  const others = list?.filter(({ asset_issuer }) => asset_issuer !== null) ?? [];
  return { ...before, ...wish, limits: limitsOf([native, ...others]) };
}
export const policyOf = (wish: Wish): Policy => wished(wish, NO_LIMITS);
export const limitsFor = (
  asset: AssetFields,
  max_withdrawal_stroops: bigint | null = null,
  max_rolling_24h_stroops: bigint | null = null,
): AssetLimits => ({ ...asset, max_withdrawal_stroops, max_rolling_24h_stroops });

let ids = 0;
/** The state after a request for these fields, `hours` after the beginning. */
export function ask(state: PolicyState, wish: Wish, hours: number, delay_seconds = DAY_SECONDS) {
  const target = wished(wish, targetOf(state));
  return changed(state, target, {
    now: at(hours),
    delay_seconds,
    requested_by: 'usr_1',
    newId: () => `pch_${ids++}`,
  });
}
export const policyAt = (state: PolicyState, hours: number) => asOf(state, at(hours)).policy;
export const allows = (policy: Policy, destination: string, amount_stroops = 1n) =>
  brokenRules(policy, { ...IN_XLM, destination, amount_stroops }, 0n).length === 0;
