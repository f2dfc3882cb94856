/** Searches that take long, by one API key: what they cost others. */
import { strict as assert } from 'node:assert';
import { after, before, type TestContext, test } from 'node:test';
import pg from 'pg';
import { booksOf } from '../../test/support/books.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { logIn } from '../../test/support/webhooks.ts';
import { mintApiKey } from '../auth/keys/api-keys.ts';
import { createReadInTurn, createSearch } from '../db/connections.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Wallet } from '../wallets/access.ts';
import { buildApp } from './app.ts';

let world: InProcessService;
let app: HttpApp;
const books = booksOf(() => world);

before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0' });
  app = await buildApp(world.deps, {} as Parameters<typeof buildApp>[1]);
  await books.catchUp();
});
after(async () => {
  await app.close();
  await world.close();
});

async function callerOf(wallet: Wallet) {
  const { api_key } = await mintApiKey(world.deps, wallet.id);
  return (path: string) =>
    app.inject({
      url: `/v1/wallets/${wallet.id}/${path}`,
      headers: { authorization: `Bearer ${api_key}`, host: 'localhost' },
    });
}

test('a search never takes the connection of a withdrawal, nor of a read', async (t) => {
  const [searched, other] = [await world.wallet(), await world.wallet()];
  const [flood, read] = [await callerOf(searched), await callerOf(other)];
  await books.catchUp();
  const slow = await lockAddresses(t);
  const floods = Array.from({ length: 40 }, () => flood('transactions?search=ff'));
  await eventually('searches that run', async () => (await slow.blocked()) === 2);

  const [paid] = await books.withdrawn(other, [{ destination: searched.account, amount_stroops: 1n }]);
  assert.equal(paid?.status, 'confirmed');
  assert.equal((await read('webhooks')).statusCode, 200);
  assert.equal((await flood('webhooks')).statusCode, 200, 'not even those of its own key');
  const ready = await app.inject({ url: '/readyz', headers: { host: 'localhost' } });
  assert.equal(ready.json().data.database.ok, true);
  assert((await slow.blocked()) <= 2);

  await slow.release();
  // A search ends after 3 s: on a busy machine others may have had its place, before all have come or before the end.
  const codes = (await Promise.all(floods)).map((answer) => answer.json().error?.code ?? answer.statusCode);
  assert(
    codes.every((code) => [200, 'too_many_waiting', 'search_timed_out'].includes(code)),
    `${codes}`,
  );
  assert(
    codes.some((code) => code !== 'too_many_waiting'),
    'some have run',
  );
});

test('of the searches of one caller two run and 20 wait; the rest is refused at once', async () => {
  const search = createSearch(world.deps.reads, 2);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let running = 0;
  const task = async () => {
    running++;
    await end;
  };
  const all = Array.from({ length: 40 }, () => search('busy', task).catch(({ code }) => code));
  const refused = await Promise.all(all.slice(22));
  assert.deepEqual(refused, Array(18).fill('too_many_waiting'));
  assert.equal(running, 2);
  resolve();
  await Promise.all(all);
  assert.equal(running, 22);
});

test('a search that takes too long is answered with 503 search_timed_out and a Retry-After', async (t) => {
  const wallet = await world.wallet();
  const search = await callerOf(wallet);
  const token = await logIn(world.deps, wallet.owner_id);
  const headers = { authorization: `Bearer ${token}`, host: 'localhost' };
  const slow = await lockAddresses(t);
  for (const ask of [
    () => search('transactions?search=ff'),
    () => search('addresses?search=ff'),
    () => app.inject({ url: '/v1/search?search=ff', headers }),
  ]) {
    const answer = await ask();
    assert.deepEqual([answer.statusCode, answer.json().error.code], [503, 'search_timed_out']);
    assert.equal(answer.headers['retry-after'], '5');
  }
  await slow.release();
});

test('the searches of one caller do not keep those of another waiting', async () => {
  const search = createSearch(world.deps.reads, 2);
  const order: string[] = [];
  const begun: (() => void)[] = [];
  const task = (name: string) => () =>
    new Promise<void>((resolve) => {
      order.push(name);
      begun.push(resolve);
    });
  const all = Array.from({ length: 10 }, () => search('busy', task('busy')));
  all.push(search('other', task('other')));
  for (let done = 0; done < all.length; done++) {
    const end = await eventually('a search that runs', () => begun[done]);
    end();
  }
  await Promise.all(all);
  assert.deepEqual(order.slice(0, 4), ['busy', 'busy', 'busy', 'other']);
});

test('the lists of one team do not keep those of another waiting', async () => {
  const readInTurn = createReadInTurn(world.deps.reads, 3);
  const order: string[] = [];
  const begun: (() => void)[] = [];
  const task = (name: string) => () =>
    new Promise<void>((resolve) => {
      order.push(name);
      begun.push(resolve);
    });
  const all = Array.from({ length: 500 }, () => readInTurn('busy', task('busy')));
  all.push(readInTurn('other', task('other')));
  for (let done = 0; done < all.length; done++) {
    const end = await eventually('a list that runs', () => begun[done]);
    end();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  assert.equal(order.indexOf('other'), 3, 'behind those that ran already');
});

/** Until the release, searches wait in the database, as those do that read millions of rows. */
async function lockAddresses(t: TestContext) {
  const { connectionString } = world.deps.pool.options;
  const client = new pg.Client({ connectionString });
  await client.connect();
  let open = true;
  const release = async () => {
    if (open) await client.end();
    open = false;
  };
  t.after(release);
  await client.query('begin');
  await client.query('lock table deposit_addresses in access exclusive mode');
  return {
    /** The number of searches that wait. */
    async blocked(): Promise<number> {
      const { rows } = await client.query(
        `select count(*)::int as count from pg_locks
          where relation = 'deposit_addresses'::regclass and not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows[0].count;
    },
    release,
  };
}
