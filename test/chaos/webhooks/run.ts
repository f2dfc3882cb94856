/**
 * Deliverers and their database are killed, stopped and frozen at random while events are entered for receivers of which
 * many misbehave. Then all of it runs again, the receivers calm down but for two, and every pair is looked at.
 */
import { setTimeout } from 'node:timers/promises';
import type { Deps } from '../../../src/deps.ts';
import { endLeases } from '../../../src/webhooks/store/delivery-store.ts';
import { eventually } from '../../support/eventually.ts';
import { type Random, seededRandom } from '../../support/random.ts';
import { type Journal, newJournal, reportOf, strikeAll } from '../chaos-target.ts';
import { inDirectoryOfRun } from '../directory.ts';
import { violations } from './checks.ts';
import { addWallets, createWebhookCluster, type WebhookCluster } from './cluster.ts';
import { enterEvents } from './events.ts';
import { type Endpoint, gather, type WebhookChaosEvidence } from './evidence.ts';
import { BEHAVIOURS, type Receivers, startReceivers } from './receivers.ts';
import { summary } from './summary.ts';
import { tamperings } from './tamper.ts';

export type WebhookChaosOptions = {
  seed: string;
  /** Pairs of an event and an endpoint; rounded up to whole events. */
  pairs: number;
  deliverers: number;
  /** The time in which processes are killed and events entered. The start, the rest and the checks need more time. */
  length_ms: number;
  /** Else the leases of killed deliverers, a minute, are ended by hand, when all of them are dead. */
  wait_for_leases: boolean;
  say(line: string): void;
};

const WALLETS = 5;
/** The share of the events that are entered before the first kill. */
const FAULTLESS_SHARE = 0.1;
/**
 * Every so many events one goes to the first wallet, whose worst endpoints get few requests at a time until everything is
 * given up. Not drawn: a short run could draw none, and would have nothing to falsify.
 */
const WORST_EVERY = 20;
/** Events go on coming for so much of the blows: what comes last meets them too. */
const ENTERING_SHARE = 0.9;
const REST_WITHIN_MS = 300_000;
/** Time enough for a process to send something again. */
const QUIET_MS = 1_500;
/** One fault may break all of them. */
const MOST_TOLD = 50;

/** What is wrong, in words; then, and when it throws, the files of the run are kept, and `say` tells where. */
export function runWebhookChaos(options: WebhookChaosOptions): Promise<string[]> {
  const { seed, deliverers } = options;
  const random = seededRandom(seed);
  const journal = newJournal();
  return inDirectoryOfRun(options, async (dir, toBeEnded) => {
    const endLater = (...targets: typeof toBeEnded) => void toBeEnded.push(...targets);
    const cluster = await createWebhookCluster(
      { dir, deliverers },
      random.fork('cluster'),
      journal,
      endLater,
    );
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
  const { cluster, receivers } = parts;
  const { deps, retry_seconds } = cluster;
  const endpoints = await addWallets(deps, WALLETS, receivers.url);
  await cluster.start();
  const events = Math.ceil(options.pairs / BEHAVIOURS.length);
  const before = Math.round(events * FAULTLESS_SHARE);
  const enter = entrance(parts, endpoints);

  const faultless = await enter(before, options.length_ms * FAULTLESS_SHARE, true);
  const problem = await rest(deps, []);
  receivers.set('faulty');
  const [faulty] = await Promise.all([
    enter(events - before, options.length_ms * ENTERING_SHARE, false),
    strikeAll(cluster, parts.journal, parts.random, options.length_ms),
  ]);
  receivers.set('mostly_good');
  const mended = performance.now();
  if (!options.wait_for_leases) {
    await killAll(cluster);
    await endLeases(deps.db, deps.clock.now());
    await cluster.start();
  }
  problem.push(...(await rest(deps, endpoints)));
  const rested_ms = Math.round(performance.now() - mended);
  await killAll(cluster); // none is left to change what is looked at

  const entered = [...faultless.entered, ...faulty.entered];
  const { rolled_back, entered_again } = faulty;
  const witnesses = { retry_seconds, endpoints, entered, rolled_back, receipts: receivers.receipts };
  const evidence = await gather(async (sql, values) => (await deps.pool.query(sql, values)).rows, witnesses);
  for (const line of [...reportOf(parts.journal), ...summary(evidence)]) options.say(line);
  options.say(`transactions entered again ${entered_again}; rest after ${rested_ms} ms`);
  return [...problem, ...parts.journal.problem, ...violationsOf(evidence)];
}

function entrance({ cluster, random }: Parts, endpoints: Endpoint[]) {
  const [worst = '', ...others] = new Set(endpoints.map(({ wallet_id }) => wallet_id));
  return (count: number, over_ms: number, faultless: boolean) => {
    const draws = random.fork(`events ${faultless}`);
    let picked = 0;
    const pickWallet = () => (picked++ % WORST_EVERY === 0 ? worst : draws.pick(others));
    return enterEvents(cluster.deps, pickWallet, { events: count, over_ms, faultless }, draws);
  };
}

async function killAll({ deliverers }: WebhookCluster): Promise<void> {
  await Promise.all(deliverers.map((deliverer) => deliverer.kill()));
}

/** Waits until only deliveries to endpoints of `but` that hang are pending. Returns what is wrong if that never happens. */
async function rest({ db }: Deps, but: Endpoint[]): Promise<string[]> {
  const hanging = but.filter(({ behaviour }) => behaviour === 'hanging').map(({ id }) => id);
  const pending = () =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('status', '=', 'pending')
      .$if(hanging.length > 0, (query) => query.where('endpoint_id', 'not in', hanging))
      .limit(1)
      .executeTakeFirst();
  // A look that fails has met a connection that the last blow broke.
  const resting = () =>
    pending().then(
      (row) => row === undefined,
      () => false,
    );
  const rested = await eventually('rest', resting, REST_WITHIN_MS).catch(() => false);
  await setTimeout(QUIET_MS);
  return rested ? [] : [`no rest after ${REST_WITHIN_MS} ms`];
}

/** A check that cannot fail proves nothing: each falsification of this very evidence must be noticed. */
function violationsOf(evidence: WebhookChaosEvidence): string[] {
  const found = violations(evidence);
  if (found.length > MOST_TOLD)
    return [...found.slice(0, MOST_TOLD), `… and ${found.length - MOST_TOLD} more`];
  if (found.length > 0) return found;
  return tamperings(evidence)
    .filter(({ evidence: tampered, notice }) => !violations(tampered).some((line) => notice.test(line)))
    .map(({ name }) => `nobody noticed: ${name}`);
}
