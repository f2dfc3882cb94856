/** What an example refers to: this service, this wallet and its newest endpoint, if any. */
export type Place = { origin: string; walletId: string; webhookId: string | null };

/** Example → its code, in each language. */
export type Examples = Record<ExampleId, (place: Place) => string>;

export type ExampleId = 'address' | 'deposits' | 'webhook' | 'verify' | 'standard' | 'missed';

/** The URL of events after a number, which is to be appended. Numbers of the endpoint, or else of the wallet. */
export function eventsAfter({ origin, walletId, webhookId }: Place): string {
  const which = webhookId === null ? '' : `webhook_id=${webhookId}&`;
  return `${origin}/v1/wallets/${walletId}/events?${which}after=`;
}
