import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Above a heading: the list that a page belongs to, as a link, and what the page is. */
export function Trail({ here, children }: { here: string; children: ReactNode }) {
  return (
    <Group component="nav" aria-label="Breadcrumb" gap={6} mb={4}>
      {children}
      <Text size="sm" c="dimmed" aria-hidden="true">
        /
      </Text>
      <Text size="sm" c="dimmed" aria-current="page">
        {here}
      </Text>
    </Group>
  );
}
