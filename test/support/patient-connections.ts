/** The connections of a process, for tests that run many things at once on a machine that may be busy. */
import { openConnections } from '../../src/db/connections.ts';
import { PATIENCE_MS } from './eventually.ts';

/** Opens them as the service does. A caller waits longer for a free connection: the service refuses after five seconds. */
export function openPatientConnections(...args: Parameters<typeof openConnections>) {
  const opened = openConnections(...args);
  for (const pool of Object.values(opened.pools)) pool.options.connectionTimeoutMillis = PATIENCE_MS;
  return opened;
}
