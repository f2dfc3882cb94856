import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck, IconUserCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Withdrawal } from '../../api/contract.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { PayeeName } from '../../components/payee-name.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { TransactionHash } from '../transactions/detail-parts.tsx';
import { History } from '../transactions/history.tsx';
import { stepsOf } from '../transactions/withdrawal-steps.tsx';
import { changeDraft, startAnother } from './draft.ts';
import { FullAddress, FullIssuer, Reference } from './payment-summary.tsx';
import { failureWords } from './problem-words.ts';
import { SavePayee } from './save-payee.tsx';
import { isSamePayment, parseInput, type WithdrawalInput } from './withdrawal-input.ts';

const TITLES = {
  awaiting_approval: 'Awaits approvals: nothing is signed',
  pending: 'Pending',
  confirmed: 'Paid',
  failed: 'Failed: nothing was paid',
} as const;

/** The withdrawal's state, refreshed until its outcome is known. */
export function Outcome({ withdrawal, typed }: { withdrawal: Withdrawal; typed: WithdrawalInput }) {
  const { id, wallet_id, status, amount_stroops, destination, memo_id, stellar_tx_hash } = withdrawal;
  const { request } = parseInput(typed);
  const other = request !== null && !isSamePayment(request, withdrawal);
  const is_known = withdrawal.settled_at !== null && !other;
  useEffect(() => {
    if (is_known) changeDraft(wallet_id, { shown: id });
  }, [is_known, wallet_id, id]);
  return (
    <Stack maw={720}>
      {other && <NotWhatIsTyped walletId={wallet_id} typed={typed} />}
      <Paper withBorder p="lg">
        <Stack>
          <Heading status={status} />
          <div>
            <Text size="xl" fw={650}>
              <Figures stroops={amount_stroops} asset={withdrawal} />
            </Text>
            <FullIssuer asset={withdrawal} />
            <Text size="sm">to</Text>
            <PayeeName paid={withdrawal} />
            <FullAddress address={destination} />
            {memo_id !== null && <Text size="sm">with memo id {String(memo_id)}</Text>}
            <Reference reference={withdrawal.reference} />
          </div>
          {status === 'failed' && <Reason {...withdrawal} />}
          <History steps={stepsOf(withdrawal)} />
          {status === 'confirmed' && stellar_tx_hash && (
            <Text size="sm" component="div">
              Transaction <TransactionHash hash={stellar_tx_hash} />
            </Text>
          )}
          <Group justify="space-between">
            <TextLink
              to="/wallets/$walletId/withdrawals/$withdrawalId"
              params={{ walletId: wallet_id, withdrawalId: id }}
            >
              Open the withdrawal
            </TextLink>
            <Group gap="xs">
              {status === 'confirmed' && <SavePayee withdrawal={withdrawal} />}
              <Next withdrawal={withdrawal} typed={typed} />
            </Group>
          </Group>
        </Stack>
      </Paper>
    </Stack>
  );
}

function Heading({ status }: { status: Withdrawal['status'] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The button with the focus is gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Group gap="sm" wrap="nowrap" aria-live="polite">
      {status === 'awaiting_approval' && <IconUserCheck aria-hidden="true" />}
      {status === 'pending' && <Loader size="sm" aria-hidden="true" />}
      {status === 'confirmed' && <IconCircleCheck color="var(--mantine-color-teal-6)" aria-hidden="true" />}
      {status === 'failed' && <IconAlertTriangle color="var(--mantine-color-error)" aria-hidden="true" />}
      <Title order={2} size="h3" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
        {TITLES[status]}
      </Title>
    </Group>
  );
}

function Reason(withdrawal: Withdrawal) {
  const { failure, fee_stroops } = withdrawal;
  return (
    <Alert color="red" variant="light">
      <Text size="sm">
        {failure && failureWords(failure, withdrawal)}{' '}
        {failure && <span className="mono">({failure.code})</span>}
      </Text>
      {fee_stroops !== null && fee_stroops > 0n && (
        <Text size="sm" mt={4}>
          The network fee was charged: <Amount stroops={fee_stroops} />.
        </Text>
      )}
    </Alert>
  );
}

function Next({
  withdrawal: { wallet_id, status },
  typed,
}: {
  withdrawal: Withdrawal;
  typed: WithdrawalInput;
}) {
  const [asking, ask] = useDisclosure();
  if (status === 'pending' || status === 'awaiting_approval')
    return (
      <>
        <Button variant="default" onClick={ask.open}>
          New withdrawal
        </Button>
        {asking && (
          <ConfirmDialog
            title="Start a new withdrawal while this one is pending?"
            action="New withdrawal"
            pending={false}
            error={null}
            onConfirm={() => startAnother(wallet_id)}
            onClose={ask.close}
          >
            This one continues and is listed under Transactions. Do not enter it again: that would pay it a
            second time.
          </ConfirmDialog>
        )}
      </>
    );
  return (
    <Group gap="xs">
      {status === 'failed' && (
        <Button variant="default" onClick={() => startAnother(wallet_id, typed)}>
          Edit and try again
        </Button>
      )}
      <Button onClick={() => startAnother(wallet_id)}>New withdrawal</Button>
    </Group>
  );
}

/** Another withdrawal was sent with this form's key: before a change, or from a copy of this tab. */
function NotWhatIsTyped({ walletId, typed }: { walletId: string; typed: WithdrawalInput }) {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle />}
      title="This is not what you entered last"
    >
      <Text size="sm" mb="sm">
        This withdrawal was sent before: its response was lost, or another tab sent it. What you entered last
        was not sent, so nothing is paid twice.
      </Text>
      <Button size="xs" variant="default" onClick={() => startAnother(walletId, typed)}>
        Return to my last input
      </Button>
    </Alert>
  );
}
