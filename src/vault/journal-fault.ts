/** Why the key journal cannot be written to, in words for the operator. */
import { constants, type FileHandle, open, statfs } from 'node:fs/promises';

/** Lines of a page of wallets have a megabyte. */
const LEAST_ROOM_BYTES = 1_048_576n;

const REASONS: Record<string, string> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EROFS: 'its file system is read-only',
  EACCES: 'the service has no right to it',
  EPERM: 'the service has no right to it',
  ENOENT: 'it is not there',
  EIO: 'its disk fails',
};

export function journalReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && REASONS[code]) || message;
}

/**
 * Returns why nothing can be appended to `file`, or why nobody would find it at `path`; null when no fault shows. It writes
 * nothing, so it does not see a quota that is used up: that shows at a write only.
 */
export async function faultOfJournal(path: string, file: FileHandle): Promise<string | null> {
  try {
    const there = await open(path, constants.O_WRONLY | constants.O_APPEND);
    try {
      const [found, ours] = [await there.stat({ bigint: true }), await file.stat({ bigint: true })];
      if (found.dev !== ours.dev || found.ino !== ours.ino) return 'another file has taken its place';
    } finally {
      await there.close();
    }
    const { bavail, bsize } = await statfs(path, { bigint: true });
    return bavail * bsize < LEAST_ROOM_BYTES ? 'its disk is full' : null;
  } catch (error) {
    return journalReason(error);
  }
}
