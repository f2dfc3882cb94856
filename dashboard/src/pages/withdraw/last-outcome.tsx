import { Group, Paper, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { withdrawalQuery } from '../../api/withdrawals.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextLink } from '../../components/text-link.tsx';

/** Above the form: the withdrawal of before in one line, so that nobody enters it again in doubt. */
export function LastOutcome({ walletId, id }: { walletId: string; id: string }) {
  const { data } = useQuery(withdrawalQuery(walletId, id));
  if (!data?.settled_at) return null;
  const { status, amount_stroops, destination, settled_at } = data;
  const is_paid = status === 'confirmed';
  return (
    <Paper withBorder px="md" py="xs" component="section" aria-label="The last withdrawal">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {is_paid ? (
          <IconCircleCheck size={20} color="var(--mantine-color-teal-6)" aria-hidden="true" />
        ) : (
          <IconAlertTriangle size={20} color="var(--mantine-color-error)" aria-hidden="true" />
        )}
        <Text size="sm" component="div">
          {is_paid ? 'Paid' : 'Failed, nothing was paid:'} <Amount stroops={amount_stroops} asset={data} /> to{' '}
          <span className="mono" title={destination}>
            {shortened(destination)}
          </span>
          , <DateTime at={settled_at} /> ·{' '}
          <TextLink
            to="/wallets/$walletId/withdrawals/$withdrawalId"
            params={{ walletId, withdrawalId: id }}
            underline="always"
          >
            Open
          </TextLink>
        </Text>
      </Group>
    </Paper>
  );
}
