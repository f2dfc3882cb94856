/**
 * The whole service, killed at random while it is used, with its network in it and every third time with its database.
 * Afterwards the ledger is the truth that everything else is held against. SEED=… repeats the draws; CRASH_ROUNDS=200
 * makes it long, and then leases are waited for in real time instead of being ended by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOfRun } from '../support/random.ts';
import { violations } from './checks.ts';
import type { Evidence } from './evidence.ts';
import { type FlakyReceiver, startFlakyReceiver } from './flaky-receiver.ts';
import { endLeases, gather, rest } from './gather.ts';
import { type Load, retryEveryKey, startLoad } from './load.ts';
import { createMortal, type MortalService } from './mortal.ts';
import { summary } from './summary.ts';
import { tamperings } from './tamper.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 20);
const LONG = ROUNDS > 20;
const WAIT_FOR = { webhooks: LONG, withdrawals: LONG };
const DATABASE_EVERY = 3;
const FIRST_WALLETS = 3;
const MOST_WALLETS = 8;
/** Some starts are killed too: what recovers must survive that as well. */
const STILLBORN_EVERY = 4;
const KILL_AFTER_MS = { min: 200, max: 2_500 };
const STILLBORN_AFTER_MS = { min: 50, max: 1_200 };
const START_WITHIN_MS = 20_000;

test('killed again and again, the service pays nothing twice, loses no deposit and delivers every event', async (t) => {
  const seed = seedOfRun();
  t.diagnostic(`SEED=${seed} CRASH_ROUNDS=${ROUNDS}`);
  const random = seededRandom(seed);
  const receiver = await startFlakyReceiver(random.fork('receiver').next);
  const mortal = await createMortal(random.fork('service'), {
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: Array(50).fill('1').join(),
  });
  t.after(async () => {
    await mortal.stop();
    await receiver.close();
  });

  await mortal.start();
  const load = await startLoad(mortal, random.fork('load'), { hook_url: receiver.url, orders_at_once: 2 });
  await killOverAndOver(mortal, load, random.fork('kills'));
  const rested = await comeToRest(mortal, load, receiver);
  const evidence = await gather(mortal, load.journal, receiver.receipts);
  report(t.diagnostic.bind(t), evidence, { mortal, rested });

  assert.deepEqual(violations(evidence), []);
  assert.equal(rested.problem, null);
  assert.deepEqual(load.journal.unexpected, [], 'answers that no client should get');
  assert.ok(Math.max(...mortal.start_ms) < START_WITHIN_MS, `starts took ${mortal.start_ms} ms`);
  await retryEveryKey(mortal, load, evidence);
  // A check that cannot fail proves nothing: each falsification of this very evidence must be noticed.
  for (const { name, evidence: tampered } of tamperings(evidence))
    assert.notDeepEqual(violations(tampered), [], `nobody noticed: ${name}`);
});

async function killOverAndOver(
  mortal: MortalService,
  load: Load,
  random: ReturnType<typeof seededRandom>,
): Promise<void> {
  for (let i = 0; i < FIRST_WALLETS; i++) void load.addWallet();
  for (let round = 1; round <= ROUNDS; round++) {
    const delay_ms = random.integer(KILL_AFTER_MS.min, KILL_AFTER_MS.max);
    await mortal.kill({ delay_ms, database: round % DATABASE_EVERY === 0 });
    if (round % STILLBORN_EVERY === 0)
      await mortal.stillborn(random.integer(STILLBORN_AFTER_MS.min, STILLBORN_AFTER_MS.max));
    await mortal.start();
    // A withdrawal that a kill interrupts blocks its wallet's transaction source until its lease ends: fresh wallets keep up the load.
    if (round % 3 === 1 && FIRST_WALLETS + round / 3 < MOST_WALLETS) void load.addWallet();
  }
}

type Rested = { problem: string | null; ms: number; leases: Awaited<ReturnType<typeof endLeases>> };

async function comeToRest(mortal: MortalService, load: Load, receiver: FlakyReceiver): Promise<Rested> {
  const began = performance.now();
  receiver.calmDown();
  const leases = await endLeases(mortal, WAIT_FOR);
  await load.finish();
  const problem = await rest(mortal, WAIT_FOR);
  return { problem, ms: Math.round(performance.now() - began), leases };
}

type Run = { mortal: MortalService; rested: Rested };

function report(say: (line: string) => void, evidence: Evidence, { mortal, rested }: Run): void {
  const { kills, start_ms } = mortal;
  const starts = start_ms.slice(1).sort((a, b) => a - b);
  say(
    `kills: service ${kills.service}, PostgreSQL with it ${kills.database}, while starting ${kills.starting}`,
  );
  for (const line of summary(evidence)) say(line);
  say(`restart ms: median ${starts[starts.length >> 1]}, longest ${starts.at(-1)}`);
  say(`rest after ${rested.ms} ms; in hand at the last kills: ${JSON.stringify(rested.leases)}`);
}
