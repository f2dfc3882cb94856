/** What an example is made for: this service, this wallet and, where there is one, its newest endpoint. */
export type Place = { origin: string; walletId: string; webhookId: string | null };

/** Example → its code, in each language. */
export type Examples = Record<ExampleId, (place: Place) => string>;

export type ExampleId = 'address' | 'deposits' | 'webhook' | 'verify' | 'standard' | 'missed';

/** Events after the number that is appended to it: the endpoint's own numbers, which its deliveries have, or the wallet's. */
export function eventsAfter({ origin, walletId, webhookId }: Place): string {
  const which = webhookId === null ? '' : `webhook_id=${webhookId}&`;
  return `${origin}/v1/wallets/${walletId}/events?${which}after=`;
}
