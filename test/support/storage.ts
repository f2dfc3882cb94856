import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Where tests make databases: in memory if there is plenty (a container's usual 64 MB would not do). A new database
 * is some 300 small files, which take 10 ms there and on some disks 400 ms.
 */
export async function storageForDatabases(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir();
}
