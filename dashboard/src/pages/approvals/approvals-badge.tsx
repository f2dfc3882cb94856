import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { approvalsQuery } from '../../api/approvals.ts';

/** The number of requests that await a decision of the signed-in member. Nothing is shown for zero. */
export function ApprovalsBadge() {
  const { data } = useQuery(approvalsQuery);
  const count =
    data?.items.filter(({ may_decide, factor_required }) => may_decide || factor_required).length ?? 0;
  if (count === 0) return null;
  return (
    <Badge color="yellow" size="sm" circle={count < 10} aria-label={`${count} await your decision`}>
      {count}
    </Badge>
  );
}
