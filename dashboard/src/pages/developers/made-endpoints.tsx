import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { LinedItem, LinedList } from '../../components/lined-list.tsx';

type Props = {
  endpoints: WebhookEndpoint[];
  /** The key at the beginning of a sentence: “The old key”. */
  what: string;
  onClose: () => void;
};

/** The endpoints that a key has registered, after it stopped working, with the offer to disable each. */
export function MadeEndpoints({ endpoints, what, onClose }: Props) {
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="Endpoints of the key" size="lg">
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />} title="These endpoints go on">
          <Text size="sm">
            {what} has registered them. They still receive the events of the wallet. If somebody else had the
            key, disable those that you do not know.
          </Text>
        </Alert>
        <LinedList>
          {endpoints.map((endpoint) => (
            <Row key={endpoint.id} endpoint={endpoint} />
          ))}
        </LinedList>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Row({ endpoint: { id, wallet_id, url, enabled } }: { endpoint: WebhookEndpoint }) {
  const client = useQueryClient();
  const may = useMay();
  const disable = useMutation({
    mutationFn: () => api('updateWebhook', { id: wallet_id, webhook_id: id, body: { enabled: false } }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(wallet_id).queryKey }),
  });
  const is_disabled = !enabled || disable.isSuccess;
  return (
    <LinedItem>
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={550} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        {is_disabled ? (
          <Text size="sm" c="dimmed" role="status">
            disabled
          </Text>
        ) : (
          may('updateWebhook') && (
            <Button
              size="xs"
              color="red"
              variant="light"
              loading={disable.isPending}
              onClick={() => disable.mutate()}
              aria-label={`Disable ${url}`}
            >
              Disable
            </Button>
          )
        )}
      </Group>
      {disable.error && <ErrorAlert error={disable.error} />}
    </LinedItem>
  );
}
