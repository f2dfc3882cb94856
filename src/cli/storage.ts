import pg from 'pg';
import type { Config } from '../config.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { NO_PG_VARIABLES } from '../embedded-postgres/server/access.ts';
import type { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

/**
 * The database of the service. `close` stops only a server that this process has started, and `lost` resolves when this
 * server has ended and cannot be kept running.
 */
export type Storage = {
  url: string;
  description: string;
  lost: Promise<OperatorError>;
  close(): Promise<void>;
};

const DATABASE = 'postgres';

/** Opens the server of DATABASE_URL, or starts the embedded one of DATA_DIR. The caller holds the lock of DATA_DIR. */
export async function openStorage(config: Config, log: Log): Promise<Storage> {
  if (config.database_url) {
    const description = describe(config.database_url);
    return { url: config.database_url, description, lost: new Promise(() => {}), close: async () => {} };
  }
  const server = await startEmbeddedPostgres({
    data_dir: config.data_dir,
    log,
    wal_dir: config.backup_wal_dir,
  });
  return {
    url: socketUrl(server),
    description: `embedded PostgreSQL in ${server.cluster_dir}`,
    lost: server.lost,
    close: () => server.stop(),
  };
}

/** Returns the URL of the database, for commands beside a running service; null when the embedded server is not running. */
export async function findStorageUrl(config: Config, log: Log): Promise<string | null> {
  if (config.database_url) return config.database_url;
  const server = await findRunningPostgres(config.data_dir, log);
  return server ? socketUrl(server) : null;
}

type Server = { host: string; port: number; user: string; password?: string };

/** Returns the URL of a server that is reached through a unix socket. */
export function socketUrl({ host, port, user, password }: Server): string {
  const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`;
  const { ssl: _none, ...settings } = NO_PG_VARIABLES;
  const query = new URLSearchParams({ host, port: `${port}`, sslmode: 'disable', ...settings });
  return `postgres://${login}@/${DATABASE}?${query}`;
}

/** Describes the server and database of a URL, without user and password. */
function describe(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url }); // parses the URL; does not connect
  return `PostgreSQL at ${host}:${port}/${database}`;
}
