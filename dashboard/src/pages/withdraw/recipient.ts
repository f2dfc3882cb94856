/**
 * Pure: what the form holds once another recipient is named. What a payee has filled in goes with the payee. With the asset the amount
 * goes: it was meant in the asset before.
 */
import type { Payee } from '../../api/contract.ts';
import { assetText } from '../../text/asset.ts';
import type { WithdrawalInput } from './withdrawal-input.ts';

/** Names a payee. A memo of before was of another recipient; an asset that the payee does not have stays as the user chose it. */
export function toPayee(
  typed: WithdrawalInput,
  { destination, memo_id, asset_code, asset_issuer }: Payee,
): Partial<WithdrawalInput> {
  const own = assetOfUser(typed);
  const only = asset_code === null ? own : assetText({ asset_code, asset_issuer });
  return {
    destination,
    memo_id: memo_id === null ? '' : String(memo_id),
    ...inAsset(typed, only),
    own_asset: only === own ? undefined : own,
  };
}

/** Names a destination. `had_memo`: the memo of the form is that of the payee before, and would go to somebody else. */
export function toDestination(
  typed: WithdrawalInput,
  destination: string,
  had_memo: boolean,
): Partial<WithdrawalInput> {
  return {
    destination,
    ...inAsset(typed, assetOfUser(typed)),
    own_asset: undefined,
    ...(had_memo && { memo_id: '' }),
  };
}

function inAsset({ asset = 'native', amount }: WithdrawalInput, next: string) {
  return { asset: next, amount: next === asset ? amount : '' };
}

function assetOfUser({ asset = 'native', own_asset = asset }: WithdrawalInput): string {
  return own_asset;
}
