/**
 * Deliverers and their database are killed, stopped and frozen at random while events are entered for receivers of which
 * many misbehave. Then all of it runs again, the receivers calm down but for two, and every pair is looked at.
 */
import { setTimeout } from 'node:timers/promises';
import { endLeases } from '../../../src/webhooks/delivery-store.ts';
import { eventually } from '../../support/eventually.ts';
import { type Random, seededRandom } from '../../support/random.ts';
import { inDirectoryOfRun } from '../directory.ts';
import { type Journal, newJournal, reportOf, strikeAll } from '../victim.ts';
import { violations } from './checks.ts';
import { addWallets, createWebhookCluster, type WebhookCluster } from './cluster.ts';
import { enterEvents } from './events.ts';
import { type Evidence, gather } from './evidence.ts';
import { BEHAVIOURS, type Receivers, startReceivers } from './receivers.ts';
import { summary } from './summary.ts';
import { tamperings } from './tamper.ts';

export type WebhookChaosOptions = {
  seed: string;
  /** Of an event and an endpoint; rounded up to whole events. */
  pairs: number;
  deliverers: number;
  /** Of the blows, while events are entered; start, rest and checks come on top. */
  length_ms: number;
  /** Else the leases of killed deliverers, a minute, are ended by hand, when all of them are dead. */
  wait_for_leases: boolean;
  say(line: string): void;
};

const WALLETS = 5;
/** Of the events: before the first blow. */
const FAULTLESS_SHARE = 0.1;
/** Of the first wallet, whose worst endpoints get few requests at a time until everything is given up. */
const WORST_SHARE = 0.05;
/** Events go on coming for so much of the blows: what comes last meets them too. */
const ENTERING_SHARE = 0.9;
const REST_WITHIN_MS = 300_000;

/** What is wrong, in words; then, and when it throws, the files of the run are kept, and `say` tells where. */
export function runWebhookChaos(options: WebhookChaosOptions): Promise<string[]> {
  const { seed, deliverers } = options;
  const random = seededRandom(seed);
  const journal = newJournal();
  return inDirectoryOfRun(options, async (dir, doomed) => {
    const doom = (...victims: typeof doomed) => void doomed.push(...victims);
    const cluster = await createWebhookCluster({ dir, deliverers }, random.fork('cluster'), journal, doom);
    const receivers = await startReceivers(random.fork('receivers'));
    try {
      return await run({ cluster, journal, receivers, random }, options);
    } finally {
      await receivers.close();
      await cluster.close();
    }
  });
}

type Parts = { cluster: WebhookCluster; journal: Journal; receivers: Receivers; random: Random };

async function run(parts: Parts, options: WebhookChaosOptions): Promise<string[]> {
  const { cluster, journal, receivers, random } = parts;
  const { say, length_ms, wait_for_leases } = options;
  const { deps } = cluster;
  const endpoints = await addWallets(deps, WALLETS, receivers.url);
  const [worst = '', ...others] = new Set(endpoints.map(({ wallet_id }) => wallet_id));
  const events = Math.ceil(options.pairs / BEHAVIOURS.length);
  const before = Math.round(events * FAULTLESS_SHARE);
  const enter = (count: number, over_ms: number, faultless: boolean) => {
    const draws = random.fork(`events ${faultless}`);
    const pickWallet = () => (draws.chance(WORST_SHARE) ? worst : draws.pick(others));
    return enterEvents(deps, pickWallet, { events: count, over_ms, faultless }, draws);
  };

  await cluster.start();
  const calm = await enter(before, 0, true);
  await rest(parts, []);

  receivers.set('foul');
  const [foul] = await Promise.all([
    enter(events - before, length_ms * ENTERING_SHARE, false),
    strikeAll(cluster, journal, random, length_ms),
  ]);

  receivers.set('calm');
  const calmed = performance.now();
  if (!wait_for_leases) {
    await killAll(cluster);
    await endLeases(deps.db, deps.clock.now());
    await cluster.start();
  }
  const hanging = endpoints.filter(({ behaviour }) => behaviour === 'hanging').map(({ id }) => id);
  await rest(parts, hanging);
  const rested_ms = Math.round(performance.now() - calmed);
  await killAll(cluster); // none is left to change what is looked at

  const { retry_seconds } = cluster;
  const entered = [...calm.entered, ...foul.entered];
  const { rolled_back } = foul;
  const witnesses = { retry_seconds, endpoints, entered, rolled_back, receipts: receivers.receipts };
  const evidence = await gather(deps.db, witnesses);
  for (const line of reportOf(journal)) say(line);
  for (const line of summary(evidence)) say(line);
  say(`transactions entered again ${foul.entered_again}; rest after ${rested_ms} ms`);
  const found = violations(evidence);
  return [...found, ...(found.length === 0 ? unnoticed(evidence) : []), ...journal.trouble];
}

async function killAll({ deliverers }: WebhookCluster): Promise<void> {
  await Promise.all(deliverers.map((deliverer) => deliverer.kill()));
}

/** Until nothing is pending but what goes to these. */
async function rest({ cluster }: Parts, except: string[]): Promise<void> {
  const pending = () =>
    cluster.deps.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('status', '=', 'pending')
      .$if(except.length > 0, (query) => query.where('endpoint_id', 'not in', except))
      .limit(1)
      .executeTakeFirst();
  await eventually('every delivery settled', async () => !(await pending()), REST_WITHIN_MS);
  await setTimeout(QUIET_MS);
}

/** Whoever would send something again has the time to. */
const QUIET_MS = 1_500;

/** A check that cannot fail proves nothing: each falsification of this very evidence must be noticed. */
function unnoticed(evidence: Evidence): string[] {
  return tamperings(evidence)
    .filter(({ evidence: tampered, notice }) => !violations(tampered).some((line) => notice.test(line)))
    .map(({ name }) => `nobody noticed: ${name}`);
}
