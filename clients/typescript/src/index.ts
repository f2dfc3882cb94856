/** What `stellar-teller-client` offers. */
export { type ClientOptions, TellerClient } from './client.ts';
export type * from './contract.ts';
export type { PrivateJwk, ServiceUserKey, ServiceUserSecret, WebCryptoKey } from './credentials.ts';
export type { Csv } from './csv.ts';
export * from './errors.ts';
export type { FollowedEvent, FollowQuery } from './events.ts';
export { bigintAsText, parseExact, stringifyExact } from './exact-json.ts';
export type { Body, Data, Item, Query } from './group.ts';
export type { Hooks, Logger, ReceivedResponse, Retry, SentRequest } from './hooks.ts';
export type { Page, Pages } from './pages.ts';
export type { CallOptions } from './transport.ts';
export { type EventBody, isEvent, type KnownEvent, knownEvent } from './webhooks/event.ts';
export * from './webhooks/verify.ts';
export {
  newIdempotencyKey,
  type ProvenWithdrawal,
  type WaitOptions,
  type WithdrawalOrder,
} from './withdrawals.ts';
