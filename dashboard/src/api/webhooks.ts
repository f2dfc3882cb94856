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

/** How the endpoint has answered in the last 24 hours. */
export function statisticsOfEndpointQuery(walletId: string, webhookId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'webhooks', webhookId, 'statistics'],
    queryFn: ({ signal }) => api('getWebhookStatistics', { id: walletId, webhook_id: webhookId, signal }),
    refetchInterval: 10_000,
  });
}

/** The webhook deliveries of a deposit. */
export function depositDeliveriesQuery(walletId: string, depositId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'deposit', depositId, 'deliveries'],
    queryFn: ({ signal }) => api('listDepositDeliveries', { id: walletId, deposit_id: depositId, signal }),
  });
}
