/**
 * `node without-descriptors.ts DATA_DIR`, under a low `ulimit -n`: starts the database of DATA_DIR, runs out of file
 * descriptors while the server is watched, has some again, and kills the server. Prints what the log told, as JSON.
 */
import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { postmasterPid, until } from './holder.ts';

const [data_dir = ''] = process.argv.slice(2);
const told: string[] = [];
const log = pino({ level: 'info' }, { write: (line) => told.push(JSON.parse(line).msg) });
let looks = 0;
const clock = {
  ...systemClock,
  async sleep(): Promise<void> {
    looks++;
    await setImmediate();
  },
};
const server = await startEmbeddedPostgres({ data_dir, log, fsync: false, clock });

const opened = openAll();
const first = looks;
await until(() => looks >= first + 10);
for (const descriptor of opened) closeSync(descriptor);
told.push('killed');
process.kill(postmasterPid(server.cluster_dir), 'SIGKILL');
await until(() => told.includes('PostgreSQL started again'));
await server.stop();
process.stdout.write(JSON.stringify(told));

/** Opens files until the limit. */
function openAll(): number[] {
  const descriptors: number[] = [];
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EMFILE') return descriptors;
    throw error;
  }
}
