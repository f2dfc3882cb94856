/** Pure: how people read and type assets. */
import { readAddress } from './strkey.ts';

export type AssetFields = { asset_code: string; asset_issuer: string | null };

export const NATIVE: AssetFields = { asset_code: 'native', asset_issuer: null };

/** `native` or `CODE:ISSUER`, as in paths. */
export function assetText({ asset_code, asset_issuer }: AssetFields): string {
  return asset_issuer === null ? asset_code : `${asset_code}:${asset_issuer}`;
}

/** The fields of `native` or `CODE:ISSUER`. */
export function parseAssetText(text: string): AssetFields {
  const [asset_code = '', asset_issuer] = text.split(':');
  return asset_issuer === undefined ? NATIVE : { asset_code, asset_issuer };
}

/** The unit of amounts: `XLM`, or the code. */
export function unitOf({ asset_code, asset_issuer }: AssetFields): string {
  return asset_issuer === null ? 'XLM' : asset_code;
}

/** `GA5Z…KZVN` */
export function shortIssuer(issuer: string): string {
  return `${issuer.slice(0, 4)}…${issuer.slice(-4)}`;
}

/** The typed code and issuer, or the problem of each. */
export function readAsset(code: string, issuer: string) {
  const [asset_code, asset_issuer] = [code.trim(), issuer.trim()];
  return {
    asset: { asset_code, asset_issuer },
    problems: {
      code: /^[A-Za-z0-9]{1,12}$/.test(asset_code)
        ? null
        : 'The code has 1 to 12 letters or digits. Upper and lower case differ.',
      issuer: issuerProblem(asset_issuer),
    },
  };
}

function issuerProblem(issuer: string): string | null {
  const address = readAddress(issuer);
  if ('problem' in address) return `The issuer ${address.problem}.`;
  return address.muxed_id === null ? null : 'The issuer is an account (G…), not a muxed address (M…).';
}
