/**
 * Whether this program may work with the schema. A newer version announces that it contracts the schema, waits until no
 * older program has a session, and only then contracts it (older-sessions.ts). An older program learns of the announcement
 *
 * | when it                   | and then                                                                     |
 * |---------------------------|------------------------------------------------------------------------------|
 * | starts                    | ends with a sentence (migrate.ts)                                            |
 * | opens a connection        | gets none: nothing that it would send can reach the contracted schema        |
 * | looks, every few seconds  | ends (cli/serve.ts): answers 503, and leaves open withdrawals to the others  |
 *
 * The look notices too that a pooler has come to change the sessions of the service (own-sessions.ts).
 */
import type { ClientBase, DatabaseError, Pool, PoolClient } from 'pg';
import { migrationNames, SchemaMismatch } from './migrations.ts';
import { requireOwnSession, SessionsChange } from './own-sessions.ts';

const UNFIT = 'select name from migrations where needs <> all($1::text[]) order by name limit 1';
const UNDEFINED_TABLE = '42P01';

/** Refuses a new connection to a schema that this program cannot work with. @throws SchemaMismatch */
export async function requireFit(client: ClientBase): Promise<void> {
  const reason = await whyUnfit(client).catch((error) => {
    if ((error as DatabaseError).code === UNDEFINED_TABLE) return null; // an empty database
    throw error;
  });
  if (reason !== null) throw new SchemaMismatch(reason);
}

/** Returns a function that says why this program cannot serve the schema any more; null while it can. */
export function schemaCheck(pool: Pool): () => Promise<string | null> {
  return async () => {
    try {
      const client = await pool.connect();
      const others = { open: () => pool.connect(), close: (other: PoolClient) => other.release(), others: 1 };
      try {
        await requireOwnSession(client, others);
        return await whyUnfit(client);
      } finally {
        client.release();
      }
    } catch (error) {
      if (error instanceof SchemaMismatch || error instanceof SessionsChange) return error.message;
      throw error;
    }
  };
}

async function whyUnfit(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(UNFIT, [migrationNames()]);
  return rows[0] ? tooNew(rows[0].name) : null;
}

export function tooNew(name: string): string {
  return `The database has the migration ${name}, which this version cannot work with. Run the newer version.`;
}
