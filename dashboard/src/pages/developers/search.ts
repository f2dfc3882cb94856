/** Pure: the search parameters of the pages of developers. */
const TABS = ['keys', 'examples'] as const;

/** The tab that is shown; without one, the webhooks. */
export type DevelopersSearch = { tab?: (typeof TABS)[number] };

/** Ignores a tab that is unknown. */
export function readDevelopersSearch(given: Record<string, unknown>): DevelopersSearch {
  const tab = TABS.find((each) => each === given.tab);
  return tab === undefined ? {} : { tab };
}

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
