/** Several ingesters compete to lead, and one of them is lost. */
import { strict as assert } from 'node:assert';
import { afterEach, beforeEach, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { manualClock } from '../../../test/support/webhooks.ts';
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import { startIngester } from './ingest-deposits.ts';

let world: InProcessService;

beforeEach(async () => {
  world = await startInProcess();
});
afterEach(() => world.close());

/** A loaded machine may need longer than the names of the tests say. */
const GOES_ON_WITHIN_MS = 15_000;
const REPLACED_WITHIN_MS = 40_000;

async function isRead(sequence: number, patience_ms = GOES_ON_WITHIN_MS): Promise<void> {
  const through = async () => (await readDepositCursor(world.deps.db)).ledger >= sequence;
  await eventually(`ledger ${sequence}`, through, patience_ms);
}

/** Sessions that hold an advisory lock of this database. */
async function leaders(): Promise<number[]> {
  const { rows } = await world.deps.pool.query(
    `select pid from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

test('when the leader’s connection is cut, reading goes on within seconds, with one leader', async () => {
  const ingesters = [startIngester(world.another()), startIngester(world.another())];
  await isRead(world.sandbox.closeLedger().sequence);
  for (let cuts = 0; cuts < 3; cuts++) {
    const leader = await eventually('a leader', async () => (await leaders())[0]);
    await world.deps.pool.query('select pg_terminate_backend($1)', [leader]);
    // The cut process may have reported it, if it had just polled.
    await isRead(world.sandbox.closeLedger().sequence);
    await eventually('one leader, another one', async () => {
      const [next, ...others] = await leaders();
      assert.deepEqual(others, []);
      return next !== undefined && next !== leader;
    });
  }
  await Promise.all(ingesters.map((ingester) => ingester.stop()));
  await eventually('nobody leads', async () => (await leaders()).length === 0);
});

test('a leader that hangs with open connections is replaced within 20 seconds', async () => {
  // It leads and never reaches its next step: the clock of that process stands still.
  const hanging = startIngester({ ...world.another(), clock: manualClock() });
  await isRead(world.sandbox.closeLedger().sequence);
  const [hung] = await leaders();
  const ingester = startIngester(world.another());
  await isRead(world.sandbox.closeLedger().sequence, REPLACED_WITHIN_MS);
  assert.notEqual((await leaders())[0], hung);
  await Promise.all([ingester.stop(), hanging.stop()]);
});
