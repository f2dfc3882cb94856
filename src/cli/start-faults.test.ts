/** What keeps `teller serve` from starting is one sentence, and exit code 1. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { teller, temporaryDirectory } from '../../test/support/service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PORTS = { PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'silent' };
const timed = { timeout: 60_000 };

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
  const PASSWORD = 'correct horse battery staple';
  for (const command of [['serve'], ['user', 'create', '--email', 'a@example.com']]) {
    const { code, output } = await teller(command, { ...PORTS, PASSWORD, DATA_DIR: data_dir });
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
