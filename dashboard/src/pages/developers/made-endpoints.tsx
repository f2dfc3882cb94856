import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { walletsQuery } from '../../api/wallets.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { LinedItem, LinedList } from '../../components/lined-list.tsx';
import { isolated } from '../../text/isolate.ts';

type Props = {
  endpoints: WebhookEndpoint[];
  /** The key or service user at the beginning of a sentence: “The old key”. */
  what: string;
  /** A service user has endpoints in several wallets: each row names its wallet. */
  of?: 'key' | 'service user';
  onClose: () => void;
};

/** The endpoints that a key or service user has registered, after it stopped working, with the offer to disable each. */
export function MadeEndpoints({ endpoints, what, of = 'key', onClose }: Props) {
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={`Endpoints of the ${of}`} size="lg">
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />} title="These endpoints go on">
          <Text size="sm">
            {what} has registered them. They still receive the events of{' '}
            {of === 'key' ? 'the wallet' : 'their wallets'}. If somebody else had{' '}
            {of === 'key' ? 'the key' : 'its secret or its key'}, disable those that you do not know.
          </Text>
        </Alert>
        <LinedList>
          {endpoints.map((endpoint) => (
            <Row key={endpoint.id} endpoint={endpoint} namesWallet={of === 'service user'} />
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

type RowProps = { endpoint: WebhookEndpoint; namesWallet: boolean };

function Row({ endpoint: { id, wallet_id, url, enabled }, namesWallet }: RowProps) {
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
        <div style={{ minWidth: 0, flex: 1 }}>
          <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          {namesWallet && <WalletName id={wallet_id} />}
        </div>
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

function WalletName({ id }: { id: string }) {
  const { data } = useQuery(walletsQuery);
  const name = data?.items.find((wallet) => wallet.id === id)?.name;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Wallet {name === undefined ? id : isolated(name)}
    </Text>
  );
}
