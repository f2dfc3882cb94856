/**
 * Sends the deliveries that are due.
 *
 * | state of a delivery        | row                                     | what a crash leaves                         |
 * |----------------------------|-----------------------------------------|---------------------------------------------|
 * | waiting                    | pending, next_attempt_at is its turn    | the same                                    |
 * | claimed, not yet sent      | pending, attempts counted up, leased:   | sent when the lease ends: late, not lost    |
 * |                            | out of reach until it ends, committed   |                                             |
 * | given back unsent (slots   | pending, due at once, attempts counted  | the same                                    |
 * | lost, stalled and no room, | down again                              |                                             |
 * | lease half over, stopping) |                                         |                                             |
 * | sent, outcome not recorded | claimed, as above                       | sent again when the lease ends: the receiver|
 * |                            |                                         | gets it twice (at least once, same id)      |
 * | recorded, in one statement with the attempt and with whatever else ended meanwhile:                               |
 * |   acknowledged (2xx)       | delivered                               | the same: final until somebody redelivers   |
 * |   failed, steps left       | pending, next step of the schedule      | the same                                    |
 * |   failed, none left        | failed: given up, visible in the log    | the same                                    |
 * | endpoint disabled          | pending, passed over by claims          | the same: sent once it is enabled again     |
 * | endpoint deleted           | failed: given up, in batches            | pending, passed over; upkeep gives it up    |
 *
 * An attempt is known by its number. Whoever finds that the delivery has moved on (a later attempt was claimed after
 * the lease, somebody deleted the endpoint) only logs its attempt. An attempt that nobody recorded is logged as such
 * by the claim that takes it over. No transaction is open while a request is.
 *
 * Each endpoint has a sender: connections and slots of its own, as many as it has earned. A claim takes from every
 * endpoint in turn, so one that hangs fills its one slot and waits, and the others do not notice.
 */
import { listen } from '../../db/listen.ts';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../lib/loop.ts';
import { findReceivers } from '../endpoints/endpoint-store.ts';
import { type Resolve, resolveByDns } from '../endpoints/resolve.ts';
import { claimDue, type Job, release, WEBHOOK_DUE } from './delivery-store.ts';
import { createEndpointSenders, type EndpointSender, STALLED_MS } from './endpoint-sender.ts';
import { deliveryHeaders } from './headers.ts';
import { ATTEMPT_TIMEOUT_MS, type OpenPool } from './post.ts';
import { createRecorder } from './record.ts';

/** Claimed and not recorded, over all endpoints. */
const MAX_HELD_BY_PROCESS = 4_096;
/** With less room nothing is claimed: a few cost a claim as much as many. */
const LEAST_ROOM = MAX_HELD_BY_PROCESS / 32;
/** Longer than waiting for a slot, an attempt and its recording, or a delivery would be sent while it is being sent. */
const LEASE_MS = 60_000;
const RECORDING_MS = 15_000;
const POLL_MS = 1_000;
const STOP_GRACE_MS = 5_000;

export type Deliverer = {
  /** Claims what is due, as far as slots are free, and starts sending it. False when there was nothing. */
  step(): Promise<boolean>;
  /** Nothing was claimed for lack of room. */
  readonly short_of_room: boolean;
  /** The endpoint has changed: what was claimed for it as it was, and is not sent yet, is claimed again. */
  letGo(endpoint_id: string): void;
  /** Resolves when nothing is claimed that is not recorded. */
  idle(): Promise<void>;
  /** Gives back what was not sent, waits up to 5 s for the rest, which else is sent again when its lease ends. */
  stop(): Promise<void>;
};

/** `random` (uniform in [0, 1)) makes the jitter. */
type Options = { resolve?: Resolve; open_pool?: OpenPool; random?: () => number };

/** Delivers until stopped: woken by a notification, by slots that became free, and every second in any case. */
export function startDeliverer(deps: Deps, options: Options = {}): { stop(): Promise<void> } {
  const deliverer = createDeliverer(deps, { ...options, on_room: () => loop.wake() });
  const loop = startLoop({
    name: 'deliverer',
    step: () => deliverer.step(),
    idle_ms: () => (deliverer.short_of_room ? STALLED_MS : POLL_MS),
    clock: deps.clock,
    log: deps.log,
  });
  const listener = listen(deps, WEBHOOK_DUE, (changed_endpoint_id) => {
    if (changed_endpoint_id) deliverer.letGo(changed_endpoint_id);
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

/** The parts of a deliverer without its loop. */
export function createDeliverer(deps: Deps, options: Options & { on_room?: () => void } = {}): Deliverer {
  const { random = Math.random, on_room, ...way } = options;
  const { clock } = deps;
  const senders = createEndpointSenders(deps, { resolve: resolveByDns, ...way });
  const graceOver = new AbortController();
  const recorder = createRecorder(deps, random, graceOver.signal);
  /** Sent and not yet recorded, or being given back. */
  const running = new Set<Promise<void>>();
  /** Nothing was claimed for lack of room: whatever ends makes some, of whichever endpoint it is. */
  let short_of_room = false;
  /** Changed while a claim is under way, which may have read them as they were. */
  const changed = new Set<string>();

  function run(work: Promise<void>, what: string): void {
    const finished = work
      // In every case here the lease ends, and the delivery is sent again.
      .catch((error) => deps.log.error({ err: error }, what))
      .finally(() => {
        running.delete(finished);
        if (short_of_room) on_room?.();
      });
    running.add(finished);
  }

  async function giveBack(jobs: Job[]): Promise<void> {
    if (jobs.length > 0) await release(deps.db, jobs);
  }

  /** Sends as many as have a slot. None whose lease could end before its outcome is recorded. */
  function send(sender: EndpointSender): void {
    for (let job = sender.next(); job; job = sender.next()) {
      const left_ms = job.leased_until.getTime() - clock.now().getTime();
      if (left_ms > ATTEMPT_TIMEOUT_MS + RECORDING_MS)
        run(attempt(sender, job), 'attempt not made or not recorded');
      else run(giveBack([job, ...sender.waiting.splice(0)]), 'deliveries not given back');
    }
  }

  async function attempt(sender: EndpointSender, job: Job): Promise<void> {
    const started_at = clock.now();
    const request = requestOf(sender, job, started_at);
    if (sender.in_flight++ === 0) sender.heard_at_ms = started_at.getTime();
    const result = await sender.poster.post(request).finally(() => sender.in_flight--);
    if ('abandoned' in result) return;
    const finished_at = clock.now();
    sender.heard_at_ms = finished_at.getTime();
    sender.learn(result, finished_at.getTime() - started_at.getTime());
    if (sender.unproven && sender.waiting.length > 0)
      run(giveBack(sender.waiting.splice(0)), 'deliveries not given back');
    send(sender);
    if (sender.hungry) {
      sender.has_more = false; // until the claim that this asks for has looked
      on_room?.();
    }
    await recorder.record({ job, started_at, finished_at, request_headers: request.headers, result });
  }

  /** How much may be claimed. What waits for endpoints that hang makes way: it would fill all of it for a whole attempt. */
  function makeRoom(now: Date): number {
    const room = () => MAX_HELD_BY_PROCESS - running.size - senders.waiting();
    const stalled = room() < LEAST_ROOM ? senders.takeStalled(now) : [];
    if (stalled.length > 0) run(giveBack(stalled), 'deliveries not given back');
    return room();
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    async step() {
      const now = clock.now();
      const room = makeRoom(now);
      short_of_room = room < LEAST_ROOM;
      if (short_of_room) return false;
      changed.clear();
      const lease_until = new Date(now.getTime() + LEASE_MS);
      const jobs = await claimDue(deps.db, { now, lease_until, room, free: senders.free(now) });
      if (jobs.length === 0) return false;
      const jobsOf = Map.groupBy(jobs, (job) => job.endpoint_id);
      const claimedFor: EndpointSender[] = [];
      for (const receiver of await findReceivers(deps.db, [...jobsOf.keys()], now)) {
        const claimed = jobsOf.get(receiver.endpoint_id) ?? [];
        if (changed.has(receiver.endpoint_id)) {
          run(giveBack(claimed), 'deliveries not given back');
          continue;
        }
        const sender = senders.of(receiver);
        sender.has_more = claimed.length === claimed[0]?.quota;
        sender.waiting.push(...claimed);
        claimedFor.push(sender);
      }
      // Who answers comes first: who may hang has to be connected to, which takes the time of many requests.
      for (const sender of claimedFor.sort((a, b) => Number(a.unproven) - Number(b.unproven))) send(sender);
      return true;
    },
    get short_of_room() {
      return short_of_room;
    },
    letGo(endpoint_id) {
      changed.add(endpoint_id);
      run(giveBack(senders.takeWaiting(endpoint_id)), 'deliveries not given back');
    },
    idle,
    async stop() {
      run(giveBack(senders.takeWaiting()), 'deliveries not given back');
      const finished = new AbortController();
      await Promise.race([idle(), clock.sleep(STOP_GRACE_MS, finished.signal)]);
      finished.abort();
      graceOver.abort();
      await senders.close();
      await idle();
    },
  };
}

/** The stored bytes, signed with the secrets as they were last claimed. The event's id stays the same on every attempt. */
function requestOf(sender: EndpointSender, job: Job, now: Date) {
  const headers = deliveryHeaders(sender.keysOf, sender.receiver, job, now);
  return { url: sender.receiver.url, headers, body: job.body };
}
