import { useQuery } from '@tanstack/react-query';
import { approvalsQuery } from '../../api/approvals.ts';
import type { AwaitingApproval } from '../../api/contract.ts';

/** Whether the signed-in member may approve or reject something, now or once they have added a second factor. */
export type Deciding = Pick<AwaitingApproval, 'may_decide' | 'factor_required'>;

const NOTHING: Deciding = { may_decide: false, factor_required: false };

/** The same by the id of a withdrawal, payout or change of a policy; neither until it is read. */
export function useDeciding(id: string): Deciding {
  const { data } = useQuery(approvalsQuery);
  const isOf = ({ withdrawal, payout, change }: AwaitingApproval) =>
    (withdrawal ?? payout ?? change)?.id === id;
  return data?.items.find(isOf) ?? NOTHING;
}
