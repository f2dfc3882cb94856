/** Pure: the typed fields of a payee as a request for the API, or the problem of each field. */
import type { BodyOf } from '../../api/operations.ts';
import { parseAssetText } from '../../text/asset.ts';
import { readMemoId } from '../../text/memo-id.ts';
import { readAddress, type StellarAddress } from '../../text/strkey.ts';

/** `asset`: `native` or CODE:ISSUER; empty for any. */
export type PayeeInput = Record<'name' | 'destination' | 'memo_id' | 'asset' | 'note', string>;

type Read = {
  /** Null until every field is valid. */
  body: BodyOf<'createPayee'> | null;
  address: StellarAddress | null;
  /** Sentences, by field. */
  problems: Record<'name' | 'destination' | 'memo_id' | 'note', string | null>;
};

export function readPayeeInput({ name, destination, memo_id, asset, note }: PayeeInput): Read {
  const address = readAddress(destination);
  const memo = readMemoId(memo_id, 'problem' in address ? null : address);
  const problems = {
    name:
      name.trim() === ''
        ? 'A name is required.'
        : name.length > 100
          ? 'A name has at most 100 characters.'
          : null,
    destination: 'problem' in address ? `The address ${address.problem}.` : null,
    memo_id: 'problem' in memo ? memo.problem : null,
    note: null,
  };
  const is_valid = Object.values(problems).every((problem) => problem === null);
  return {
    problems,
    address: 'problem' in address ? null : address,
    body:
      !is_valid || 'problem' in memo
        ? null
        : {
            name: name.trim(),
            destination: destination.trim(),
            ...(memo.id === null ? {} : { memo_id: memo.id }),
            ...assetIn(asset),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
  };
}

function assetIn(asset: string) {
  if (asset === '') return {};
  const { asset_code, asset_issuer } = parseAssetText(asset);
  return { asset_code, ...(asset_issuer === null ? {} : { asset_issuer }) };
}
