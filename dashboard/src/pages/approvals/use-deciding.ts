import { useQuery } from '@tanstack/react-query';
import { approvalsQuery, askedOf } from '../../api/approvals.ts';
import type { Deciding } from '../../text/approvals.ts';

const NOTHING: Deciding = { may_decide: false, factor_required: false };

/** The same by the id of a withdrawal, payout or change of a policy; neither until it is read. */
export function useDeciding(id: string): Deciding {
  const { data } = useQuery(approvalsQuery);
  return data?.items.find((item) => askedOf(item)?.id === id) ?? NOTHING;
}
