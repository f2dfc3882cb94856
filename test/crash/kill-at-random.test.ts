/**
 * The whole service, killed at random while it is used, with its network in it and every third time with its database.
 * Afterwards everything is compared with the ledger. SEED=… repeats the draws, CRASH_ROUNDS=… says how many kills. In
 * the long form the test waits for the end of leases in real time, and ends none by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong } from '../support/form.ts';
import { seededRandom, seedOfRun } from '../support/random.ts';
import { violations } from './checks.ts';
import type { CrashEvidence } from './evidence.ts';
import { type FlakyReceiver, startFlakyReceiver } from './flaky-receiver.ts';
import { endLeases, gather, rest, watchDatabase } from './gather.ts';
import { createKillableService, type KillableService } from './killable-service.ts';
import { type Load, retryEveryKey, startLoad } from './load.ts';
import { summary } from './summary.ts';
import { tamperings, untilFalsifiable } from './tamper.ts';

/** The fewest that also kill PostgreSQL and a start twice. */
const SHORT_ROUNDS = 8;
const LONG_ROUNDS = 20;
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? (isLong ? LONG_ROUNDS : SHORT_ROUNDS));
const WAIT_FOR = { webhooks: isLong, withdrawals: isLong };
const DATABASE_EVERY = 3;
const FIRST_WALLETS = 3;
const MOST_WALLETS = 8;
/** Some starts are killed too: what recovers must survive that as well. */
const START_KILLED_EVERY = 4;
const KILL_AFTER_MS = { min: 200, max: 2_500 };
const START_KILLED_AFTER_MS = { min: 50, max: 1_200 };

test('killed again and again, the service pays nothing twice, loses no deposit and delivers every event', async (t) => {
  const seed = seedOfRun();
  t.diagnostic(`SEED=${seed} CRASH_ROUNDS=${ROUNDS}`);
  const random = seededRandom(seed);
  const receiver = await startFlakyReceiver(random.fork('receiver').next);
  const service = await createKillableService(random.fork('service'));
  t.after(async () => {
    await service.stop();
    await receiver.close();
  });

  await service.start();
  await watchDatabase(service);
  const load = await startLoad(service, random.fork('load'), { hook_url: receiver.url, orders_at_once: 2 });
  await killOverAndOver(service, load, random.fork('kills'));
  const rested = await comeToRest(service, load, receiver);
  const evidence = await gather(service, load.journal, {
    receipts: receiver.receipts,
    waited: WAIT_FOR.webhooks,
  });
  report(t.diagnostic.bind(t), evidence, { service, rested });

  assert.deepEqual(violations(evidence), []);
  assert.equal(rested.problem, null);
  assert.deepEqual(load.journal.unexpected, [], 'answers that no client should get');
  await retryEveryKey(service, load, evidence);
  // A check that cannot fail proves nothing: each falsification of this very evidence must be noticed.
  for (const { name, evidence: tampered } of tamperings(evidence))
    assert.notDeepEqual(violations(tampered), [], `nobody noticed: ${name}`);
});

async function killOverAndOver(
  service: KillableService,
  load: Load,
  random: ReturnType<typeof seededRandom>,
): Promise<void> {
  for (let i = 0; i < FIRST_WALLETS; i++) void load.addWallet();
  for (let round = 1; round <= ROUNDS; round++) {
    const delay_ms = random.integer(KILL_AFTER_MS.min, KILL_AFTER_MS.max);
    await service.kill({ delay_ms, database: round % DATABASE_EVERY === 0 });
    if (round % START_KILLED_EVERY === 0)
      await service.killDuringStart(random.integer(START_KILLED_AFTER_MS.min, START_KILLED_AFTER_MS.max));
    await service.start({ patient: round === ROUNDS }); // then no answer that `untilFalsifiable` needs is a 504
    // A withdrawal that a kill interrupts blocks its wallet's transaction source until its lease ends: fresh wallets keep up the load.
    if (round % 3 === 1 && FIRST_WALLETS + round / 3 < MOST_WALLETS) void load.addWallet();
  }
}

type Rested = { problem: string | null; ms: number; leases: Awaited<ReturnType<typeof endLeases>> };

async function comeToRest(service: KillableService, load: Load, receiver: FlakyReceiver): Promise<Rested> {
  const began = performance.now();
  receiver.calmDown();
  const leases = await endLeases(service, WAIT_FOR);
  await untilFalsifiable(load);
  await load.finish();
  const problem = await rest(service, WAIT_FOR);
  return { problem, ms: Math.round(performance.now() - began), leases };
}

type Run = { service: KillableService; rested: Rested };

function report(say: (line: string) => void, evidence: CrashEvidence, { service, rested }: Run): void {
  const { kills, start_ms } = service;
  const starts = start_ms.slice(1).sort((a, b) => a - b);
  say(
    `kills: service ${kills.service}, PostgreSQL with it ${kills.database}, while starting ${kills.starting}`,
  );
  for (const line of summary(evidence)) say(line);
  say(`restart ms: median ${starts[starts.length >> 1]}, longest ${starts.at(-1)}`);
  say(`rest after ${rested.ms} ms; in hand at the last kills: ${JSON.stringify(rested.leases)}`);
}
