/** Pure: the search parameters of an endpoint's page. */
const STATES = ['pending', 'delivered', 'failed'] as const;

export type WebhookSearch = {
  status?: (typeof STATES)[number];
  /** The delivery that is open in the drawer. */
  delivery?: string;
};

/** Ignores parameters that are unknown or invalid. */
export function readWebhookSearch(given: Record<string, unknown>): WebhookSearch {
  const status = STATES.find((state) => state === given.status);
  const { delivery } = given;
  return {
    ...(status ? { status } : {}),
    ...(typeof delivery === 'string' && delivery !== '' ? { delivery } : {}),
  };
}
