/**
 * A service's hold on a data directory and nothing else, as a process that tests can kill:
 * `node hold-data-dir.ts DATA_DIR [lock]`. Says on stdout, as JSON, what it holds; SIGTERM lets go of it.
 */

import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { lockDataDir } from '../../src/embedded-postgres/server/data-dir-lock.ts';
import { createLog } from '../../src/lib/log.ts';

const [data_dir = '', only] = process.argv.slice(2);
const lock = lockDataDir(data_dir);
const server =
  only === 'lock'
    ? undefined
    : await startEmbeddedPostgres({ data_dir, log: createLog('silent', false), fsync: false });
const alive = setInterval(() => undefined, 60_000);

async function end(): Promise<void> {
  await server?.stop();
  lock.release();
  clearInterval(alive);
}
process.once('SIGTERM', () => void end()); // a failure ends the process, which the test sees
process.stdout.write(`${JSON.stringify(server ?? {})}\n`);
