/** Pure: the typed fields as a request for the API, or the problem of each field. */
import type { BodyOf } from '../../api/operations.ts';
import { type AssetFields, assetText, NATIVE, parseAssetText, unitOf } from '../../text/asset.ts';
import { parseUnits } from '../../text/money.ts';
import { readReference } from '../../text/reference.ts';
import { readAddress, type StellarAddress } from '../../text/strkey.ts';

export type WithdrawalInput = {
  destination: string;
  amount: string;
  memo_id: string;
  /** `native` or CODE:ISSUER; absent in drafts of before. */
  asset?: string;
  /** The issuer for which it is ticked that the amount is to be destroyed; it counts for this issuer only. */
  destroy_at?: string | undefined;
  /** Absent in drafts of before. */
  reference?: string;
};
export type WithdrawalRequest = BodyOf<'createWithdrawal'>;

export const EMPTY_INPUT: WithdrawalInput = { destination: '', amount: '', memo_id: '', reference: '' };

const UINT64_MAX = 18_446_744_073_709_551_615n;

export type ParsedInput = {
  /** Null until every field is valid. */
  request: WithdrawalRequest | null;
  address: StellarAddress | null;
  stroops: bigint | null;
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
    problems,
  };
}

function readMemoId(
  text: string,
  address: StellarAddress | null,
): { id: bigint | null } | { problem: string } {
  const typed = text.trim();
  if (typed === '') return { id: null };
  if (!/^(0|[1-9][0-9]*)$/.test(typed))
    return { problem: 'A memo id is a whole number such as 42. Memo texts are not supported.' };
  const id = BigInt(typed);
  if (id > UINT64_MAX) return { problem: `A memo id is at most ${UINT64_MAX}.` };
  const muxed_id = address?.muxed_id ?? null;
  if (muxed_id !== null && muxed_id !== id)
    return {
      problem: `It contradicts the address: the ${address?.kind === 'contract' ? 'W…' : 'M…'} address contains id ${muxed_id}. Leave this field empty, or check which of the two is right.`,
    };
  return { id };
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
