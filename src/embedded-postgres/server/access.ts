/**
 * Access to the embedded database needs the password in `DATA_DIR/postgres-password`. A start hardens a cluster that asks for less.
 *
 * | cluster                        | pg_hba.conf                            | a start                                     |
 * |--------------------------------|----------------------------------------|---------------------------------------------|
 * | just made by initdb            | refuses everybody                      | hardens it                                  |
 * | killed while it was hardened   | is not there, or lets in its owner only | hardens it again from the beginning         |
 * | hardened                       | wants the password, and names its hash | uses it                                     |
 * | hardened with another password | names another hash                     | hardens it again                            |
 *
 * So a lost password file needs no help: the next start makes a new password.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { lchown, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/errors.ts';
import { exists } from './binaries.ts';
import { type Cluster, SUPERUSER } from './cluster.ts';
import { readIfThere, writePrivate } from './files.ts';
import { HBA_FILE } from './server.ts';
import { giveTo } from './server-user.ts';

/** Where a server listens. */
export type Place = { host: string; port: number };

const PASSWORD_BYTES = 32;
const SCRAM_ITERATIONS = 4096;
const CONNECT_TIMEOUT_MS = 5_000;
const RELOAD_PATIENCE_MS = 10_000;
const RELOAD_POLL_MS = 5;
const INVALID_PASSWORD = '28P01';
const MAP = 'teller';

/** SQL: how the server has let this session in, and the value for one that has given the password. */
export const WAY_IN = "split_part(system_user, ':', 1)";
export const BY_PASSWORD = 'scram-sha-256';

export function passwordPath(data_dir: string): string {
  return join(data_dir, 'postgres-password');
}

/** Reads the password of the database of `data_dir`. Returns undefined when there is none, or something else is in its file. */
export async function readPassword(data_dir: string): Promise<string | undefined> {
  const text = (await readIfThere(passwordPath(data_dir)))?.trim();
  return text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined;
}

/**
 * Reads the password of the database of `data_dir`, and makes one when there is none. Its file belongs to the owner of `data_dir`,
 * who may start the service as well as root.
 */
export async function ensurePassword(data_dir: string): Promise<string> {
  const found = await readPassword(data_dir);
  if (found !== undefined) return found;
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const { uid, gid } = await stat(data_dir);
  await writePrivate(passwordPath(data_dir), `${password}\n`, process.geteuid?.() === 0 ? { uid, gid } : {});
  return password;
}

/** Returns true when the cluster wants this password and nothing less, and belongs to the user of its server. */
export async function isHardened({ dir, user }: Cluster, password: string): Promise<boolean> {
  const found = await readIfThere(join(dir, HBA_FILE));
  return found === rulesFor(password) && (user.uid === undefined || (await stat(dir)).uid === user.uid);
}

/** Deletes pg_hba.conf. Without this file no server starts, and the next start hardens the cluster. */
export async function forgetHardening({ dir }: Cluster): Promise<void> {
  await rm(join(dir, HBA_FILE), { force: true });
}

/**
 * Begins to harden the cluster, while no server runs. The files get their owner, and the server will let in only the operating
 * system's user who starts the service now, whom the kernel names (`peer`). So no password is needed to set one.
 * @throws OperatorError when something in the cluster is no ordinary file, or this user has no name
 */
export async function beginHardening(cluster: Cluster, log_path: string): Promise<void> {
  const { dir, user } = cluster;
  await forgetHardening(cluster);
  if (user.uid !== undefined && user.gid !== undefined) {
    giveTo({ uid: user.uid, gid: user.gid }, dir);
    for (const path of [log_path, `${log_path}.1`])
      if (await exists(path)) await lchown(path, user.uid, user.gid);
  }
  await writePrivate(join(dir, 'pg_ident.conf'), `${MAP} "${ownName()}" "${SUPERUSER}"\n`, user);
  await writePrivate(join(dir, HBA_FILE), `local all "${SUPERUSER}" peer map=${MAP}\n`, user);
}

/**
 * Finishes the hardening, with the running server at `place`. Returns when the server asks for the password.
 * @throws OperatorError when PostgreSQL does not do its part; Error of the operating system
 */
export async function finishHardening(cluster: Cluster, place: Place, password: string): Promise<void> {
  await setPassword(cluster, place, password).catch((error) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new OperatorError(`PostgreSQL does not take its password: ${error.message}.`, { cause: error });
  });
  const deadline = systemClock.now().getTime() + RELOAD_PATIENCE_MS;
  while (!(await asksForPassword(place, password))) {
    if (systemClock.now().getTime() > deadline)
      throw new OperatorError(`PostgreSQL does not read its ${HBA_FILE} again.`);
    await systemClock.sleep(RELOAD_POLL_MS);
  }
}

async function setPassword(cluster: Cluster, place: Place, password: string): Promise<void> {
  await asSuperuser(place, password, async (client) => {
    const verifier = client.escapeLiteral(verifierOf(password));
    await client.query(`alter role ${SUPERUSER} password ${verifier} valid until 'infinity'`);
    await writePrivate(join(cluster.dir, HBA_FILE), rulesFor(password), cluster.user);
    await client.query('select pg_reload_conf()');
  });
}

async function asksForPassword(place: Place, password: string): Promise<boolean> {
  const { rows } = await asSuperuser(place, password, (client) => client.query(`select ${WAY_IN} as way`));
  return rows[0].way === BY_PASSWORD;
}

/**
 * Checks that a server that is ready accepts the password. Returns false when it does not: somebody may have changed the password
 * by SQL.
 */
export async function acceptsPassword(place: Place, password: string): Promise<boolean> {
  try {
    await asSuperuser(place, password, async () => undefined);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_PASSWORD) return false;
    throw error;
  }
}

/**
 * What a connection to an embedded server says in place of variables like PGSSLMODE and PGOPTIONS, which the shell may have for
 * other databases. A unix socket has no TLS.
 */
export const NO_PG_VARIABLES = {
  ssl: false,
  sslnegotiation: 'postgres',
  options: '-csearch_path=public',
  replication: 'false',
} as const;

/** Connects for the length of `work`. @throws pg.DatabaseError */
export async function asSuperuser<T>(
  place: Place,
  password: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...place,
    password,
    user: SUPERUSER,
    database: 'postgres',
    ...NO_PG_VARIABLES,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // when the server stops, the query fails, which is enough
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the whole pg_hba.conf of a hardened cluster: no network, no other database user. The hash tells which password it has. */
function rulesFor(password: string): string {
  const hash = createHash('sha256').update(password).digest('hex');
  return `# Written by Stellar Teller, which writes it again when it was changed. SHA-256 of the password: ${hash}
local all "${SUPERUSER}" scram-sha-256
local replication "${SUPERUSER}" scram-sha-256
`;
}

/**
 * Returns what PostgreSQL stores of a password. So the password itself is never in a statement, which a log could keep. The format
 * is that of pg_authid, the keys are those of RFC 5802, section 3, with SHA-256 (RFC 7677).
 */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored_key = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server_key = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored_key}:${server_key}`;
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    throw new OperatorError(
      `User id ${process.geteuid?.()} has no name. The embedded PostgreSQL needs a line for it in /etc/passwd.`,
      { cause: error },
    );
  }
}
