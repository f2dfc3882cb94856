import { Anchor, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { RelativeTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinedItem, LoadedList } from '../../components/lined-list.tsx';
import { AddEndpoint } from './endpoint-form.tsx';
import { EndpointBadge } from './endpoint-status.tsx';
import { Section } from './section.tsx';

export function Endpoints({ walletId }: { walletId: string }) {
  const query = useQuery(endpointsQuery(walletId));
  const [adding, add] = useDisclosure();
  const may = useMay();
  return (
    <Section
      title="Webhook endpoints"
      description="Each endpoint receives the events that it has chosen, signed: deposits to your addresses, and more. Deliveries without a 2xx response are retried."
      actions={
        may('registerWebhook') && (
          <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
            Add endpoint
          </Button>
        )
      }
    >
      <LoadedList
        query={query}
        empty={
          <EmptyState icon={IconWebhook} title="No endpoints yet">
            {may('registerWebhook') && 'Add the URL of your backend to receive deposits. '}
            Without an endpoint, read the list of deposits or the events from the API.
          </EmptyState>
        }
      >
        {(endpoint) => <EndpointRow endpoint={endpoint} />}
      </LoadedList>
      {adding && <AddEndpoint walletId={walletId} onClose={add.close} />}
    </Section>
  );
}

function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, wallet_id, url, description, enabled, failing_since } = endpoint;
  return (
    <LinedItem>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Anchor
            fw={550}
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={(props) => (
              <Link
                to="/wallets/$walletId/developers/webhooks/$webhookId"
                params={{ walletId: wallet_id, webhookId: id }}
                {...props}
              />
            )}
          >
            {url}
          </Anchor>
          {description && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
        </div>
        <Group gap="xs">
          {enabled && failing_since !== null && (
            <Text size="sm" c="dimmed">
              first failure <RelativeTime at={failing_since} />
            </Text>
          )}
          <EndpointBadge endpoint={endpoint} />
        </Group>
      </Group>
    </LinedItem>
  );
}
