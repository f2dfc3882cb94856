import { Box, Text, type TextProps } from '@mantine/core';
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
  /** `column`: the points of amounts below one another are aligned. `large`: the decimals after the second are grey. */
  layout?: 'column' | 'large';
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
export function Figures({ stroops, asset = NATIVE, signed = false, decimals = 0, layout, ...text }: Props) {
  const exactly = formatStroops(stroops);
  const sign = signed && stroops > 0n ? '+' : '';
  const figures = `${sign}${formatUnits(stroops, decimals)}`;
  return (
    <Text
      component="span"
      inherit
      className={`figures ${layout ?? ''}`}
      title={asset.asset_issuer === null ? exactly : `${exactly} of ${assetText(asset)}`}
      {...text}
    >
      {layout ? (
        <Parts figures={figures} layout={layout} unit={unitOf(asset)} />
      ) : (
        `${figures} ${unitOf(asset)}`
      )}
    </Text>
  );
}

type PartsProps = { figures: string; layout: 'column' | 'large'; unit: string };

/** In a column, space stands for the decimals that are not there. A large amount has a grey end behind its cents. */
function Parts({ figures, layout, unit }: PartsProps) {
  const point = figures.indexOf('.');
  const decimals = point === -1 ? 0 : figures.length - point - 1;
  const cut = layout === 'column' || point === -1 ? figures.length : point + CENTS;
  const missing = MOST_DECIMALS - decimals + (point === -1 ? POINT_CH : 0);
  return (
    <>
      <Box component="span" className="number" __vars={{ '--missing-ch': `${missing}` }}>
        {figures.slice(0, cut)}
        {cut < figures.length && <span className="rest">{figures.slice(cut)}</span>}
      </Box>{' '}
      <span className="unit">{unit}</span>
    </>
  );
}

/** The point and two decimals. */
const CENTS = 3;
const MOST_DECIMALS = 7;
/** The width of a point, in widths of a digit. */
const POINT_CH = 0.45;
