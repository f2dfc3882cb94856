import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isNotFound } from '../../api/client.ts';
import type { Withdrawal } from '../../api/contract.ts';
import { withdrawalQuery } from '../../api/withdrawals.ts';
import { Amount } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MissingInWallet } from '../../components/not-found.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { MemberName } from '../approvals/member-name.tsx';
import { WithdrawalApproval } from '../approvals/withdrawal-approval.tsx';
import { failureWords } from '../withdraw/problem-words.ts';
import {
  Account,
  approvedByField,
  DetailsAndHistory,
  ExactAmount,
  type Field,
  issuerField,
  TransactionHash,
} from './detail-parts.tsx';
import { stepsOf } from './withdrawal-steps.tsx';

export function WithdrawalPage() {
  const { walletId, withdrawalId } = useParams({
    from: '/signed-in/wallets/$walletId/withdrawals/$withdrawalId',
  });
  const query = useQuery(withdrawalQuery(walletId, withdrawalId));
  if (isNotFound(query.error))
    return <MissingInWallet walletId={walletId} what="withdrawal" id={withdrawalId} />;
  return (
    <Page title="Withdrawal">
      <Loaded query={query} lines={8}>
        {(withdrawal) => <Shown withdrawal={withdrawal} />}
      </Loaded>
    </Page>
  );
}

function Shown({ withdrawal }: { withdrawal: Withdrawal }) {
  const { status, failure, amount_stroops, destination } = withdrawal;
  return (
    <>
      <Group gap="sm" aria-live="polite">
        <Text size="xl" fw={650}>
          <Amount stroops={amount_stroops} asset={withdrawal} />
        </Text>
        <StatusBadge status={status} />
        <Text component="div" c="dimmed">
          to <Copyable value={destination} what="destination" />
        </Text>
      </Group>
      {failure && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="Failed: nothing was paid">
          <Text size="sm">
            {failureWords(failure, withdrawal)} <span className="mono">({failure.code})</span>
          </Text>
        </Alert>
      )}
      {status === 'awaiting_approval' && <WithdrawalApproval withdrawal={withdrawal} />}
      <DetailsAndHistory fields={fieldsOf(withdrawal)} steps={stepsOf(withdrawal)} />
    </>
  );
}

const PAYERS = { wallet: 'The wallet', treasury: 'The treasury of this service', other: 'Somebody else' };

function fieldsOf(withdrawal: Withdrawal): Field[] {
  const { stellar_tx_hash, inner_tx_hash, memo_id, fee_stroops, fee_paid_by, expires_at, settled_at } =
    withdrawal;
  const inner = inner_tx_hash === stellar_tx_hash ? null : inner_tx_hash;
  return [
    ['Status', <StatusBadge key="status" status={withdrawal.status} />],
    ['Amount', <ExactAmount key="amount" stroops={withdrawal.amount_stroops} asset={withdrawal} />],
    ...issuerField(withdrawal),
    ['Destination', <Account key="destination" account={withdrawal.destination} what="destination" />],
    ['Memo id', memo_id === null ? null : String(memo_id)],
    ['Refund of', withdrawal.refund_of && <RefundedDeposit {...withdrawal} />],
    ['Operation', withdrawal.operation],
    ['Fee', fee_stroops === null ? null : <ExactAmount key="fee" stroops={fee_stroops} />],
    ['Fee paid by', fee_paid_by && PAYERS[fee_paid_by]],
    ['Transaction', stellar_tx_hash && <TransactionHash hash={stellar_tx_hash} />],
    ['Inner transaction', inner && <Copyable value={inner} what="inner transaction hash" ends={8} />],
    ['Ledger', withdrawal.ledger],
    ['Requested by', withdrawal.requested_by && <MemberName id={withdrawal.requested_by} />],
    ...approvedByField(withdrawal.approvals),
    ['Created', <DateTime key="created" at={withdrawal.created_at} seconds />],
    ['Valid until', expires_at && <DateTime at={expires_at} seconds />],
    ['Settled', settled_at && <DateTime at={settled_at} seconds />],
    [
      'Idempotency-Key',
      <Copyable key="key" value={withdrawal.idempotency_key} what="Idempotency-Key" ends={18} />,
    ],
    ['Withdrawal id', <Copyable key="id" value={withdrawal.id} what="withdrawal id" ends={20} />],
  ];
}

function RefundedDeposit({ wallet_id, refund_of }: Withdrawal) {
  return (
    <TextLink
      to="/wallets/$walletId/deposits/$depositId"
      params={{ walletId: wallet_id, depositId: refund_of ?? '' }}
    >
      Open the refunded deposit
    </TextLink>
  );
}
