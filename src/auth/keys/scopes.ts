/**
 * What an API key may do: a route names the scopes of which one is enough. The main key of a wallet has every scope. Deliveries
 * and events need `webhooks`: they have the bodies and signatures of webhooks, and endpoints may have secrets in their URLs.
 */
export const SCOPES = ['read', 'addresses', 'webhooks'] as const;
export type Scope = (typeof SCOPES)[number];
