/** A PostgreSQL server of the run's own, as durable as one for money must be, found at the same place after each start. */
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
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

  /** The postmaster first: while it stands still no session is added, and the number of none is given away. */
  function freeze(): void {
    process.kill(postmaster, 'SIGSTOP');
    for (const pid of sessionsOf(postmaster)) process.kill(pid, 'SIGSTOP');
  }

  function unfreeze(signal: 'SIGCONT' | 'SIGKILL'): void {
    for (const pid of sessionsOf(postmaster)) process.kill(pid, signal);
    process.kill(postmaster, signal);
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
    begin() {
      throw new Error('a start of PostgreSQL is not left alone');
    },
    freeze,
    thaw: () => unfreeze('SIGCONT'),
    end() {
      postmaster = runningIn(join(dir, 'postgres')) ?? 0; // one that is just starting too
      if (postmaster === 0) return;
      freeze();
      unfreeze('SIGKILL'); // one that stays frozen would not notice that it is alone
      if (server) rmSync(server.host, { recursive: true, force: true });
    },
  };
  return {
    victim,
    // `host=` wins; the service wants some host before the path.
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(host)}&port=5432`,
    config: { host, port: 5432, user: 'postgres', database: 'postgres' },
  };
}

function runningIn(cluster_dir: string): number | null {
  if (!existsSync(join(cluster_dir, 'postmaster.pid'))) return null;
  const pid = postmasterPid(cluster_dir);
  return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster_dir) ? pid : null;
}

/** A server is as many processes as it has sessions, and some more. */
function sessionsOf(postmaster: number): number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
