import { type Answered, mayAskAgain, retryAfterOf, unexpected } from './answers.ts';
import { TellerError } from './errors.ts';
import type { Item } from './group.ts';
import { EventsOperations } from './operations.ts';
import { pause, retryAfterSeconds, waitMs } from './retries.ts';
import type { CallOptions } from './transport.ts';
import { type EventBody, parseEvent } from './webhooks/event.ts';

/** An event of a wallet. `parsed` is its body, read exactly. */
export type FollowedEvent = Item<'listEvents'> & { parsed: EventBody };

export type FollowQuery = {
  /**
   * The last number that you have handled; 0n begins with the first event, `latest` with the first one after the service has
   * answered.
   */
  after: bigint | 'latest';
  /** Only the events of this endpoint, by their `webhook-sequence`. */
  webhook_id?: string;
};

/** As long as the service waits for an event. */
const WAIT_SECONDS = 30;

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
        // A request for the latest does not wait: until its answer is here there is no number to go on from.
        const asked = { ...query, after, ...(after !== 'latest' && { wait_seconds: WAIT_SECONDS }) };
        const answer = await this.send('listEvents', { id: wallet_id }, asked, options);
        const { events, next_after } = readPage(answer);
        failures = 0;
        yield* events;
        after = next_after;
        // The service had no place for a request that waits.
        const asked_seconds =
          events.length === 0 ? retryAfterSeconds(answer.headers.get('retry-after')) : null;
        if (asked_seconds !== null) await pause(waitMs(1, asked_seconds, Math.random()), options.signal);
      } catch (error) {
        if (!(error instanceof TellerError) || !mayAskAgain(error, true)) throw error;
        await pause(waitMs(++failures, retryAfterOf(error), Math.random()), options.signal);
      }
    }
  }
}

/** @throws UnexpectedAnswerError for what is no list of events */
function readPage(answer: Answered): { events: FollowedEvent[]; next_after: bigint } {
  const { items, next_after } = answer.data as { items: Item<'listEvents'>[]; next_after: bigint };
  if (!Array.isArray(items) || typeof next_after !== 'bigint')
    throw unexpected(answer, 'is no list of events');
  try {
    return { events: items.map((item) => ({ ...item, parsed: parseEvent(item.body) })), next_after };
  } catch {
    throw unexpected(answer, 'has an event that is not readable');
  }
}
