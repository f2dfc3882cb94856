/** Only `serve`, `migrate` and `restore` make a database: a new, empty one would let every other command report that all is well. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import pg from 'pg';
import { tellerBeside } from '../../test/support/commands.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { temporaryDirectory } from '../../test/support/service.ts';
import { program } from './program.ts';

const folder = temporaryDirectory();
const DATA_DIR = join(folder, 'wrong');
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const journal = join(folder, 'key-journal');
writeFileSync(journal, '');
const ENV = {
  DATA_DIR,
  MASTER_KEY,
  STELLAR_RPC_URL: 'http://127.0.0.1:1',
  KEY_JOURNAL: journal,
  PASSWORD: 'correct horse battery staple',
};
const HASH = 'a'.repeat(64);
const ACCOUNT = 'GB2HHONBICW25FXNU2G44S3SHBGRL3ZTRCZMIVCJQXNBYC5ZG44MZXLG';
const EMAIL = 'a@example.com';
const requests = join(folder, 'requests');
writeFileSync(requests, 'key-1\n');

/** What the commands about a service need to come as far as its database; absent: nothing. */
const ARGUMENTS: Record<string, string[]> = {
  'user create': ['--email', EMAIL],
  ...Object.fromEntries(
    ['disable', 'enable', 'reset-password', 'reset-factors', 'sessions'].map((name) => [
      `user ${name}`,
      [EMAIL],
    ]),
  ),
  'service-user create': ['--team', EMAIL, '--name', 'n', '--role', 'viewer'],
  ...Object.fromEntries(
    ['disable', 'enable', 'rotate', 'remove'].map((name) => [`service-user ${name}`, ['usr_1']]),
  ),
  ...Object.fromEntries(
    ['freeze', 'unfreeze', 'clear-approvals'].map((name) => [`wallet ${name}`, ['wal_1']]),
  ),
  'tx-sources accept': [ACCOUNT],
  'unmatched accept': [HASH],
  'unmatched release': [HASH],
  'unmatched assign': [HASH, 'wd_1'],
  'unmatched fail': ['wd_1'],
  'unmatched resolve': ['--from-requests', requests],
  'channels create': ['1'],
  'channels retire': [ACCOUNT],
  'treasury budget': ['usr_1', '1'],
  backfill: ['--from-ledger', '2'],
  'quarantine dismiss': [HASH, '--reason', 'r'],
  'keys dismiss': ['key_1', '--reason', 'r'],
  'backup create': [join(folder, 'backup')],
};

/** Commands that make a database, or that use none. */
const OTHERS = [
  'serve',
  'migrate',
  'restore',
  'backup verify',
  'keys split',
  'keys combine',
  'sandbox',
  'sandbox pay',
  'sandbox contract',
  'sandbox upgrade',
  'sandbox authorize',
  'sandbox revoke',
  'sandbox claw-back',
  'sources',
  'listen',
  'trigger',
  'verify-receiver',
];

function namesOf(command: Command, path: string[]): string[] {
  const below = command.commands.flatMap((each) => namesOf(each, [...path, each.name()]));
  return below.length === 0 ? [path.join(' ')] : below;
}

const commands = namesOf(program, []).filter((name) => !OTHERS.includes(name));

describe('a command about a service', () => {
  it('refuses a DATA_DIR without a database, and leaves nothing there', async () => {
    assert.ok(commands.length > 40);
    for (const name of commands) {
      const { code, output } = await tellerBeside([...name.split(' '), ...(ARGUMENTS[name] ?? [])], ENV);
      assert.equal(
        output,
        `There is no database in ${DATA_DIR}. Set DATA_DIR to the folder of the service. A new database begins with "teller serve" or "teller migrate".\n`,
        name,
      );
      assert.equal(code, name === 'reconcile' ? 2 : 1, name);
      assert.equal(existsSync(DATA_DIR), false, name);
    }
  });

  it('refuses a DATABASE_URL without tables of the service, and makes none', async (t) => {
    const storage = await createTestDatabase();
    const client = new pg.Client({ connectionString: storage.url });
    await client.connect();
    t.after(() => client.end().then(storage.drop));
    await client.query('drop schema public cascade; create schema public');
    for (const args of [['wallet', 'list'], ['reconcile'], ['user', 'create', '--email', EMAIL], ['keys']]) {
      const { code, output } = await tellerBeside(args, { ...ENV, DATABASE_URL: storage.url });
      assert.match(
        output,
        /^The database of DATABASE_URL has no tables of the service\. .*"teller migrate"\.\n$/,
      );
      assert.equal(code, args[0] === 'reconcile' ? 2 : 1);
    }
    const { rows } = await client.query("select from pg_class where relnamespace = 'public'::regnamespace");
    assert.equal(rows.length, 0);
    assert.equal(existsSync(DATA_DIR), false);
  });

  it('that needs the network says that no sandbox runs on DATA_DIR', async (t) => {
    const storage = await createTestDatabase();
    t.after(() => storage.drop());
    const env = { ...ENV, STELLAR_RPC_URL: '', DATABASE_URL: storage.url };
    const { code, output } = await tellerBeside(['channels', 'merge'], env);
    assert.match(output, /^No sandbox runs on \S+\. Start the service or `teller sandbox` first\.\n$/);
    assert.equal(code, 1);
  });

  it('says why it cannot look into DATA_DIR', async () => {
    const { code, output } = await tellerBeside(['wallet', 'list'], { ...ENV, DATA_DIR: requests });
    assert.match(output, /^Cannot use DATA_DIR [^\n]+: a file is in the place of a folder [^\n]+\n$/);
    assert.equal(code, 1);
  });
});
