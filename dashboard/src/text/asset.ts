/** Pure: how people read and type assets. */
import { readAddress } from './strkey.ts';

export type AssetFields = { asset_code: string; asset_issuer: string | null };

export const NATIVE: AssetFields = { asset_code: 'native', asset_issuer: null };

/** What people call the native asset: an issued asset with such a code only looks like it. */
const NAMES_OF_NATIVE = ['XLM', 'NATIVE', 'LUMENS', 'LUMEN'];

/** `native` or `CODE:ISSUER`, as in paths. */
export function assetText({ asset_code, asset_issuer }: AssetFields): string {
  return asset_issuer === null ? asset_code : `${asset_code}:${asset_issuer}`;
}

/** The fields of `native` or `CODE:ISSUER`. */
export function parseAssetText(text: string): AssetFields {
  const [asset_code = '', asset_issuer] = text.split(':');
  return asset_issuer === undefined ? NATIVE : { asset_code, asset_issuer };
}

export function isSameAsset(one: AssetFields, other: AssetFields): boolean {
  return one.asset_code === other.asset_code && one.asset_issuer === other.asset_issuer;
}

/** The unit of amounts: `XLM`, or the code. What is issued as XLM has its issuer in its unit. */
export function unitOf(asset: AssetFields): string {
  const { asset_code, asset_issuer } = asset;
  if (asset_issuer === null) return 'XLM';
  return NAMES_OF_NATIVE.includes(asset_code.toUpperCase()) ? assetName(asset) : asset_code;
}

/** Each asset once, in the order in which it comes first. */
export function distinctAssets(assets: AssetFields[]): AssetFields[] {
  return [...new Map(assets.map((asset) => [assetText(asset), asset])).values()];
}

/** `USDC of GA5Z…KZVN`, `XLM` */
export function assetName({ asset_code, asset_issuer }: AssetFields): string {
  return asset_issuer === null ? 'XLM' : `${asset_code} of ${shortIssuer(asset_issuer)}`;
}

/** `GA5Z…KZVN` */
export function shortIssuer(issuer: string): string {
  return `${issuer.slice(0, 4)}…${issuer.slice(-4)}`;
}

/**
 * The asset that this one only looks like: XLM, or a known asset with the same code, in upper or lower case. Null for
 * the native asset, for a known one, and for one that looks like none.
 */
export function lookAlikeOf(asset: AssetFields, known: AssetFields[]): AssetFields | null {
  if (asset.asset_issuer === null || known.some((each) => isSameAsset(each, asset))) return null;
  const code = asset.asset_code.toUpperCase();
  if (NAMES_OF_NATIVE.includes(code)) return NATIVE;
  return known.find(({ asset_code }) => asset_code.toUpperCase() === code) ?? null;
}

/** Whether another one of `assets` has the same code, in upper or lower case. */
export function sharesCode(asset: AssetFields, assets: AssetFields[]): boolean {
  const code = asset.asset_code.toUpperCase();
  return assets.some((each) => each.asset_code.toUpperCase() === code && !isSameAsset(each, asset));
}

/** Why a look-alike is not what it seems. */
export function lookAlikeWords(alike: AssetFields): string {
  if (alike.asset_issuer === null) return 'This is not XLM, the native asset: XLM has no issuer.';
  return `This is not the ${alike.asset_code} of ${alike.asset_issuer}: anybody can issue an asset with that code.`;
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

/** Whether it is `CODE:ISSUER`. */
export function isIssuedAssetText(text: string): boolean {
  const [code = '', issuer = '', ...more] = text.split(':');
  const { problems } = readAsset(code, issuer);
  return more.length === 0 && problems.code === null && problems.issuer === null;
}

function issuerProblem(issuer: string): string | null {
  const address = readAddress(issuer);
  if ('problem' in address) return `The issuer ${address.problem}.`;
  return address.muxed_id === null ? null : 'The issuer is an account (G…), not a muxed address (M…).';
}
