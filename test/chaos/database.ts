/** A PostgreSQL server of the run's own, as durable as one for money must be, found at the same place after each start. */
import { readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.ts';
import { ensurePassword } from '../../src/embedded-postgres/server/access.ts';
import { makeDataDir } from '../../src/embedded-postgres/server/data-dir-lock.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive, postmasterPid } from '../support/holder.ts';
import type { ChaosTarget, Journal } from './chaos-target.ts';

/** The run starts its database again itself: nobody else may watch it. */
const STANDING: Clock = {
  now: () => new Date(),
  sleep: (_ms, signal) =>
    new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
};

export type Database = { target: ChaosTarget; url: string; config: pg.ClientConfig };

export async function createDatabase(dir: string, { tallies }: Journal): Promise<Database> {
  makeDataDir(dir);
  const password = await ensurePassword(dir);
  const tally = tallies.database;
  /** Every start makes a new directory for the socket: clients find it through this link. */
  const host = join(dir, 'socket');
  const cluster_dir = join(dir, 'postgres');
  const log = createLog('silent', false);
  let server: EmbeddedPostgres | null = null;
  let ending = Promise.resolve();
  let starting: Promise<void> | null = null;

  async function end(finish: (running: EmbeddedPostgres) => Promise<void>): Promise<void> {
    const running = server;
    server = null;
    ending = (async () => {
      await ending;
      if (running) await finish(running);
    })();
    await ending;
  }

  /** The postmaster first: while it stands still no session is added, and the number of none is given away. */
  function freeze(): void {
    const postmaster = postmasterOf(cluster_dir);
    if (postmaster === null) return;
    tell(postmaster, 'SIGSTOP');
    for (const pid of sessionsOf(postmaster)) tell(pid, 'SIGSTOP');
  }

  function unfreeze(signal: 'SIGCONT' | 'SIGKILL'): void {
    const postmaster = postmasterOf(cluster_dir);
    if (postmaster === null) return;
    for (const pid of sessionsOf(postmaster)) tell(pid, signal);
    tell(postmaster, signal);
  }

  async function begin(): Promise<void> {
    await ending;
    const began = performance.now();
    const started = await startEmbeddedPostgres({ data_dir: dir, log, clock: STANDING });
    rmSync(`${host}.new`, { force: true });
    symlinkSync(started.host, `${host}.new`);
    renameSync(`${host}.new`, host);
    server = started;
    tally.ready_ms.push(Math.round(performance.now() - began));
  }

  const target: ChaosTarget = {
    kind: 'database',
    async start() {
      if (server) return;
      starting ??= begin().finally(() => {
        starting = null;
      });
      await starting;
    },
    kill: () =>
      end(async () => {
        const postmaster = postmasterOf(cluster_dir);
        if (postmaster === null) return;
        const sessions = sessionsOf(postmaster);
        tell(postmaster, 'SIGKILL');
        for (const pid of sessions) tell(pid, 'SIGCONT'); // one that is frozen would not notice that it is alone
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
    endsByItself() {
      throw new Error('PostgreSQL never ends by itself');
    },
    freeze,
    thaw: () => unfreeze('SIGCONT'),
    end() {
      freeze();
      unfreeze('SIGKILL');
      if (server) rmSync(server.host, { recursive: true, force: true });
    },
  };
  return {
    target,
    // `host=` wins; the service wants some host before the path.
    url: `postgres://postgres:${password}@localhost/postgres?host=${encodeURIComponent(host)}&port=5432`,
    config: { host, port: 5432, user: 'postgres', password, database: 'postgres' },
  };
}

/** Only ever ours: the number in the file of a server that was killed may be somebody else's by now. */
function postmasterOf(cluster_dir: string): number | null {
  try {
    const pid = postmasterPid(cluster_dir);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster_dir) ? pid : null;
  } catch {
    return null; // no such file, or no such process: none runs
  }
}

/** A server is as many processes as it has sessions, and some more. */
function sessionsOf(postmaster: number): number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error; // it has ended by itself
  }
}
