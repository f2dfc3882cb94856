/** The upgrade of the embedded database to another major version of PostgreSQL. What a kill leads to: embedded-postgres/upgrade.ts. */
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { type ChainReport, verifyAudit } from '../audit/verify-audit.ts';
import { copyDatabase } from '../db/copy-database.ts';
import { openDatabase } from '../db/database.ts';
import type { EmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { beginUpgrade, type Upgrade, type UpgradeOptions } from '../embedded-postgres/upgrade.ts';
import { OperatorError } from '../lib/errors.ts';
import { socketUrl } from './storage.ts';

/**
 * Copies the database of `data_dir` to the PostgreSQL of this release, proves that both are the same, and lets the copy take the
 * place of the old one. `tell` gets a line for each step. `wal_dir`: where the service archives the log. The caller holds the lock
 * of `data_dir`.
 * @throws OperatorError, with the database as it was: see beginUpgrade and copyDatabase
 */
export async function upgradeDatabase(
  { wal_dir, ...options }: UpgradeOptions & { wal_dir?: string | undefined },
  tell: (step: string) => void,
): Promise<void> {
  const upgrade = await beginUpgrade(options);
  if (!upgrade) return tell('The database is of the PostgreSQL of this release. There is nothing to do.');
  tell('both servers run');
  const { migrations, tables, rows, sequences, settings } = await copyAndVerify(upgrade, options, tell);
  const { kept_dir } = await upgrade.finish(tell);
  tell(
    `The database is upgraded: ${rows} rows in ${tables} tables, ${sequences} sequences, ${migrations} migrations, each compared.`,
  );
  if (settings.length > 0)
    tell(`Settings of the old database that the new one does not have: ${settings.join(', ')}.`);
  if (wal_dir !== undefined)
    tell(
      `BACKUP_WAL_DIR ${wal_dir} is the archive of the old database, and takes no log of the new one. Needed are a new archive folder, and a backup now.`,
    );
  tell(
    `The old one, of PostgreSQL ${upgrade.from}, is kept in ${kept_dir}. Delete it when the service has worked for some days.`,
  );
}

async function copyAndVerify(upgrade: Upgrade, { log }: UpgradeOptions, tell: (step: string) => void) {
  const { old, fresh } = upgrade;
  const [from, to] = [socketUrl(old), socketUrl(fresh)];
  try {
    const copied = await copyDatabase(from, to, tell);
    const verify = async (url: string): Promise<ChainReport[]> => {
      const { db, close } = openDatabase(url, log);
      return verifyAudit(db).finally(close);
    };
    if (copied.tables > 0) {
      tell('the audit log is verified');
      const reports = await verify(to);
      if (!isDeepStrictEqual(reports, await verify(from)))
        throw new Error('the audit log of the copy is not that of the database');
      const broken = reports.filter(({ faults }) => faults.length > 0).length;
      if (broken > 0)
        tell(`${broken} chains of the audit log are not whole, as before: see "teller audit verify".`);
    }
    return { ...copied, settings: await lostSettings(old, fresh) };
  } catch (error) {
    await upgrade.abandon();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The copy failed: ${(error as Error).message}. The copy is deleted, and the database is as it was. ` +
        'Start the release that made it, and report this.',
      { cause: error },
    );
  }
}

/**
 * Lists the settings that somebody has written into the configuration files of the old cluster, which are not copied, and that the
 * new one does not have.
 */
async function lostSettings(old: EmbeddedPostgres, fresh: EmbeddedPostgres): Promise<string[]> {
  const read = async (server: EmbeddedPostgres) => {
    const client = new pg.Client({ connectionString: socketUrl(server) });
    await client.connect();
    const sql = "select name, setting, source = 'configuration file' as written from pg_settings";
    return (
      await client.query<{ name: string; setting: string; written: boolean }>(sql).finally(() => client.end())
    ).rows;
  };
  const has = new Map((await read(fresh)).map(({ name, setting }) => [name, setting]));
  return (await read(old))
    .filter(({ name, setting, written }) => written && has.get(name) !== setting)
    .map(({ name, setting }) => `${name} = ${setting}`);
}
