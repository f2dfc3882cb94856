/**
 * The one table of what a scope of an API key allows. The guard of the routes, `x-scopes` of the OpenAPI document and a test
 * over every operation and scope read it. The main key of a wallet has every scope.
 */
export const SCOPES = ['read', 'addresses', 'webhooks'] as const;
export type Scope = (typeof SCOPES)[number];

const READ: readonly Scope[] = ['read'];
const ADDRESSES: readonly Scope[] = ['addresses'];
const READ_ADDRESSES: readonly Scope[] = ['read', 'addresses'];
/** Deliveries and events have the bodies and signatures of webhooks, and endpoints may have secrets in their URLs. */
const WEBHOOKS: readonly Scope[] = ['webhooks'];

/** By operation id; one of the scopes is enough. Every operation of an API key is here: the start fails when one is missing. */
export const SCOPES_OF: Readonly<Record<string, readonly Scope[]>> = {
  getWallet: ['read', 'addresses', 'webhooks'],
  listBalances: READ,
  listTransactions: READ,
  getStatistics: READ,
  getWalletHealth: READ,
  getReconciliation: READ,
  explainTransaction: READ,
  listDeposits: READ,
  getDeposit: READ,
  getAdjustment: READ,
  getDepositMinimums: READ,
  listAssets: READ,
  getAsset: READ,
  createDepositAddress: ADDRESSES,
  changeDepositAddress: ADDRESSES,
  listDepositAddresses: READ_ADDRESSES,
  getDepositAddress: READ_ADDRESSES,
  registerWebhook: WEBHOOKS,
  listWebhooks: WEBHOOKS,
  getWebhook: WEBHOOKS,
  testWebhook: WEBHOOKS,
  listWebhookDeliveries: WEBHOOKS,
  getWebhookDelivery: WEBHOOKS,
  redeliverWebhook: WEBHOOKS,
  replayWebhook: WEBHOOKS,
  listDepositDeliveries: WEBHOOKS,
  listEvents: WEBHOOKS,
};
