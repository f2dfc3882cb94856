/**
 * How the processes of the service call themselves to PostgreSQL. Each of their sessions names the master keys that the process
 * knows: so a rotation sees who could not follow it. The name goes with the session, also when the process crashes.
 */
import { hostname } from 'node:os';
import { sql } from 'kysely';

/** Of commands, and of the processes of versions that know no rotation. */
export const APPLICATION = 'stellar-teller';
const WITH_KEYS = `${APPLICATION} keys`;
/** NAMEDATALEN - 1: PostgreSQL cuts the rest off. */
const MAX_BYTES = 63;

/** `key_ids`: of the master keys that the process knows. */
export function applicationName(key_ids: string[]): string {
  const [start, end] = [`${WITH_KEYS} ${key_ids.join(',')} `, `/${process.pid}`];
  const host = hostname().replace(/[^\w.-]/g, '');
  return `${start}${host.slice(0, MAX_BYTES - start.length - end.length)}${end}`;
}

/** The session is one of a process of the service, or of a command. */
export const isOurs = sql<boolean>`(application_name = ${APPLICATION} or application_name like ${`${WITH_KEYS} %`})`;

/** Host and process id, and the ids of the keys; null for a name that does not tell them. */
export function readApplicationName(text: string): { name: string; key_ids: string[] } | null {
  if (!text.startsWith(`${WITH_KEYS} `)) return null;
  const [key_ids = '', name = ''] = text.slice(WITH_KEYS.length + 1).split(' ');
  return { name, key_ids: key_ids.split(',') };
}
