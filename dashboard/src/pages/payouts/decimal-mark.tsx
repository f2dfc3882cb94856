import { Radio, Stack } from '@mantine/core';
import type { PayoutReport } from '../../api/contract.ts';

export type DecimalMark = 'point' | 'comma';

export function isMarkUnknown(report: PayoutReport | undefined): boolean {
  return report?.errors.some(({ code }) => code === 'decimal_mark_unknown') ?? false;
}

type Props = { value: DecimalMark | null; onChange: (mark: DecimalMark) => void };

/** Asks once for a whole file what some of its amounts leave open. No answer is chosen before: it would be a guess about money. */
export function DecimalMarkQuestion({ value, onChange }: Props) {
  return (
    <Radio.Group
      label="Which mark is before the decimals?"
      description="It holds for all amounts of this file. Some of them can be read in two ways."
      value={value}
      onChange={(mark) => onChange(mark as DecimalMark)}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="comma" label="A comma: 1.234,50" />
        <Radio value="point" label="A point: 1,234.50" />
      </Stack>
    </Radio.Group>
  );
}
