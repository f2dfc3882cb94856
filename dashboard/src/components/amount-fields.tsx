import { TextInput } from '@mantine/core';
import { type AssetFields, assetName, assetText } from '../text/asset.ts';
import type { ByAsset } from '../text/typed-amounts.ts';

type Props = {
  assets: AssetFields[];
  /** Before the name of the asset. */
  label: string;
  /** What an empty field means. */
  description: string;
  typed: ByAsset;
  problems: ByAsset;
  onType: (typed: ByAsset) => void;
  /** The first field has the focus when a dialog opens. */
  isFirst?: boolean;
};

/** A field for the amount of each asset. */
export function AmountFields({
  assets,
  label,
  description,
  typed,
  problems,
  onType,
  isFirst = false,
}: Props) {
  return assets.map((asset, index) => (
    <TextInput
      key={assetText(asset)}
      label={`${label} ${assetName(asset)}`}
      description={description}
      inputMode="decimal"
      autoComplete="off"
      data-autofocus={isFirst && index === 0 ? true : undefined}
      value={typed[assetText(asset)] ?? ''}
      onChange={({ currentTarget }) => onType({ ...typed, [assetText(asset)]: currentTarget.value })}
      error={problems[assetText(asset)]}
    />
  ));
}
