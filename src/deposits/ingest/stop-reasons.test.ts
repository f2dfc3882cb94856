/** Every state that stops the reading of deposits is reported, moves no cursor, and ends with its cause. */
import { strict as assert } from 'node:assert';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { eventually } from '../../../test/support/eventually.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
  startNetwork,
} from '../../../test/support/in-process-service.ts';
import { manualClock } from '../../../test/support/webhooks.ts';
import { createReadiness } from '../../api/service-routes.ts';
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import { createAlarm } from '../../ledgers/stop-reasons.ts';
import { createLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { createStellar } from '../../stellar/sources/create-stellar.ts';
import type { Stellar } from '../../stellar/stellar.ts';
import { startIngester } from './ingest-deposits.ts';

/** Longer than the ingester's poll interval, and than /readyz caches its answer. */
const LOOK_MS = 1_000;
const QUIET_MS = 31_000;

let world: InProcessService;
let process_: Awaited<ReturnType<typeof startProcess>>;
const closes: (() => Promise<void>)[] = [];
let newest: ReturnType<InProcessService['sandbox']['closeLedger']>;

before(async () => {
  world = await startInProcess({}, { faults: true });
  await closingLedgers(world.sandbox, world.deps.stellar.fund(Keypair.random().publicKey()));
});
beforeEach(async () => {
  closeLedgers(1);
  process_ = await startProcess({ reads: true });
  await process_.upTo(newest.sequence);
});
afterEach(async () => {
  await process_.stop();
  world.sandbox.faults?.clear();
});
after(async () => {
  for (const close of closes.reverse()) await close();
  await world.close();
});

/** A process with its own clock, which begins at the newest ledger. It answers /readyz and, if it `reads`, ingests deposits. */
async function startProcess({ reads }: { reads: boolean }) {
  const clock = manualClock(new Date(newestMs()).toISOString());
  const errors: { state: string; msg: string }[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line)) });
  const metrics = createMetrics();
  const network = { here: chainOf(`${world.sandbox.url}nodes/a/rpc`, clock) };
  const stellar: Stellar = {
    ...network.here,
    latestLedger: () => network.here.latestLedger(),
    readLedgersAfter: (...question) => network.here.readLedgersAfter(...question),
  };
  const deps = { ...world.another(), stellar, clock, log, metrics };
  const readiness = createReadiness(deps);
  const ingester = reads ? startIngester(deps) : null;

  async function readyz() {
    clock.advance(LOOK_MS);
    const { ready, checks } = await readiness();
    return { status: ready ? 200 : 503, checks };
  }
  const isIn = async (state: string) => {
    const { values } = await metrics.deposits_stop_reason.get();
    return values.find(({ labels }) => labels.state === state)?.value === 1;
  };
  /** Advances the clock slowly enough for a busy machine: a jump would cause another stop reason. */
  async function look(what: string, probe: () => Promise<boolean>): Promise<void> {
    let probes = 0;
    await eventually(what, () => {
      if (probes++ % 10 === 0) clock.advance(LOOK_MS);
      return probe();
    });
  }

  return {
    clock,
    readyz,
    said: (state: string) => errors.filter((error) => error.state === state).map(({ msg }) => msg),
    moveTo: (elsewhere: Stellar) => {
      network.here = elsewhere;
    },
    upTo: (ledger: number) => look(`ledger ${ledger}`, async () => (await cursorLedger()) >= ledger),
    async isLoud(state: string, message: RegExp) {
      await look(`the state ${state}`, () => isIn(state));
      for (let looks = 0; looks < 3; looks++) await readyz(); // said once, however often it is found
      const { status, checks } = await readyz();
      assert.deepEqual([status, checks.deposits.ok], [503, false]);
      assert.match(checks.deposits.message, message);
      const [said, ...again] = this.said(state);
      assert.match(said ?? '', message);
      assert.deepEqual(again, []);
    },
    /** Waits for the end of the state, while the network goes on. */
    async hasEnded(state: string) {
      await look(`the end of ${state}`, async () => {
        while (newestMs() < clock.now().getTime()) closeLedgers(1);
        return !(await isIn(state)) && (await readyz()).status === 200;
      });
      assert.equal((await readDepositCursor(deps.db)).stop_reason, null);
    },
    async stop() {
      await ingester?.stop();
    },
  };
}

function chainOver(rpc_urls: string[], clock = world.deps.clock): Stellar {
  const log = createLog('silent', false);
  const options = { rpc_urls, horizon_urls: [], passphrase: world.deps.config.passphrase };
  const stellar = createStellar({ ...options, clock, log, metrics: createMetrics() });
  closes.push(() => stellar.close());
  return stellar;
}

const chainOf = (rpc_url: string, clock = world.deps.clock) => chainOver([rpc_url], clock);

function closeLedgers(count: number): void {
  for (let closed = 0; closed < count; closed++) newest = world.sandbox.closeLedger();
}

const newestMs = () => newest.close_time * 1000;

/** Another network with the same passphrase. */
async function anotherNetwork(ledgers: number): Promise<InProcessService['sandbox']> {
  const sandbox = await startNetwork();
  closes.push(() => sandbox.stop());
  const stellar = chainOf(sandbox.rpc_url);
  await closingLedgers(sandbox, stellar.fund(Keypair.random().publicKey()));
  for (let closed = 0; closed < ledgers; closed++) sandbox.closeLedger();
  return sandbox;
}

const cursorLedger = async () => (await readDepositCursor(world.deps.db)).ledger;

test('a gap in the history of the source', async () => {
  const ledger = await cursorLedger();
  closeLedgers(5);
  world.sandbox.faults?.setNode('a', { oldest_ledger: ledger + 3 });
  await process_.isLoud('gap', new RegExp(`begins at ledger ${ledger + 3}; .* after ledger ${ledger} `));
  assert.equal(await cursorLedger(), ledger);
  world.sandbox.faults?.setNode('a', {});
  await process_.hasEnded('gap');
  await process_.upTo(ledger + 5);
});

test('a network that is far below the cursor', async () => {
  closeLedgers(120);
  const { sequence } = newest;
  await process_.upTo(sequence);
  const here = chainOf(`${world.sandbox.url}nodes/a/rpc`, process_.clock);
  process_.moveTo(chainOf((await anotherNetwork(1)).rpc_url));
  await process_.isLoud('reset', /it was reset/);
  assert.equal(await cursorLedger(), sequence);
  process_.moveTo(here);
  await process_.hasEnded('reset');
});

test('a network of the same name that is higher, but does not follow the cursor’s ledger', async () => {
  const ledger = await cursorLedger();
  const here = chainOf(`${world.sandbox.url}nodes/a/rpc`, process_.clock);
  process_.moveTo(chainOf((await anotherNetwork(ledger + 10)).rpc_url));
  await process_.isLoud('reset', new RegExp(`ledger ${ledger + 1} does not follow the ledger ${ledger} `));
  assert.equal(await cursorLedger(), ledger);
  process_.moveTo(here);
  await process_.hasEnded('reset');
});

test('of two sources the one on another chain stops nothing, though it is asked first', async () => {
  const ledger = await cursorLedger();
  const other = await anotherNetwork(ledger + 10);
  process_.moveTo(chainOver([other.rpc_url, `${world.sandbox.url}nodes/a/rpc`], process_.clock));
  closeLedgers(3);
  await process_.upTo(ledger + 3);
  assert.deepEqual(process_.said('reset'), []);
  assert.equal((await process_.readyz()).status, 200);
});

test('ledgers that no source gives stop the reading, but not before 30 s', async () => {
  const ledger = await cursorLedger();
  world.sandbox.faults?.add({ on: 'getLedgers', kind: 'status', status: 500, times: null });
  closeLedgers(1);
  for (let looks = 0; looks < 5; looks++)
    assert.equal((await process_.readyz()).checks.deposits.ok, true, 'one lost answer is no news');
  process_.clock.advance(QUIET_MS);
  closeLedgers(40); // the network itself goes on
  await process_.isLoud('unreadable', new RegExp(`No source has given ledger ${ledger + 1} whole`));
  assert.equal(await cursorLedger(), ledger);
  world.sandbox.faults?.clear();
  await process_.hasEnded('unreadable');
});

test('a cursor more than 30 s of ledger time behind, whether or not a process reads', async () => {
  await process_.stop();
  const ledger = await cursorLedger();
  closeLedgers(60);
  const asked = await startProcess({ reads: false });
  const { status, checks } = await asked.readyz();
  await asked.stop();
  assert.deepEqual([status, checks.deposits.ok], [503, false]);
  assert.match(checks.deposits.message, new RegExp(`Ledger ${ledger} is the last one read, 60 s behind`));
  process_ = await startProcess({ reads: true });
  await process_.hasEnded('behind');
  const [said, ...again] = process_.said('behind');
  assert.match(said ?? '', /is the last one read, \d+ s behind ledger/);
  assert.deepEqual(again, []);
});

test('every state has its metric series from the start: an alert on an absent series does not fire', async () => {
  const metrics = createMetrics();
  createAlarm({ log: world.deps.log, metrics });
  const { values } = await metrics.deposits_stop_reason.get();
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.state, value]),
    ['gap', 'reset', 'unreadable', 'behind', 'stalled'].map((state) => [state, 0]),
  );
});

test('a network whose newest ledger is more than 30 s old', async () => {
  const ledger = await cursorLedger();
  process_.clock.advance(QUIET_MS);
  await process_.isLoud('stalled', new RegExp(`newest ledger of any source, ${ledger}, closed \\d+ s ago`));
  await process_.hasEnded('stalled');
});
