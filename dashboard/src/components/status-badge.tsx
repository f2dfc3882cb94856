import { Badge, Text } from '@mantine/core';
import { capitalized } from '../text/capitalized.ts';

const COLORS: Record<string, string> = {
  passed: 'teal',
  awaiting_approval: 'yellow',
  pending: 'yellow',
  unfunded: 'yellow',
  removing: 'yellow',
  unauthorized: 'orange',
  maintain_liabilities: 'orange',
  failed: 'red',
  disabled: 'red',
};

/** What most rows are. A badge on each of them would hide the rows that need attention. */
const USUAL = ['confirmed', 'delivered', 'active'];

export function StatusBadge({
  status,
  label = status.replaceAll('_', ' '),
}: {
  status: string;
  label?: string;
}) {
  if (USUAL.includes(status))
    return (
      <Text component="span" size="sm" c="dimmed">
        {capitalized(label)}
      </Text>
    );
  return (
    <Badge color={COLORS[status] ?? 'gray'} miw="max-content">
      {label}
    </Badge>
  );
}
