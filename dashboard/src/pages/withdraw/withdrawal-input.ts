/** Pure: the typed fields as a request for the API, or the problem of each field. */
import type { BodyOf } from '../../api/operations.ts';
import { type AssetFields, assetText, NATIVE, parseAssetText, unitOf } from '../../text/asset.ts';
import { readMemoId } from '../../text/memo-id.ts';
import { parseUnits } from '../../text/money.ts';
import { readReference } from '../../text/reference.ts';
import { readAddress, type StellarAddress } from '../../text/strkey.ts';

export type WithdrawalInput = {
  destination: string;
  amount: string;
  memo_id: string;
  /** `native` or CODE:ISSUER; absent in drafts of before. */
  asset?: string;
  /** The asset that the user chose, while a payee has filled in another one. */
  own_asset?: string | undefined;
  /** The issuer for which it is ticked that the amount is to be destroyed; it counts for this issuer only. */
  destroy_at?: string | undefined;
  /** Absent in drafts of before. */
  reference?: string;
};
/** The page always sends the address: the service finds its payee. */
export type WithdrawalRequest = BodyOf<'createWithdrawal'> & { destination: string };

export const EMPTY_INPUT: WithdrawalInput = { destination: '', amount: '', memo_id: '', reference: '' };

export type ParsedInput = {
  /** Null until every field is valid. */
  request: WithdrawalRequest | null;
  address: StellarAddress | null;
  stroops: bigint | null;
  /** Null for none. */
  memo_id: bigint | null;
  /** Sentences, by field. */
  problems: { [Field in 'destination' | 'amount' | 'memo_id' | 'reference']: string | null };
};

export function parseInput({
  destination,
  amount,
  memo_id,
  asset = 'native',
  destroy_at,
  reference = '',
}: WithdrawalInput): ParsedInput {
  const address = readAddress(destination);
  const { asset_code, asset_issuer } = parseAssetText(asset);
  const units = parseUnits(amount, undefined, unitOf({ asset_code, asset_issuer }));
  const memo = readMemoId(memo_id, 'problem' in address ? null : address);
  const booked = readReference(reference);
  const problems = {
    destination: 'problem' in address ? `The address ${address.problem}.` : null,
    amount: 'problem' in units ? `The amount ${units.problem}.` : null,
    memo_id: 'problem' in memo ? memo.problem : null,
    reference: 'problem' in booked ? booked.problem : null,
  };
  const request =
    'problem' in address || 'problem' in units || 'problem' in memo || 'problem' in booked
      ? null
      : {
          destination: destination.trim(),
          amount_stroops: units.stroops,
          ...(asset_issuer === null ? {} : { asset_code, asset_issuer }),
          ...(asset_issuer !== null && address.account === asset_issuer && destroy_at === asset_issuer
            ? { allow_issuer: true }
            : {}),
          ...(memo.id === null ? {} : { memo_id: memo.id }),
          ...(booked.reference === null ? {} : { reference: booked.reference }),
        };
  return {
    request,
    address: 'problem' in address ? null : address,
    stroops: 'problem' in units ? null : units.stroops,
    memo_id: 'problem' in memo ? null : memo.id,
    problems,
  };
}

type Payment = {
  destination: string;
  amount_stroops: bigint;
  memo_id?: bigint | null;
  asset_code?: string | null;
  asset_issuer?: string | null;
};

/**
 * Whether both pay the same amount of the same asset to the same recipient. An M… or W… address equals its
 * account or contract with its id as memo id.
 */
export function isSamePayment(one: Payment, other: Payment): boolean {
  return (
    one.amount_stroops === other.amount_stroops &&
    assetText(assetOf(one)) === assetText(assetOf(other)) &&
    recipientOf(one) === recipientOf(other)
  );
}

/** A request names an issued asset in two fields, and the native one in none. */
export function assetOf({
  asset_code,
  asset_issuer,
}: Pick<Payment, 'asset_code' | 'asset_issuer'>): AssetFields {
  return asset_code && asset_issuer ? { asset_code, asset_issuer } : NATIVE;
}

function recipientOf({ destination, memo_id }: Payment): string {
  const address = readAddress(destination);
  if ('problem' in address) return `${destination} ${memo_id ?? ''}`;
  return `${address.account} ${address.muxed_id ?? memo_id ?? ''}`;
}
