/** Pure: the assets that the service knows by itself, and warnings for those that look like one of them. */
import { type AssetFields, assetText } from '../../stellar/asset.ts';

/**
 * Two public sources at least agree on each. USDC: the documentation of Stellar and the list of the Stellar Disbursement
 * Platform. EURC: that list and the pinned issuers of Soneso's wallets. Their contracts are published too (see the test).
 * What an issuer may do is never part of this: it is read from the ledger.
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

/** Returns the assets that are known on the network with this passphrase. */
export function knownAssets(passphrase: string): { asset_code: string; asset_issuer: string }[] {
  const issuers = Object.entries(KNOWN_ASSETS[passphrase] ?? {});
  return issuers.map(([asset_code, asset_issuer]) => ({ asset_code, asset_issuer }));
}

/**
 * Checks an asset against the known ones. `verified`: the asset is a known one. `warning`: the asset is not known, and its code
 * looks like the code of a known one, or like the native asset.
 */
export function checkAsset(
  passphrase: string,
  asset: AssetFields,
): { verified: boolean; warning: string | null } {
  const known = knownAssets(passphrase);
  if (known.some((each) => assetText(each) === assetText(asset))) return { verified: true, warning: null };
  const warning = asset.asset_issuer === null ? null : warningOf(asset.asset_code, known);
  return { verified: false, warning };
}

function warningOf(code: string, known: { asset_code: string; asset_issuer: string }[]): string | null {
  const looks = appearanceOf(code);
  if (NATIVE_NAMES.some((name) => appearanceOf(name) === looks))
    return 'This is not the native asset (XLM): it is an issued asset with a code that looks like it.';
  const alike = known.find(({ asset_code }) => appearanceOf(asset_code) === looks);
  if (!alike) return null;
  const why = 'anybody can issue an asset with that code, or one that looks like it.';
  return `This is not the ${alike.asset_code} of ${alike.asset_issuer}: ${why}`;
}

/** What people call the native asset. It has no issuer, so an issued asset of such a name only looks like it. */
const NATIVE_NAMES = ['XLM', 'native', 'lumen', 'lumens'];

/** Characters of codes that are read for one another in some typeface; lower and upper case are read as one. */
const ALIKE: Record<string, string | undefined> = {
  '0': 'O',
  D: 'O',
  Q: 'O',
  '1': 'I',
  L: 'I',
  '2': 'Z',
  '5': 'S',
  '8': 'B',
  G: '6',
  V: 'U',
};

/** Returns the same text for codes that look alike. */
function appearanceOf(code: string): string {
  return code.toUpperCase().replace(/./g, (character) => ALIKE[character] ?? character);
}
