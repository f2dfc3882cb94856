import { Button, Flex, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { approvalsQuery } from '../../api/approvals.ts';
import { useMay, useMe } from '../../api/me.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { TextLink } from '../../components/text-link.tsx';
import type { Deciding } from '../../text/approvals.ts';
import { DecideDialog } from './decide-dialog.tsx';
import type { ApprovalRequest, Verdict } from './request.ts';

type Props = {
  request: ApprovalRequest;
  /** Of the signed-in member. */
  deciding: Deciding;
};

/** On a phone the buttons of a row have its width together. */
export const AT_THUMB = { flex: { base: 1, sm: 'none' }, h: { base: 44, sm: 36 } } as const;

/** What the signed-in member can do about a request: decide, take it back, or read why not. */
export function Decide({ request, deciding }: Props) {
  const [asking, ask] = useState<{ verb: Verdict['verb']; request: ApprovalRequest } | null>(null);
  if (!deciding.may_decide) return <NoDecision request={request} deciding={deciding} />;
  return (
    <Flex gap="xs">
      <Button {...AT_THUMB} onClick={() => ask({ verb: 'approve', request })} data-key="a">
        Approve
      </Button>
      <Button
        {...AT_THUMB}
        variant="light"
        color="red"
        onClick={() => ask({ verb: 'reject', request })}
        data-key="r"
      >
        Reject
      </Button>
      {asking && <DecideDialog {...asking} onClose={() => ask(null)} />}
    </Flex>
  );
}

function NoDecision({ request: { asked, what, operations }, deciding }: Props) {
  const me = useMe();
  const may = useMay();
  if (deciding.factor_required)
    return (
      <Text size="sm">
        <TextLink to="/security" underline="always">
          Add a second factor
        </TextLink>{' '}
        to decide about {what}.
      </Text>
    );
  if (me === undefined || asked.approvals.some(({ user_id }) => user_id === me.id)) return null;
  return (
    <Text size="sm" c="dimmed">
      {asked.requested_by === me.id
        ? 'You asked for this: other members decide.'
        : may(operations.approve)
          ? 'Other members decide: you may not decide about this one.'
          : 'Owners, admins and approvers decide.'}
    </Text>
  );
}

/** For the requester: a rejection of one’s own request. Others see nothing. */
export function TakeBack({ request }: Pick<Props, 'request'>) {
  const { asked, what, operations } = request;
  const me = useMe();
  const may = useMay();
  const [asking, ask] = useDisclosure();
  const client = useQueryClient();
  const taking = useMutation({
    mutationFn: () =>
      request.decide({ verb: 'reject', body: { order_hash: asked.order_hash ?? '' } }, client),
    onSuccess: ask.close,
    onSettled: () => client.invalidateQueries({ queryKey: approvalsQuery.queryKey }),
  });
  if (me === undefined || asked.requested_by !== me.id || !may(operations.reject)) return null;
  return (
    <Flex>
      <Button {...AT_THUMB} variant="light" color="red" onClick={ask.open}>
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
    </Flex>
  );
}
