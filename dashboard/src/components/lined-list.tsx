import { Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Loaded } from './loaded.tsx';

type LoadedListProps<Item> = {
  query: UseQueryResult<{ items: Item[] }>;
  /** In place of a list without items. */
  empty: ReactNode;
  /** A `LinedItem`. */
  children: (item: Item) => ReactNode;
};

/** The lined list of all items that a query has read. */
export function LoadedList<Item extends { id: string }>({ query, empty, children }: LoadedListProps<Item>) {
  return (
    <Loaded query={query} lines={2}>
      {({ items }) =>
        items.length === 0 ? (
          empty
        ) : (
          <LinedList>
            {items.map((item) => (
              <Fragment key={item.id}>{children(item)}</Fragment>
            ))}
          </LinedList>
        )
      }
    </Loaded>
  );
}

/** A list without marks, for `LinedItem`s. */
export function LinedList({ children }: { children: ReactNode }) {
  return (
    <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}

/** An item under a line; its children stand one below the other. `id`: for links to it. */
export function LinedItem({ id, children }: { id?: string | undefined; children: ReactNode }) {
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

type NamedItemProps = {
  /** For links to it. */
  id?: string;
  name: ReactNode;
  /** Beside the name. */
  badge: ReactNode;
  actions: ReactNode;
  /** What is known of it, below the name. */
  children: ReactNode;
};

/** An item with a name, facts and what can be done with it. */
export function NamedItem({ id, name, badge, actions, children }: NamedItemProps) {
  return (
    <LinedItem id={id}>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: 1 }}>
          <Group gap="xs">
            <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {badge}
          </Group>
          {children}
        </div>
        {actions}
      </Group>
    </LinedItem>
  );
}
