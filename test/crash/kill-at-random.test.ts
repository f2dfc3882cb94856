/**
 * The whole service, killed at random while it is used, with its network in it and every third time with its database.
 * Afterwards the ledger is the truth that everything else is held against. SEED=… repeats the draws; CRASH_ROUNDS=200
 * makes it long, and then leases are waited for in real time instead of being ended by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJson } from '../support/api.ts';
import { seededRandom, seedOfRun } from '../support/random.ts';
import { startReceiver } from '../support/receiver.ts';
import { violations } from './checks.ts';
import type { Evidence, Receipt } from './evidence.ts';
import { endLeases, gather, rest } from './gather.ts';
import { type Load, requestFor, startLoad } from './load.ts';
import { createMortal, type Mortal } from './mortal.ts';
import { ask } from './patience.ts';
import { tamperings } from './tamper.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 20);
const WAIT_FOR_LEASES = ROUNDS > 20;
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
  const load = await startLoad(mortal, random.fork('load'), receiver.url);
  await killOverAndOver(mortal, load, random.fork('kills'));
  const rested = await comeToRest(mortal, load, receiver);
  const evidence = await gather(mortal, load.journal, receiver.receipts);
  report(t.diagnostic.bind(t), evidence, { mortal, load, rested });

  assert.deepEqual(violations(evidence), []);
  assert.equal(rested.trouble, null);
  assert.deepEqual(load.journal.unexpected, [], 'answers that no client should get');
  assert.ok(Math.max(...mortal.start_ms) < START_WITHIN_MS, `starts took ${mortal.start_ms} ms`);
  await retryEveryKey(mortal, load, evidence);
  // A check that cannot fail proves nothing: each falsification of this very evidence must be noticed.
  for (const { name, evidence: tampered } of tamperings(evidence))
    assert.notDeepEqual(violations(tampered), [], `nobody noticed: ${name}`);
});

async function killOverAndOver(
  mortal: Mortal,
  load: Load,
  random: ReturnType<typeof seededRandom>,
): Promise<void> {
  for (let i = 0; i < FIRST_WALLETS; i++) load.addWallet();
  for (let round = 1; round <= ROUNDS; round++) {
    const delay_ms = random.integer(KILL_AFTER_MS.min, KILL_AFTER_MS.max);
    await mortal.kill({ delay_ms, database: round % DATABASE_EVERY === 0 });
    if (round % STILLBORN_EVERY === 0)
      await mortal.stillborn(random.integer(STILLBORN_AFTER_MS.min, STILLBORN_AFTER_MS.max));
    await mortal.start();
    // A withdrawal that a kill interrupts blocks its wallet's lane until its lease ends: fresh wallets keep up the load.
    if (round % 3 === 1 && FIRST_WALLETS + round / 3 < MOST_WALLETS) load.addWallet();
  }
}

type Rested = { trouble: string | null; ms: number; leases: Awaited<ReturnType<typeof endLeases>> };

async function comeToRest(mortal: Mortal, load: Load, receiver: FlakyReceiver): Promise<Rested> {
  const began = performance.now();
  receiver.calmDown();
  const leases = await endLeases(mortal, WAIT_FOR_LEASES);
  await load.finish();
  const trouble = await rest(mortal, WAIT_FOR_LEASES);
  return { trouble, ms: Math.round(performance.now() - began), leases };
}

/** SPEC.md 4.1 rule 2, for each of them. */
async function retryEveryKey(mortal: Mortal, load: Load, { orders, wallets }: Evidence): Promise<void> {
  const rows = new Map(
    wallets.flatMap(({ withdrawals }) => withdrawals).map((row) => [row.idempotency_key, row]),
  );
  for (const order of orders) {
    const request = requestFor(order, load.journal.token);
    const again = await ask(mortal, 'POST', `/v1/wallets/${order.wallet_id}/withdraw`, request);
    assert.equal(again.status, 409, again.text);
    assert.equal(again.body.error.code, 'idempotency_key_reused');
    assert.equal(toJson(again.body.data), toJson(rows.get(order.key)));
  }
}

type FlakyReceiver = { url: string; receipts: Receipt[]; calmDown(): void; close(): Promise<void> };

/** Most of the time 200, sometimes 500, and now and then no answer at all. */
async function startFlakyReceiver(random: () => number): Promise<FlakyReceiver> {
  const receipts: Receipt[] = [];
  const held: (() => void)[] = [];
  let calm = false;
  const receiver = await startReceiver((response, { path, headers, body }) => {
    const draw = calm ? 1 : random();
    const answered = draw < 0.02 ? null : draw < 0.15 ? 500 : 200;
    receipts.push({
      url: `${receiver.url}${path}`,
      body: body.toString(),
      signature: `${headers['x-svc-signature']}`,
      webhook_id: `${headers['webhook-id']}`,
      answered,
    });
    if (answered !== null) response.writeHead(answered).end();
    else held.push(() => response.writeHead(500).end());
  });
  return {
    url: receiver.url,
    receipts,
    calmDown() {
      calm = true;
      for (const release of held.splice(0)) release();
    },
    close: receiver.close,
  };
}

type Run = { mortal: Mortal; load: Load; rested: Rested };

function report(say: (line: string) => void, evidence: Evidence, { mortal, load, rested }: Run): void {
  const { ledger, wallets, receipts } = evidence;
  const withdrawals = wallets.flatMap((wallet) => wallet.withdrawals);
  const deposits = wallets.flatMap((wallet) => wallet.deposits);
  const deliveries = wallets.flatMap((wallet) => wallet.endpoints).flatMap((endpoint) => endpoint.deliveries);
  const count = (status: string) => withdrawals.filter((row) => row.status === status).length;
  const expired = withdrawals.filter((row) => row.failure?.code === 'expired').length;
  const said = Map.groupBy(load.journal.said, (one) => one.http_status);
  const starts = mortal.start_ms.slice(1).sort((a, b) => a - b);
  const acknowledged = receipts.filter(({ answered }) => answered === 200);
  const duplicates =
    acknowledged.length - new Set(acknowledged.map(({ url, webhook_id }) => url + webhook_id)).size;
  say(
    `kills: service ${mortal.kills.service}, PostgreSQL with it ${mortal.kills.database}, while starting ${mortal.kills.starting}`,
  );
  say(
    `ledgers ${ledger.latest_ledger}, transactions ${ledger.transactions.length}, wallets ${wallets.length}`,
  );
  say(
    `withdrawals ${withdrawals.length}: confirmed ${count('confirmed')}, failed ${count('failed')} (expired ${expired})`,
  );
  say(`answers: ${[...said].map(([status, list]) => `${status} × ${list.length}`).join(', ')}`);
  say(`deposits ${deposits.length}, attributed ${deposits.filter((row) => row.attributed).length}`);
  say(
    `deliveries ${deliveries.length}, requests ${receipts.length}, acknowledged twice or more ${duplicates}`,
  );
  say(`restart ms: median ${starts[starts.length >> 1]}, longest ${starts.at(-1)}`);
  say(`rest after ${rested.ms} ms; in hand at the last kills: ${JSON.stringify(rested.leases)}`);
}
