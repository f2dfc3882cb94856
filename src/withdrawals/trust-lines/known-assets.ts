/** Pure: the assets that the service knows by itself, and warnings for those that look like one of them. */
import { type AssetFields, assetText } from '../../stellar/asset.ts';

/**
 * Each was compared in two public sources of its time: the documentation of Stellar, and the list of the Stellar
 * Disbursement Platform (docs/assets.md names them). What an issuer may do is never part of this: it is read from the
 * ledger.
 */
const KNOWN_ASSETS: Record<string, Record<string, string> | undefined> = {
  'Public Global Stellar Network ; September 2015': {
    USDC: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    EURC: 'GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2',
  },
  'Test SDF Network ; September 2015': {
    USDC: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
    EURC: 'GB3Q6QDZYTHWT7E5PVS3W7FUT5GVAFC5KSZFFLPU25GO7VTC3NM2ZTVO',
  },
};

/** The assets that are known on the network with this passphrase. */
export function knownAssets(passphrase: string): { asset_code: string; asset_issuer: string }[] {
  const issuers = Object.entries(KNOWN_ASSETS[passphrase] ?? {});
  return issuers.map(([asset_code, asset_issuer]) => ({ asset_code, asset_issuer }));
}

/** What people call the native asset. It has no issuer, so an issued asset of this name only looks like it. */
const NAMES_OF_NATIVE = ['XLM', 'NATIVE', 'LUMENS', 'LUMEN'];

/**
 * `verified`: the asset is one of the known ones. `warning`: it has the code of a known one, in upper or lower case, and
 * another issuer; or a name of the native asset.
 */
export function checkAsset(
  passphrase: string,
  asset: AssetFields,
): { verified: boolean; warning: string | null } {
  const known = knownAssets(passphrase);
  if (known.some((each) => assetText(each) === assetText(asset))) return { verified: true, warning: null };
  const code = asset.asset_code.toUpperCase();
  if (asset.asset_issuer !== null && NAMES_OF_NATIVE.includes(code))
    return {
      verified: false,
      warning:
        'This is not XLM, the native asset, which has no issuer: anybody can issue an asset with that code.',
    };
  const alike = known.find(({ asset_code }) => asset_code.toUpperCase() === code);
  const warning =
    alike &&
    `This is not the ${alike.asset_code} of ${alike.asset_issuer}: anybody can issue an asset with that code.`;
  return { verified: false, warning: warning ?? null };
}
