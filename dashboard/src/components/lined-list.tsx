import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list without marks, for `LinedItem`s. */
export function LinedList({ children }: { children: ReactNode }) {
  return (
    <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}

/** An item under a line; its children stand one below the other. `id`: for links to it. */
export function LinedItem({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <Stack
      component="li"
      id={id}
      gap="xs"
      py="sm"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      {children}
    </Stack>
  );
}
