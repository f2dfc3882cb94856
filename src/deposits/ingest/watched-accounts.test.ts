import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { eventually } from '../../../test/support/eventually.ts';
import {
  createTestDatabase,
  databaseUrl,
  startTestServer,
  type TestDatabase,
} from '../../../test/support/postgres.ts';
import { type Database, type Db, openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { createLog } from '../../lib/log.ts';
import { accountsSince } from '../../wallets/access.ts';
import { createWatchedAccounts } from './watched-accounts.ts';

const log = createLog('silent', false);
const OWNER = 'usr_1';

let storage: TestDatabase;
let database: Database;

before(async () => {
  storage = await createTestDatabase();
  database = openDatabase(storage.url, log);
  await addOwner(database);
});
after(async () => {
  await database.close();
  await storage.drop();
});

async function addOwner({ db }: Database): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: OWNER,
      email: 'owner@example.com',
      email_folded: 'owner@example.com',
      name: '',
      password_hash: '',
    })
    .execute();
}

/** Gives its account. */
async function insertWallet(client: Pick<PoolClient, 'query'>): Promise<string> {
  const account = Keypair.random().publicKey();
  await client.query(
    `insert into wallets (id, owner_id, name, network, account, sealed_seed) values ($1, $2, '', 'sandbox', $3, '')`,
    [`wal_${randomBytes(8).toString('hex')}`, OWNER, account],
  );
  return account;
}

async function begin(): Promise<PoolClient> {
  const client = await database.pool.connect();
  await client.query('begin');
  return client;
}

async function end(client: PoolClient, how: 'commit' | 'rollback'): Promise<void> {
  await client.query(how);
  client.release();
}

test('a wallet that was inserted earlier and committed later than another is watched once it is committed', async () => {
  const watched = createWatchedAccounts(database.db);
  const slow = await begin();
  const late = await insertWallet(slow);
  const early = await insertWallet(database.pool);
  const before_ = await watched.upToDate();
  assert.deepEqual([before_.has(early), before_.has(late)], [true, false]);
  const latest = await insertWallet(database.pool);
  assert((await watched.upToDate()).has(latest));
  await end(slow, 'commit');
  assert((await watched.upToDate()).has(late));
});

test('in any order of begin, insert, commit and rollback, each update has all wallets committed before it', async () => {
  const transaction = fc.integer({ min: 0, max: 4 });
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom('insert', 'commit', 'rollback'), transaction }),
    fc.record({ do: fc.constant('read'), transaction }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const watched = createWatchedAccounts(database.db);
      const open = new Map<number, { client: PoolClient; accounts: string[] }>();
      const [committed, undone]: [string[], string[]] = [[], []];
      const check = async () => {
        const accounts = await watched.upToDate();
        assert(committed.every((account) => accounts.has(account)));
        assert(!undone.some((account) => accounts.has(account)));
      };
      for (const { do: what, transaction: number } of steps) {
        const own = open.get(number);
        if (what === 'read') await check();
        else if (what === 'insert') {
          const { client, accounts } = own ?? { client: await begin(), accounts: [] };
          accounts.push(await insertWallet(client));
          open.set(number, { client, accounts });
        } else if (own) {
          open.delete(number);
          await end(own.client, what as 'commit' | 'rollback');
          (what === 'commit' ? committed : undone).push(...own.accounts);
        }
      }
      for (const { client } of open.values()) await end(client, 'rollback');
      await check();
    }),
    { numRuns: 60 },
  );
});

test('an update begins where the last one ended: it does not read all wallets again', async () => {
  const first = await accountsSince(database.db, null);
  assert.notEqual(first.accounts.length, 0);
  let { reading } = first;
  // While any transaction on the server is open, rows of later transactions may be read again.
  await eventually('nothing to read', async () => {
    const next = await accountsSince(database.db, reading);
    reading = next.reading;
    return next.accounts.length === 0;
  });
  const account = await insertWallet(database.pool);
  assert.deepEqual((await accountsSince(database.db, reading)).accounts, [account]);
});

test('on another server with lower transaction numbers, all wallets are read again', async (t) => {
  const server = await startTestServer();
  const url = databaseUrl(server, 'postgres');
  await migrate(url);
  const other = openDatabase(url, log);
  t.after(async () => {
    await other.close();
    await server.stop();
  });
  await addOwner(other);
  const there = await insertWallet(other.pool);
  // Transaction numbers of two servers cannot be compared: here they are far higher.
  const { rows } = await other.pool.query('select pg_current_xact_id()::text as xid');
  const numberHere = async () =>
    BigInt((await database.pool.query('select pg_current_xact_id()::text as xid')).rows[0].xid);
  while ((await numberHere()) < BigInt(rows[0].xid) + 10n);

  let current: Db = database.db;
  const watched = createWatchedAccounts({ getExecutor: () => current.getExecutor() } as Db);
  assert(!(await watched.upToDate()).has(there));
  current = other.db;
  assert((await watched.upToDate()).has(there));
});
