/** What PostgreSQL tells of the archive of its own log. */
import { sql } from 'kysely';
import type { Db } from './database.ts';

export type LogArchive = {
  /** Segments that are not archived yet. They stay on the disk of the database. */
  waiting: number;
  /** The segment that the archive has refused last; null when it has taken one since. */
  refused: string | null;
};

/** Reads the state of the archive, for a role that may see the files of the server, as that of the embedded database. */
export async function readLogArchive(db: Db): Promise<LogArchive> {
  const { rows } = await sql<LogArchive>`
    select (select count(*)::int from pg_ls_archive_statusdir() where name like '%.ready') as waiting,
           case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_wal end as refused
      from pg_stat_archiver`.execute(db);
  return rows[0] ?? { waiting: 0, refused: null };
}
