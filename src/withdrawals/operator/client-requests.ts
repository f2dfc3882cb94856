/** Reads a client's list of its withdrawal requests: a key in each line, or a JSON object with the request. */
import { JsonSyntaxError, parseBody } from '../../http/read-json.ts';
import { OperatorError } from '../../lib/errors.ts';
import { faultOfReference } from '../../lib/reference.ts';
import { parseAddress } from '../../stellar/address.ts';
import { type AssetFields, NATIVE, parseAsset } from '../../stellar/asset.ts';
import { parseContractAddress } from '../../stellar/contract-address.ts';

export type ClientRequest = {
  /** In the file, from 1. */
  line: number;
  idempotency_key: string;
  wallet_id: string | null;
  reference: string | null;
  /** Null when the list does not say what was asked for. */
  payment: (AssetFields & { destination: string; amount_stroops: bigint; memo_id: bigint | null }) | null;
};

const KEY = /^[\x20-\x7e]{1,255}$/;
const MEMBERS = new Set([
  'idempotency_key',
  'wallet_id',
  'destination',
  'amount_stroops',
  'asset_code',
  'asset_issuer',
  'memo_id',
  'reference',
]);

/**
 * Parses the requests of a client, one a line. A line is a key as it was sent, or, when it begins with `{`, an object with
 * `idempotency_key` and, if known, `wallet_id`, `destination`, `amount_stroops`, `asset_code` with `asset_issuer`, `memo_id` and
 * `reference`. Empty lines are left out.
 * @throws OperatorError that names the first line that is neither
 */
export function parseRequests(text: string): ClientRequest[] {
  return text.split(/\r?\n/).flatMap((content, index) => {
    if (content.trim() === '') return [];
    const line = index + 1;
    try {
      return [content.startsWith('{') ? fromObject(line, parseBody(content)) : fromKey(line, content)];
    } catch (error) {
      if (error instanceof OperatorError) throw new OperatorError(`Line ${line}: ${error.message}`);
      if (error instanceof JsonSyntaxError)
        throw new OperatorError(`Line ${line}: the object ${error.message}.`);
      throw error;
    }
  });
}

function fromKey(line: number, idempotency_key: string): ClientRequest {
  if (!KEY.test(idempotency_key)) throw new OperatorError('it is no Idempotency-Key.');
  return { line, idempotency_key, wallet_id: null, reference: null, payment: null };
}

function fromObject(line: number, members: ReturnType<typeof parseBody>): ClientRequest {
  const unknown = Object.keys(members).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) throw new OperatorError(`"${unknown}" is not a known member.`);
  const { idempotency_key, wallet_id = null, destination, amount_stroops, memo_id = null } = members;
  const { reference = null } = members;
  if (typeof idempotency_key !== 'string' || !KEY.test(idempotency_key))
    throw new OperatorError('"idempotency_key" is missing or not valid.');
  if (wallet_id !== null && typeof wallet_id !== 'string')
    throw new OperatorError('"wallet_id" is not a text.');
  if (reference !== null && (typeof reference !== 'string' || faultOfReference(reference) !== null))
    throw new OperatorError('"reference" is not valid.');
  const request = { line, idempotency_key, wallet_id, reference: reference || null };
  if (destination === undefined && amount_stroops === undefined && memo_id === null)
    return { ...request, payment: null };
  if (typeof destination !== 'string' || !(parseAddress(destination) ?? parseContractAddress(destination)))
    throw new OperatorError('"destination" is missing or not an address.');
  if (typeof amount_stroops !== 'bigint')
    throw new OperatorError('"amount_stroops" is missing or not a whole number.');
  if (memo_id !== null && typeof memo_id !== 'bigint')
    throw new OperatorError('"memo_id" is not a whole number.');
  return { ...request, payment: { ...assetIn(members), destination, amount_stroops, memo_id } };
}

function assetIn({ asset_code, asset_issuer }: ReturnType<typeof parseBody>): AssetFields {
  if (asset_issuer === undefined && (asset_code === undefined || asset_code === NATIVE.asset_code))
    return NATIVE;
  const asset = parseAsset(`${asset_code}:${asset_issuer}`);
  if (!asset) throw new OperatorError('"asset_code" and "asset_issuer" are not an asset.');
  return asset;
}
