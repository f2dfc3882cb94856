import { strict as assert } from 'node:assert';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import { seededRandom } from '../../test/support/random.ts';
import { openDatabase } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { createHttpApp } from '../http/http-app.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import type { SourceReport } from '../stellar/stellar.ts';
import { serviceRoutes } from './service-routes.ts';

const log = createLog('silent', false);

/** The routes over a database that refuses connections. */
async function serviceWithoutDatabase(t: TestContext, sources: () => Promise<SourceReport[]>) {
  const database = openDatabase(`postgres://127.0.0.1:${await freePort(seededRandom('port'))}/none`, log);
  t.after(database.close);
  const app = createHttpApp(log, { loopback_only: true });
  const { db } = database;
  serviceRoutes(app, { db, log, clock: systemClock, stellar: { sources } } as unknown as Deps);
  await app.ready();
  return { app, database };
}

test('while the database is down and the network is slow /readyz says so, and the process lives', async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  const asked = Promise.withResolvers<void>();
  const network = Promise.withResolvers<SourceReport[]>();
  const { app, database } = await serviceWithoutDatabase(t, () => {
    asked.resolve();
    return network.promise;
  });

  const answer = Promise.resolve(app.inject({ method: 'GET', url: '/readyz' }));
  await asked.promise;
  await assert.rejects(database.pool.query('select 1')); // asked last, so the queries of /readyz have failed before
  await setImmediate();
  const latest = {
    sequence: 7,
    hash: '0'.repeat(64),
    close_time: 0n,
    base_reserve_stroops: 0n,
    max_operations: 1_000,
    protocol_version: 30,
  };
  const description = {
    software: 'Stellar RPC',
    latest,
    oldest_ledger: 1,
    lacks: [],
    supported_protocol: 31,
  };
  const protocols = { network: 30, supported: 31 };
  network.resolve([{ source: 1, usable: true, description, protocols }]);

  const { statusCode, body } = await answer;
  assert.equal(statusCode, 503);
  const { database: storage, deposits, network: source } = JSON.parse(body).data;
  assert.deepEqual(storage, { ok: false, message: 'cannot be reached' });
  assert.deepEqual(deposits, { ok: false, message: 'deposits are not read as they should be' });
  assert.deepEqual(source, { ok: true, message: 'a source can be used' });
  assert.deepEqual(unhandled, []);
});

test('/readyz tells strangers no number: no ledger, no lag, no count', async (t) => {
  const { app } = await serviceWithoutDatabase(t, async () => [
    {
      source: 1,
      protocols: { network: null, supported: null },
      usable: false,
      reason: 'its newest ledger 7 closed 90 s ago, busy since 2026-01-02T03:04:05.678Z',
      detail: '',
    },
  ]);
  const { body } = await app.inject({ url: '/readyz' });
  const { protocol, ...others } = JSON.parse(body).data;
  assert.match(protocol.message, /no source tells the protocol of the network/); // getService tells the numbers to anybody
  for (const { message } of Object.values(others) as { message: string }[])
    assert.doesNotMatch(message, /\d/);
  assert.equal(
    JSON.parse(body).data.network.message,
    'source …: its newest ledger … closed … s ago, busy since …',
  );
});
