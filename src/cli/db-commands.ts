/** `teller db`: the embedded database itself. */
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { lockDataDir } from '../embedded-postgres/server/data-dir-lock.ts';
import { OperatorError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { requireCluster } from './required-database.ts';
import { upgradeDatabase } from './upgrade-database.ts';

export function dbCommands(program: Command): void {
  const db = program.command('db').description('the embedded database');

  db.command('upgrade')
    .description(
      'copy the database to the PostgreSQL of this release, after an older one; the old one is kept',
    )
    .option('--old-programs <folder>', 'where npm has installed the programs of the old PostgreSQL')
    .action(async ({ oldPrograms: old_programs }: { oldPrograms?: string }) => {
      const { database_url, data_dir, backup_wal_dir: wal_dir } = readConfig(process.env);
      if (database_url)
        throw new OperatorError(
          'DATABASE_URL names a PostgreSQL of your own: upgrade it with its own tools. This command is for the embedded one.',
        );
      await requireCluster(data_dir);
      const log = createLog('warn', process.stdout.isTTY);
      const lock = lockDataDir(data_dir);
      try {
        await upgradeDatabase({ data_dir, log, old_programs, wal_dir }, (step) =>
          process.stdout.write(`${step}\n`),
        );
      } finally {
        lock.release();
      }
    });
}
