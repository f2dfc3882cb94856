/**
 * Each connection needs a session of PostgreSQL for itself: settings, session locks and LISTEN belong to a session. A pooler in
 * transaction mode gives each transaction whatever session is free, and keeps the sessions of a process that has died.
 *
 * A start asks for it, and each command (migrate.ts); a process asks again every few seconds, because the mode of a pooler may be
 * changed (schema-check.ts).
 */
import type { ClientBase } from 'pg';
import { OperatorError } from '../lib/errors.ts';

/** Nothing was sent that could take effect. */
export class SessionsChange extends OperatorError {
  override name = 'SessionsChange';

  constructor(cause?: unknown) {
    super(
      'The sessions of the database change under the service: DATABASE_URL names a pooler in transaction or statement mode. ' +
        'Name PostgreSQL itself, or a pooler in session mode (docs/configuration.md, "Poolers").',
      { cause },
    );
  }
}

/** So many connections look whether they are given the session. A pooler may hand its free sessions out in turn. */
const OTHERS = 4;

const OWN_PID = 'select pg_backend_pid() as pid';

/**
 * Proves that `client` keeps its session while others have a transaction. `open` opens another connection to the same place, and
 * `close` closes it. @throws SessionsChange
 */
export async function requireOwnSession<T extends ClientBase>(
  client: T,
  { open, close, others: most = OTHERS }: { open(): Promise<T>; close(other: T): unknown; others?: number },
): Promise<void> {
  const pid = await pidOf(client);
  if (pid === announcedPid(client)) return; // no pooler is in between: its sessions have other numbers than it announces
  const others: T[] = [];
  try {
    while (others.length < most) {
      const other = await open();
      others.push(other);
      // It keeps its session until the end. A pooler in statement mode knows no transaction.
      await other.query('begin').catch((error) => {
        throw new SessionsChange(error);
      });
      if ((await pidOf(other)) === pid || (await pidOf(client)) !== pid) throw new SessionsChange();
    }
  } finally {
    for (const other of others) {
      await other.query('rollback').catch(() => undefined); // the pooler has ended the connection
      await close(other);
    }
  }
}

async function pidOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(OWN_PID);
  return rows[0]?.pid ?? 0;
}

/** Returns the number of the session, as the server or the pooler has announced it at the login. The types lack it. */
function announcedPid(client: ClientBase): number | null {
  return (client as unknown as { processID: number | null }).processID;
}
