import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { approvalsQuery } from '../../api/approvals.ts';

/** How much awaits a decision of the signed-in member; nothing when that is none. */
export function ApprovalsBadge() {
  const { data } = useQuery(approvalsQuery);
  const count = data?.items.filter(({ may_decide }) => may_decide).length ?? 0;
  if (count === 0) return null;
  return (
    <Badge color="yellow" size="sm" circle={count < 10} aria-label={`${count} await your decision`}>
      {count}
    </Badge>
  );
}
