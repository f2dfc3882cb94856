/**
 * Binds an archive of the log to one database. The names of segments are the same in each database: without this the log of a
 * second one, after an upgrade or with a fresh DATA_DIR, would go on in the same folder.
 */
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { OperatorError } from '../../lib/errors.ts';
import { runFile, SERVER_ENV } from '../server/binaries.ts';
import type { Cluster } from '../server/cluster.ts';
import { readIfThere, writePrivate } from '../server/files.ts';
import { damaged } from './manifest.ts';

/** Holds the system identifier of the database whose log this is. */
export const IDENTIFIER_FILE = 'system_identifier';
export const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(\.gz)?$/;
/** The first page of a segment has the system identifier here (XLogLongPageHeaderData). */
const IDENTIFIER_OFFSET = 24;
/** More than enough of a compressed segment to have the first page's head. */
const HEAD_BYTES = 4096;

/** Reads the system identifier of the database in `cluster_dir`: the first field of pg_control. Returns null when there is none yet. */
export async function systemIdentifierOf(cluster_dir: string): Promise<string | null> {
  const head = await headOf(join(cluster_dir, 'global', 'pg_control')).catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return head?.readBigUInt64LE(0).toString() ?? null;
}

/** Reads the system identifier of the database whose log the segment is. @throws OperatorError when it cannot be read, or is damaged */
export async function identifierOfSegment(path: string): Promise<string> {
  try {
    const head = await headOf(path);
    const page = path.endsWith('.gz') ? gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }) : head;
    return page.readBigUInt64LE(IDENTIFIER_OFFSET).toString();
  } catch (error) {
    throw damaged(`${path} cannot be read (${(error as Error).message})`, error);
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads the identifier that is written into the archive; null when none is. @throws OperatorError when the file has something else */
export async function recordedIdentifier(dir: string): Promise<string | null> {
  const text = (await readIfThere(join(dir, IDENTIFIER_FILE)))?.trim();
  if (text === undefined) return null;
  if (/^\d+$/.test(text)) return text;
  throw new OperatorError(`${join(dir, IDENTIFIER_FILE)} does not have the system identifier of a database.`);
}

/**
 * Refuses the archive of another database. One without a record is known by its newest segment.
 * @throws OperatorError with what to do, and nothing changed
 */
export async function requireOwnArchive(dir: string, cluster: Cluster): Promise<void> {
  const found = (await recordedIdentifier(dir)) ?? (await identifierOfNewest(dir));
  const own = await systemIdentifierOf(cluster.dir);
  if (found === null || found === own) return;
  const has = own === null ? 'this one is new' : `this one has ${own}`;
  throw new OperatorError(
    `BACKUP_WAL_DIR ${dir} is another database's archive (system identifier ${found}; ${has}). ` +
      'Name a new folder, start the service, and make a backup now: older backups need the old folder. ' +
      'To get the database of the archive back, see "teller restore".',
  );
}

async function identifierOfNewest(dir: string): Promise<string | null> {
  const newest = (await readdir(dir))
    .filter((name) => SEGMENT.test(name))
    .toSorted()
    .at(-1);
  return newest === undefined ? null : identifierOfSegment(join(dir, newest));
}

/** Writes the identifier of the database into the archive when none is there, as the user who may write to the folder. */
export async function recordIdentifier(dir: string, { dir: cluster_dir, user }: Cluster): Promise<void> {
  if ((await recordedIdentifier(dir)) !== null) return;
  const script =
    'umask 077; echo "$1" > "$2.new" && sync "$2.new" && mv "$2.new" "$2" && sync "$(dirname "$2")"';
  const values = [`${await systemIdentifierOf(cluster_dir)}`, join(dir, IDENTIFIER_FILE)];
  await runFile('/bin/sh', ['-c', script, 'sh', ...values], { ...user, cwd: '/', env: SERVER_ENV });
}

/**
 * Returns the path of the file that says which database of DATA_DIR archives its log: a start without BACKUP_WAL_DIR must not let
 * segments go.
 */
export function archivedPath(data_dir: string): string {
  return join(data_dir, 'postgres.archived');
}

/** Notes in the file of `archivedPath` that this database archives its log. Call it before the server starts. */
export async function noteArchived(data_dir: string, cluster_dir: string): Promise<void> {
  if (await isArchived(data_dir, cluster_dir)) return;
  await writePrivate(archivedPath(data_dir), `${await systemIdentifierOf(cluster_dir)}\n`);
}

/**
 * Returns true when the file of `archivedPath` names this database. A database that took the place of another one (an upgrade) has
 * another identifier.
 */
export async function isArchived(data_dir: string, cluster_dir: string): Promise<boolean> {
  const noted = (await readIfThere(archivedPath(data_dir)))?.trim();
  return noted !== undefined && noted === (await systemIdentifierOf(cluster_dir));
}
