import { Group, Kbd, Stack, Switch, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { Dialog } from '../../components/dialog.tsx';
import { CARD_KEYS } from '../../pages/approvals/use-card-keys.ts';
import { PALETTE_KEYS, useLoneKeys } from './use-asked.ts';

type Shortcut = { keys: readonly string[]; words: string };

const ANYWHERE: Shortcut[] = [
  { keys: PALETTE_KEYS, words: 'Search, or open a page or an action' },
  { keys: ['/'], words: 'The same' },
  { keys: ['?'], words: 'These shortcuts' },
  { keys: ['Esc'], words: 'Close what is open above the page' },
];

/** Shortcuts of pages, by path. */
const OF_PAGES: Record<string, { title: string; shortcuts: readonly Shortcut[] }> = {
  '/approvals': { title: 'Approvals, while the focus is on a card', shortcuts: CARD_KEYS },
};

/** Lists the shortcuts of the page that is open, and turns those of a single key off. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation();
  const [lone_keys, setLoneKeys] = useLoneKeys();
  const page = OF_PAGES[pathname];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Stack>
        {page && <List title={page.title} shortcuts={page.shortcuts} />}
        <List title="On every page" shortcuts={ANYWHERE} />
        <Switch
          label="Use / and ? as shortcuts"
          description="Turn this off if you type by voice. The choice is kept in this browser."
          checked={lone_keys}
          onChange={({ currentTarget }) => setLoneKeys(currentTarget.checked)}
        />
      </Stack>
    </Dialog>
  );
}

function List({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      <Stack component="ul" gap={6} p={0} m={0} style={{ listStyle: 'none' }}>
        {shortcuts.map(({ keys, words }) => (
          <Group component="li" key={keys.join()} justify="space-between" wrap="nowrap">
            <Text size="sm">{words}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </div>
  );
}
