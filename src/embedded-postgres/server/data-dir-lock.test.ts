import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startHolder } from '../../../test/support/holder.ts';
import { OperatorError } from '../../lib/errors.ts';
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts';

const NOBODY = 65534;
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

/** Each sentence is all that the operator reads. */
const refused = (data_dir: string) => {
  try {
    lockDataDir(data_dir).release();
  } catch (error) {
    assert.ok(error instanceof OperatorError);
    return error.message;
  }
  return 'not refused';
};

test('a file in the place of DATA_DIR or of a folder above it is one sentence', () => {
  const file = join(root, 'file');
  writeFileSync(file, 'text');
  assert.equal(refused(file), `Cannot use DATA_DIR ${file}: a file is in the place of a folder.`);
  const below = join(file, 'a', 'b');
  assert.match(refused(below), /^Cannot use DATA_DIR \S+: a file is in the place of a folder( \(\S+\))?\.$/);
});

test('DATA_DIR below a folder that takes no new ones is one sentence, and no hang', () => {
  const below = '/proc/stellar-teller/data';
  assert.equal(
    refused(below),
    `Cannot use DATA_DIR ${below}: no folder can be made there (/proc/stellar-teller).`,
  );
});

test('a DATA_DIR that cannot be written is one sentence', { timeout: 300_000 }, async () => {
  const dir = join(root, 'foreign');
  mkdirSync(dir, { mode: 0o555 });
  const sentence = `Cannot use DATA_DIR ${dir}: this user has no right to write there.`;
  if (process.geteuid?.() !== 0) return assert.equal(refused(dir), sentence);
  chmodSync(root, 0o755);
  await assert.rejects(startHolder(dir, { uid: NOBODY, gid: NOBODY, only: 'lock' }).held, (error: Error) =>
    error.message.includes(sentence),
  );
});

test('a full disk is one sentence', () => {
  const dir = join(root, 'full');
  mkdirSync(dir);
  symlinkSync('/dev/full', join(dir, 'lock.pid'));
  assert.equal(refused(dir), `Cannot use DATA_DIR ${dir}: the disk is full.`);
});
