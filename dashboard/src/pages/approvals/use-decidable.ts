import { useQuery } from '@tanstack/react-query';
import { approvalsQuery } from '../../api/approvals.ts';

/** Ids of the withdrawals, payouts and changes that the signed-in member may approve or reject. Empty until they are read. */
export function useDecidable(): ReadonlySet<string> {
  const { data } = useQuery(approvalsQuery);
  const own = (data?.items ?? []).filter(({ may_decide }) => may_decide);
  return new Set(own.flatMap(({ withdrawal, payout, change }) => (withdrawal ?? payout ?? change)?.id ?? []));
}
