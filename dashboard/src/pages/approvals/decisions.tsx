import { Stack, Text } from '@mantine/core';
import { DateTime } from '../../components/date-time.tsx';
import { approvalsCauseText } from '../../text/approvals.ts';
import { counted } from '../../text/counted.ts';
import { MemberName } from './member-name.tsx';
import type { ApprovalRequest } from './request.ts';

/** Who asked, who has decided, and how many approvals are missing until when. `is_open`: false once it is decided. */
export function Decisions({ asked, is_open = true }: Pick<ApprovalRequest, 'asked'> & { is_open?: boolean }) {
  const { requested_by, approvals_required, approvals_cause, approvals, approval_expires_at } = asked;
  return (
    <Stack gap={4}>
      <Text size="sm" component="div">
        {requested_by && (
          <>
            Requested by <MemberName id={requested_by} />.{' '}
          </>
        )}
        {is_open && (
          <>
            Needs {counted(approvals_required, 'approval')}
            {approval_expires_at && (
              <>
                {' '}
                by <DateTime at={approval_expires_at} />
              </>
            )}
            . {approvalsCauseText(approvals_cause)}
          </>
        )}
      </Text>
      {approvals.map(({ user_id, decision, comment, at }) => (
        <Text key={user_id} size="sm" component="div">
          {decision === 'approved' ? 'Approved' : 'Rejected'} by <MemberName id={user_id} />,{' '}
          <DateTime at={at} />
          {comment !== null && <span style={{ overflowWrap: 'anywhere' }}>: {comment}</span>}
        </Text>
      ))}
    </Stack>
  );
}
