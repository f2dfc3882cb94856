import { sql } from 'kysely';
import type { Db } from './database.ts';
import { IS_OF_SERVICE, type NamedProcess, readSessionName } from './session-names.ts';

/**
 * The processes of the service that are connected to this database, without this one. `nameless`: how many sessions there are of
 * commands.
 */
export type RunningProcesses = { processes: NamedProcess[]; nameless: number };

/** Reads the running processes, for commands, which have one connection. */
export async function runningProcesses(db: Db): Promise<RunningProcesses> {
  const { rows } = await sql<{ application_name: string; sessions: bigint }>`
    select application_name, count(*) as sessions from pg_stat_activity
     where ${sql.raw(IS_OF_SERVICE)} and pid <> pg_backend_pid()
     group by 1 order by 1`.execute(db);
  const running: RunningProcesses = { processes: [], nameless: 0 };
  for (const { application_name, sessions } of rows) {
    const found = readSessionName(application_name);
    if (found) running.processes.push(found);
    else running.nameless += Number(sessions);
  }
  return running;
}
