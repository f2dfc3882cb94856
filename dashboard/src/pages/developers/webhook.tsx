import { Alert, Grid, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { endpointQuery } from '../../api/webhooks.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Trail } from '../../components/trail.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { EnableButton, EndpointActions } from './endpoint-actions.tsx';
import { EndpointChips } from './endpoint-chips.tsx';
import { EndpointDeliveries } from './endpoint-deliveries.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { EndpointAlert } from './endpoint-status.tsx';
import type { WebhookSearch } from './search.ts';

const ROUTE = '/signed-in/wallets/$walletId/developers/webhooks/$webhookId';

export function WebhookPage() {
  const { walletId, webhookId } = useParams({ from: ROUTE });
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/wallets/$walletId/developers/webhooks/$webhookId' });
  const query = useQuery(endpointQuery(walletId, webhookId));
  const gone = query.error instanceof ApiError && query.error.code === 'not_found';
  const endpoint = gone ? undefined : query.data;

  function change(to: { [Name in keyof WebhookSearch]: WebhookSearch[Name] | undefined }) {
    void navigate({
      search: (before) => ({ ...before, ...to }) as WebhookSearch,
      replace: true,
      resetScroll: false,
    });
  }
  const open = (delivery: string | undefined) => change({ delivery });

  return (
    <Page
      title={endpoint?.url ?? 'Webhook endpoint'}
      trail={
        <Trail here="Webhook endpoint">
          <TextLink to="/wallets/$walletId/developers" params={{ walletId }} activeOptions={{ exact: true }}>
            Developers
          </TextLink>
        </Trail>
      }
      actions={endpoint && <EndpointActions endpoint={endpoint} onTest={open} />}
    >
      {gone && <Deleted />}
      {endpoint && <EndpointChips endpoint={endpoint} />}
      {endpoint && <EndpointAlert endpoint={endpoint} enable={<EnableButton endpoint={endpoint} />} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <EndpointDeliveries
            walletId={walletId}
            webhookId={webhookId}
            status={search.status}
            endpoint={endpoint}
            onFilter={(status) => change({ status })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          {!gone && <Loaded query={query}>{(shown) => <EndpointFacts endpoint={shown} />}</Loaded>}
        </Grid.Col>
      </Grid>
      <DeliveryDrawer
        walletId={walletId}
        webhookId={webhookId}
        deliveryId={search.delivery}
        endpoint={endpoint}
        onClose={() => open(undefined)}
      />
    </Page>
  );
}

function Deleted() {
  return (
    <Alert color="gray" icon={<IconTrash />} title="Endpoint not found">
      <Text size="sm">
        If it was deleted, its pending deliveries were cancelled. Past deliveries are listed below.
      </Text>
    </Alert>
  );
}
