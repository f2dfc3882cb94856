import { Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import type { Withdrawal } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { PayeeName } from '../../components/payee-name.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { FullAddress, FullIssuer, Reference } from '../withdraw/payment-summary.tsx';
import type { ApprovalRequest } from './request.ts';

const OPERATIONS = { approve: 'approveWithdrawal', reject: 'rejectWithdrawal' } as const;

export function withdrawalRequest(withdrawal: Withdrawal): ApprovalRequest {
  const { id, wallet_id } = withdrawal;
  return {
    asked: withdrawal,
    what: 'this withdrawal',
    facts: <Payment withdrawal={withdrawal} />,
    wallet_id,
    link: (
      <TextLink
        to="/wallets/$walletId/withdrawals/$withdrawalId"
        params={{ walletId: wallet_id, withdrawalId: id }}
      >
        Open the withdrawal
      </TextLink>
    ),
    operations: OPERATIONS,
    foreseen: withdrawal,
    decide: async ({ verb, body }, client) => {
      const decided = await api(OPERATIONS[verb], { id: wallet_id, withdrawal_id: id, body });
      client.setQueryData(['wallet', wallet_id, 'withdrawal', id], decided);
    },
  };
}

/** Every character of the stored order, from the service. */
function Payment({ withdrawal }: { withdrawal: Withdrawal }) {
  const { amount_stroops, destination, memo_id, refund_of } = withdrawal;
  return (
    <div>
      <Text size="xl" fw={650}>
        <Figures stroops={amount_stroops} asset={withdrawal} layout="large" />
      </Text>
      <FullIssuer asset={withdrawal} />
      <Text size="sm">to</Text>
      <PayeeName paid={withdrawal} />
      <FullAddress address={destination} />
      {memo_id !== null && <Text size="sm">with memo id {String(memo_id)}</Text>}
      <Reference reference={withdrawal.reference} />
      {refund_of !== null && <Text size="sm">It pays a deposit back to its sender.</Text>}
    </div>
  );
}
