import { Text, type TextProps } from '@mantine/core';
import { type AssetFields, assetText, NATIVE, unitOf } from '../text/asset.ts';
import { formatStroops, formatUnits } from '../text/money.ts';
import { IssuerMark } from './issuer-mark.tsx';

type Props = {
  stroops: bigint;
  asset?: AssetFields;
  /** Shows a plus sign before positive amounts. */
  signed?: boolean;
  /** At least so many, for figures below one another. */
  decimals?: number;
} & TextProps;

/** An amount with its asset: with its issuer too, unless the service knows the asset by itself. */
export function Amount(props: Props) {
  return (
    <>
      <Figures {...props} />
      {props.asset && <IssuerMark asset={props.asset} />}
    </>
  );
}

/** An amount beside which the issuer is shown. The tooltip has the stroops and the whole issuer. */
export function Figures({ stroops, asset = NATIVE, signed = false, decimals = 0, ...text }: Props) {
  const exactly = formatStroops(stroops);
  return (
    <Text
      component="span"
      inherit
      className="figures"
      title={asset.asset_issuer === null ? exactly : `${exactly} of ${assetText(asset)}`}
      {...text}
    >
      {signed && stroops > 0n ? '+' : ''}
      {formatUnits(stroops, decimals)} {unitOf(asset)}
    </Text>
  );
}
