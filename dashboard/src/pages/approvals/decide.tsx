import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { approvalsQuery } from '../../api/approvals.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { approvalsCauseText, approvalsText } from '../../text/approvals.ts';
import { MemberName } from './member-name.tsx';
import type { Deciding } from './use-deciding.ts';

/** What is decided about: a withdrawal, a payout, a change of a policy, or a change of access. */
type Asked = {
  requested_by: string | null;
  approvals_required: number;
  /** Of a payment. */
  approvals_cause?: 'amount' | 'sum' | null;
  approvals: { user_id: string; decision: 'approved' | 'rejected'; comment: string | null; at: string }[];
  order_hash: string | null;
  approval_expires_at: string | null;
};

export type Verdict = { verb: 'approve' | 'reject'; body: { order_hash: string; comment?: string } };

/** Who asked, who has decided, and how many approvals are missing. */
export function Decisions({ asked }: { asked: Asked }) {
  const { requested_by, approvals_required, approvals_cause, approvals, approval_expires_at } = asked;
  return (
    <Stack gap={4}>
      <Text size="sm" component="div">
        {requested_by && (
          <>
            Requested by <MemberName id={requested_by} />.{' '}
          </>
        )}
        Needs {approvalsText(approvals_required)}
        {approval_expires_at && (
          <>
            {' '}
            by <DateTime at={approval_expires_at} />
          </>
        )}
        . {approvalsCauseText(approvals_cause)}
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

type Props = {
  asked: Asked;
  /** Of the signed-in member. */
  deciding: Deciding;
  /** The title of the dialog's question: “this withdrawal”. */
  what: string;
  /** What is approved, once more, in the dialog. */
  summary: ReactNode;
  /** False while the service would refuse an approval. */
  can_approve: boolean;
  onDecide: (verdict: Verdict) => Promise<unknown>;
};

/** The two buttons, for the members who may decide about it. Others see nothing, or what they must do first. */
export function DecideButtons({ asked, deciding, what, summary, can_approve, onDecide }: Props) {
  const [verb, setVerb] = useState<Verdict['verb'] | null>(null);
  if (deciding.factor_required)
    return (
      <Text size="sm">
        <TextLink to="/security">Add a second factor</TextLink> to decide about {what}.
      </Text>
    );
  if (!deciding.may_decide) return null;
  return (
    <Group gap="xs">
      <Button onClick={() => setVerb('approve')} disabled={!can_approve}>
        Approve
      </Button>
      <Button variant="light" color="red" onClick={() => setVerb('reject')}>
        Reject
      </Button>
      {verb && <DecideDialog {...{ asked, what, summary, onDecide, verb }} onClose={() => setVerb(null)} />}
    </Group>
  );
}

type TakeBackProps = Pick<Props, 'asked' | 'what' | 'onDecide'>;

/** For the requester: a rejection of one’s own request. */
export function TakeBack({ asked, what, onDecide }: TakeBackProps) {
  const [asking, ask] = useDisclosure();
  const client = useQueryClient();
  const taking = useMutation({
    mutationFn: () => onDecide({ verb: 'reject', body: { order_hash: asked.order_hash ?? '' } }),
    onSuccess: ask.close,
    onSettled: () => client.invalidateQueries({ queryKey: approvalsQuery.queryKey }),
  });
  return (
    <>
      <Button variant="light" color="red" onClick={ask.open}>
        Take back
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Take back ${what}?`}
          action="Take back"
          danger
          pending={taking.isPending}
          error={taking.error}
          onConfirm={() => taking.mutate()}
          onClose={ask.close}
        >
          Nobody can approve it then. You can ask for it again.
        </ConfirmDialog>
      )}
    </>
  );
}

type DialogProps = Omit<Props, 'can_approve' | 'deciding'> & { verb: Verdict['verb']; onClose: () => void };

function DecideDialog({ asked, what, summary, verb, onDecide, onClose }: DialogProps) {
  const client = useQueryClient();
  const [comment, setComment] = useState('');
  const decision = useMutation({
    mutationFn: () => {
      const said = comment.trim();
      return onDecide({
        verb,
        body: { order_hash: asked.order_hash ?? '', ...(said === '' ? {} : { comment: said }) },
      });
    },
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: approvalsQuery.queryKey }),
  });
  return (
    <ConfirmDialog
      title={`${verb === 'approve' ? 'Approve' : 'Reject'} ${what}?`}
      action={verb === 'approve' ? 'Approve' : 'Reject'}
      danger={verb === 'reject'}
      pending={decision.isPending}
      error={decision.error}
      onConfirm={() => decision.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        {summary}
        <Textarea
          label="Comment"
          description="Optional. The audit log and the members of the team see it."
          value={comment}
          maxLength={500}
          autosize
          minRows={2}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}
