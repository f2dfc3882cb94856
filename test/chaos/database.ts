/** A PostgreSQL server of the run's own, as durable as one for money must be, found at the same place after each start. */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { createLog } from '../../src/lib/log.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive, postmasterPid } from '../support/holder.ts';
import type { Journal, Victim } from './victim.ts';

export type Database = { victim: Victim; url: string; config: pg.ClientConfig };

export function createDatabase(dir: string, { tallies }: Journal): Database {
  const tally = tallies.database;
  /** Every start makes a new directory for the socket: clients find it through this link. */
  const host = join(dir, 'socket');
  const log = createLog('silent', false);
  let server: EmbeddedPostgres | null = null;
  let postmaster = 0;

  async function end(finish: (running: EmbeddedPostgres) => Promise<void>): Promise<void> {
    if (!server) return;
    await finish(server);
    server = null;
  }

  const victim: Victim = {
    kind: 'database',
    async start() {
      if (server) return;
      const began = performance.now();
      const started = await startEmbeddedPostgres({ data_dir: dir, log });
      rmSync(`${host}.new`, { force: true });
      symlinkSync(started.host, `${host}.new`);
      renameSync(`${host}.new`, host);
      postmaster = postmasterPid(started.cluster_dir);
      server = started;
      tally.ready_ms.push(Math.round(performance.now() - began));
    },
    kill: () =>
      end(async () => {
        process.kill(postmaster, 'SIGKILL');
        await eventually('the end of PostgreSQL', () => !isAlive(postmaster));
      }),
    stop: () =>
      end(async (running) => {
        const began = performance.now();
        await running.stop();
        tally.longest_stop_ms = Math.max(tally.longest_stop_ms, Math.round(performance.now() - began));
      }),
    begin: unused,
    freeze: unused,
    thaw: unused,
    end() {
      if (server && isAlive(postmaster)) process.kill(postmaster, 'SIGKILL');
    },
  };
  return {
    victim,
    // `host=` wins; the service wants some host before the path.
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(host)}&port=5432`,
    config: { host, port: 5432, user: 'postgres', database: 'postgres' },
  };
}

/** A server in which only the postmaster stands still goes on serving whom it serves. */
function unused(): never {
  throw new Error('PostgreSQL is killed or stopped, nothing else');
}
