/**
 * The state that one process keeps of an endpoint while it delivers to it: connections, keys, claimed deliveries, and a
 * limit for claims. This state ends with the process.
 *
 * Words: *waiting* is claimed and not sent, *in flight* is sent and not answered, *outstanding* is both together.
 */
import type { Deps } from '../../deps.ts';
import {
  createPoster,
  isAcknowledged,
  type OpenPool,
  type Poster,
  type PostResult,
} from '../../outgoing/post.ts';
import { parseExemptions } from '../../outgoing/public-url.ts';
import type { Resolve } from '../../outgoing/resolve-host.ts';
import { createKeyCache, type OpenKeys } from '../events/delivery-headers.ts';
import type { ClaimedDelivery } from '../store/delivery-store.ts';
import type { Receiver } from '../store/endpoint-store.ts';

/** Outstanding deliveries of all slow endpoints together: the rest of the process's room is for the others. */
const MAX_OUTSTANDING_SLOW = 2_048;
/** Outstanding deliveries of one endpoint that answers at once: with fewer, claiming would be the slower part. */
const MAX_OUTSTANDING_PER_ENDPOINT = 256;
/** Requests in flight to one endpoint. */
const MAX_IN_FLIGHT = 16;
/** A sender without outstanding deliveries keeps its connections and its limit for so long. */
const KEEP_IDLE_MS = 60_000;
/** An endpoint that answers more slowly gets no waiting deliveries: their leases would run. */
const PROMPT_MS = 1_000;
/** An endpoint that has left all its requests unanswered for so long may be hanging. */
export const STALLED_MS = 250;

export class EndpointSender {
  /** As the last claim read it. */
  receiver: Receiver;
  readonly poster: Poster;
  readonly openKeys: OpenKeys;
  /** In the order in which they are sent. */
  waiting: ClaimedDelivery[] = [];
  in_flight = 0;
  used_at_ms = 0;
  /** The last claim may have left due deliveries of this endpoint. */
  has_more = false;
  /** The time of the latest answer, or when the first of the requests in flight began. */
  unanswered_since_ms = 0;
  #limit = 1;
  #was_slow = false;

  constructor(receiver: Receiver, poster: Poster, secrets: Deps['secrets']) {
    this.receiver = receiver;
    this.poster = poster;
    this.openKeys = createKeyCache(secrets, receiver.endpoint_id);
  }

  get outstanding(): number {
    return this.waiting.length + this.in_flight;
  }

  /**
   * The endpoint has never answered, or it did not answer the last request. It has one slot, and a request may use
   * it until the timeout.
   */
  get unproven(): boolean {
    return this.#limit === 1;
  }

  /** Each request may take until the timeout. */
  get slow(): boolean {
    return this.unproven || this.#was_slow;
  }

  /** How many more to claim. 0 when it would be only a few: a claim of a few costs as much as a claim of many. */
  get free(): number {
    const free = this.#limit - this.outstanding;
    return free >= this.#limit / 4 ? free : 0;
  }

  /** The sender will soon be idle although the endpoint may have due deliveries. */
  get wantsClaim(): boolean {
    return this.has_more && this.outstanding <= this.#limit / 2;
  }

  /** Takes the next delivery to send, if a slot is free. */
  next(): ClaimedDelivery | undefined {
    return this.in_flight < Math.min(this.#limit, MAX_IN_FLIGHT) ? this.waiting.shift() : undefined;
  }

  /**
   * Doubles the limit after an acknowledgement and halves it after another answer; without an answer it becomes 1. So an
   * endpoint that hangs occupies one slot, however long its backlog.
   */
  adjustLimit(result: PostResult, duration_ms: number): void {
    const answered = 'status_code' in result;
    const delivered = answered && isAcknowledged(result.status_code);
    this.#was_slow = duration_ms >= PROMPT_MS;
    const most = this.#was_slow ? MAX_IN_FLIGHT : MAX_OUTSTANDING_PER_ENDPOINT;
    const earned = delivered ? this.#limit * 2 : Math.floor(this.#limit / 2);
    this.#limit = answered ? Math.max(1, Math.min(earned, most)) : 1;
  }

  /** Removes and returns the waiting deliveries if no answer has come for STALLED_MS; the endpoint is slow until one comes. */
  takeStalled(now: Date): ClaimedDelivery[] {
    if (this.waiting.length === 0 || now.getTime() - this.unanswered_since_ms < STALLED_MS) return [];
    this.#was_slow = true;
    this.#limit = Math.min(this.#limit, MAX_IN_FLIGHT);
    return this.waiting.splice(0);
  }
}

export type EndpointSenders = {
  /** Returns the sender of an endpoint for which deliveries were claimed; `receiver` is the endpoint as it is now. */
  of(receiver: Receiver): EndpointSender;
  /**
   * Returns how many deliveries each known endpoint may claim now. An endpoint that may claim none asks for a claim as soon as it
   * has room. Closes senders that were idle for a while.
   */
  free(now: Date): Map<string, number>;
  /** Counts the deliveries that wait in all senders. */
  waiting(): number;
  /** Removes and returns all waiting deliveries, or those of one endpoint. */
  takeWaiting(endpoint_id?: string): ClaimedDelivery[];
  /** Removes and returns the waiting deliveries of endpoints that have left all their requests unanswered for a while. */
  takeStalled(now: Date): ClaimedDelivery[];
  close(): Promise<void>;
};

/** Creates the senders. `resolve` and `open_pool` are for tests and simulations. */
export function createEndpointSenders(
  deps: Deps,
  transport: { resolve: Resolve; open_pool?: OpenPool },
): EndpointSenders {
  const senders = new Map<string, EndpointSender>();
  const settings = {
    exemptions: parseExemptions(deps.config.webhook_allowed_hosts),
    show_exempt_answers: deps.config.network === 'sandbox',
    clock: deps.clock,
    ...transport,
  };

  function closeIdle(now: Date): void {
    for (const [endpoint_id, sender] of senders) {
      if (sender.outstanding === 0 && now.getTime() - sender.used_at_ms > KEEP_IDLE_MS) {
        senders.delete(endpoint_id);
        sender.poster
          .close()
          .catch((error) => deps.log.debug({ err: error }, 'connections to a webhook endpoint not closed'));
      }
    }
  }

  return {
    of(receiver) {
      const sender =
        senders.get(receiver.endpoint_id) ??
        new EndpointSender(receiver, createPoster(settings), deps.secrets);
      sender.receiver = receiver;
      sender.used_at_ms = deps.clock.now().getTime();
      senders.set(receiver.endpoint_id, sender);
      return sender;
    },
    free(now) {
      closeIdle(now);
      const slow = [...senders.values()].filter((sender) => sender.slow);
      const left = MAX_OUTSTANDING_SLOW - slow.reduce((sum, sender) => sum + sender.outstanding, 0);
      const share = Math.max(0, Math.ceil(left / slow.length));
      const free = (sender: EndpointSender) => {
        const slots = sender.slow ? Math.min(sender.free, share) : sender.free;
        if (slots === 0) sender.has_more = true; // perhaps: the claim skips the endpoint
        return slots;
      };
      return new Map(senders.entries().map(([endpoint_id, sender]) => [endpoint_id, free(sender)]));
    },
    waiting: () => senders.values().reduce((sum, sender) => sum + sender.waiting.length, 0),
    takeWaiting(endpoint_id) {
      const one = senders.get(endpoint_id ?? '');
      const emptied = endpoint_id === undefined ? [...senders.values()] : one ? [one] : [];
      return emptied.flatMap((sender) => sender.waiting.splice(0));
    },
    takeStalled: (now) => [...senders.values()].flatMap((sender) => sender.takeStalled(now)),
    async close() {
      await Promise.all(senders.values().map((sender) => sender.poster.close()));
    },
  };
}
