import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../errors.ts';

const SQLITE_BUSY = 5;

/** Another process uses this data directory. */
export class DataDirInUse extends OperatorError {
  override name = 'DataDirInUse';
}

/**
 * Makes `data_dir` if needed, and locks it for this process until `release` or the end of the process. The kernel keeps the
 * lock, so that the lock of a killed service is free at once, without a pid file that a crash could leave behind.
 * @throws DataDirInUse; OperatorError when this user cannot write there.
 */
export function lockDataDir(data_dir: string): { release(): void } {
  const [lock_path, pid_path] = [join(data_dir, 'lock'), join(data_dir, 'lock.pid')];
  let lock: DatabaseSync;
  try {
    mkdirSync(data_dir, { recursive: true, mode: 0o755 });
    lock = acquire(lock_path);
    writeFileSync(pid_path, `${process.pid}\n`);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw inUse(data_dir, pid_path);
    throw new OperatorError(
      `Cannot write in DATA_DIR ${data_dir} (${(error as Error).message}). ` +
        'Give this user the right to write there, or set another DATA_DIR.',
      { cause: error },
    );
  }
  return {
    release: () => {
      if (!lock.isOpen) return;
      rmSync(pid_path, { force: true });
      lock.close();
    },
  };
}

/** Uses SQLite for a file lock, which Node does not have. The file stays empty. */
function acquire(path: string): DatabaseSync {
  // An existing file is not opened here: closing any handle of a file releases the locks of this process on it.
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The pid is only for the message: its file may be missing or outdated. */
function inUse(data_dir: string, pid_path: string): DataDirInUse {
  const pid = existsSync(pid_path) ? ` (pid ${readFileSync(pid_path, 'utf8').trim()})` : '';
  return new DataDirInUse(
    `Stellar Teller is already running on DATA_DIR ${data_dir}${pid}. Stop it first, or set another DATA_DIR.`,
  );
}
