import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startHolder } from '../../test/support/holder.ts';
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts';

const root = mkdtempSync(join(tmpdir(), 'teller-lock-'));
after(() => rmSync(root, { recursive: true, force: true }));

test('makes the directory, and lets go of it on release', () => {
  const data_dir = join(root, 'made', 'here');
  lockDataDir(data_dir).release();
  const lock = lockDataDir(data_dir);
  lock.release();
  lock.release();
  assert.equal(existsSync(join(data_dir, 'lock.pid')), false);
  assert.equal(statSync(join(data_dir, 'lock')).mode & 0o777, 0o600);
});

test('a second lock of the same process is refused, and the first one still holds after it', async () => {
  const data_dir = join(root, 'same-process');
  const lock = lockDataDir(data_dir);
  assert.throws(() => lockDataDir(data_dir), DataDirInUse);
  assert.throws(() => lockDataDir(data_dir), DataDirInUse);
  await assert.rejects(startHolder(data_dir, { only: 'lock' }).held, /DataDirInUse.*already running/s);
  lock.release();
});

test('another process is refused with the pid of the holder; a killed holder holds nothing', async () => {
  const data_dir = join(root, 'other-process');
  const holder = startHolder(data_dir, { only: 'lock' });
  await holder.held;
  assert.throws(() => lockDataDir(data_dir), {
    name: 'DataDirInUse',
    message: `Stellar Teller is already running on DATA_DIR ${data_dir} (pid ${holder.pid}). Stop it first, or set another DATA_DIR.`,
  });
  await holder.kill('SIGKILL');
  lockDataDir(data_dir).release();
});

test('a directory that cannot be written is named', () => {
  const file = join(root, 'made', 'here', 'lock');
  assert.throws(
    () => lockDataDir(join(file, 'below-a-file')),
    /^Error: Cannot write in DATA_DIR .*another DATA_DIR/,
  );
});
