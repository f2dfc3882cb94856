/**
 * How PostgreSQL calls the sessions of the service (`application_name`, which every role sees):
 * `stellar-teller 0029 keys 0a1b2c3d,4e5f6a7b+aws-kms host/4711`.
 *
 * | part     | of whom            | who looks                                                                             |
 * |----------|--------------------|---------------------------------------------------------------------------------------|
 * | 0029     | all                | a migration that contracts the schema: the newest migration that the program knows    |
 * | keys …   | processes          | a rotation: the master keys and the key provider of the process: who could not follow |
 * | host/pid | processes          | the operator                                                                          |
 *
 * The name goes with the session, also when the process crashes.
 */
import { strict as assert } from 'node:assert';
import { hostname } from 'node:os';
import { migrationNames } from './migrations.ts';

const SERVICE = 'stellar-teller';
/** It only waits for the others. */
export const MIGRATING = `${SERVICE} migrate`;
/** NAMEDATALEN - 1: PostgreSQL cuts the rest off. */
const MAX_BYTES = 63;
const NUMBER_LENGTH = 4;

/**
 * Returns the name of the sessions of a command, or with `key_ids` of a process that knows these master keys. `provider`: the key provider
 * of the process; null without one.
 */
export function sessionName(key_ids?: readonly string[], provider: string | null = null): string {
  const command = `${SERVICE} ${numberOf(migrationNames().at(-1) ?? '')}`;
  if (!key_ids) return command;
  const keys = [key_ids.join(','), ...(provider === null ? [] : [provider])].join('+');
  const [start, end] = [`${command} keys ${keys} `, `/${process.pid}`];
  const room = MAX_BYTES - start.length - end.length;
  assert(room > 0);
  return `${start}${hostname()
    .replace(/[^\w.-]/g, '')
    .slice(0, room)}${end}`;
}

/** A condition in SQL: the session is one of the service, of whatever version. */
export const IS_OF_SERVICE = `datname = current_database() and application_name <> '${MIGRATING}'
  and starts_with(application_name, '${SERVICE} ')`;

/**
 * Returns true when the program of a session knows the migration. A program knows every migration before its newest one.
 */
export function knows(session_name: string, migration: string): boolean {
  return numberOf(session_name.slice(SERVICE.length + 1)) >= numberOf(migration);
}

/** `name`: host and process id. */
export type NamedProcess = { name: string; key_ids: string[]; provider: string | null };

/** Reads the name of a session; null for a name without keys. */
export function readSessionName(text: string): NamedProcess | null {
  const [, keys = '', name = ''] = /^stellar-teller \d{4} keys (\S+) (\S+)$/.exec(text) ?? [];
  if (name === '') return null;
  const [key_ids = '', provider = null] = keys.split('+');
  return { name, key_ids: key_ids.split(','), provider };
}

function numberOf(migration: string): string {
  return migration.slice(0, NUMBER_LENGTH);
}
