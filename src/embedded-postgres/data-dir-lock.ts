import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** Another service works on this data directory. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

/**
 * Makes `data_dir` if needed, and holds it for this process alone until `release` or the process's end. The kernel
 * keeps the lock, so a killed service's is free at once: no pid file that a crash could leave behind decides.
 * @throws DataDirInUse
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
    throw new Error(
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

/** SQLite gives us the file lock that Node lacks; nothing is ever stored in the file. */
function acquire(path: string): DatabaseSync {
  // Never opened here once it exists: closing any handle of a file frees this process's locks on it.
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

/** The pid is only for the message: its file may be missing or a moment old. */
function inUse(data_dir: string, pid_path: string): DataDirInUse {
  const pid = existsSync(pid_path) ? ` (pid ${readFileSync(pid_path, 'utf8').trim()})` : '';
  return new DataDirInUse(
    `Stellar Teller is already running on DATA_DIR ${data_dir}${pid}. Stop it first, or set another DATA_DIR.`,
  );
}
