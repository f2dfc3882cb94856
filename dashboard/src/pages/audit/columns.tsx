import { Button, Text } from '@mantine/core';
import type { AuditEntry } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import type { Column } from '../../components/infinite-table.tsx';
import { actionInWords } from '../../text/audit-actions.ts';
import { actorInWords } from './actor.ts';

/** `open` shows the whole entry. */
export function columnsOf(open: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      title: 'What',
      cell: (entry) => (
        <>
          <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            {actionInWords(entry.action)}
          </Text>
          <Text size="sm" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
            {actorInWords(entry.actor)}
          </Text>
          <Text size="sm" c="dimmed" hiddenFrom="md" className="whole">
            <DateTime at={entry.at} seconds />
          </Text>
        </>
      ),
    },
    {
      title: 'Who',
      visibleFrom: 'sm',
      cell: ({ actor }) => (
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {actorInWords(actor)}
        </Text>
      ),
    },
    {
      title: 'From',
      width: 150,
      visibleFrom: 'lg',
      cell: ({ ip }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {ip ?? '—'}
        </Text>
      ),
    },
    {
      title: 'When',
      width: 190,
      visibleFrom: 'md',
      cell: ({ at }) => (
        <Text size="sm">
          <DateTime at={at} seconds />
        </Text>
      ),
    },
    {
      title: 'Entry',
      width: { base: 92, sm: 110 },
      cell: (entry) => (
        <Button
          size="xs"
          variant="default"
          onClick={() => open(entry)}
          aria-label={`Show entry ${entry.seq}: ${actionInWords(entry.action)}`}
        >
          Show
        </Button>
      ),
    },
  ];
}
