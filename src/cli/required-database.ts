/** The database of a service that has begun: what commands refuse to work without. */
import type { Config } from '../config.ts';
import { isBegun } from '../db/migrate.ts';
import { hasCluster } from '../embedded-postgres/server/cluster.ts';
import { dataDirRefused } from '../embedded-postgres/server/data-dir-lock.ts';
import { OperatorError } from '../lib/errors.ts';

const NEW_ONE = 'A new database begins with "teller serve" or "teller migrate".';

/** Changes nothing. @throws OperatorError when DATA_DIR has no database, or this user may not look */
export async function requireCluster(data_dir: string): Promise<void> {
  const found = await hasCluster(data_dir).catch((error) => {
    throw dataDirRefused(data_dir, error) ?? error;
  });
  if (!found)
    throw new OperatorError(
      `There is no database in ${data_dir}. Set DATA_DIR to the folder of the service. ${NEW_ONE}`,
    );
}

/** @throws OperatorError when the database at `url` has no tables of the service */
export async function requireTables(url: string, config: Config): Promise<void> {
  const { database_url, migration_database_url, data_dir } = config;
  if (await isBegun(migration_database_url ?? url)) return; // the owner always sees them
  throw new OperatorError(
    database_url
      ? `The database of DATABASE_URL has no tables of the service. Set DATABASE_URL to the database of the service. ${NEW_ONE}`
      : `The database in ${data_dir} has no tables of the service yet. Start the service first, or run "teller migrate".`,
  );
}
