import { Alert, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { memberNamesQuery } from '../../api/approvals.ts';
import type { WithdrawalPreview } from '../../api/contract.ts';
import { rolesOf, useMe } from '../../api/me.ts';
import { Amount } from '../../components/amount.tsx';
import { approvalsCauseText } from '../../text/approvals.ts';
import { counted } from '../../text/counted.ts';
import { isolated } from '../../text/isolate.ts';

/** More names than people read. */
const NAMES_MAX = 5;

type Props = {
  walletId: string;
  /** How many approvals are needed. */
  required: number;
  /** The operation that gives one. */
  operation: 'approveWithdrawal' | 'approvePayout';
  /** Why they are needed. */
  children: ReactNode;
};

/** Says before a payment is asked for that it waits for approvals, and which members may give them. */
export function ApprovalsNotice({ walletId, required, operation, children }: Props) {
  const names = useApproverNames(walletId, operation);
  const shown = names.slice(0, NAMES_MAX);
  const more = names.length - shown.length;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconUserCheck />}
      title={`Needs ${counted(required, 'approval')}`}
    >
      <Text size="sm">
        Nothing is signed or sent before. {children}
        {shown.length > 0 && ` These members may approve: ${shown.join(', ')}`}
        {more > 0 && ` and ${more} more`}
        {shown.length > 0 && '.'}
      </Text>
    </Alert>
  );
}

type OfWithdrawalProps = { walletId: string; preview: WithdrawalPreview };

/** The same for a withdrawal, with the sum that asks for approvals when its amount alone would need none. */
export function WithdrawalApprovalsNotice({ walletId, preview }: OfWithdrawalProps) {
  const { approvals_required, approvals_cause, unapproved_stroops } = preview;
  return (
    <ApprovalsNotice walletId={walletId} required={approvals_required} operation="approveWithdrawal">
      {approvals_cause === 'sum' ? (
        <>
          Alone it would need none: the wallet has paid{' '}
          <Amount stroops={unapproved_stroops} asset={preview} /> without approvals in the last 24 hours.
        </>
      ) : (
        approvalsCauseText(approvals_cause)
      )}
    </ApprovalsNotice>
  );
}

/** Everybody but the member who asks. */
function useApproverNames(walletId: string, operation: Props['operation']): string[] {
  const me = useMe();
  const members = [...(useQuery(memberNamesQuery).data?.values() ?? [])];
  return members
    .filter(({ user_id }) => user_id !== me?.id)
    .filter(({ role }) => rolesOf(operation).includes(role))
    .filter(({ wallet_ids }) => wallet_ids === null || wallet_ids.includes(walletId))
    .map(({ name }) => isolated(name));
}
