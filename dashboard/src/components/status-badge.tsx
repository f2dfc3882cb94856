import { Badge } from '@mantine/core';

const COLORS: Record<string, string> = {
  confirmed: 'teal',
  delivered: 'teal',
  active: 'teal',
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

export function StatusBadge({
  status,
  label = status.replaceAll('_', ' '),
}: {
  status: string;
  label?: string;
}) {
  return (
    <Badge color={COLORS[status] ?? 'gray'} miw="max-content">
      {label}
    </Badge>
  );
}
