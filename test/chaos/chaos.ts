/**
 * Everything is killed, stopped and frozen at random while many clients withdraw through three processes. Then all of
 * it runs again, the load ends, the rows come to rest, and the ledger is the truth that everything is held against.
 */
import { setTimeout } from 'node:timers/promises';
import { violations } from '../crash/checks.ts';
import type { CrashEvidence } from '../crash/evidence.ts';
import { type FlakyReceiver, startFlakyReceiver } from '../crash/flaky-receiver.ts';
import { endLeases, gather, rest, watchDatabase } from '../crash/gather.ts';
import { type Load, retryEveryKey, startLoad } from '../crash/load.ts';
import { summary } from '../crash/summary.ts';
import { tamperings, untilFalsifiable } from '../crash/tamper.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type Journal, newJournal, reportOf, strikeAll } from './chaos-target.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { inDirectoryOfRun } from './directory.ts';

export type RunOptions = {
  seed: string;
  /** Else the leases of killed deliverers, a minute, are ended by hand. Those of withdrawals always run out by themselves. */
  wait_for_webhooks: boolean;
  say(line: string): void;
};

/** `length_ms` of the blows; start, rest and checks come on top. */
export type ChaosOptions = RunOptions & { length_ms: number };

const WALLETS = 8;
const ORDERS_AT_ONCE = 4;
/** In this time leases and time bounds run out, and answers come. A longer wait would never end. */
const SETTLE_WITHIN_MS = 180_000;

/** What is wrong, in words; then, and when it throws, the files of the run are kept, and `say` tells where. */
export function runChaos(options: ChaosOptions): Promise<string[]> {
  return runCluster(options, async () => ({
    strike: async (cluster, journal, random) => {
      await strikeAll(cluster, journal, random, options.length_ms);
      return [];
    },
  }));
}

type Plan = {
  /** Where the version of each service lies; see createCluster. */
  roots?: string[];
  /** What befalls the cluster under load; everything runs at its end. Gives what is wrong, in words. */
  strike(cluster: Cluster, journal: Journal, random: Random): Promise<string[]>;
};

/** A run of its own directory, which `prepare` is given. */
export function runCluster(options: RunOptions, prepare: (dir: string) => Promise<Plan>): Promise<string[]> {
  const random = seededRandom(options.seed);
  const journal = newJournal();
  return inDirectoryOfRun(options, async (dir, toBeEnded) => {
    const { roots, strike } = await prepare(dir);
    const cluster = await createCluster(dir, random.fork('cluster'), journal, roots);
    toBeEnded.push(...cluster.targets);
    const receiver = await startFlakyReceiver(random.fork('receiver').next);
    return run({ cluster, journal, receiver, random }, strike, options).finally(receiver.close);
  });
}

type Parts = {
  cluster: Cluster;
  journal: Journal;
  receiver: FlakyReceiver;
  random: Random;
};

async function run(parts: Parts, strike: Plan['strike'], options: RunOptions): Promise<string[]> {
  const { cluster, journal, receiver, random } = parts;
  const { say } = options;
  await cluster.start();
  await watchDatabase(cluster);
  const plan = { hook_url: receiver.url, orders_at_once: ORDERS_AT_ONCE };
  const load = await startLoad(cluster, random.fork('load'), plan);
  // Before the first blow, because it is not idempotent: a frozen process would make an endpoint after its time.
  await Promise.all(Array.from({ length: WALLETS }, () => load.addWallet()));
  const struck = await strike(cluster, journal, random);
  const rested = await comeToRest(parts, load, options);
  const evidence = await gather(cluster, load.journal, {
    receipts: receiver.receipts,
    waited: options.wait_for_webhooks,
  });
  for (const line of report(parts, evidence, rested)) say(line);
  const found = [...struck, ...violations(evidence), ...rested.problem, ...load.journal.unexpected];
  await retryEveryKey(cluster, load, evidence);
  await cluster.stop();
  return [...found, ...unnoticed(evidence), ...journal.problem];
}

type Rested = {
  problem: string[];
  answered_ms: number;
  ms: number;
  leases: Awaited<ReturnType<typeof endLeases>>;
};

async function comeToRest({ cluster, receiver }: Parts, load: Load, options: RunOptions): Promise<Rested> {
  const began = performance.now();
  receiver.calmDown();
  const wait_for = { webhooks: options.wait_for_webhooks, withdrawals: true };
  const leases = await endLeases(cluster, wait_for);
  await untilFalsifiable(load);
  const late = new AbortController();
  const wait_ms = () => Math.round(performance.now() - began);
  const settled = await Promise.race([
    load.finish().then(() => true),
    setTimeout(SETTLE_WITHIN_MS, false, { signal: late.signal }),
  ]);
  late.abort();
  const answered_ms = wait_ms();
  const problem = settled ? await rest(cluster, wait_for) : `clients still wait after ${SETTLE_WITHIN_MS} ms`;
  return { problem: problem === null ? [] : [problem], answered_ms, ms: wait_ms(), leases };
}

/** A check that cannot fail proves nothing: each falsification of this very evidence must be noticed. */
function unnoticed(evidence: CrashEvidence): string[] {
  const names: string[] = [];
  for (const { name, evidence: tampered } of tamperings(evidence))
    if (violations(tampered).length === 0) names.push(name);
  return names.map((name) => `nobody noticed: ${name}`);
}

function report(
  { cluster, journal }: Parts,
  evidence: CrashEvidence,
  { answered_ms, ms, leases }: Rested,
): string[] {
  return [
    ...reportOf(journal),
    ...summary(evidence),
    `calls refused ${cluster.calls.refused}, answers lost ${cluster.calls.lost}`,
    `every client answered after ${answered_ms} ms, rest after ${ms} ms; in hand at the last blow: ${JSON.stringify(leases)}`,
  ];
}
