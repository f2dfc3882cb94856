/** What a database must be for the service, asked before anything is changed in it. */
import type pg from 'pg';
import { OperatorError } from '../lib/errors.ts';

const OLDEST = 150_000;
const INSUFFICIENT_PRIVILEGE = '42501';

type Found = {
  version: number;
  recovers: boolean;
  read_only: string;
  replication_role: string;
  encoding: string;
  database: string;
  role: string;
  /** Null: none of search_path exists, or the role may not use it. */
  schema: string | null;
  may_create: boolean | null;
};

const FACTS = `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as recovers,
  current_setting('transaction_read_only') as read_only,
  current_setting('session_replication_role') as replication_role, getdatabaseencoding() as encoding,
  current_database() as database, current_user as role, current_schema() as schema,
  has_schema_privilege(current_schema(), 'create') as may_create`;

/** @throws OperatorError with a sentence about what is wrong, and what helps */
export async function requireUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Found>(FACTS);
  const reason = rows[0] && whyUnusable(rows[0]);
  if (reason) throw new OperatorError(reason);
}

function whyUnusable({
  version,
  recovers,
  read_only,
  replication_role,
  encoding,
  ...at
}: Found): string | null {
  if (version < OLDEST)
    return `The database runs on PostgreSQL ${Math.floor(version / 10_000)}. The service needs 15 or newer.`;
  if (recovers)
    return 'The database is in recovery: it is a standby, or still replays its log. DATABASE_URL must name the primary.';
  if (read_only === 'on')
    return 'The database is read-only: default_transaction_read_only is on for the server, the database or the role.';
  if (replication_role === 'replica')
    return (
      'The triggers of the database do not run: session_replication_role is replica for the server, the database or the role. ' +
      'They keep the audit log from changes, and make the team of a new user.'
    );
  if (encoding !== 'UTF8')
    return (
      `The database "${at.database}" has the encoding ${encoding}, in which not every name and memo can be kept. ` +
      "Make one with: create database … encoding 'UTF8' template template0."
    );
  if (at.schema === null)
    return (
      `The search_path of the database role "${at.role}" names no schema that exists and that the role may use. ` +
      `Make one with: create schema … authorization "${at.role}".`
    );
  return null;
}

/** Checks the right to make tables. @throws OperatorError */
export async function requireCreate(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Found>(FACTS);
  const [found] = rows;
  if (!found || found.may_create) return;
  throw new OperatorError(
    `The database role "${found.role}" may not make tables in the schema "${found.schema}". ` +
      `Grant it with: grant create on schema "${found.schema}" to "${found.role}"; or name the owner of the tables in ` +
      'MIGRATION_DATABASE_URL.',
  );
}

/** Returns the sentence for a statement that PostgreSQL has refused for want of a right; null for another error. */
export function missingRight(error: unknown): OperatorError | null {
  const { code = '', severity, message = '' } = error as Error & { code?: string; severity?: string };
  if (severity === undefined || code !== INSUFFICIENT_PRIVILEGE) return null;
  return new OperatorError(
    `The database role of the service lacks a right: ${message}. Let MIGRATION_DATABASE_URL name the owner of the tables: ` +
      'then "teller migrate" grants every right.',
    { cause: error },
  );
}

/**
 * Checks that the role of the service finds the tables that the owner has made. `schema`: where these are.
 * @throws OperatorError
 */
export async function requireSameSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ role: string; found: string | null }>(
    `select current_user as role, (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where pg_class.oid = to_regclass('migrations')) as found`,
  );
  const [{ role, found } = { role: '', found: null }] = rows;
  if (found === schema) return;
  const instead = found === null ? 'does not find them' : `finds others, in "${found}"`;
  throw new OperatorError(
    `The tables are in the schema "${schema}", and the database role "${role}" ${instead}. ` +
      `Set its search_path with: alter role "${role}" set search_path = "${schema}".`,
  );
}
