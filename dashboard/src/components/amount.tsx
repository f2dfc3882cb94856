import { Text, type TextProps } from '@mantine/core';
import { formatStroops, formatUnits } from '../text/money.ts';

type Props = {
  stroops: bigint;
  /** `native` is shown as XLM. */
  asset?: string;
  /** Puts a plus before what comes in; what goes out is given as a negative number. */
  signed?: boolean;
} & TextProps;

/** An amount with its unit; the exact stroops on hovering. */
export function Amount({ stroops, asset = 'native', signed = false, ...text }: Props) {
  const unit = asset === 'native' ? 'XLM' : asset;
  return (
    <Text component="span" inherit className="figures" title={formatStroops(stroops)} {...text}>
      {signed && stroops > 0n ? '+' : ''}
      {formatUnits(stroops)} {unit}
    </Text>
  );
}
