/** What an example refers to: this service, this wallet and its newest endpoint, if any. */
export type Place = { origin: string; walletId: string; webhookId: string | null };

/** Example → its code, in each language. */
export type Examples = Record<ExampleId, (place: Place) => string>;

export type ExampleId =
  | 'standard'
  | 'address'
  | 'withdraw'
  | 'deposits'
  | 'poll'
  | 'webhook'
  | 'verify'
  | 'missed';

/** The URL of events after a number, which is to be appended. Numbers of the endpoint, or else of the wallet. */
export function eventsAfter({ origin, walletId, webhookId }: Place): string {
  const which = webhookId === null ? '' : `webhook_id=${webhookId}&`;
  return `${origin}/v1/wallets/${walletId}/events?${which}after=`;
}

/** The URL of the wallet's events after a number, which is to be appended. It answers when there is one, or after 30 seconds. */
export function nextEvents({ origin, walletId }: Place): string {
  return `${origin}/v1/wallets/${walletId}/events?wait_seconds=30&after=`;
}
