import { Skeleton, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { approvalPreviewQuery, approvalsQuery } from '../../api/approvals.ts';
import type { Withdrawal } from '../../api/contract.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Problems } from '../withdraw/preview.tsx';
import { About } from './about.tsx';
import type { ApprovalRequest, Verdict } from './request.ts';
import { useWalletNames } from './use-wallet-names.ts';

type Props = {
  verb: Verdict['verb'];
  /** As it was shown when the dialog opened: its hash belongs to what the dialog shows. */
  request: ApprovalRequest;
  onClose: () => void;
};

export function DecideDialog({ verb, request, onClose }: Props) {
  const { asked, what, facts, leftOut } = request;
  const knows_wallets = useWalletNames() !== undefined;
  const client = useQueryClient();
  const [comment, setComment] = useState('');
  const foreseen = useForeseen(verb === 'approve' ? request.foreseen : undefined);
  const decision = useMutation({
    mutationFn: () => {
      const said = comment.trim();
      const body = { order_hash: asked.order_hash ?? '', ...(said === '' ? {} : { comment: said }) };
      return request.decide({ verb, body }, client);
    },
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: approvalsQuery.queryKey }),
  });
  const word = verb === 'approve' ? 'Approve' : 'Reject';
  return (
    <ConfirmDialog
      title={`${word} ${what}?`}
      action={word}
      danger={verb === 'reject'}
      pending={decision.isPending}
      disabled={!foreseen.can_approve || !knows_wallets}
      error={decision.error}
      onConfirm={() => decision.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        {facts}
        {leftOut?.(onClose)}
        <About request={request} is_open />
        {foreseen.shown}
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

/** What keeps the payment from being sent now, and whether it may be approved. */
function useForeseen(withdrawal: Withdrawal | undefined) {
  const { id = '', wallet_id = '' } = withdrawal ?? {};
  const { data, failureReason } = useQuery({
    ...approvalPreviewQuery(wallet_id, id),
    enabled: withdrawal !== undefined,
  });
  if (withdrawal === undefined) return { can_approve: true, shown: null };
  if (failureReason) return { can_approve: false, shown: <ErrorAlert error={failureReason} /> };
  if (data === undefined) return { can_approve: false, shown: <Skeleton height={22} radius="sm" /> };
  return {
    can_approve: data.would_send,
    shown: <Problems walletId={wallet_id} request={withdrawal} preview={data} can_send={data.would_send} />,
  };
}
