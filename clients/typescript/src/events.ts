import { outcomeOf } from './answers.ts';
import { TellerError } from './errors.ts';
import type { Item } from './group.ts';
import { EventsOperations } from './operations.ts';
import { mayRepeat, pause, pauseMs, retryAfterSeconds } from './retries.ts';
import type { CallOptions } from './transport.ts';
import { type EventBody, parseEvent } from './webhooks/event.ts';

/** An event of a wallet. `parsed` is its body, read exactly. */
export type FollowedEvent = Item<'listEvents'> & { parsed: EventBody };

export type FollowQuery = {
  /** The last number that you have handled; 0n begins with the first event, `latest` with the next new one. */
  after: bigint | 'latest';
  /** Only the events of this endpoint, by their `webhook-sequence`. */
  webhook_id?: string;
};

/** As long as the service waits for an event. */
const WAIT_SECONDS = 30;
const TIMEOUT_MS = 60_000;

export class Events extends EventsOperations {
  /**
   * Every event after a number, oldest first and without a gap, for as long as you read: it waits for the next one, and goes
   * on after an outage. Keep `sequence` of each event that you have handled, and continue after it.
   * @throws ApiError for what no waiting mends; the reason of `signal`.
   */
  async *follow(
    wallet_id: string,
    query: FollowQuery,
    options: CallOptions = {},
  ): AsyncGenerator<FollowedEvent, void, undefined> {
    let { after } = query;
    for (let failures = 0; ; ) {
      try {
        const asked = { ...query, after, wait_seconds: WAIT_SECONDS };
        const given = { timeout_ms: TIMEOUT_MS, ...options };
        const { data, headers } = await this.send('listEvents', { id: wallet_id }, asked, given);
        const { items, next_after } = data as { items: Item<'listEvents'>[]; next_after: bigint };
        failures = 0;
        for (const item of items) yield { ...item, parsed: parseEvent(item.body) };
        after = next_after;
        // The service had no place for a request that waits.
        const wait_seconds = items.length === 0 ? retryAfterSeconds(headers.get('retry-after')) : null;
        if (wait_seconds !== null) await pause(wait_seconds * 1_000, options.signal);
      } catch (error) {
        if (!(error instanceof TellerError) || !mayRepeat(true, outcomeOf(error))) throw error;
        await pause(pauseMs(Math.min(++failures, 10), null, Math.random()) ?? 0, options.signal);
      }
    }
  }
}
