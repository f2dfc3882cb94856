/**
 * Sends the deliveries that are due.
 *
 * | state of a delivery        | row                                     | after a crash                               |
 * |----------------------------|-----------------------------------------|---------------------------------------------|
 * | waits for its turn         | pending, next_attempt_at is its turn    | the same                                    |
 * | claimed, not yet sent      | pending, attempts counted up, leased:   | sent when the lease ends: late, not lost    |
 * |                            | no other claim takes it, committed      |                                             |
 * | given back unsent (limit   | pending, due at once, attempts counted  | the same                                    |
 * | lowered, stalled and no    | down again                              |                                             |
 * | room, lease half over,     |                                         |                                             |
 * | endpoint changed, stopping)|                                         |                                             |
 * | sent, outcome not recorded | claimed, as above                       | sent again when the lease ends: the receiver|
 * |                            |                                         | gets it twice (at least once, same id)      |
 * | recorded, in one statement with the attempt and with all other outcomes of the moment:                            |
 * |   acknowledged (2xx)       | delivered                               | the same: final until somebody redelivers   |
 * |   failed, steps left       | pending, next step of the schedule      | the same                                    |
 * |   failed, none left        | failed: given up, visible in the log    | the same                                    |
 * | endpoint disabled          | pending, claims skip it                 | the same: sent once it is enabled again     |
 * | endpoint deleted           | failed: given up, in batches            | pending, claims skip it; upkeep gives it up |
 *
 * An attempt is identified by its number. If the delivery has changed since (a later attempt was claimed after the
 * lease, the endpoint was deleted), its sender only logs the attempt. When a claim takes over a delivery, it logs the
 * earlier attempt that was not recorded. No transaction is open during a request.
 *
 * Each endpoint has a sender with its own connections and its own limit. A claim takes from every endpoint in turn: an
 * endpoint that hangs occupies its one slot and delays no other endpoint.
 */
import { listen } from '../../db/listen.ts';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../lib/loop.ts';
import { ATTEMPT_TIMEOUT_MS, type OpenPool } from '../../outgoing/post.ts';
import { type Resolve, resolveByDns } from '../../outgoing/resolve-host.ts';
import { deliveryHeaders } from '../events/delivery-headers.ts';
import { WEBHOOK_DUE } from '../store/announce.ts';
import { type ClaimedDelivery, claimDue, release } from '../store/delivery-store.ts';
import { findReceivers } from '../store/endpoint-store.ts';
import {
  createEndpointSenders,
  type EndpointSender,
  type EndpointSenders,
  STALLED_MS,
} from './endpoint-sender.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { endAttempt, traceAttempt } from './trace-attempt.ts';

/** Claimed and not yet recorded, over all endpoints. */
const MAX_OUTSTANDING_PER_PROCESS = 4_096;
/** With less room nothing is claimed, because a claim of a few costs as much as one of many. */
const MIN_ROOM = MAX_OUTSTANDING_PER_PROCESS / 32;
/** Longer than the wait for a slot, an attempt and its recording: otherwise a delivery would be sent twice at once. */
const LEASE_MS = 60_000;
const RECORDING_MS = 15_000;
const POLL_MS = 1_000;
const STOP_GRACE_MS = 5_000;

/** `random` is uniform in [0, 1) and makes the jitter of the schedule. `resolve` and `open_pool` are for tests. */
type Options = { resolve?: Resolve; open_pool?: OpenPool; random?: () => number };

/** Delivers until stopped. It is woken by notifications and by free slots, and looks every second in any case. */
export function startDeliverer(deps: Deps, options: Options = {}): { stop(): Promise<void> } {
  const deliverer = new Deliverer(deps, { ...options, on_room: () => loop.wake() });
  const loop = startLoop({
    name: 'deliverer',
    step: () => deliverer.step(),
    idle_ms: () => (deliverer.short_of_room ? STALLED_MS : POLL_MS),
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics,
  });
  const listener = listen(deps, WEBHOOK_DUE, (changed_endpoint_id) => {
    if (changed_endpoint_id) deliverer.endpointChanged(changed_endpoint_id);
    loop.wake();
  });
  return {
    async stop() {
      await listener.stop();
      await loop.stop();
      await deliverer.stop();
    },
  };
}

/** A deliverer without its loop. `on_room` is called when a claim would find more to send. */
export class Deliverer {
  readonly #deps: Deps;
  readonly #senders: EndpointSenders;
  readonly #recorder: Recorder;
  readonly #on_room: () => void;
  readonly #grace_over = new AbortController();
  /** Attempts that are not recorded yet, and deliveries that are being given back. */
  readonly #running = new Set<Promise<void>>();
  /** Endpoints that changed during the present claim, which may have read them before the change. */
  readonly #changed = new Set<string>();
  #short_of_room = false;

  constructor(deps: Deps, options: Options & { on_room?: () => void } = {}) {
    const { random = Math.random, on_room = () => undefined, ...transport } = options;
    this.#deps = deps;
    this.#senders = createEndpointSenders(deps, { resolve: resolveByDns, ...transport });
    this.#recorder = createRecorder(deps, random, this.#grace_over.signal);
    this.#on_room = on_room;
  }

  /** Nothing was claimed for lack of room. Each delivery that ends makes some. */
  get short_of_room(): boolean {
    return this.#short_of_room;
  }

  /** Claims due deliveries up to the free slots, and starts sending them. Returns false when nothing was claimed. */
  async step(): Promise<boolean> {
    const now = this.#deps.clock.now();
    const room = this.#makeRoom(now);
    this.#short_of_room = room < MIN_ROOM;
    if (this.#short_of_room) return false;
    this.#changed.clear();
    const lease_until = new Date(now.getTime() + LEASE_MS);
    const free = this.#senders.free(now);
    const claimed = await claimDue(this.#deps.db, { now, lease_until, room, free });
    if (claimed.length === 0) return false;
    const claimedOf = Map.groupBy(claimed, ({ endpoint_id }) => endpoint_id);
    const senders: EndpointSender[] = [];
    for (const receiver of await findReceivers(this.#deps.db, [...claimedOf.keys()], now)) {
      const deliveries = claimedOf.get(receiver.endpoint_id) ?? [];
      if (this.#changed.has(receiver.endpoint_id)) {
        this.#giveBack(deliveries);
        continue;
      }
      const sender = this.#senders.of(receiver);
      sender.has_more = deliveries.length === deliveries[0]?.quota;
      sender.waiting.push(...deliveries);
      senders.push(sender);
    }
    // Unproven endpoints come last: connecting to them takes the time of many requests.
    for (const sender of senders.sort((a, b) => Number(a.unproven) - Number(b.unproven))) this.#send(sender);
    return true;
  }

  /** Releases the unsent deliveries of an endpoint that was changed or deleted: they are claimed again as it is now. */
  endpointChanged(endpoint_id: string): void {
    this.#changed.add(endpoint_id);
    this.#giveBack(this.#senders.takeWaiting(endpoint_id));
  }

  /** Resolves when every claimed delivery is recorded or given back. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Releases unsent deliveries and waits up to 5 s for the others. What is left is sent again when its lease ends. */
  async stop(): Promise<void> {
    this.#giveBack(this.#senders.takeWaiting());
    const finished = new AbortController();
    await Promise.race([this.idle(), this.#deps.clock.sleep(STOP_GRACE_MS, finished.signal)]);
    finished.abort();
    this.#grace_over.abort();
    await this.#senders.close();
    await this.idle();
  }

  /**
   * Returns how many deliveries may be claimed. When room is short, it first gives back the deliveries that wait for
   * stalled endpoints.
   */
  #makeRoom(now: Date): number {
    const room = () => MAX_OUTSTANDING_PER_PROCESS - this.#running.size - this.#senders.waiting();
    if (room() < MIN_ROOM) this.#giveBack(this.#senders.takeStalled(now));
    return room();
  }

  /** Sends as many deliveries as have a slot, but none whose lease could end before its outcome is recorded. */
  #send(sender: EndpointSender): void {
    for (let delivery = sender.next(); delivery; delivery = sender.next()) {
      const left_ms = delivery.leased_until.getTime() - this.#deps.clock.now().getTime();
      if (left_ms > ATTEMPT_TIMEOUT_MS + RECORDING_MS)
        this.#run(this.#attempt(sender, delivery), 'delivery not attempted, or its outcome not recorded');
      else this.#giveBack([delivery, ...sender.waiting.splice(0)]);
    }
  }

  async #attempt(sender: EndpointSender, delivery: ClaimedDelivery): Promise<void> {
    const { clock } = this.#deps;
    const started_at = clock.now();
    const request_headers = deliveryHeaders(sender.openKeys, sender.receiver, delivery, started_at);
    const request = { url: sender.receiver.url, headers: request_headers, body: delivery.body };
    if (sender.in_flight++ === 0) sender.unanswered_since_ms = started_at.getTime();
    const span = traceAttempt(this.#deps, sender.receiver.url, delivery);
    const result = await sender.poster.post(request).finally(() => sender.in_flight--);
    endAttempt(span, result);
    if ('abandoned' in result) return;
    const finished_at = clock.now();
    sender.unanswered_since_ms = finished_at.getTime();
    sender.adjustLimit(result, finished_at.getTime() - started_at.getTime());
    if (sender.unproven) this.#giveBack(sender.waiting.splice(0));
    this.#send(sender);
    if (sender.wantsClaim) {
      sender.has_more = false; // until the claim that this asks for is made
      this.#on_room();
    }
    await this.#recorder.record({ delivery, started_at, finished_at, request_headers, result });
  }

  #giveBack(deliveries: ClaimedDelivery[]): void {
    if (deliveries.length > 0)
      this.#run(release(this.#deps.db, deliveries), 'unsent deliveries not given back');
  }

  #run(work: Promise<void>, error_message: string): void {
    const finished = work
      // Whatever the error, the lease ends and the delivery is sent again.
      .catch((error) => this.#deps.log.error({ err: error }, error_message))
      .finally(() => {
        this.#running.delete(finished);
        if (this.#short_of_room) this.#on_room();
      });
    this.#running.add(finished);
  }
}
