import { Badge } from '@mantine/core';

const COLORS: Record<string, string> = {
  confirmed: 'teal',
  delivered: 'teal',
  active: 'teal',
  pending: 'yellow',
  unfunded: 'yellow',
  removing: 'yellow',
  unauthorized: 'orange',
  maintain_liabilities: 'orange',
  failed: 'red',
  disabled: 'red',
};

export function StatusBadge({ status, label = status }: { status: string; label?: string }) {
  return (
    <Badge color={COLORS[status] ?? 'gray'} miw="max-content">
      {label}
    </Badge>
  );
}
