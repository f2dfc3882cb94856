/** The database as a process sees it that dies at one of its statements. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Db, exactTypes } from '../../src/db/database.ts';
import type { Tables } from '../../src/db/tables.ts';

/** `when`: before the statement reaches the server, or after its effect and before the answer. */
export type Death = { at: number; when: 'before' | 'after' };

export class Died extends Error {}

/**
 * Runs `work`, which dies at the statement with this number, counted from 1. Gives false when it ended before. The connection
 * breaks with the process: what its transaction has done is gone.
 */
export async function diesAt(
  { url, name }: { url: string; name: string },
  death: Death,
  work: (db: Db) => Promise<unknown>,
): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: name, types: exactTypes });
  client.on('error', () => undefined);
  await client.connect();
  let statements = 0;
  const ask = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const query = async (...args: unknown[]) => {
    statements++;
    if (statements > death.at || (statements === death.at && death.when === 'before')) throw await die();
    const answer = await ask(...args);
    if (statements === death.at) throw await die();
    return answer;
  };
  const die = async () => {
    const closed = new Promise((resolve) => client.once('end', resolve));
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    if (statements === death.at) await closed;
    return new Died();
  };
  const connection = { query, release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) });
  try {
    await work(db);
    return false;
  } catch (error) {
    if (statements < death.at) throw error;
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
