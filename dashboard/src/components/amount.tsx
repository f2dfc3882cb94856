import { Text, type TextProps } from '@mantine/core';
import { formatStroops, formatUnits } from '../text/money.ts';

type Props = {
  stroops: bigint;
  /** `native` is shown as XLM. */
  asset?: string;
  /** Shows a plus sign before positive amounts. */
  signed?: boolean;
} & TextProps;

/** An amount with its unit. The tooltip has the stroops. */
export function Amount({ stroops, asset = 'native', signed = false, ...text }: Props) {
  const unit = asset === 'native' ? 'XLM' : asset;
  return (
    <Text component="span" inherit className="figures" title={formatStroops(stroops)} {...text}>
      {signed && stroops > 0n ? '+' : ''}
      {formatUnits(stroops)} {unit}
    </Text>
  );
}
