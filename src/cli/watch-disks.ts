/** Tells the operator when the service can write no more: a disk that fills up, or a key journal that takes no line. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Deps } from '../deps.ts';
import { startLoop } from '../lib/loop.ts';
import type { Stops } from './connect.ts';

const LOOK_MS = 5_000;
/** The same limit as that of the alert TellerDiskFull. */
const LEAST_BYTES = 256 * 2 ** 20;
const LEAST_PART = 0.1;

type WatchDeps = Pick<Deps, 'config' | 'key_journal' | 'clock' | 'log' | 'metrics'>;

/** Looks at once, and then every 5 s. Sets the metrics, and logs an error when something begins to be full. */
export async function watchDisks(deps: WatchDeps, stops: Stops): Promise<void> {
  const told = new Set<string>();
  await look(deps, told);
  const step = async () => {
    await look(deps, told);
    return false;
  };
  const loop = startLoop({ ...deps, name: 'disks', step, idle_ms: LOOK_MS });
  stops.push(() => loop.stop());
}

async function look(deps: WatchDeps, told: Set<string>): Promise<void> {
  await lookAtJournal(deps, told);
  const { data_dir, key_journal, backup_wal_dir } = deps.config;
  const folders = { data_dir, key_journal: key_journal && dirname(key_journal), backup_wal_dir };
  for (const [place, folder] of Object.entries(folders))
    if (folder) await lookAtDisk(deps, { place, folder }, told);
}

async function lookAtJournal({ key_journal, metrics, log }: WatchDeps, told: Set<string>): Promise<void> {
  if (key_journal.path === null) return;
  const reason = await key_journal.fault();
  metrics.key_journal_writable.set(reason === null ? 1 : 0);
  if (begins(told, 'journal', reason !== null))
    log.error({ path: key_journal.path, reason }, 'KEY_JOURNAL cannot be written to: no wallet can be made');
}

async function lookAtDisk(
  { metrics, log }: WatchDeps,
  { place, folder }: { place: string; folder: string },
  told: Set<string>,
): Promise<void> {
  const read = await statfs(folder).catch(() => null); // a folder that is not used need not be there
  if (read === null) {
    metrics.disk_free_bytes.remove({ place });
    metrics.disk_size_bytes.remove({ place });
    return;
  }
  const [free_bytes, size_bytes] = [read.bavail * read.bsize, read.blocks * read.bsize];
  metrics.disk_free_bytes.set({ place }, free_bytes);
  metrics.disk_size_bytes.set({ place }, size_bytes);
  if (begins(told, place, free_bytes < LEAST_BYTES && free_bytes < LEAST_PART * size_bytes))
    log.error({ place, folder, free_bytes }, 'a disk is full, or nearly');
}

/** Returns true when this fault has just begun. */
function begins(told: Set<string>, fault: string, isThere: boolean): boolean {
  const isNew = isThere && !told.has(fault);
  if (isThere) told.add(fault);
  else told.delete(fault);
  return isNew;
}
