/** `teller backup create` beside a service that pays, and `teller backup verify`, which proves what was written or names the fault. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { Header } from 'tar';
import { eventually } from '../support/eventually.ts';
import { launchTeller } from '../support/launch.ts';
import { startRunningService, unique, type Wallet } from '../support/running-service.ts';
import { teller, temporaryDirectory } from '../support/service.ts';
import { runOnSmallDisk } from '../support/small-disk.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAYMENTS = 20;

const KEY_JOURNAL = join(temporaryDirectory(), 'key-journal');
const world = await startRunningService({ KEY_JOURNAL }, { embedded: true });
after(() => world.stop());

const env = { DATA_DIR: world.service.data_dir, KEY_JOURNAL };
const folder = temporaryDirectory();
const create = (dir: string, ...options: string[]) => teller(['backup', 'create', dir, ...options], env);
const verify = (dir: string, ...options: string[]) => teller(['backup', 'verify', dir, ...options], env);
const namesBeside = (dir: string) =>
  readdirSync(dirname(dir)).filter((name) => name.startsWith(basename(dir)));

let wallet: Wallet;
let payee: string;
before(async () => {
  wallet = await world.newWallet();
  payee = (await world.ledger.fund()).publicKey();
});

async function pay(): Promise<void> {
  const { status, text } = await world.withdraw(wallet, { destination: payee, amount_stroops: 5 });
  assert.equal(status, 201, text);
}

async function whole(): Promise<string> {
  const dir = join(folder, unique('backup'));
  const { code, output } = await create(dir);
  assert.equal(code, 0, output);
  return dir;
}

/** A copy of a backup, with one of its files changed. */
function changed(dir: string, name: string, change: (bytes: Buffer) => Buffer): string {
  const copy = join(folder, unique('changed'));
  cpSync(dir, copy, { recursive: true });
  writeFileSync(join(copy, name), change(readFileSync(join(dir, name))));
  return copy;
}

async function assertRefused(run: Promise<{ code: number | null; output: string }>, words: RegExp) {
  const { code, output } = await run;
  assert.match(output, words);
  assert.equal(code, 1, output);
}

/** A copy of a backup whose archive begins with one more entry, and whose description knows its checksum. */
function withEntry(
  dir: string,
  { path, type, linkpath }: { path: string; type: 'SymbolicLink' | 'Link'; linkpath: string },
): string {
  const header = new Header({ path, type, linkpath, mode: 0o600, size: 0, mtime: new Date(0) });
  const block = Buffer.alloc(512);
  header.encode(block);
  const copy = changed(dir, 'base.tar.gz', (bytes) => Buffer.concat([gzipSync(block), bytes]));
  const archive = readFileSync(join(copy, 'base.tar.gz'));
  const description = JSON.parse(readFileSync(join(copy, 'backup.json'), 'utf8'));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  Object.assign(description.archive, { bytes: archive.length, sha256 });
  writeFileSync(join(copy, 'backup.json'), JSON.stringify(description));
  return copy;
}

describe('teller backup create', () => {
  it('has every payment from before its beginning, and no payment fails during it; verify proves it', async () => {
    await pay();
    assert.equal((await teller(['reconcile'], env)).code, 0);
    const dir = join(folder, 'folders', 'that-are-new', 'under-load');
    const [created] = await Promise.all([create(dir), ...Array.from({ length: PAYMENTS }, pay)]);
    assert.equal(created.code, 0, created.output);
    assert.equal(statSync(join(dir, '..')).mode & 0o777, 0o700);
    assert.match(created.output, /The master key is not in it/);
    const { code, output } = await verify(dir);
    assert.equal(code, 0, output);
    assert.match(output, /^Rows: 1 wallets, 1 deposits, ([1-9]\d*) withdrawals\.$/m);
    assert.match(output, /^Keys: the master key opens the seeds of 1 wallets, /m);
    assert.match(output, /^Books: the rows of 1 wallets give the balances/m);
    assert.match(output, /^Audit log: [1-9]\d* entries in \d chains, whole\.$/m);
    assert.match(
      output,
      /^ {2}deposits after ledger \d+: \d+ ledgers to be read again, up to \d+ at present$/m,
    );
    assert.match(output, /^ {2}no key: the copy has every key of the key journal$/m);
    assert.match(output, /The backup can be restored\.\n$/);
  });

  it('is for its user alone, holds no master key, and describes itself exactly', async () => {
    const dir = await whole();
    assert.equal(statSync(dir).mode & 0o777, 0o700);
    const names = readdirSync(dir).toSorted();
    assert.deepEqual(names, ['backup.json', 'backup_manifest.gz', 'base.tar.gz']);
    for (const name of names) assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600);
    const key = readFileSync(join(env.DATA_DIR, 'master-key'), 'utf8').trim();
    const { stdout: tar } = spawnSync('gzip', ['-dc', join(dir, 'base.tar.gz')], { maxBuffer: 2 ** 30 });
    for (const form of [Buffer.from(key), Buffer.from(key, 'base64')]) assert.equal(tar.indexOf(form), -1);
    const text = readFileSync(join(dir, 'backup.json'), 'utf8');
    const [{ id }] = await world.query('select system_identifier::text as id from pg_control_system()');
    assert(text.includes(`"system_identifier": "${id}"`), text);
  });

  it('encrypted, is opened by the identity of each recipient, by no other, and not without one', async () => {
    const identities = [await generateIdentity(), await generateIdentity(), await generateIdentity()];
    const [one = '', other = ''] = await Promise.all(identities.map(identityToRecipient));
    const files = identities.map((identity, index) => {
      const path = join(folder, `identity-${index}`);
      writeFileSync(path, `# created by a test\n${identity}\n`, { mode: 0o600 });
      return path;
    });
    const dir = join(folder, 'encrypted');
    assert.equal((await create(dir, '--recipient', one, '--recipient', other)).code, 0);
    const names = readdirSync(dir).toSorted();
    assert.deepEqual(names, ['backup.json', 'backup_manifest.gz.age', 'base.tar.gz.age']);
    for (const file of files.slice(0, 2)) assert.equal((await verify(dir, '--identity', file)).code, 0);
    await assertRefused(verify(dir, '--identity', files[2] ?? ''), /this identity does not open it/);
    await assertRefused(verify(dir), /is encrypted to age1\w+ and age1\w+\. Name the file of an identity/);
  });

  it('refuses what cannot become a backup, and writes nothing', async () => {
    const dir = join(folder, 'refused');
    const { MASTER_KEY = '', DATABASE_URL = '' } = world.environment;
    await assertRefused(create(dir, '--recipient', 'somebody'), /somebody is no recipient of age/);
    const below_a_file = join(env.DATA_DIR, 'lock', 'made', 'backup');
    await assertRefused(
      create(below_a_file),
      /Cannot write the backup to .*: a file is in the place of a folder/,
    );
    const elsewhere = teller(['backup', 'create', dir], { DATA_DIR: folder, DATABASE_URL, MASTER_KEY });
    await assertRefused(elsewhere, /docs\/backup\.md shows pgBackRest/);
    await assertRefused(
      teller(['backup', 'create', dir], { DATA_DIR: temporaryDirectory() }),
      /There is no database in/,
    );
    assert.deepEqual(namesBeside(dir), []);
    mkdirSync(dir);
    await assertRefused(create(dir), /refused exists already\. Nothing was written/);
    assert.deepEqual(readdirSync(dir), []);
  });

  it('on a full disk says so, and leaves nothing', async (t) => {
    const target = temporaryDirectory();
    const dir = join(target, 'full');
    const command = [process.execPath, 'bin/teller.js', 'backup', 'create', dir];
    const ran = runOnSmallDisk(command, { size: '1m', target, cwd: ROOT, env });
    if (ran === null) return t.skip('needs the right to mount a small file system');
    const { status, stdout, stderr } = ran;
    assert.equal(stderr, `Cannot write the backup to ${dir}: the disk is full. Nothing of it was kept.\n`);
    assert.equal(stdout, '', 'the folder is empty');
    assert.equal(status, 1);
    await pay();
  });

  it('killed in the midst of it leaves nothing that any command takes for a backup', async () => {
    const dir = join(folder, 'killed');
    const launched = launchTeller(['backup', 'create', dir], env, { stdio: 'ignore' });
    const name = await eventually('an unfinished backup', () => namesBeside(dir)[0]);
    await launched.end('SIGKILL');
    assert.equal(existsSync(dir), false);
    await assertRefused(verify(join(folder, name)), /is no whole backup: it has no backup\.json/);
    assert.equal((await create(dir)).code, 0, 'the next one is not in its way');
  });
});

describe('teller backup verify', () => {
  it('finds one changed byte in the archive, and a description of something else', async () => {
    const dir = await whole();
    const flipped = changed(dir, 'base.tar.gz', (bytes) => {
      const at = bytes.length >> 1;
      return bytes.fill((bytes[at] ?? 0) ^ 1, at, at + 1);
    });
    await assertRefused(verify(flipped), /^The backup is damaged/);
    const other = changed(dir, 'backup.json', (bytes) =>
      Buffer.from(bytes.toString().replace(/"deposits": "\d+"/, '"deposits": "999999"')),
    );
    await assertRefused(verify(other), /WRONG\. The copy differs from its description \(deposits\)/);
  });

  it('refuses an archive with a link or a second name, and removes the copy', async () => {
    const dir = await whole();
    const room = temporaryDirectory();
    const outside = join(folder, 'outside');
    writeFileSync(outside, 'of somebody');
    for (const type of ['SymbolicLink', 'Link'] as const) {
      const copy = withEntry(dir, { path: 'base/link', type, linkpath: outside });
      await assertRefused(
        verify(copy, '--in', room),
        /^The backup is damaged: base\/link is no ordinary file\.\n$/,
      );
      assert.equal(readFileSync(outside, 'utf8'), 'of somebody');
    }
    assert.deepEqual(readdirSync(room), []);
  });

  it('connects to no server of the configuration, not even as the owner of its tables', async () => {
    const dir = await whole();
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `postgres://owner@127.0.0.1:${port}/production`;
    const { code, output } = await teller(['backup', 'verify', dir], {
      ...env,
      MASTER_KEY: readFileSync(join(env.DATA_DIR, 'master-key'), 'utf8').trim(),
      DATABASE_URL: url,
      MIGRATION_DATABASE_URL: url,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    });
    server.close();
    assert.equal(code, 0, output);
    assert.equal(connections, 0);
  });

  it('names seeds that do not open, books that differ and an audit log that was changed', async () => {
    const { id } = await world.newWallet();
    await eventually('the books of both wallets', async () => {
      const [{ count }] = await world.query(
        "select count(*) from reconciliations where asset_code = 'native'",
      );
      return count === '2';
    });
    const change = 'set_byte(sealed_seed, 40, get_byte(sealed_seed, 40) # 1)';
    await world.query('begin');
    await world.query('set local session_replication_role = replica'); // no trigger keeps the audit log
    await world.query(`update wallets set sealed_seed = ${change} where id = $1`, [id]);
    await world.query('update deposits set amount_stroops = amount_stroops + 7 where wallet_id = $1', [
      wallet.id,
    ]);
    await world.query('update audit_log set hash = set_byte(hash, 0, get_byte(hash, 0) # 1) where seq = 1');
    await world.query('commit');
    const { code, output } = await verify(await whole());
    assert.equal(code, 1);
    assert.match(
      output,
      new RegExp(`^WRONG\\. Keys: 1 sealed seeds do not give their public keys: ${id} in the database`, 'm'),
    );
    assert.match(
      output,
      new RegExp(`^WRONG\\. Books: 1 sums of rows differ .* ${wallet.id} native: -7\\.$`, 'm'),
    );
    assert.match(output, /^WRONG\. Audit log: /m);
    assert.match(output, /The backup has 3 faults\.\n$/);
  });

  it('leaves no copy and no server', () => {
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('stellar-teller-verify-'));
    assert.deepEqual(left, []);
  });
});
