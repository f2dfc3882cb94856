import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { on } from '../../test/support/acting.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { createAddress } from '../deposits/addresses/create-address.ts';

let world: InProcessService;
before(async () => {
  world = await startInProcess();
});
after(() => world.close());

test('the changes of a team that wait for each other hold two connections, and other teams go on', async () => {
  const { deps } = world;
  const wallet = await world.wallet();
  const order = { label: null, metadata: null };
  const of = (owner_id: string) => on({ ...wallet, owner_id });
  await createAddress(deps, of('usr_loud'), order);
  const client = new pg.Client({ connectionString: deps.pool.options.connectionString });
  await client.connect();
  await client.query('begin');
  await client.query("select from audit_heads where chain = 'usr_loud' for update");
  const waiting = Array.from({ length: 40 }, () => createAddress(deps, of('usr_loud'), order));
  const busy = () => deps.pool.totalCount - deps.pool.idleCount;
  await eventually('two that wait for the lock', () => busy() === 2);
  for (let n = 0; n < 5; n++) await createAddress(deps, of('usr_quiet'), order);
  assert.equal(busy(), 2);
  assert.equal(deps.pool.waitingCount, 0, 'nobody waits for a connection');
  await client.query('rollback');
  await client.end();
  assert.equal(new Set((await Promise.all(waiting)).map(({ id }) => id)).size, 40);
});
