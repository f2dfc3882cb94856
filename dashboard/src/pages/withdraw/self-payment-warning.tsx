import { Alert } from '@mantine/core';
import { IconArrowBack } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { walletQuery } from '../../api/wallets.ts';
import { readAddress } from '../../text/strkey.ts';
import type { WithdrawalRequest } from './withdrawal-input.ts';

/** Warns of a payment to the wallet's own account: probably the address was copied from this wallet. */
export function SelfPaymentWarning({ walletId, request }: { walletId: string; request: WithdrawalRequest }) {
  const { data: wallet } = useQuery(walletQuery(walletId));
  const address = readAddress(request.destination);
  if (!wallet || 'problem' in address || address.account !== wallet.account) return null;
  const is_of_customer = address.muxed_id !== null || request.memo_id !== undefined;
  return (
    <Alert color="orange" variant="light" icon={<IconArrowBack />} title="This wallet would pay itself">
      The destination is this wallet’s own account. The amount comes back as a deposit{' '}
      {is_of_customer && ' to the deposit address with this id'}. Only the fee is spent.
    </Alert>
  );
}
