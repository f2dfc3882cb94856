import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** More endpoints than a wallet can have. */
const ALL_ENDPOINTS = 200;

export function endpointsQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'webhooks'],
    queryFn: ({ signal }) => api('listWebhooks', { id: walletId, query: { limit: ALL_ENDPOINTS }, signal }),
    refetchInterval: 5_000,
  });
}

export function endpointQuery(walletId: string, webhookId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'webhooks', webhookId],
    queryFn: ({ signal }) => api('getWebhook', { id: walletId, webhook_id: webhookId, signal }),
    refetchInterval: 2_000,
  });
}

export function deliveryQuery(walletId: string, webhookId: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'webhooks', webhookId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      api('getWebhookDelivery', { id: walletId, webhook_id: webhookId, delivery_id: deliveryId, signal }),
    refetchInterval: 2_000,
  });
}
