/** The types of events. An endpoint chooses among the first; the second are sent on request only. */

/** In the order in which people read about them. */
export const EVENT_TYPES = [
  'deposit.created',
  'deposit.unattributed',
  'withdrawal.confirmed',
  'withdrawal.failed',
  'withdrawal.awaiting_approval',
  'payout.completed',
  'asset.changed',
  'endpoint.disabled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What an endpoint gets when nobody chooses. */
export const DEFAULT_EVENTS: EventType[] = ['deposit.created'];

/** Recorded for every wallet, whether or not an endpoint gets it: readers of the wallet's events rely on it. */
export const ALWAYS_RECORDED: EventType = 'deposit.created';

/** `deposit.test` is the short name of `deposit.created.test`, and the older one. */
export const TEST_EVENTS = [
  'ping',
  'deposit.test',
  ...EVENT_TYPES.map((type) => `${type}.test` as const),
] as const;
export type TestEvent = (typeof TEST_EVENTS)[number];
