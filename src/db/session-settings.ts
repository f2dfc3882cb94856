import type { ClientBase } from 'pg';

/** 0: no limit. */
export type SessionLimits = { statement_timeout_ms: number; idle_in_transaction_timeout_ms: number };

/**
 * What our statements, and our reading of their answers, rely on. The server, the database and the role may each have other
 * defaults: with another DateStyle no time could be read, with another isolation level a guarded write would fail.
 */
const RELIED_ON = {
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // Statements that wait for a lock have a limit of their own, and the pool keeps idle sessions.
  lock_timeout: '0',
  idle_session_timeout: '0',
};

/** Of PostgreSQL 17 and newer. */
const NO_TRANSACTION_TIMEOUT = `select set_config('transaction_timeout', '0', false)
  where current_setting('transaction_timeout', true) <> '0'`;

/** What was committed must be on disk before it is sent: a commit that the server may lose could be paid twice. */
const DURABLE = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

/**
 * Names are looked up in one schema alone, after those of PostgreSQL: that of our tables, and before the first migration the
 * first one of search_path that exists. A table or function of the same name in another schema changes nothing.
 */
const ONE_SCHEMA = `select set_config('search_path', quote_ident(coalesce(
  (select nspname from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = to_regclass('migrations')), current_schema())), false)`;

/** Sets what the service needs of a new session. By statements: poolers refuse most settings at the start of a session. */
export async function prepareSession(client: ClientBase, limits: SessionLimits): Promise<void> {
  const settings = {
    ...RELIED_ON,
    statement_timeout: limits.statement_timeout_ms,
    idle_in_transaction_session_timeout: limits.idle_in_transaction_timeout_ms,
  };
  const set = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`);
  await client.query([...set, NO_TRANSACTION_TIMEOUT, DURABLE, ONE_SCHEMA].join('; '));
}
