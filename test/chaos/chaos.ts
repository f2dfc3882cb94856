/**
 * Everything is killed, stopped and frozen at random while many clients withdraw through three processes. Then all of
 * it runs again, the load ends, the rows come to rest, and the ledger is the truth that everything is held against.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { violations } from '../crash/checks.ts';
import type { Evidence } from '../crash/evidence.ts';
import { type FlakyReceiver, startFlakyReceiver } from '../crash/flaky-receiver.ts';
import { endLeases, gather, rest } from '../crash/gather.ts';
import { type Load, retryEveryKey, startLoad } from '../crash/load.ts';
import { summary } from '../crash/summary.ts';
import { tamperings } from '../crash/tamper.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { blackoutsOf, blowsFor } from './schedule.ts';
import { blackOut, type Journal, newJournal, strike, type Tally } from './victim.ts';

export type ChaosOptions = {
  seed: string;
  /** Of the blows; start, rest and checks come on top. */
  length_ms: number;
  /** Else the leases of killed deliverers, a minute, are ended by hand. Those of withdrawals always run out by themselves. */
  wait_for_webhooks: boolean;
  say(line: string): void;
};

const WALLETS = 8;
const ORDERS_AT_ONCE = 4;
/** Leases and time bounds run out and answers are waited for within this; whoever waits longer waits for ever. */
const SETTLE_WITHIN_MS = 180_000;

/** What is wrong, in words; then, and when it throws, the files of the run are kept, and `say` tells where. */
export async function runChaos(options: ChaosOptions): Promise<string[]> {
  const { seed, say } = options;
  // Not tmpdir(): `npm test` empties its own at its end, and the files of a failed run are to stay.
  const dir = mkdtempSync('/tmp/teller-chaos-');
  chmodSync(dir, 0o755); // as root the database runs as somebody else, who must get there
  const random = seededRandom(seed);
  const journal = newJournal();
  const cluster = await createCluster(dir, random.fork('cluster'), journal);
  const kept = `data and logs are in ${dir} (seed ${seed})`;
  const endAll = () => {
    for (const victim of cluster.victims) victim.end();
  };
  process.once('exit', endAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      say(kept);
      process.exit(1);
    });
  const receiver = await startFlakyReceiver(random.fork('receiver').next);
  const found = ['it did not come to its end'];
  try {
    found.splice(0, 1, ...(await run({ cluster, journal, receiver, random }, options)));
    return found;
  } finally {
    endAll();
    process.off('exit', endAll);
    await receiver.close();
    if (found.length === 0) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    else say(kept);
  }
}

type Parts = { cluster: Cluster; journal: Journal; receiver: FlakyReceiver; random: Random };

async function run(parts: Parts, options: ChaosOptions): Promise<string[]> {
  const { cluster, journal, receiver, random } = parts;
  const { say, length_ms } = options;
  await cluster.start();
  const plan = { hook_url: receiver.url, orders_at_once: ORDERS_AT_ONCE };
  const load = await startLoad(cluster, random.fork('load'), plan);
  // Before the first blow, because it is not idempotent: a frozen process would make an endpoint after its time.
  await Promise.all(Array.from({ length: WALLETS }, () => load.addWallet()));
  await strikeAll(parts, length_ms);
  const rested = await comeToRest(parts, load, options);
  const evidence = await gather(cluster, load.journal, receiver.receipts);
  for (const line of report(parts, evidence, rested)) say(line);
  const found = [...violations(evidence), ...rested.trouble, ...load.journal.unexpected];
  await retryEveryKey(cluster, load, evidence);
  await cluster.stop();
  return [...found, ...unnoticed(evidence), ...journal.trouble];
}

async function strikeAll({ cluster, journal, random }: Parts, length_ms: number): Promise<void> {
  const { victims } = cluster;
  const failing = new AbortController();
  const until = performance.now() + length_ms;
  const striking = { until, journal, signal: failing.signal };
  const strikes = [
    ...victims.map((victim, i) =>
      strike(victim, blowsFor(victim.kind, random.fork(`victim ${i}`), length_ms), striking),
    ),
    blackOut(victims, blackoutsOf(random.fork('blackouts'), length_ms), striking),
  ];
  try {
    await Promise.all(strikes);
    await cluster.start(); // whoever two of them hit at once
    await setTimeout(Math.max(until - performance.now(), 0));
  } finally {
    failing.abort();
    await Promise.allSettled(strikes); // who is just starting cannot be ended
  }
}

type Rested = {
  trouble: string[];
  answered_ms: number;
  ms: number;
  leases: Awaited<ReturnType<typeof endLeases>>;
};

async function comeToRest({ cluster, receiver }: Parts, load: Load, options: ChaosOptions): Promise<Rested> {
  const began = performance.now();
  receiver.calmDown();
  const wait_for = { webhooks: options.wait_for_webhooks, withdrawals: true };
  const leases = await endLeases(cluster, wait_for);
  const late = new AbortController();
  const wait_ms = () => Math.round(performance.now() - began);
  const settled = await Promise.race([
    load.finish().then(() => true),
    setTimeout(SETTLE_WITHIN_MS, false, { signal: late.signal }),
  ]);
  late.abort();
  const answered_ms = wait_ms();
  const trouble = settled ? await rest(cluster, wait_for) : `clients still wait after ${SETTLE_WITHIN_MS} ms`;
  return { trouble: trouble === null ? [] : [trouble], answered_ms, ms: wait_ms(), leases };
}

/** A check that cannot fail proves nothing: each falsification of this very evidence must be noticed. */
function unnoticed(evidence: Evidence): string[] {
  return tamperings(evidence)
    .filter(({ evidence: tampered }) => violations(tampered).length === 0)
    .map(({ name }) => `nobody noticed: ${name}`);
}

function report(
  { cluster, journal }: Parts,
  evidence: Evidence,
  { answered_ms, ms, leases }: Rested,
): string[] {
  return [
    ...Object.entries(journal.tallies).map(([kind, tally]) => `${kind}: ${tallyText(tally)}`),
    `everything killed at once: ${journal.blackouts}`,
    ...summary(evidence),
    `calls refused ${cluster.calls.refused}, answers lost ${cluster.calls.lost}`,
    `every client answered after ${answered_ms} ms, rest after ${ms} ms; in hand at the last blow: ${JSON.stringify(leases)}`,
  ];
}

function tallyText({ blows, ready_ms, failed_starts, longest_stop_ms }: Tally): string {
  const { kill, stop, freeze, stillborn } = blows;
  const starts = ready_ms.toSorted((a, b) => a - b);
  return [
    `killed ${kill}, killed while starting ${stillborn}, stopped ${stop} (longest ${longest_stop_ms} ms), frozen ${freeze}`,
    `${starts.length} starts (ready after ms: median ${starts[starts.length >> 1]}, longest ${starts.at(-1)})`,
    `${failed_starts} starts in vain`,
  ].join('; ');
}
