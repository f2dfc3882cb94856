/**
 * What one process keeps of an endpoint while it delivers to it: connections, keys, the deliveries it has claimed, and
 * how many it may hold at a time. Nothing of it outlives the process.
 */
import type { Deps } from '../../deps.ts';
import { parseExemptions } from '../endpoints/public-url.ts';
import type { Resolve } from '../endpoints/resolve.ts';
import type { Job } from './delivery-store.ts';
import { type KeysOf, keysOpenedOnce, type Receiver } from './headers.ts';
import { createPoster, type OpenPool, type Poster, type PostResult } from './post.ts';

/**
 * Claimed and not yet sent or answered, over all endpoints that may hang or are slow, who share it: with so many, the
 * next claim is for the others.
 */
const MAX_SLOW = 2_048;
/** An endpoint without deliveries keeps its connections and slots for so long. */
const KEEP_IDLE_MS = 60_000;
/** Requests in flight to one endpoint. */
const MAX_IN_flight = 16;
/** With those that wait for their turn, to an endpoint that answers at once: a claim for each would be the slower part. */
const MAX_HELD_BY_ENDPOINT = 256;
/** Who answers slower than this gets no deliveries to wait: their leases would run. */
const PROMPT_MS = 1_000;
/** Whoever leaves all its requests unanswered for so long may be hanging. */
export const STALLED_MS = 250;

export class EndpointSender {
  /** As the last claim found it. */
  receiver: Receiver;
  readonly poster: Poster;
  readonly keysOf: KeysOf;
  /** Claimed and not yet sent, in their order. */
  waiting: Job[] = [];
  in_flight = 0;
  used_at_ms = 0;
  /** The last claim may have left something behind, or passed the endpoint over. */
  has_more = false;
  /** When its latest answer came, or what is under way began. */
  heard_at_ms = 0;
  #limit = 1;
  #was_slow = false;

  constructor(receiver: Receiver, poster: Poster, secrets: Deps['secrets']) {
    this.receiver = receiver;
    this.poster = poster;
    this.keysOf = keysOpenedOnce(secrets, receiver.endpoint_id);
  }

  get held(): number {
    return this.waiting.length + this.in_flight;
  }

  /** Its last answer failed to come, or it has never answered: it has one slot, which it may hold for a whole attempt. */
  get unproven(): boolean {
    return this.#limit === 1;
  }

  /** It may hold each of its slots for a whole attempt. */
  get slow(): boolean {
    return this.unproven || this.#was_slow;
  }

  /** How many more to claim; none for a few, which cost a claim as much as many. */
  get free(): number {
    const free = this.#limit - this.held;
    return free >= this.#limit / 4 ? free : 0;
  }

  /** It will be idle soon, though there may be something for it. */
  get hungry(): boolean {
    return this.has_more && this.held <= this.#limit / 2;
  }

  /** The next one to send, if a slot is free. */
  next(): Job | undefined {
    return this.in_flight < Math.min(this.#limit, MAX_IN_flight) ? this.waiting.shift() : undefined;
  }

  /**
   * Slots are earned: twice as many after an acknowledgement, half after a failure, one when no answer came. So an
   * endpoint that hangs holds one slot, however long its backlog.
   */
  learn(result: PostResult, duration_ms: number): void {
    const answered = 'status_code' in result;
    const delivered = answered && isAcknowledged(result.status_code);
    this.#was_slow = duration_ms >= PROMPT_MS;
    const most = this.#was_slow ? MAX_IN_flight : MAX_HELD_BY_ENDPOINT;
    const earned = delivered ? this.#limit * 2 : Math.floor(this.#limit / 2);
    this.#limit = answered ? Math.max(1, Math.min(earned, most)) : 1;
  }

  /** Takes away what waits though no answer has come for a while; until one comes, it counts as slow. */
  takeStalled(now: Date): Job[] {
    if (this.waiting.length === 0 || now.getTime() - this.heard_at_ms < STALLED_MS) return [];
    this.#was_slow = true;
    this.#limit = Math.min(this.#limit, MAX_IN_flight);
    return this.waiting.splice(0);
  }
}

export const isAcknowledged = (status_code: number) => status_code >= 200 && status_code <= 299;

export type EndpointSenders = {
  /** Of an endpoint from which something was claimed, and which is like this now. */
  of(receiver: Receiver): EndpointSender;
  /**
   * How many each may claim now; one that may claim none is hungry as soon as it has room. EndpointSenders that nobody has used for
   * a while are gone after it.
   */
  free(now: Date): Map<string, number>;
  /** How many wait in all of them. */
  waiting(): number;
  /** Takes away all that wait, or all that wait for one endpoint. */
  takeWaiting(endpoint_id?: string): Job[];
  /** Takes away what waits for endpoints that have left all their requests unanswered for a while. */
  takeStalled(now: Date): Job[];
  close(): Promise<void>;
};

export function createEndpointSenders(
  deps: Deps,
  way: { resolve: Resolve; open_pool?: OpenPool },
): EndpointSenders {
  const senders = new Map<string, EndpointSender>();
  const settings = {
    exemptions: parseExemptions(deps.config.webhook_allowed_hosts),
    show_exempt_answers: deps.config.network === 'sandbox',
    clock: deps.clock,
    ...way,
  };

  function dropIdle(now: Date): void {
    for (const [endpoint_id, sender] of senders) {
      if (sender.held === 0 && now.getTime() - sender.used_at_ms > KEEP_IDLE_MS) {
        senders.delete(endpoint_id);
        sender.poster.close().catch((error) => deps.log.debug({ err: error }, 'connections closed badly'));
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
      dropIdle(now);
      const slow = [...senders.values()].filter((sender) => sender.slow);
      const left = MAX_SLOW - slow.reduce((sum, sender) => sum + sender.held, 0);
      const share = Math.max(0, Math.ceil(left / slow.length));
      const free = (sender: EndpointSender) => {
        const slots = sender.slow ? Math.min(sender.free, share) : sender.free;
        if (slots === 0) sender.has_more = true; // maybe: the claim passes it over
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
