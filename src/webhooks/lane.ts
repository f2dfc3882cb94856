/**
 * What one process keeps of an endpoint while it delivers to it: connections, keys, the deliveries it has claimed, and
 * how many it may hold at a time. Nothing of it outlives the process.
 */
import type { Deps } from '../deps.ts';
import type { Job } from './delivery-store.ts';
import { type KeysOf, keysOpenedOnce, type Receiver } from './headers.ts';
import { createPoster, type OpenPool, type Poster, type PostResult } from './post.ts';
import { parseExemptions } from './public-url.ts';
import type { Resolve } from './resolve.ts';

/**
 * Claimed and not yet sent or answered, over all endpoints that may hang or are slow, who share it: with so many, the
 * next claim is for the others.
 */
const MAX_SLOW = 2_048;
/** An endpoint without deliveries keeps its connections and slots for so long. */
const KEEP_IDLE_MS = 60_000;
/** Requests in flight to one endpoint. */
const MAX_IN_FLIGHT = 16;
/** With those that wait for their turn, to an endpoint that answers at once: a claim for each would be the slower part. */
const MAX_HELD = 256;
/** Who answers slower than this gets no deliveries to wait: their leases would run. */
const PROMPT_MS = 1_000;
/** Whoever leaves all its requests unanswered for so long may be hanging. */
export const STALLED_MS = 250;

export class Lane {
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
    return this.in_flight < Math.min(this.#limit, MAX_IN_FLIGHT) ? this.waiting.shift() : undefined;
  }

  /**
   * Slots are earned: twice as many after an acknowledgement, half after a failure, one when no answer came. So an
   * endpoint that hangs holds one slot, however long its backlog.
   */
  learn(result: PostResult, duration_ms: number): void {
    const answered = 'status_code' in result;
    const delivered = answered && isAcknowledged(result.status_code);
    this.#was_slow = duration_ms >= PROMPT_MS;
    const most = this.#was_slow ? MAX_IN_FLIGHT : MAX_HELD;
    const earned = delivered ? this.#limit * 2 : Math.floor(this.#limit / 2);
    this.#limit = answered ? Math.max(1, Math.min(earned, most)) : 1;
  }

  /** Takes away what waits though no answer has come for a while; until one comes, it counts as slow. */
  takeStalled(now: Date): Job[] {
    if (this.waiting.length === 0 || now.getTime() - this.heard_at_ms < STALLED_MS) return [];
    this.#was_slow = true;
    this.#limit = Math.min(this.#limit, MAX_IN_FLIGHT);
    return this.waiting.splice(0);
  }
}

export const isAcknowledged = (status_code: number) => status_code >= 200 && status_code <= 299;

export type Lanes = {
  /** Of an endpoint from which something was claimed, and which is like this now. */
  of(receiver: Receiver): Lane;
  /**
   * How many each may claim now; one that may claim none is hungry as soon as it has room. Lanes that nobody has used for
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

export function createLanes(deps: Deps, way: { resolve: Resolve; open_pool?: OpenPool }): Lanes {
  const lanes = new Map<string, Lane>();
  const settings = {
    exemptions: parseExemptions(deps.config.webhook_allowed_hosts),
    show_exempt_answers: deps.config.network === 'sandbox',
    clock: deps.clock,
    ...way,
  };

  function dropIdle(now: Date): void {
    for (const [endpoint_id, lane] of lanes) {
      if (lane.held === 0 && now.getTime() - lane.used_at_ms > KEEP_IDLE_MS) {
        lanes.delete(endpoint_id);
        lane.poster.close().catch((error) => deps.log.debug({ err: error }, 'connections closed badly'));
      }
    }
  }

  return {
    of(receiver) {
      const lane =
        lanes.get(receiver.endpoint_id) ?? new Lane(receiver, createPoster(settings), deps.secrets);
      lane.receiver = receiver;
      lane.used_at_ms = deps.clock.now().getTime();
      lanes.set(receiver.endpoint_id, lane);
      return lane;
    },
    free(now) {
      dropIdle(now);
      const slow = [...lanes.values()].filter((lane) => lane.slow);
      const left = MAX_SLOW - slow.reduce((sum, lane) => sum + lane.held, 0);
      const share = Math.max(0, Math.ceil(left / slow.length));
      const free = (lane: Lane) => {
        const slots = lane.slow ? Math.min(lane.free, share) : lane.free;
        if (slots === 0) lane.has_more = true; // maybe: the claim passes it over
        return slots;
      };
      return new Map(lanes.entries().map(([endpoint_id, lane]) => [endpoint_id, free(lane)]));
    },
    waiting: () => lanes.values().reduce((sum, lane) => sum + lane.waiting.length, 0),
    takeWaiting(endpoint_id) {
      const one = lanes.get(endpoint_id ?? '');
      const emptied = endpoint_id === undefined ? [...lanes.values()] : one ? [one] : [];
      return emptied.flatMap((lane) => lane.waiting.splice(0));
    },
    takeStalled: (now) => [...lanes.values()].flatMap((lane) => lane.takeStalled(now)),
    async close() {
      await Promise.all(lanes.values().map((lane) => lane.poster.close()));
    },
  };
}
