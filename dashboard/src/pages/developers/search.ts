/** Pure: what the page of an endpoint shows, as it stands in the page's address. */
const STATES = ['pending', 'delivered', 'failed'] as const;

export type WebhookSearch = {
  status?: (typeof STATES)[number];
  /** The delivery that is open beside the list. */
  delivery?: string;
};

/** What is not understood is left out, as if it were not there. */
export function readWebhookSearch(given: Record<string, unknown>): WebhookSearch {
  const status = STATES.find((state) => state === given.status);
  const { delivery } = given;
  return {
    ...(status ? { status } : {}),
    ...(typeof delivery === 'string' && delivery !== '' ? { delivery } : {}),
  };
}
