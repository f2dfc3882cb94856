/** Pure: an amount for each of several assets, as people type it. An empty field is no amount. */
import { type AssetFields, assetText, unitOf } from './asset.ts';
import { editableUnits, parseUnits } from './money.ts';

export type AmountOfAsset = AssetFields & { amount_stroops: bigint };

/** What is typed, or its problem as a sentence, by `assetText`. */
export type ByAsset = Record<string, string>;

/** As bodies have them: an issuer that is null is absent. */
export function amountsInBody(amounts: AmountOfAsset[]) {
  return amounts.map(({ asset_code, asset_issuer, amount_stroops }) => ({
    asset_code,
    ...(asset_issuer === null ? {} : { asset_issuer }),
    amount_stroops,
  }));
}

export function typedAmounts(amounts: AmountOfAsset[]): ByAsset {
  const typed = amounts.map((entry) => [assetText(entry), editableUnits(entry.amount_stroops)] as const);
  return Object.fromEntries(typed);
}

/** The amounts of those assets that have one, and the problem of each that cannot be read. */
export function readAmounts(
  assets: AssetFields[],
  typed: ByAsset,
): { amounts: AmountOfAsset[]; problems: ByAsset } {
  const problems: ByAsset = {};
  const amounts: AmountOfAsset[] = [];
  for (const asset of assets) {
    const text = typed[assetText(asset)]?.trim() ?? '';
    if (text === '') continue;
    const read = parseUnits(text, undefined, unitOf(asset));
    const { asset_code, asset_issuer } = asset;
    if ('problem' in read) problems[assetText(asset)] = `The amount ${read.problem}.`;
    else amounts.push({ asset_code, asset_issuer, amount_stroops: read.stroops });
  }
  return { amounts, problems };
}
