/**
 * `teller restore`: makes the embedded database of DATA_DIR from a backup. It changes nothing before its last step, in which the
 * finished cluster gets its place (embedded-postgres/backup/aside.ts).
 */
import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { sql } from 'kysely';
import { type Config, readConfig } from '../config.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { noteArchived } from '../embedded-postgres/backup/archive-identity.ts';
import {
  asideFolderOf,
  install,
  type Recovery,
  removeAside,
  removeLeftAside,
} from '../embedded-postgres/backup/aside.ts';
import { archiveAfter, timelinesIn } from '../embedded-postgres/backup/check-archive.ts';
import type { Description } from '../embedded-postgres/backup/description.ts';
import { exists } from '../embedded-postgres/server/binaries.ts';
import { type Cluster, hasCluster, locateCluster } from '../embedded-postgres/server/cluster.ts';
import { lockDataDir } from '../embedded-postgres/server/data-dir-lock.ts';
import { writePrivate } from '../embedded-postgres/server/files.ts';
import { readWithdrawalCursor } from '../ledgers/withdrawal-cursor.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import { createLog, type Log } from '../lib/log.ts';
import { countWallets } from '../wallets/store.ts';
import { requireEmbedded } from './backup-commands.ts';
import { identitiesOf, readUsableDescription, withCopy } from './backup-copy.ts';
import { findMissing } from './backup-findings.ts';
import { describeRestored } from './backup-words.ts';
import { whole } from './command-line.ts';
import { recordCommand } from './record-command.ts';

type RestoreOptions = { identity?: string; wal?: string; toTime?: Date; timeline?: number };

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('make the database of DATA_DIR from a backup; refuses when there is one already')
    .argument('<dir>', 'the folder of the backup')
    .option('--identity <file>', 'the identity of age that opens the backup, as "age-keygen" writes it')
    .option('--wal <folder>', 'replay the log of this archive too (BACKUP_WAL_DIR)')
    .option('--to-time <time>', 'with --wal: only up to this time, like 2026-01-31T12:00:00Z', time)
    .option(
      '--timeline <number>',
      'with --wal: follow this timeline (default: the newest; each restore begins one)',
      whole(1, 999_999_999),
    )
    .action(restore);
}

async function restore(dir: string, options: RestoreOptions): Promise<void> {
  const { identity, wal, toTime: to_time, timeline } = options;
  const config = readConfig(process.env);
  requireEmbedded(config);
  const description = readUsableDescription(dir, config);
  const identities = await identitiesOf(identity);
  refuseTime(description, wal, to_time);
  if (timeline !== undefined && wal === undefined)
    throw new OperatorError('--timeline needs --wal. Nothing was restored.');
  const log = createLog('error', process.stdout.isTTY);
  const lock = lockDataDir(config.data_dir); // proves that no service runs here
  try {
    const cluster = await freePlace(config.data_dir, log);
    const recovery = await recoveryOf(description, { wal, to_time, timeline, own: config.backup_wal_dir });
    const text = await restoreInto(cluster, { dir, description, identities, recovery }, config, log);
    process.stdout.write(text);
  } finally {
    lock.release();
  }
}

function time(text: string): Date {
  const parsed = new Date(text);
  if (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(parsed.getTime())
  )
    return parsed;
  throw new InvalidArgumentError('It must be a time with its zone, like 2026-01-31T12:00:00Z.');
}

function refuseTime({ ended_at }: Description, wal: string | undefined, to_time: Date | undefined): void {
  if (to_time === undefined) return;
  if (wal === undefined)
    throw new OperatorError(
      '--to-time needs --wal: a backup alone has only the state of its end. Nothing was restored.',
    );
  if (to_time.getTime() < Date.parse(ended_at))
    throw new OperatorError(
      `The backup ended at ${ended_at}, after that time. Use an older backup. Nothing was restored.`,
    );
  if (to_time > systemClock.now())
    throw new OperatorError('--to-time is in the future. Nothing was restored.');
}

/** Returns the place where the cluster goes. @throws OperatorError when something is there */
async function freePlace(data_dir: string, log: Log): Promise<Cluster> {
  if (await hasCluster(data_dir))
    throw new OperatorError(
      `${data_dir} has a database, which "teller restore" does not overwrite. Move its files away (postgres, and postgres.location if it exists), or set another DATA_DIR. Nothing was restored.`,
    );
  await requireOwnFolder(data_dir);
  const cluster = await locateCluster(data_dir, log);
  if ((await exists(cluster.dir)) && readdirSync(cluster.dir).length > 0)
    throw new OperatorError(
      `${cluster.dir} is not empty. Move it away, or set another DATA_DIR. Nothing was restored.`,
    );
  return cluster;
}

/** @throws OperatorError for root, when another user has DATA_DIR: that user's service could not read the database */
async function requireOwnFolder(data_dir: string): Promise<void> {
  const { uid } = await stat(data_dir);
  if (process.geteuid?.() !== 0 || uid === 0) return;
  throw new OperatorError(
    `${data_dir} belongs to user id ${uid}, and root would restore a database that this user cannot read. Run the command as the user ` +
      'of the service. Nothing was restored.',
  );
}

/**
 * Reads which log is replayed, and which timelines the new cluster must not begin. `own`: where the service archives. A timeline that
 * it has there already must not be begun a second time.
 */
async function recoveryOf(
  description: Description,
  asked: {
    wal: string | undefined;
    to_time: Date | undefined;
    timeline: number | undefined;
    own: string | undefined;
  },
): Promise<Recovery> {
  const { wal, to_time = null, timeline = null, own } = asked;
  const archive = wal === undefined ? null : await archiveAfter(wal, description, timeline);
  return { archive, taken: await timelinesIn(own, description), to_time };
}

type Order = { dir: string; description: Description; identities: string[] | null; recovery: Recovery };

/** Restores the backup and puts the cluster in its place. Returns the text of the next steps. */
async function restoreInto(cluster: Cluster, order: Order, config: Config, log: Log): Promise<string> {
  await removeLeftAside(cluster.dir);
  const folder = asideFolderOf(cluster.dir);
  const { user, dir: cluster_dir } = cluster;
  let text = '';
  await withCopy({ ...order, folder, user, durable: true }, config, log, async ({ deps }) => {
    await refuseOtherInstallation(deps);
    const as_of = (await lastReplayed(deps.db)) ?? new Date(order.description.ended_at);
    const followed_timeline = order.recovery.archive?.timeline ?? null;
    const longest_seconds = (await readWithdrawalCursor(deps.db))?.longest_valid_seconds ?? 0;
    const signing_wait_seconds = Math.max(config.withdraw_valid_seconds, longest_seconds); // as in ledgers/sign-after.ts
    const now = systemClock.now();
    await recordCommand(deps);
    text = describeRestored(await findMissing(deps), {
      cluster_dir,
      as_of,
      now,
      signing_wait_seconds,
      followed_timeline,
    });
    return 'keep';
  });
  await install(join(folder, 'postgres'), cluster_dir);
  if (cluster.record !== undefined) await writePrivate(cluster.record, `${cluster_dir}\n`);
  if (config.backup_wal_dir !== undefined) await noteArchived(config.data_dir, cluster_dir); // DATA_DIR may be a new one
  await removeAside(folder);
  return text;
}

/**
 * Refuses the backup of another installation. The master key tells one installation from another, unless two of them share a key.
 * Then their key journals do.
 * @throws OperatorError when the journal has keys, and none of them is among the wallets of the backup
 */
async function refuseOtherInstallation(deps: Deps): Promise<void> {
  const recorded = new Set<string>();
  for await (const { account } of deps.key_journal.read()) recorded.add(account);
  const { missing_keys } = await findMissing(deps);
  if (recorded.size > 0 && missing_keys === recorded.size && (await countWallets(deps.db)) > 0n)
    throw new OperatorError(
      `The backup belongs to another installation: it has none of the ${recorded.size} keys of the key journal ${deps.key_journal.path}. Nothing was restored.`,
    );
}

/** Reads the time of the newest commit in the log; null when there was none. */
async function lastReplayed(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ time: Date | null }>`select pg_last_xact_replay_timestamp() as time`.execute(
    db,
  );
  return rows[0]?.time ?? null;
}
