/** Measures how much 50 endpoints that hang delay 50 healthy ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './catch-up-world.ts';
import { nowMs, quantile } from './measure.ts';
import { MASTER_KEY, type WebhookDatabase, webhookDatabase } from './webhooks-database.ts';
import type { Received, ReceiverReady } from './webhooks-receiver.ts';
import type { SenderOrder } from './webhooks-sender.ts';
import type { Databases } from './withdrawals-world.ts';

/** Figures of the healthy endpoints, one for each round. */
export type Isolation = { p99_ms: number[]; per_second: number[] };

const HEALTHY = 50;
/** Commits with one event for each endpoint: so many that one pause of a process does not decide the p99. */
const COMMITS = 200;
const COMMIT_INTERVAL_MS = 50;
/** Deliveries to healthy endpoints that are due at once. */
const BACKLOG = 10_000;

type Case = { database: WebhookDatabase; sender: Child; endpoints: number; figures: Isolation };

/** Runs rounds of both cases in turn, after one warm-up. Endpoints that hang get as many events as healthy ones. */
export async function isolation(
  databases: Databases,
  receiver: Child,
  sender: (order: SenderOrder) => Promise<Child>,
  rounds: number,
): Promise<{ without: Isolation; beside: Isolation }> {
  const { url } = receiver.ready as ReceiverReady;
  const urlOf = (_: unknown, index: number) => `${url}/${index < HEALTHY ? 'hook' : 'hang'}/${index}`;
  const caseOf = async (endpoints: number): Promise<Case> => {
    const database = await webhookDatabase(databases, Array.from({ length: endpoints }, urlOf));
    const master_key = MASTER_KEY.toString('base64');
    const started = await sender({ way: 'deliverer', database_url: database.url, master_key });
    return { database, sender: started, endpoints, figures: { p99_ms: [], per_second: [] } };
  };
  const [without, beside] = [await caseOf(HEALTHY), await caseOf(HEALTHY * 2)];
  await receiver.ask({}); // drops earlier requests
  for (let round = 0; round <= rounds; round++) {
    for (const each of [without, beside]) {
      const p99_ms = await p99(each, receiver);
      const per_second = await throughput(each, receiver);
      const name = round === 0 ? 'warm-up' : `round ${round}`;
      console.error(
        `${name}, ${each.endpoints} endpoints: p99 ${p99_ms.toFixed(1)} ms, ${per_second.toFixed(0)}/s`,
      );
      if (round === 0) continue;
      each.figures.p99_ms.push(p99_ms);
      each.figures.per_second.push(per_second);
    }
  }
  for (const { database, sender: started } of [without, beside]) {
    started.stop();
    await database.close();
  }
  return { without: without.figures, beside: beside.figures };
}

async function p99({ database, endpoints }: Case, receiver: Child): Promise<number> {
  const committed = new Map<number, number>();
  for (let commit = 0; commit < COMMITS; commit++) {
    const at_ms = await database.fill(endpoints);
    committed.set(at_ms, nowMs());
    await sleep(COMMIT_INTERVAL_MS);
  }
  const received = await receivedAll(receiver, COMMITS * HEALTHY);
  const waits_ms = received.map(({ at_ms, came_ms }) => came_ms - (committed.get(at_ms) ?? Number.NaN));
  return quantile(waits_ms, 0.99);
}

async function throughput({ database, endpoints }: Case, receiver: Child): Promise<number> {
  await database.fill((BACKLOG * endpoints) / HEALTHY);
  const began = performance.now();
  await receivedAll(receiver, BACKLOG);
  return (BACKLOG / (performance.now() - began)) * 1000;
}

/** Waits until the receiver has got `wanted` requests. */
async function receivedAll(receiver: Child, wanted: number): Promise<Received['came']> {
  const all: Received['came'] = [];
  while (all.length < wanted) {
    all.push(...((await receiver.ask({})) as Received).came);
    await sleep(10);
  }
  return all;
}
