import { test } from 'node:test';
import pg from 'pg';
import { untilBlocked } from './lock-waits.ts';
import { createTestDatabase } from './postgres.ts';

test('a connection in a transaction sees a session wait that began after its first look', async () => {
  const storage = await createTestDatabase();
  const connect = async () => {
    const client = new pg.Client(storage.url);
    await client.connect();
    return client;
  };
  const [locking, first] = [await connect(), await connect()];
  const query = async (sql: string) => (await locking.query(sql)).rows;
  const read = 'select from wallets';
  await query('begin');
  await query('lock table wallets');
  const waits = [first.query(read)];
  await untilBlocked({ query }, 1);
  const second = await connect();
  waits.push(second.query(read));
  await untilBlocked({ query }, 2);
  await query('rollback');
  await Promise.all(waits);
  for (const client of [locking, first, second]) await client.end();
  await storage.drop();
});
