/** Tells the operator when the log of the embedded database is not archived: then it fills the disk, and no time can be restored. */
import { readLogArchive } from '../db/log-archive.ts';
import type { Deps } from '../deps.ts';
import { startLoop } from '../lib/loop.ts';
import type { Stops } from './connect.ts';

const LOOK_MS = 15_000;

/** Sets the metrics, and logs an error when the archive begins to refuse segments. */
export function watchArchive(
  deps: Pick<Deps, 'db' | 'config' | 'clock' | 'log' | 'metrics'>,
  stops: Stops,
): void {
  const { db, config, log, metrics } = deps;
  metrics.wal_archive_waiting.set(0);
  if (config.database_url !== undefined) return;
  // Without BACKUP_WAL_DIR too: the log of a database that archived before is kept, and would fill the disk unseen.
  const wal_dir = config.backup_wal_dir;
  let wasRefused = false;
  const step = async () => {
    const { waiting, refused } = await readLogArchive(db);
    metrics.wal_archive_waiting.set(waiting);
    metrics.wal_archive_refused.set(refused === null ? 0 : 1);
    if (refused !== null && !wasRefused) log.error({ segment: refused, wal_dir, waiting }, REFUSED);
    wasRefused = refused !== null;
    return false;
  };
  const loop = startLoop({ ...deps, name: 'log archive', step, idle_ms: LOOK_MS });
  stops.push(() => loop.stop());
}

const REFUSED =
  'The archive takes no segment of the log of the database; postgres.log says why. The log stays on the disk of the database until it does.';
