import { Alert, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { endpointQuery } from '../../api/webhooks.ts';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Details } from '../../components/details.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Trail } from '../../components/trail.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { EnableButton, EndpointActions } from './endpoint-actions.tsx';
import { EndpointDeliveries } from './endpoint-deliveries.tsx';
import { Maker } from './endpoint-maker.tsx';
import { EndpointAlert, EndpointBadge } from './endpoint-status.tsx';
import type { WebhookSearch } from './search.ts';
import { Section } from './section.tsx';

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
      title="Webhook endpoint"
      trail={
        <Trail here="Webhook endpoint">
          <TextLink to="/wallets/$walletId/developers" params={{ walletId }} activeOptions={{ exact: true }}>
            Developers
          </TextLink>
        </Trail>
      }
      actions={endpoint && <EndpointActions endpoint={endpoint} onTest={open} />}
    >
      {gone ? <Deleted /> : <Loaded query={query}>{(shown) => <Shown endpoint={shown} />}</Loaded>}
      <EndpointDeliveries
        walletId={walletId}
        webhookId={webhookId}
        status={search.status}
        endpoint={endpoint}
        onFilter={(status) => change({ status })}
      />
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

function Shown({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      <EndpointAlert endpoint={endpoint} enable={<EnableButton endpoint={endpoint} />} />
      <Section title="Endpoint">
        <Details
          rows={[
            ['URL', <Copyable key="url" value={endpoint.url} what="URL" ends={1_000} />],
            ['Status', <EndpointBadge key="status" endpoint={endpoint} />],
            ['Events', endpoint.events.join(', ')],
            ['Description', endpoint.description],
            ['Added', <DateTime key="added" at={endpoint.created_at} />],
            ['Registered by', <Maker key="maker" endpoint={endpoint} />],
            ['Endpoint id', <Copyable key="id" value={endpoint.id} what="endpoint id" ends={20} />],
          ]}
        />
      </Section>
    </>
  );
}
