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

/** `key_ids`: of the master keys that the process knows. `provider`: its key provider; null without one. */
export function applicationName(key_ids: string[], provider: string | null = null): string {
  const keys = [key_ids.join(','), ...(provider === null ? [] : [provider])].join('+');
  const [start, end] = [`${WITH_KEYS} ${keys} `, `/${process.pid}`];
  const host = hostname().replace(/[^\w.-]/g, '');
  return `${start}${host.slice(0, MAX_BYTES - start.length - end.length)}${end}`;
}

/** The session is one of a process of the service, or of a command. */
export const isOurs = sql<boolean>`(application_name = ${APPLICATION} or application_name like ${`${WITH_KEYS} %`})`;

/** `name`: host and process id. */
export type NamedProcess = { name: string; key_ids: string[]; provider: string | null };

/** Null for a name that does not tell the keys. */
export function readApplicationName(text: string): NamedProcess | null {
  if (!text.startsWith(`${WITH_KEYS} `)) return null;
  const [keys = '', name = ''] = text.slice(WITH_KEYS.length + 1).split(' ');
  const [key_ids = '', provider = null] = keys.split('+');
  return { name, key_ids: key_ids.split(','), provider };
}
