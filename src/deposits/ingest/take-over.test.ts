/** Several ingesters compete to lead, and one of them is lost. */
import { strict as assert } from 'node:assert';
import { afterEach, beforeEach, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { manualClock } from '../../../test/support/webhooks.ts';
import { createReadiness } from '../../api/service-routes.ts';
import { disputed } from '../../db/leadership.ts';
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import { startIngester } from './ingest-deposits.ts';

let world: InProcessService;

beforeEach(async () => {
  world = await startInProcess();
});
afterEach(() => world.close());

/** A loaded machine may need longer than the names of the tests say. */
async function isRead(sequence: number): Promise<void> {
  const through = async () => (await readDepositCursor(world.deps.db)).ledger >= sequence;
  await eventually(`ledger ${sequence}`, through);
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
  await isRead(world.sandbox.closeLedger().sequence);
  assert.notEqual((await leaders())[0], hung);
  await Promise.all([ingester.stop(), hanging.stop()]);
});

test('a leader that still has its lock when another one has begun records nothing, and readiness tells of both', async () => {
  const { deps, sandbox } = world;
  const ingester = startIngester(world.another());
  const { sequence } = sandbox.closeLedger();
  await isRead(sequence);
  await deps.pool.query("update leaderships set term = term + 1 where work = 'deposits'");
  sandbox.closeLedger();
  await eventually('the dispute', async () => (await disputed(deps.db)).length > 0);
  assert.equal((await readDepositCursor(deps.db)).ledger, sequence);
  const { checks } = await createReadiness(deps)();
  assert.match(checks.deposits.message, /; two processes had the lead of deposits at once: see the runbook$/);
  await ingester.stop();
});
