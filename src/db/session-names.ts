/**
 * How PostgreSQL calls the sessions of the service (`application_name`, which every role sees): with the newest migration that
 * their program knows. So a migration finds the sessions of programs that are too old for it.
 */
import { strict as assert } from 'node:assert';
import { migrationNames } from './migrations.ts';

const SERVICE = 'stellar-teller';
/** It only waits for the others. */
export const MIGRATING = `${SERVICE} migrate`;
/** PostgreSQL cuts longer names (NAMEDATALEN). */
const MAX_BYTES = 63;

/** The name of the sessions of this program. */
export function sessionName(): string {
  const name = `${SERVICE} ${migrationNames().at(-1)}`;
  assert(Buffer.byteLength(name) <= MAX_BYTES);
  return name;
}

/** A condition in SQL: the session is one of the service, of whatever version. */
export const IS_OF_SERVICE = `datname = current_database() and application_name <> '${MIGRATING}'
  and (application_name = '${SERVICE}' or starts_with(application_name, '${SERVICE} '))`;

/**
 * Whether the program of a session knows the migration. Those of versions that did not name a migration know none that
 * matters. A program knows every migration before its newest one.
 */
export function knows(session_name: string, migration: string): boolean {
  return session_name.slice(SERVICE.length + 1) >= migration;
}
