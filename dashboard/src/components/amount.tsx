import { Text, type TextProps } from '@mantine/core';
import { type AssetFields, assetText, NATIVE, unitOf } from '../text/asset.ts';
import { formatStroops, formatUnits } from '../text/money.ts';
import { IssuerMark } from './issuer-mark.tsx';

type Props = {
  stroops: bigint;
  asset?: AssetFields;
  /** Shows a plus sign before positive amounts. */
  signed?: boolean;
} & TextProps;

/** An amount with its asset. The tooltip has the stroops, and all of the issuer. */
export function Amount({ stroops, asset = NATIVE, signed = false, ...text }: Props) {
  const isIssued = asset.asset_issuer !== null;
  const exactly = formatStroops(stroops);
  return (
    <>
      <Text
        component="span"
        inherit
        className="figures"
        title={isIssued ? `${exactly} of ${assetText(asset)}` : exactly}
        {...text}
      >
        {signed && stroops > 0n ? '+' : ''}
        {formatUnits(stroops)} {unitOf(asset)}
      </Text>
      {isIssued && <IssuerMark asset={asset} />}
    </>
  );
}
