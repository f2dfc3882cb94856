/** What keeps `teller serve` from starting is one sentence, and exit code 1. A start that waits can be stopped. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startPooler } from '../../test/support/pooler.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { teller, temporaryDirectory } from '../../test/support/service.ts';
import { holdMigrationLock } from '../db/migration-lock.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PORTS = { PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'silent' };
const timed = { timeout: 300_000 };

test('a file in the place of DATA_DIR', timed, async () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  const { code, output } = await teller(['serve'], { ...PORTS, DATA_DIR: file });
  assert.equal(output, `Cannot use DATA_DIR ${file}: a file is in the place of a folder.\n`);
  assert.equal(code, 1);
});

test('a DATA_DIR where folders cannot be made', timed, async () => {
  const data_dir = '/proc/stellar-teller/data';
  const sentence = `Cannot use DATA_DIR ${data_dir}: no folder can be made there (/proc/stellar-teller).\n`;
  for (const command of [['serve'], ['migrate']]) {
    const { code, output } = await teller(command, { ...PORTS, DATA_DIR: data_dir });
    assert.equal(output, sentence);
    assert.equal(code, 1);
  }
  const sandbox = await teller(['sandbox'], { SANDBOX_PORT: '0', DATA_DIR: data_dir });
  assert.equal(
    sandbox.output,
    `The sandbox cannot use the folder ${data_dir}/sandbox: no folder can be made there.\n`,
  );
  assert.equal(sandbox.code, 1);
});

test('a full disk, wherever the start notices it', timed, async () => {
  for (const name of ['lock.pid', 'sandbox/rpc-url']) {
    const data_dir = temporaryDirectory();
    mkdirSync(join(data_dir, 'sandbox'));
    symlinkSync('/dev/full', join(data_dir, name));
    const { code, output } = await teller(['serve'], { ...PORTS, DATA_DIR: data_dir });
    assert.equal(output, `Cannot use DATA_DIR ${data_dir}: the disk is full.\n`);
    assert.equal(code, 1);
  }
});

test('a limit of open files that is too low', timed, () => {
  const command = [process.execPath, 'bin/teller.js', 'serve'];
  const { status, stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -n 100; exec "$@"', 'sh', ...command],
    {
      cwd: ROOT,
      env: { ...process.env, ...PORTS, DATA_DIR: temporaryDirectory() },
      encoding: 'utf8',
    },
  );
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /^This process may open only 100 files at once, and needs 256 or more\. Raise its limit .*\n$/,
  );
  assert.equal(status, 1);
});

/** Runs `work` with a database of its own. */
async function withDatabase(
  work: (url: string, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const storage = await createTestDatabase();
  const MASTER_KEY = randomBytes(32).toString('base64');
  const env = { ...PORTS, MASTER_KEY, DATA_DIR: temporaryDirectory(), DATABASE_URL: storage.url };
  await work(storage.url, env).finally(() => storage.drop());
}

test('a pooler in transaction mode', timed, () =>
  withDatabase(async (url, env) => {
    const pooler = await startPooler(url, 'transaction');
    const { code, output } = await teller(['serve'], { ...env, DATABASE_URL: pooler.url });
    assert.match(output, /^The sessions of the database change under the service: .* mode.*\n$/);
    assert.equal(code, 1);
    await pooler.stop();
  }),
);

test(
  'a start that waits for another process says for what, and SIGTERM ends it before any work begins',
  timed,
  () =>
    withDatabase(async (url, env) => {
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      await holdMigrationLock(holder, {});
      const start = spawn(process.execPath, ['bin/teller.js', 'serve'], {
        cwd: ROOT,
        env: { ...process.env, ...env, LOG_LEVEL: 'info' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      for await (const text of start.stdout) {
        output += text;
        if (output.includes('waiting for the lock of the migrations')) start.kill('SIGTERM');
      }
      const [code] = start.exitCode === null ? await once(start, 'exit') : [start.exitCode];
      assert.equal(code, 0);
      assert.match(output, /"msg":"stopped"\}\n$/);
      const { rowCount } = await holder.query('select from installation');
      assert.equal(rowCount, 0);
      await holder.end();
    }),
);
