/** Reads a base backup from a running server, through its replication protocol (PostgreSQL 18, chapter 54.4, BASE_BACKUP). */
import { strict as assert } from 'node:assert';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import pg from 'pg';
import { OperatorError } from '../../lib/errors.ts';
import { NO_PG_VARIABLES, type Place } from '../server/access.ts';
import { SUPERUSER } from '../server/cluster.ts';

/** Where the log begins that makes the copy consistent, and where it ends. */
export type LogRange = { start_lsn: string; end_lsn: string; timeline: number };

export type BaseBackup = {
  /** All digits: as a number it would be rounded. */
  system_identifier: string;
  /** The files of the cluster as a tar archive, with the log that makes them consistent. */
  archive: Readable;
  /** Resolves after the end of `archive`. */
  end: Promise<LogRange & { manifest: Buffer }>;
  /** Ends the backup, also in the midst of it. */
  close(): void;
};

const CONNECT_TIMEOUT_MS = 5_000;
const BUFFERED_BYTES = 1024 * 1024;
/** Under this name the service does not take the connection for a standby (ledgers/withdrawal-cursor.ts). */
const APPLICATION = 'pg_basebackup';
/** The server keeps its log until the session ends, however slowly the archive is read. */
const KEEP_LOG = 'CREATE_REPLICATION_SLOT "teller_backup" TEMPORARY PHYSICAL (RESERVE_WAL true)';
/** The log is in the archive itself: nobody has to wait until it is archived elsewhere (WAIT false). */
const BASE_BACKUP = `BASE_BACKUP (LABEL 'stellar-teller', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256', TARGET 'client')`;
/** Another backup has the name of the slot. */
const DUPLICATE_OBJECT = '42710';

/**
 * Begins a base backup. The server compares the checksum of each page that it sends. It sends only as fast as `archive` is read.
 * @throws OperatorError while another backup runs; Error of the connection
 */
export async function openBaseBackup(place: Place, password: string | undefined): Promise<BaseBackup> {
  const config: pg.ClientConfig & { replication: string } = {
    ...place,
    ...(password !== undefined && { password }),
    user: SUPERUSER,
    ...NO_PG_VARIABLES,
    replication: 'true',
    application_name: APPLICATION,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  };
  const client = new pg.Client(config);
  client.on('error', () => undefined); // the query under way fails, which is enough
  const close = () => {
    socketOf(client).destroy(); // the server may be in the midst of sending, and would not hear a farewell
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ systemid: string }>('IDENTIFY_SYSTEM');
    await client.query(KEEP_LOG).catch((error) => {
      if (error.code !== DUPLICATE_OBJECT) throw error;
      throw new OperatorError('Another backup of this database runs. Nothing was written.');
    });
    return { system_identifier: `${rows[0]?.systemid}`, ...receive(client), close };
  } catch (error) {
    close();
    throw error;
  }
}

type Row = { fields: (string | null)[] };

/** Sends the command and takes its answer apart: the beginning of the log, the archive, the manifest, the end of the log. */
function receive(client: pg.Client): Pick<BaseBackup, 'archive' | 'end'> {
  const socket = socketOf(client);
  const ended = Promise.withResolvers<LogRange & { manifest: Buffer }>();
  ended.promise.catch(() => undefined); // `archive` fails with the same error
  const rows: Row[] = [];
  const manifest: Buffer[] = [];
  let part: 'none' | 'archive' | 'manifest' = 'none';
  const archive = new Readable({
    highWaterMark: BUFFERED_BYTES,
    read: () => socket.resume(),
    destroy(error, done) {
      if (error) socket.destroy();
      done(error);
    },
  });
  const fail = (error: Error) => {
    ended.reject(error);
    archive.destroy(error);
  };

  function take(kind: string, data: Buffer): void {
    if (kind === 'n' && part !== 'none') fail(tablespaces());
    else if (kind === 'n') {
      part = 'archive';
    } else if (kind === 'm') {
      part = 'manifest';
      archive.push(null);
      socket.resume(); // nobody reads the archive any more
    } else if (kind === 'd') {
      const copy = Buffer.from(data); // the parser of pg uses its memory again
      if (part === 'manifest') manifest.push(copy);
      else if (!archive.push(copy)) socket.pause(); // until the next read
    }
  }

  client.query({
    submit: (connection: { query(text: string): void }) => connection.query(BASE_BACKUP),
    handleRowDescription: () => undefined,
    handleDataRow: (row: Row) => rows.push(row),
    handleCopyData: ({ chunk }: { chunk: Buffer }) =>
      take(String.fromCharCode(chunk[0] ?? 0), chunk.subarray(1)),
    handleCommandComplete: () => undefined,
    handleError: fail,
    handleReadyForQuery() {
      if (part === 'manifest') ended.resolve({ ...logRange(rows), manifest: Buffer.concat(manifest) });
      else fail(new Error('the base backup ended without its manifest'));
    },
  } as unknown as pg.Submittable);
  return { archive, end: ended.promise };
}

function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Reads where the log begins and ends. The first row has the beginning, the last one the end; between them are the tablespaces. */
function logRange(rows: Row[]): LogRange {
  const [start_lsn, timeline] = rows[0]?.fields ?? [];
  const [end_lsn] = rows.at(-1)?.fields ?? [];
  assert(
    start_lsn && end_lsn && timeline && rows.length >= 2,
    'a base backup tells where its log begins and ends',
  );
  return { start_lsn, end_lsn, timeline: Number(timeline) };
}

function tablespaces(): OperatorError {
  return new OperatorError(
    'The database has tablespaces, which "teller backup" does not copy: use pgBackRest (docs/backup.md). Nothing was written.',
  );
}
