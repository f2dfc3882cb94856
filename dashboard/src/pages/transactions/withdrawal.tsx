import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isNotFound } from '../../api/client.ts';
import type { Payee, Withdrawal } from '../../api/contract.ts';
import { useFindPayee } from '../../api/payees.ts';
import { payoutQuery } from '../../api/payouts.ts';
import { withdrawalQuery } from '../../api/withdrawals.ts';
import { Copyable, shortened } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MissingInWallet } from '../../components/not-found.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { isolated } from '../../text/isolate.ts';
import { MemberName } from '../approvals/member-name.tsx';
import { WithdrawalApproval } from '../approvals/withdrawal-approval.tsx';
import { failureWords } from '../withdraw/problem-words.ts';
import {
  Account,
  approvedByField,
  ExactAmount,
  type Field,
  HistoryAndDetails,
  issuerField,
  TransactionHash,
} from './detail-parts.tsx';
import { TransactionPage } from './transaction-page.tsx';
import { stepsOf } from './withdrawal-steps.tsx';

export function WithdrawalPage() {
  const { walletId, withdrawalId } = useParams({
    from: '/signed-in/wallets/$walletId/withdrawals/$withdrawalId',
  });
  const query = useQuery(withdrawalQuery(walletId, withdrawalId));
  const find = useFindPayee();
  const payee = query.data && find(query.data);
  if (isNotFound(query.error))
    return <MissingInWallet walletId={walletId} what="withdrawal" id={withdrawalId} />;
  return (
    <TransactionPage
      {...{ walletId }}
      kind="Withdrawal"
      transaction={query.data}
      party={query.data && `to ${payee ? isolated(payee.name) : shortened(query.data.destination)}`}
    >
      <Loaded query={query} lines={8}>
        {(withdrawal) => <Shown withdrawal={withdrawal} />}
      </Loaded>
    </TransactionPage>
  );
}

function Shown({ withdrawal }: { withdrawal: Withdrawal }) {
  const payee = useFindPayee()(withdrawal);
  const { status, failure } = withdrawal;
  return (
    <>
      <Group gap="sm" aria-live="polite">
        <StatusBadge status={status} />
      </Group>
      {failure && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="Failed: nothing was paid">
          <Text size="sm">
            {failureWords(failure, withdrawal)} <span className="mono">({failure.code})</span>
          </Text>
        </Alert>
      )}
      {status === 'awaiting_approval' && <WithdrawalApproval withdrawal={withdrawal} />}
      <HistoryAndDetails steps={stepsOf(withdrawal)} facts={factsOf(withdrawal, payee)} />
    </>
  );
}

const PAYERS = {
  wallet: 'The wallet',
  channel: 'A channel account of this service',
  treasury: 'The treasury of this service',
  other: 'Somebody else',
};

function factsOf(withdrawal: Withdrawal, payee: Payee | undefined): Field[] {
  const { stellar_tx_hash, inner_tx_hash, memo_id, fee_stroops, fee_paid_by } = withdrawal;
  const { expires_at, settled_at } = withdrawal;
  const inner = inner_tx_hash === stellar_tx_hash ? null : inner_tx_hash;
  return [
    ['Amount', <ExactAmount key="amount" stroops={withdrawal.amount_stroops} asset={withdrawal} />],
    ['Payee', payee && <NameOfPayee payee={payee} />],
    ['Destination', <Account key="destination" account={withdrawal.destination} what="destination" />],
    ['Memo id', memo_id === null ? null : String(memo_id)],
    ['Reference', withdrawal.reference === null ? null : isolated(withdrawal.reference)],
    ['Payout', withdrawal.payout_id && <RowOfPayout {...withdrawal} />],
    ['Refund of', withdrawal.refund_of && <RefundedDeposit {...withdrawal} />],
    ['Transaction', stellar_tx_hash && <TransactionHash hash={stellar_tx_hash} />],
    ['Fee', fee_stroops === null ? null : <ExactAmount key="fee" stroops={fee_stroops} />],
    ...issuerField(withdrawal),
    ['Requested by', withdrawal.requested_by && <MemberName id={withdrawal.requested_by} />],
    ...approvedByField(withdrawal.approvals),
    [
      'Idempotency-Key',
      <Copyable key="key" value={withdrawal.idempotency_key} what="Idempotency-Key" ends={18} />,
    ],
    ['Withdrawal id', <Copyable key="id" value={withdrawal.id} what="withdrawal id" ends={20} />],
    ['Operation', withdrawal.operation],
    ['Fee paid by', fee_paid_by && PAYERS[fee_paid_by]],
    ['Inner transaction', inner && <Copyable value={inner} what="inner transaction hash" />],
    ['Ledger', withdrawal.ledger],
    ['Created', <DateTime key="created" at={withdrawal.created_at} seconds />],
    ['Valid until', expires_at && <DateTime at={expires_at} seconds />],
    ['Completed', settled_at && <DateTime at={settled_at} seconds />],
  ];
}

function NameOfPayee({ payee: { id, name } }: { payee: Payee }) {
  return (
    <TextLink to="/payees/$payeeId" params={{ payeeId: id }}>
      {isolated(name)}
    </TextLink>
  );
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

/** `Row 130 of Affiliates, October`, as a link to the payout. */
function RowOfPayout({ wallet_id, payout_id, payout_row }: Withdrawal) {
  const payoutId = payout_id ?? '';
  // Only for its name, which never changes.
  const { data } = useQuery({ ...payoutQuery(wallet_id, payoutId), refetchInterval: false });
  return (
    <TextLink to="/wallets/$walletId/payouts/$payoutId" params={{ walletId: wallet_id, payoutId }}>
      Row {payout_row} of {data ? isolated(data.name) : 'a payout'}
    </TextLink>
  );
}
