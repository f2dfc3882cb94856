/** Making folders, and saying why the system refuses files. */
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of a folder with folders for us alone. A database that root starts runs as another user, who must pass it but not read it. */
export const PASSABLE = process.geteuid?.() === 0 ? 0o711 : 0o700;

/**
 * Makes a folder with this mode, whatever the umask, and those above it. One that is there stays as it is. Node's own
 * `recursive` never returns below a folder that takes no new ones, like /proc.
 * @throws Error of the operating system
 */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, { mode });
    chmodSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path), PASSABLE);
    makeFolder(path, mode);
  }
}

export const TOO_FEW_FILES =
  'this process may not open enough files (raise its limit: `ulimit -n`, or LimitNOFILE of systemd)';
export const DISK_FULL = 'the disk is full';

const REASONS: Record<string, string> = {
  EACCES: 'this user has no right to write there',
  EPERM: 'this user has no right to write there',
  EROFS: 'it is on a read-only file system',
  ENOSPC: DISK_FULL,
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a file is in the place of a folder',
  EEXIST: 'a file is in the place of a folder',
  EISDIR: 'a folder is in the place of a file',
  ENOENT: 'no folder can be made there',
  EMFILE: TOO_FEW_FILES,
  ENFILE: 'the machine has too many open files',
  EIO: 'the disk has a fault',
};

/** SQLite hides the error of the system behind codes of its own. */
const SQLITE_REASONS: Record<number, string> = {
  8: 'it cannot be written',
  10: 'the disk has a fault',
  13: DISK_FULL,
};

/** Calls that do not concern files: the same codes mean something else there. */
const OF_SOCKETS = ['listen', 'bind', 'connect', 'accept'];

/** Says why the system refused a file or folder, as the end of a sentence; null when `error` is something else. */
export function whyRefused(error: unknown): string | null {
  const { code = '', syscall, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  if (errcode !== undefined) return SQLITE_REASONS[errcode & 0xff] ?? null;
  if (syscall === undefined || OF_SOCKETS.includes(syscall)) return null;
  return REASONS[code] ?? null;
}
