import { Alert, Text } from '@mantine/core';
import { IconCopyCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { RelativeTime } from '../../components/date-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { isSamePayment, type WithdrawalRequest } from './withdrawal-input.ts';

const LATELY_MS = 15 * 60_000;

/** Warns of the same payment made recently: in another tab, by a colleague, or forgotten. */
export function DuplicateWarning({ walletId, request }: { walletId: string; request: WithdrawalRequest }) {
  const { data } = useQuery({
    queryKey: ['wallet', walletId, 'withdrawals', 'latest'],
    queryFn: ({ signal }) => api('listWithdrawals', { id: walletId, query: { limit: 50 }, signal }),
    refetchInterval: 4_000,
  });
  const since = Date.now() - LATELY_MS;
  const like = data?.items.find(
    (withdrawal) =>
      withdrawal.status !== 'failed' &&
      Date.parse(withdrawal.created_at) > since &&
      isSamePayment(request, withdrawal),
  );
  if (!like) return null;
  return (
    <Alert color="orange" variant="light" icon={<IconCopyCheck />} title="Possible duplicate">
      <Text size="sm">
        The same amount was sent to this destination <RelativeTime at={like.created_at} />
        {like.status === 'pending' && ' and is still pending'}. This would be a second payment.{' '}
        <TextLink
          to="/wallets/$walletId/withdrawals/$withdrawalId"
          params={{ walletId, withdrawalId: like.id }}
          c="inherit"
          underline="always"
        >
          Open the first withdrawal
        </TextLink>
      </Text>
    </Alert>
  );
}
