import { Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import type { WebhookDeliveryWithBody, WebhookEndpoint } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { useMay } from '../../api/me.ts';
import { deliveryQuery } from '../../api/webhooks.ts';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { DeliveryProgress } from '../../components/delivery-progress.tsx';
import { Details } from '../../components/details.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Attempts } from './attempts.tsx';
import { CodeBlock } from './code-block.tsx';
import { SubjectLink } from './delivery-subject.tsx';

type Props = {
  walletId: string;
  webhookId: string;
  deliveryId: string | undefined;
  endpoint: WebhookEndpoint | undefined;
  onClose: () => void;
};

/** One delivery with its requests and responses, refreshed. */
export function DeliveryDrawer({ walletId, webhookId, deliveryId, endpoint, onClose }: Props) {
  return (
    <Drawer opened={deliveryId !== undefined} onClose={onClose} title="Delivery" position="right" size="xl">
      {deliveryId !== undefined && (
        <Opened key={deliveryId} {...{ walletId, webhookId, deliveryId, endpoint }} />
      )}
    </Drawer>
  );
}

type OpenedProps = Omit<Props, 'onClose'> & { deliveryId: string };

function Opened({ walletId, webhookId, deliveryId, endpoint }: OpenedProps) {
  const query = useQuery(deliveryQuery(walletId, webhookId, deliveryId));
  const may = useMay();
  return (
    <Loaded query={query} lines={8}>
      {(delivery) => (
        <Stack>
          <Group justify="space-between">
            <Group gap="sm">
              <span role="status">
                <StatusBadge status={delivery.status} />
              </span>
              <Text size="sm">
                <DeliveryProgress delivery={delivery} enabled={endpoint?.enabled ?? true} />
              </Text>
            </Group>
            {endpoint && may('redeliverWebhook') && <Resend endpoint={endpoint} delivery={delivery} />}
          </Group>
          <Details rows={rowsOf(walletId, delivery)} />
          <Attempts delivery={delivery} />
          <div>
            <Title order={3} size="h5" mb="xs">
              Body
            </Title>
            <CodeBlock label="Body" code={stringifyExact(delivery.body, 2)} />
            <Text size="xs" c="dimmed" mt={4}>
              Formatted for reading. The body that is signed and sent has no extra whitespace. It is the same
              in every attempt.
            </Text>
          </div>
        </Stack>
      )}
    </Loaded>
  );
}

function rowsOf(walletId: string, delivery: WebhookDeliveryWithBody): [string, ReactNode][] {
  const { subject, next_attempt_at, settled_at } = delivery;
  return [
    ['Event', delivery.event],
    ['Tells of', subject && <SubjectLink key="subject" {...{ walletId, subject }} />],
    ['Created', <DateTime key="created" at={delivery.created_at} seconds />],
    ['Completed', settled_at && <DateTime key="settled" at={settled_at} seconds />],
    ['Next attempt', next_attempt_at && <DateTime key="next" at={next_attempt_at} seconds />],
    ['webhook-id', <Copyable key="id" value={delivery.event_id} what="webhook-id" ends={16} />],
    ['webhook-sequence', String(delivery.sequence)],
    ['Delivery id', <Copyable key="delivery" value={delivery.id} what="delivery id" ends={16} />],
  ];
}

type ResendProps = { endpoint: WebhookEndpoint; delivery: WebhookDeliveryWithBody };

function Resend({ endpoint, delivery }: ResendProps) {
  const { id, wallet_id, enabled } = endpoint;
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () => api('redeliverWebhook', { id: wallet_id, webhook_id: id, delivery_id: delivery.id }),
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', wallet_id, 'webhooks', id] }),
    onSuccess: () =>
      notifications.show({
        color: 'teal',
        title: enabled ? 'Queued for delivery' : 'Queued until the endpoint is enabled',
        message: 'Same body and webhook-id. The retry schedule starts again.',
      }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not resend', message: error.message }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRepeat size={14} />}
      loading={resend.isPending}
      onClick={() => resend.mutate()}
    >
      Resend
    </Button>
  );
}
