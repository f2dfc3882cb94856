import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { approvalsQuery, askedOf } from '../../api/approvals.ts';
import { useMe } from '../../api/me.ts';
import { awaitsReader } from '../../text/approvals.ts';

/**
 * Counts what awaits approvals: in yellow what the signed-in member decides, in grey what this member has asked for, or else all of it.
 * Shows nothing for zero.
 */
export function ApprovalsBadge() {
  const { data } = useQuery(approvalsQuery);
  const me = useMe();
  const items = data?.items ?? [];
  const to_decide = items.filter(awaitsReader).length;
  const own = items.filter((item) => me && askedOf(item)?.requested_by === me.id).length;
  if (items.length === 0) return null;
  return (
    <Group gap={4} wrap="nowrap">
      {own > 0 && (
        <Badge color="gray" size="sm" aria-label={`${own} requested by you`}>
          yours: {own}
        </Badge>
      )}
      {to_decide > 0 && (
        <Badge
          color="yellow"
          size="sm"
          circle={to_decide < 10}
          aria-label={`${to_decide} await your decision`}
        >
          {to_decide}
        </Badge>
      )}
      {own === 0 && to_decide === 0 && (
        <Badge color="gray" size="sm" aria-label={`${items.length} await approvals of others`}>
          {items.length}
        </Badge>
      )}
    </Group>
  );
}
