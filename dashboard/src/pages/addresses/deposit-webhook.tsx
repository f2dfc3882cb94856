import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Deposit } from '../../api/contract.ts';
import { depositDeliveriesQuery } from '../../api/webhooks.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { webhookState } from './webhook-state.ts';

const EVERY_MS = 2_000;

/** What became of the webhook deliveries of a deposit, in a word or two. The row leads to the deposit, whose page has them all. */
export function DepositWebhook({ deposit }: { deposit: Deposit }) {
  const query = depositDeliveriesQuery(deposit.wallet_id, deposit.id);
  const { data, isError } = useQuery({
    ...query,
    // Rows come and go as the list is scrolled: what has an outcome is not asked for again.
    staleTime: ({ state }) => (isPending(state.data?.items) ? 0 : Number.POSITIVE_INFINITY),
    refetchInterval: ({ state }) => (isPending(state.data?.items) ? EVERY_MS : false),
  });
  if (!data)
    return (
      <Text size="sm" c="dimmed">
        {isError ? 'Not known' : '…'}
      </Text>
    );
  const { status, label } = webhookState(data.items, deposit);
  if (status !== null) return <StatusBadge status={status} label={label} />;
  return (
    <Text size="sm" c="dimmed">
      {label}
    </Text>
  );
}

function isPending(items: { status: string }[] | undefined): boolean {
  return items === undefined || items.some(({ status }) => status === 'pending');
}
