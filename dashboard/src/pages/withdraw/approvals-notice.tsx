import { Alert, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memberNamesQuery } from '../../api/approvals.ts';
import type { WithdrawalPreview } from '../../api/contract.ts';
import { rolesOf, useMe } from '../../api/me.ts';
import { Amount } from '../../components/amount.tsx';
import { approvalsText } from '../../text/approvals.ts';
import { isolated } from '../../text/isolate.ts';

/** More names than people read. */
const NAMES_MAX = 5;

/** Says before a withdrawal is asked for that it waits for approvals, and which members may give them. */
export function ApprovalsNotice({ walletId, preview }: { walletId: string; preview: WithdrawalPreview }) {
  const { approvals_required: required, approvals_cause, unapproved_stroops } = preview;
  const names = useApproverNames(walletId);
  const shown = names.slice(0, NAMES_MAX);
  const more = names.length - shown.length;
  return (
    <Alert color="yellow" variant="light" icon={<IconUserCheck />} title={`Needs ${approvalsText(required)}`}>
      <Text size="sm">
        Nothing is signed or sent before.
        {approvals_cause === 'sum' && (
          <>
            {' '}
            Alone it would need none: the wallet has paid{' '}
            <Amount stroops={unapproved_stroops} asset={preview} /> without approvals in the last 24 hours.
          </>
        )}
        {shown.length > 0 && ` These members may approve: ${shown.join(', ')}`}
        {more > 0 && ` and ${more} more`}
        {shown.length > 0 && '.'}
      </Text>
    </Alert>
  );
}

/** Everybody but the member who asks. */
function useApproverNames(walletId: string): string[] {
  const me = useMe();
  const members = [...(useQuery(memberNamesQuery).data?.values() ?? [])];
  return members
    .filter(({ user_id }) => user_id !== me?.id)
    .filter(({ role }) => rolesOf('approveWithdrawal').includes(role))
    .filter(({ wallet_ids }) => wallet_ids === null || wallet_ids.includes(walletId))
    .map(({ name }) => isolated(name));
}
