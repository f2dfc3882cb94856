import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconDotsVertical,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import type { BodyOf } from '../../api/operations.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { EVENT_TYPES } from '../../text/event-types.ts';
import { DeleteEndpoint, DisableEndpoint, RotateSecret } from './endpoint-dialogs.tsx';
import { EditEndpoint } from './endpoint-form.tsx';

type Dialog = 'edit' | 'disable' | 'rotate' | 'delete';

/** The actions on an endpoint. `onTest` opens the delivery of a test event. */
export function EndpointActions({
  endpoint,
  onTest,
}: {
  endpoint: WebhookEndpoint;
  onTest: (delivery_id: string) => void;
}) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const may = useMay();
  const mayManage = may('updateWebhook') || may('rotateWebhookSecret') || may('deleteWebhook');
  return (
    <>
      {may('testWebhook') && <SendTest endpoint={endpoint} onTest={onTest} />}
      {mayManage && (
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <Button variant="default" leftSection={<IconDotsVertical size={16} />}>
              Manage
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {may('updateWebhook') && (
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
                Edit
              </Menu.Item>
            )}
            {may('rotateWebhookSecret') && (
              <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setDialog('rotate')}>
                Rotate signing secret
              </Menu.Item>
            )}
            {endpoint.enabled && may('updateWebhook') && (
              <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => setDialog('disable')}>
                Disable
              </Menu.Item>
            )}
            {may('deleteWebhook') && (
              <>
                <Menu.Divider />
                <Menu.Item
                  color="var(--mantine-color-error)"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => setDialog('delete')}
                >
                  Delete
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {dialog === 'disable' && <DisableEndpoint endpoint={endpoint} onClose={close} />}
      {dialog === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {dialog === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} />}
    </>
  );
}

type TestEvent = NonNullable<NonNullable<BodyOf<'testWebhook'>>['event']>;

/** Those whose sample has no short name. */
const SAMPLED = EVENT_TYPES.filter((type) => type !== 'deposit.created');

type TestProps = { endpoint: WebhookEndpoint; onTest: (delivery_id: string) => void };

function SendTest({ endpoint: { id, wallet_id, enabled }, onTest }: TestProps) {
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: (event: TestEvent) => api('testWebhook', { id: wallet_id, webhook_id: id, body: { event } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', wallet_id, 'webhooks', id] }),
    onSuccess: (delivery) => onTest(delivery.id),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not send the test event', message: error.message }),
  });
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button
          leftSection={<IconSend size={16} />}
          loading={send.isPending}
          disabled={!enabled}
          title={enabled ? undefined : 'Enable the endpoint first'}
        >
          Send a test event
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => send.mutate('ping')}>ping: a signed event without a deposit</Menu.Item>
        <Menu.Item onClick={() => send.mutate('deposit.test')}>deposit.test: a sample deposit</Menu.Item>
        {SAMPLED.map((type) => (
          <Menu.Item key={type} onClick={() => send.mutate(`${type}.test`)}>
            {type}.test
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function EnableButton({ endpoint: { id, wallet_id } }: { endpoint: WebhookEndpoint }) {
  const client = useQueryClient();
  const may = useMay();
  const enable = useMutation({
    mutationFn: () => api('updateWebhook', { id: wallet_id, webhook_id: id, body: { enabled: true } }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(wallet_id).queryKey }),
    onSuccess: () =>
      notifications.show({
        color: 'teal',
        title: 'Endpoint enabled',
        message: 'Pending deliveries are sent now.',
      }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not enable the endpoint', message: error.message }),
  });
  if (!may('updateWebhook')) return null;
  return (
    <Button
      size="xs"
      leftSection={<IconPlayerPlay size={14} />}
      loading={enable.isPending}
      onClick={() => enable.mutate()}
    >
      Enable
    </Button>
  );
}
