/** `teller backup`: backups of the embedded database, made while the service runs, and the proof that one can be restored. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import pg from 'pg';
import { type Config, readConfig } from '../config.ts';
import { serverUser } from '../embedded-postgres/server/server-user.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { readContents } from './backup-contents.ts';
import { identitiesOf, readUsableDescription, withCopy } from './backup-copy.ts';
import { findFaults } from './backup-findings.ts';
import { describeCreated, describeVerified } from './backup-words.ts';
import { withDatabase } from './command-line.ts';

type CreateOptions = { recipient: string[] };
type VerifyOptions = { identity?: string; in: string };

export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('backups of the embedded database; see docs/backup.md, also for DATABASE_URL');

  backup
    .command('create')
    .description('write a backup into a new folder, while the service runs or not')
    .argument('<dir>', 'the folder, which must not exist')
    .option(
      '--recipient <age1...>',
      'encrypt to this recipient of age; can be repeated',
      (text: string, others: string[]) => [...others, text],
      [] as string[],
    )
    .action(createBackup);

  backup
    .command('verify')
    .description(
      'unpack a backup aside, start it, check files, keys, books and audit log, and say what a restore would miss; exit code 1 when anything is wrong',
    )
    .argument('<dir>', 'the folder of the backup')
    .option('--identity <file>', 'the identity of age that opens the backup, as "age-keygen" writes it')
    .option('--in <folder>', 'where there is room for the unpacked copy', tmpdir())
    .action(verifyBackup);
}

/** @throws OperatorError with DATABASE_URL: its server is not ours to copy. */
export function requireEmbedded({ database_url }: Config): void {
  if (database_url)
    throw new OperatorError(
      '"teller backup" and "teller restore" are for the embedded database. Back up the server of DATABASE_URL with its own means: docs/backup.md shows pgBackRest.',
    );
}

async function createBackup(dir: string, { recipient: recipients }: CreateOptions): Promise<void> {
  requireEmbedded(readConfig(process.env));
  // The schema stays as it is: an upgrade begins with a backup, which the newer version may make.
  await withDatabase(async ({ url, database }) => {
    const { writeBackup } = await import('../embedded-postgres/backup/write-backup.ts');
    const contents = await readContents(database.db);
    const { host, port, password } = new pg.Client({ connectionString: url });
    const order = { dir, place: { host, port }, password: password ?? undefined, recipients, contents };
    process.stdout.write(describeCreated(resolve(dir), await writeBackup(order)));
  });
}

async function verifyBackup(dir: string, options: VerifyOptions): Promise<void> {
  const { identity } = options;
  const parent = resolve(options.in); // the server of the copy works in another folder
  const config = readConfig(process.env);
  const log = createLog('error', process.stdout.isTTY);
  const description = readUsableDescription(dir, config);
  const identities = await identitiesOf(identity);
  const folder = reservedName(parent);
  const order = {
    dir,
    description,
    identities,
    folder,
    durable: false,
    user: await serverUser(join(folder, 'postgres'), parent),
    recovery: { archive: null, taken: null, to_time: null },
  };
  await withCopy(order, config, log, async ({ deps }) => {
    const findings = await findFaults(deps, description);
    process.stdout.write(describeVerified(description, findings, systemClock.now()));
    if (findings.faults.length > 0) process.exitCode = 1;
    return 'remove';
  });
}

/** Finds a name that no folder in `parent` has. @throws OperatorError when no folder can be made there */
function reservedName(parent: string): string {
  try {
    const folder = mkdtempSync(join(parent, 'stellar-teller-verify-'));
    rmSync(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw new OperatorError(`Cannot unpack the backup in ${parent}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
