import { type MantineBreakpoint, Text } from '@mantine/core';
import { DateTime } from './date-time.tsx';
import type { Column } from './infinite-table.tsx';

/** A column with the time that `at` gives of a row. It is hidden on windows narrower than `visibleFrom`. */
export function timeColumn<Row>(
  title: string,
  at: (row: Row) => string,
  visibleFrom: MantineBreakpoint,
): Column<Row> {
  return {
    title,
    width: 180,
    visibleFrom,
    cell: (row) => (
      <Text size="sm">
        <DateTime at={at(row)} />
      </Text>
    ),
  };
}
