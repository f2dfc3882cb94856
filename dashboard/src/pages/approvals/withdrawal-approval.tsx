import { Alert, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { approvalPreviewQuery } from '../../api/approvals.ts';
import { api } from '../../api/client.ts';
import type { Withdrawal, WithdrawalPreview } from '../../api/contract.ts';
import { useMay, useMe } from '../../api/me.ts';
import { Figures } from '../../components/amount.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PaymentSumTable } from '../withdraw/payment-sum-table.tsx';
import { FullAddress, FullIssuer, Reference } from '../withdraw/payment-summary.tsx';
import { Problems } from '../withdraw/preview.tsx';
import { AwaitsApprovals } from './awaits-approvals.tsx';
import { DecideButtons, Decisions, TakeBack, type Verdict } from './decide.tsx';
import { useDeciding } from './use-deciding.ts';

/** On the page of a withdrawal that awaits approvals: what will be paid, who has decided, and the decision. */
export function WithdrawalApproval({ withdrawal }: { withdrawal: Withdrawal }) {
  const may = useMay();
  return (
    <AwaitsApprovals mb="lg">
      <Text size="sm">Nothing is signed. The payment is sent with the last approval.</Text>
      <Payment withdrawal={withdrawal} />
      <Decisions asked={withdrawal} />
      {may('previewApproval') && <Foreseen withdrawal={withdrawal} />}
      <OwnRequest withdrawal={withdrawal} />
    </AwaitsApprovals>
  );
}

/** Every character of the stored order, from the service. */
function Payment({ withdrawal }: { withdrawal: Withdrawal }) {
  const { amount_stroops, destination, memo_id, refund_of } = withdrawal;
  return (
    <div>
      <Text size="xl" fw={650}>
        <Figures stroops={amount_stroops} asset={withdrawal} />
      </Text>
      <FullIssuer asset={withdrawal} />
      <Text size="sm">to</Text>
      <FullAddress address={destination} />
      {memo_id !== null && <Text size="sm">with memo id {String(memo_id)}</Text>}
      <Reference reference={withdrawal.reference} />
      {refund_of !== null && <Text size="sm">It pays a deposit back to its sender.</Text>}
    </div>
  );
}

/** What it would do now, and the buttons. */
function Foreseen({ withdrawal }: { withdrawal: Withdrawal }) {
  const { id, wallet_id } = withdrawal;
  const query = useQuery(approvalPreviewQuery(wallet_id, id));
  return (
    <Loaded query={query} only_now>
      {(preview) => (
        <Stack gap="sm">
          {preview.problems.length === 0 ? (
            <Alert color="teal" variant="light" title="It can be paid now" />
          ) : (
            <Problems
              walletId={wallet_id}
              request={{ destination: withdrawal.destination, amount_stroops: withdrawal.amount_stroops }}
              preview={preview}
              can_send={preview.would_send}
            />
          )}
          <PaymentSumTable request={withdrawal} preview={preview} />
          <Buttons withdrawal={withdrawal} preview={preview} />
        </Stack>
      )}
    </Loaded>
  );
}

function useDecide({ id, wallet_id }: Withdrawal) {
  const client = useQueryClient();
  return async ({ verb, body }: Verdict) => {
    const operation = verb === 'approve' ? 'approveWithdrawal' : 'rejectWithdrawal';
    const decided = await api(operation, { id: wallet_id, withdrawal_id: id, body });
    client.setQueryData(['wallet', wallet_id, 'withdrawal', id], decided);
  };
}

function OwnRequest({ withdrawal }: { withdrawal: Withdrawal }) {
  const me = useMe();
  const may = useMay();
  const decide = useDecide(withdrawal);
  if (!me || withdrawal.requested_by !== me.id || !may('rejectWithdrawal')) return null;
  return (
    <Group>
      <TakeBack asked={withdrawal} what="this withdrawal" onDecide={decide} />
    </Group>
  );
}

function Buttons({ withdrawal, preview }: { withdrawal: Withdrawal; preview: WithdrawalPreview }) {
  const decide = useDecide(withdrawal);
  return (
    <DecideButtons
      asked={withdrawal}
      deciding={useDeciding(withdrawal.id)}
      what="this withdrawal"
      summary={<Payment withdrawal={withdrawal} />}
      can_approve={preview.would_send}
      onDecide={decide}
    />
  );
}
