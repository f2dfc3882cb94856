/** `teller restore`: a lost database comes back from a backup, up to a time; what cannot be restored is refused, and changes nothing. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive, postmasterPid } from '../support/holder.ts';
import { launchTeller } from '../support/launch.ts';
import { type Ledger, openLedger } from '../support/ledger.ts';
import { openDatabase, unique } from '../support/running-service.ts';
import {
  SHORT_VALIDITY,
  startService,
  type TestService,
  teller,
  temporaryDirectory,
} from '../support/service.ts';
import { runOnSmallDisk } from '../support/small-disk.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOREVER_MS = 120_000;

const sandbox = await startSandbox({
  port: 0,
  dir: null,
  close_ms: 100,
  step_ms: 1000,
  log: pino({ level: 'silent' }),
});
const data_dir = temporaryDirectory();
const folder = temporaryDirectory();
const backup = join(folder, 'backup');
const wal = join(folder, 'wal');
const env = {
  DATA_DIR: data_dir,
  STELLAR_RPC_URL: sandbox.rpc_url,
  BACKUP_WAL_DIR: wal,
  KEY_JOURNAL: join(folder, 'journal'),
  ...SHORT_VALIDITY,
};
const cluster = join(data_dir, 'postgres');

let service: TestService | undefined;
let ledger: Ledger;
let token: string;
let wallet: { id: string; account: string };
let payee: string;
/** Between the payments and wallets of before and those of after. */
let moment: string;
const paid = new Map<string, string>();

after(async () => {
  await service?.stop();
  await sandbox.stop();
});

before(async () => {
  ledger = await openLedger(sandbox.rpc_url);
  payee = (await ledger.fund()).publicKey();
  service = await startService({ data_dir, env });
  token = await service.login();
  wallet = await newWallet('of the backup');
  await pay('of the backup');
  const made = await teller(['backup', 'create', backup], env);
  assert.equal(made.code, 0, made.output);
  await newWallet('before the moment');
  await pay('before the moment');
  moment = new Date().toISOString();
  await newWallet('after the moment');
  await pay('after the moment');
  await archiveEverything();
});

async function newWallet(name: string): Promise<{ id: string; account: string }> {
  const { status, body, text } =
    (await service?.api('POST', '/v1/wallets', { token, body: { name } })) ?? assert.fail();
  assert.equal(status, 201, text);
  return body.data;
}

/** Asks for the payment of this key. Gives the hash of its transaction. */
async function pay(key: string): Promise<string> {
  const answer = await service?.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
    token,
    headers: { 'idempotency-key': key },
    body: { destination: payee, amount_stroops: 1000 },
  });
  assert.equal(answer?.status, 201, answer?.text);
  const { stellar_tx_hash } = answer?.body.data ?? {};
  paid.set(key, paid.get(key) ?? stellar_tx_hash);
  return stellar_tx_hash;
}

async function archiveEverything(): Promise<void> {
  const client = await openDatabase(data_dir);
  const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name');
  await client.end();
  await eventually('the segment is archived', () => existsSync(join(wal, `${rows[0].name}.gz`)));
}

const restore = (args: string[] = [], more: Record<string, string> = {}, dir = backup) =>
  teller(['restore', dir, ...args], { ...env, ...more });

/** Everything below DATA_DIR but the lock, with sizes. */
function contentOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(({ name }) => !name.startsWith('lock'))
    .map(
      (entry) =>
        `${entry.parentPath}/${entry.name} ${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)).length : ''}`,
    )
    .toSorted();
}

async function assertRefused(run: () => Promise<{ code: number | null; output: string }>, words: RegExp) {
  const before_ = contentOf(data_dir);
  const { code, output } = await run();
  assert.match(output, words);
  assert.equal(code, 1, output);
  assert.deepEqual(contentOf(data_dir), before_, 'nothing has changed');
}

/** A copy of the backup whose description says something else. */
function described(change: (text: string) => string): string {
  const copy = join(folder, unique('described'));
  cpSync(backup, copy, { recursive: true });
  writeFileSync(join(copy, 'backup.json'), change(readFileSync(join(backup, 'backup.json'), 'utf8')));
  return copy;
}

async function walletNames(): Promise<string[]> {
  const { output } = await teller(['wallet', 'list', '--json'], env);
  return JSON.parse(output)
    .map(({ name }: { name: string }) => name)
    .toSorted();
}

describe('teller restore refuses, and changes nothing', () => {
  it('over a running service, and over a database whose service is stopped', async () => {
    const { code, output } = await restore();
    assert.match(output, /Stellar Teller is already running on DATA_DIR .* Stop it first/);
    assert.equal(code, 1);
    await service?.stop();
    service = undefined;
    await assertRefused(
      restore,
      /has a database, which "teller restore" does not overwrite\. Move its files away/,
    );
    renameSync(cluster, join(folder, 'lost'));
    mkdirSync(cluster);
    writeFileSync(join(cluster, 'a file'), 'of somebody');
    await assertRefused(restore, /postgres is not empty/);
    rmSync(cluster, { recursive: true });
    renameSync(join(folder, 'lost'), `${cluster}.restore-old`);
    await assertRefused(restore, /postgres\.restore-old has the name of an unfinished restore/);
    renameSync(`${cluster}.restore-old`, join(folder, 'lost'));
  });

  it('as root, into the folder of another user', {
    skip: process.geteuid?.() === 0 ? false : 'only root can',
  }, async () => {
    chownSync(data_dir, 12_345, 12_345);
    await assertRefused(restore, /belongs to user id 12345.*Run the command as the user of the service/);
    chownSync(data_dir, 0, 0);
  });

  it('what is no whole backup, or one that this version cannot use', async () => {
    const half = described(String);
    rmSync(join(half, 'backup.json'));
    await assertRefused(() => restore([], {}, half), /is no whole backup/);
    const lacking = described(String);
    rmSync(join(lacking, 'base.tar.gz'));
    await assertRefused(() => restore([], {}, lacking), /The backup is damaged: .*base\.tar\.gz is missing/);
    const newer = described((text) => text.replace(/\d{4}_\w+\.sql/, '9999_later.sql'));
    await assertRefused(
      () => restore([], {}, newer),
      /has the newer schema 9999_later\.sql: use Stellar Teller 0\.1\.0/,
    );
    const older = described((text) => text.replace(/"postgres_version": "\d+/, '"postgres_version": "17'));
    await assertRefused(
      () => restore([], {}, older),
      /is of PostgreSQL 17\.\d+, and this release embeds PostgreSQL 18/,
    );
  });

  it('a backup of another network, another master key or another installation', async () => {
    await assertRefused(
      () => restore([], { STELLAR_NETWORK: 'testnet' }),
      /belongs to the network "sandbox" .*, but the configuration says "testnet"/,
    );
    const MASTER_KEY = randomBytes(32).toString('base64');
    await assertRefused(
      () => restore([], { MASTER_KEY, KEY_JOURNAL: '' }),
      /MASTER_KEY is not the one that sealed/,
    );
    const key_file = join(data_dir, 'master-key');
    renameSync(key_file, `${key_file}.away`);
    await assertRefused(
      restore,
      /There is no .*master-key, and the wallets of this database are sealed with its key/,
    );
    renameSync(`${key_file}.away`, key_file);
    // The key journal of another installation that has the same key.
    const journal = join(folder, 'another-journal');
    const [header, line = ''] = readFileSync(env.KEY_JOURNAL, 'utf8').split('\n').filter(Boolean);
    const other = { ...JSON.parse(line), id: 'wal_other', account: Keypair.random().publicKey() };
    writeFileSync(journal, `${header}\n${JSON.stringify(other)}\n`);
    await assertRefused(
      () => restore([], { KEY_JOURNAL: journal }),
      /belongs to another installation: it has none of the 1 keys of the key journal/,
    );
  });

  it('a time that this backup or this archive cannot give', async () => {
    const to = (time: string, archive = wal) => restore(['--wal', archive, '--to-time', time]);
    await assertRefused(() => restore(['--to-time', moment]), /--to-time needs --wal/);
    await assertRefused(
      () => to('2026-01-01T00:00:00Z'),
      /The backup ended at .*, after that time\. Use an older backup/,
    );
    await assertRefused(() => to('2999-01-01T00:00:00Z'), /--to-time is in the future/);
    await assertRefused(() => to('yesterday'), /It must be a time with its zone/);
    await assertRefused(() => to(new Date().toISOString()), /has nothing that was committed after/);
    await assertRefused(() => to(moment, join(folder, 'nowhere')), /The archive of the log cannot be read/);
    const damaged = join(folder, 'damaged-wal');
    cpSync(wal, damaged, { recursive: true });
    const names = readdirSync(wal)
      .filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
      .toSorted();
    copyFileSync(join(backup, 'backup.json'), join(damaged, names.at(-1) ?? ''));
    await assertRefused(() => restore(['--wal', damaged]), /does not start on the copy|damaged/);
  });

  for (const [size, step] of [
    ['1m', 'Cannot unpack the backup'],
    ['50m', 'PostgreSQL does not start on the copy'],
  ] as const)
    it(`onto a disk that is full after ${size}, and so does verify`, (t) => {
      const target = temporaryDirectory();
      const MASTER_KEY_FILE = join(data_dir, 'master-key');
      const run = (...args: string[]) =>
        runOnSmallDisk([process.execPath, 'bin/teller.js', ...args], {
          size,
          target,
          cwd: ROOT,
          env: { ...env, DATA_DIR: target, MASTER_KEY_FILE, BACKUP_WAL_DIR: '' },
        });
      const restored = run('restore', backup);
      if (restored === null) return t.skip('needs the right to mount a small file system');
      const verified = run('backup', 'verify', backup, '--in', target);
      assert.deepEqual([restored.stdout, verified?.stdout], ['lock\n', ''], 'nothing is left');
      for (const ran of [restored, verified]) {
        assert.match(ran?.stderr ?? '', new RegExp(`^${step}.*the disk is full`));
        assert.equal(ran?.status, 1);
      }
    });
});

describe('teller restore', () => {
  it('killed in the midst of it leaves no database, and the next one ends what is left and succeeds', async () => {
    const launched = launchTeller(['restore', backup], env, { stdio: 'ignore' });
    const copy = await eventually('a server of the copy', () => {
      const name = readdirSync(data_dir).find((each) => each.startsWith('postgres.restore-'));
      const dir = join(data_dir, `${name}`, 'postgres');
      return existsSync(join(dir, 'postmaster.pid')) && dir;
    });
    await launched.end('SIGKILL');
    const left = postmasterPid(copy);
    assert.equal(existsSync(cluster), false);
    const { code, output } = await restore();
    assert.equal(code, 0, output);
    assert.equal(isAlive(left), false);
    assert.deepEqual(
      readdirSync(data_dir).filter((name) => name.startsWith('postgres.restore-')),
      [],
    );
  });

  it('gives the state of the end of the backup, says what is missing, and is in the audit log', async () => {
    assert.deepEqual(await walletNames(), ['of the backup']);
    service = await startService({ data_dir, env });
    const client = await openDatabase(data_dir);
    const { rows } = await client.query("select target_id from audit_log where action = 'command.run'");
    await client.end();
    await service.stop();
    service = undefined;
    assert(
      rows.some(({ target_id }) => target_id === 'restore'),
      JSON.stringify(rows),
    );
    rmSync(cluster, { recursive: true });
  });

  it('with the archive gives the state of a time, and the service pays no key again', async () => {
    const to_moment = ['--wal', wal, '--to-time', moment];
    // The restore of before has begun timeline 2 in this archive, from the end of the backup on.
    const { output: followed } = await restore(to_moment);
    assert.match(followed, /by timeline 2 of the archive, with 1 wallets/);
    rmSync(cluster, { recursive: true });
    const { code, output } = await restore([...to_moment, '--timeline', '1']);
    assert.equal(code, 0, output);
    assert.match(output, /by timeline 1 of the archive, with 2 wallets/);
    assert.match(output, /^Missing is everything since \d{4}-/m);
    assert.match(output, /^1\. The database lacks 1 keys of the key journal\. Run "teller keys recover"/m);
    assert.deepEqual(await walletNames(), ['before the moment', 'of the backup']);
    const recovered = await teller(['keys', 'recover'], env);
    assert.match(recovered.output, /Recovered: 1 wallets/);

    service = await startService({ data_dir, env });
    const { output: said } = service;
    await eventually('the service knows the restored database', () =>
      said().includes('the database may be an older copy of itself: nothing is signed for some time'),
    );
    token = await service.login();
    for (const key of [...paid.keys()].filter((each) => each !== 'after the moment')) {
      const answer = await service.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
        token,
        headers: { 'idempotency-key': key },
        body: { destination: payee, amount_stroops: 1000 },
      });
      assert.equal(answer.status, 409, answer.text);
    }
    const before_ = (await ledger.account(payee))?.balance;
    assert.equal(await pay('after the moment'), paid.get('after the moment'), 'the transaction of before');
    assert.equal((await ledger.account(payee))?.balance, before_, 'nothing was paid again');
    await eventually(
      'the books of every wallet agree',
      async () => (await teller(['reconcile'], env)).code === 0,
      FOREVER_MS,
    );
  });

  it('archives on into the same folder, and a later restore follows the new timeline', async () => {
    await newWallet('after the restore');
    await archiveEverything();
    await service?.stop();
    service = undefined;
    rmSync(cluster, { recursive: true });
    const archived = join(data_dir, 'postgres.archived');
    rmSync(archived);
    const { code, output } = await restore(['--wal', wal]);
    assert.equal(code, 0, output);
    const { system_identifier } = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8'));
    assert.equal(
      readFileSync(archived, 'utf8'),
      `${system_identifier}\n`,
      'a start without the archive keeps the log',
    );
    assert.deepEqual(await walletNames(), [
      'after the moment',
      'after the restore',
      'before the moment',
      'of the backup',
    ]);
  });

  it('from an older copy of the archive begins no timeline that the archive has already', async () => {
    rmSync(cluster, { recursive: true });
    const historiesIn = (dir: string) => readdirSync(dir).filter((name) => name.includes('.history'));
    const timelinesOf = (dir: string) => historiesIn(dir).map((name) => Number.parseInt(name, 16));
    const newest = Math.max(...timelinesOf(wal));
    assert.ok(newest > 1);
    const older = join(folder, 'older-wal');
    cpSync(wal, older, { recursive: true, filter: (path) => !/^0000000[2-9]/.test(basename(path)) });
    const { code, output } = await restore(['--wal', older]);
    assert.equal(code, 0, output);
    assert.equal(Math.max(...timelinesOf(join(cluster, 'pg_wal'))), newest + 1);
  });
});
