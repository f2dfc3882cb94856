import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../lib/errors.ts';
import { makeFolder, PASSABLE, whyRefused } from '../../lib/folders.ts';

const SQLITE_BUSY = 5;

/** Another process uses this data directory. */
export class DataDirInUse extends OperatorError {
  override name = 'DataDirInUse';
}

/**
 * Makes `data_dir` if needed, and locks it for this process until `release` or the end of the process. The kernel keeps the
 * lock, so that the lock of a killed service is free at once, without a pid file that a crash could leave behind.
 * @throws DataDirInUse; OperatorError when it cannot be written, with the reason.
 */
export function lockDataDir(data_dir: string): { release(): void } {
  const [lock_path, pid_path] = [join(data_dir, 'lock'), join(data_dir, 'lock.pid')];
  makeDataDir(data_dir);
  const lock = orRefused(data_dir, () => {
    closeSync(openSync(data_dir, 'r')); // SQLite does not tell that the process may open no more files
    accessSync(data_dir, constants.W_OK);
    const acquired = acquire(lock_path, () => inUse(data_dir, pid_path));
    writeFileSync(pid_path, `${process.pid}\n`, { mode: 0o600 });
    return acquired;
  });
  return {
    release: () => {
      if (!lock.isOpen) return;
      rmSync(pid_path, { force: true });
      lock.close();
    },
  };
}

/** Makes the folder `data_dir` if needed. @throws OperatorError with the reason why this is not possible */
export function makeDataDir(data_dir: string): void {
  orRefused(data_dir, () => makeFolder(data_dir, PASSABLE));
}

function orRefused<T>(data_dir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw dataDirRefused(data_dir, error) ?? error;
  }
}

/** Makes the error for a person when the system refused something in `data_dir`. Returns null when `error` is something else. */
export function dataDirRefused(data_dir: string, error: unknown): OperatorError | null {
  const reason = whyRefused(error);
  if (reason === null) return null;
  const { path } = error as NodeJS.ErrnoException; // absent for an open file
  if (path !== undefined && !isInOrAbove(data_dir, path)) return null;
  const place = path === undefined || path === data_dir ? '' : ` (${path})`;
  return new OperatorError(`Cannot use DATA_DIR ${data_dir}: ${reason}${place}.`, { cause: error });
}

function isInOrAbove(data_dir: string, path: string): boolean {
  return `${path}/`.startsWith(`${data_dir}/`) || `${data_dir}/`.startsWith(`${path}/`);
}

/** Uses SQLite for a file lock, which Node does not have. The file stays empty. */
function acquire(path: string, inUse: () => DataDirInUse): DatabaseSync {
  // An existing file is not opened here: closing any handle of a file releases the locks of this process on it.
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw (error as { errcode?: number }).errcode === SQLITE_BUSY ? inUse() : error;
  }
}

/** Makes the error that names the other process. The pid is only for the message: its file may be missing or outdated. */
function inUse(data_dir: string, pid_path: string): DataDirInUse {
  const pid = existsSync(pid_path) ? ` (pid ${readFileSync(pid_path, 'utf8').trim()})` : '';
  return new DataDirInUse(
    `Stellar Teller is already running on DATA_DIR ${data_dir}${pid}. Stop it first, or set another DATA_DIR.`,
  );
}
