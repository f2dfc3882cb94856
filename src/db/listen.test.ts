import { strict as assert } from 'node:assert';
import { getEventListeners, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { listen } from './listen.ts';

const storage = await createTestDatabase();
const log = createLog('silent', false);
const database = openDatabase(storage.url, log);
after(async () => {
  await database.close();
  await storage.drop();
});

/** Counts wake-ups and lets a test wait for one more. */
function bell() {
  let count = 0;
  let ring = () => {};
  return {
    wake() {
      count++;
      ring();
    },
    async more() {
      const heard = count;
      while (count === heard) {
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
      }
    },
  };
}

test('wakes at a committed notification, and again after its connection was broken', async () => {
  const { wake, more } = bell();
  const listener = listen({ pool: database.pool, clock: systemClock, log }, 'some_channel', wake);
  await more(); // listening
  const woken = more();
  await database.pool.query("select pg_notify('some_channel', '')");
  await woken;
  const again = more();
  const { rowCount } = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen some_channel'`,
  );
  assert.equal(rowCount, 1);
  await again; // connected once more: it may have missed something
  const after = more();
  await database.pool.query("select pg_notify('some_channel', '')");
  await after;
  await listener.stop();
});

test('stops while it cannot connect', async () => {
  const down = openDatabase('postgres://nobody@127.0.0.1:1/nothing', log);
  const listener = listen({ pool: down.pool, clock: systemClock, log }, 'some_channel', () => assert.fail());
  await listener.stop();
  await down.close();
});

/** A listener whose server has taken its connection, and says nothing. */
async function listenToSilence() {
  const taken: Socket[] = [];
  const server = createServer((socket) => taken.push(socket.on('error', () => undefined))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const silent = openDatabase(`postgres://nobody@127.0.0.1:${port}/nothing`, log);
  const connected = once(server, 'connection');
  const listener = listen({ pool: silent.pool, clock: systemClock, log }, 'some_channel', () =>
    assert.fail(),
  );
  const [socket] = (await connected) as [Socket];
  return {
    listener,
    socket,
    async close() {
      for (const each of taken) each.destroy();
      server.close();
      await silent.close();
    },
  };
}

test('stops at once while a server that took its connection says nothing', async ({ mock }) => {
  const warnings = mock.method(log, 'warn').mock;
  const { listener, close } = await listenToSilence();
  await listener.stop();
  assert.equal(warnings.callCount(), 0, 'it waited for its connection to time out');
  await close();
});

const skip = process.platform !== 'linux' && 'read from /proc';

test('a connection that only listens is asked by TCP within 10 s whether its server is still there', {
  skip,
}, async () => {
  const { listener, socket, close } = await listenToSilence();
  const portOf = (port: number | undefined) => `:${port?.toString(16).toUpperCase().padStart(4, '0')}`;
  const [ours, theirs] = [portOf(socket.remotePort), portOf(socket.localPort)];
  await eventually('a timer that keeps it alive', () => {
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
    const [, address, , , , timer = ''] =
      lines
        .map((line) => line.trim().split(/\s+/))
        .find(([, local, remote]) => local?.endsWith(ours) && remote?.endsWith(theirs)) ?? [];
    return address !== undefined && /^02:/.test(timer) && Number.parseInt(timer.slice(3), 16) <= 1_000; // of a hundredth of a second
  });
  await listener.stop();
  await close();
});

test('connections that could not be made leave nothing behind: a database may be away for days', async () => {
  const down = openDatabase('postgres://nobody@127.0.0.1:1/nothing', log);
  let stopping: AbortSignal | undefined;
  let tries = 0;
  let tried = () => {};
  const clock = {
    ...systemClock,
    async sleep(_ms: number, signal?: AbortSignal) {
      stopping = signal;
      if (++tries === 20) tried();
      await new Promise(setImmediate);
    },
  };
  const listener = listen({ pool: down.pool, clock, log }, 'some_channel', () => assert.fail());
  await new Promise<void>((resolve) => {
    tried = resolve;
  });
  const left = stopping && getEventListeners(stopping, 'abort').length;
  await listener.stop();
  await down.close();
  assert(left !== undefined && left <= 1, `${left} of 20`);
});
