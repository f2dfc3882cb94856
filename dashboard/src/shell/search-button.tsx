import { Button, Kbd } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { PALETTE_KEYS } from './palette/use-asked.ts';

/** Opens the search over everything, and says which keys do. */
export function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <Button
      variant="default"
      size="sm"
      fullWidth
      justify="space-between"
      px={10}
      fw={400}
      c="dimmed"
      leftSection={<IconSearch size={16} />}
      rightSection={<Kbd size="xs">{PALETTE_KEYS.join(' ')}</Kbd>}
      styles={{ label: { flex: 1 } }}
      onClick={onSearch}
    >
      Search…
    </Button>
  );
}
