/** Functions that several commands use: checks of the command line, and access to database and network. */
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, isHttpUrl, readConfig } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import type { Deps } from '../deps.ts';
import { lockDataDir } from '../embedded-postgres/server/data-dir-lock.ts';
import { OperatorError } from '../lib/errors.ts';
import { createLog, type Log } from '../lib/log.ts';
import { nearestName } from '../lib/nearest-name.ts';
import type { Keys } from '../vault/keys.ts';
import { connect, connectKeys, type Stops } from './connect.ts';
import { recordCommand } from './record-command.ts';
import { requireCluster, requireTables } from './required-database.ts';
import { findStorageUrl, openStorage } from './storage.ts';

/**
 * Makes every usage error of `command` and its subcommands name the `--help` that explains it. Call it when all commands are there.
 * Without the hooks, commander calls a misspelt subcommand "too many arguments" where it has a default to run.
 */
export function pointToHelp(command: Command, path = command.name()): void {
  command.showHelpAfterError(`See \`${path} --help\`.`);
  if (command.commands.length > 0)
    command
      .allowExcessArguments()
      .hook('preSubcommand', refuseUnknownSubcommand)
      .hook('preAction', (hooked, running) => {
        if (hooked === running) refuseUnknownSubcommand(hooked);
      });
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`);
}

function refuseUnknownSubcommand(command: Command): void {
  const [typed] = command.args;
  const names = command.commands.map((each) => each.name());
  if (typed === undefined || typed.startsWith('-') || names.includes(typed)) return;
  const meant = nearestName(typed, names);
  const guess = meant === null ? '' : `\n(Did you mean ${meant}?)`;
  command.error(`error: unknown command '${typed}'${guess}`, { code: 'commander.unknownCommand' });
}

/**
 * Returns a function that reads the value of an option: a whole number from `min` to `max`. The function throws an
 * InvalidArgumentError for any other text.
 */
export function whole(min: number, max: number) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Checks the value of an option, and returns it: an http(s) URL. @throws InvalidArgumentError */
export function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError('It must be an http(s) URL.');
}

type At = { url: string; log: Log; config: Config };

/**
 * Uses the database of the running service. When none runs, starts the embedded one for the length of the command. Only
 * with `begins` this may be a new database: an empty one would report that all is well.
 * @throws OperatorError when there is none, without `begins`
 */
async function atStorage(work: (at: At) => Promise<void>, { begins = false } = {}): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog('warn', process.stdout.isTTY);
  if (!config.database_url && !begins) await requireCluster(config.data_dir);
  const running = await findStorageUrl(config, log);
  if (running) {
    if (!begins) await requireTables(running, config);
    return work({ url: running, config, log });
  }
  const lock = lockDataDir(config.data_dir);
  const storage = await openStorage(config, log);
  try {
    if (!begins) await requireTables(storage.url, config);
    await work({ url: storage.url, config, log });
  } finally {
    await storage.close();
    lock.release();
  }
}

/** Runs a command that needs the database only, as it is. `begins`: see atStorage. */
export async function withDatabase(
  work: (at: At & { database: Database }) => Promise<void>,
  options: { begins?: boolean } = {},
): Promise<void> {
  await atStorage(async (at) => {
    const database = openDatabase(at.url, at.log);
    try {
      await work({ ...at, database });
    } finally {
      await database.close();
    }
  }, options);
}

/**
 * Runs a command that needs the database with the schema of this version, to which it is migrated.
 * @throws OperatorError when there is no database yet
 */
export async function withServiceDatabase(
  work: (at: At & { database: Database }) => Promise<void>,
): Promise<void> {
  await withDatabase(async (at) => {
    await migrate(at.url, { owner_url: at.config.migration_database_url, log: at.log });
    await recordCommand({ db: at.database.db, log: at.log });
    await work(at);
  });
}

/** What commands about keys need: they ask no network. */
export type KeysDeps = Keys & Pick<Deps, 'db' | 'key_journal' | 'config' | 'log'>;

/**
 * Runs a command about the keys of an existing service. It makes no key journal: a new one would lack nothing.
 * @throws OperatorError when there is no database yet, or no file at KEY_JOURNAL
 */
export async function withKeys(work: (deps: KeysDeps) => Promise<void>): Promise<void> {
  await withServiceDatabase(async ({ database: { db }, config, log }) => {
    const { key_journal: path } = config;
    if (path && !existsSync(path)) throw new OperatorError(`There is no key journal at ${path}.`);
    const keys = await connectKeys(config, db, log);
    try {
      await work({ db, config, log, ...keys });
    } finally {
      await keys.key_journal.close();
      await keys.data_keys?.close();
    }
  });
}

/** Runs a command that needs the database, the network and the vault. */
export async function withDeps(work: (deps: Deps) => Promise<void>): Promise<void> {
  await atStorage(async ({ url, config, log }) => {
    const stops: Stops = [];
    try {
      const untraced = { ...config, traces: null }; // a command must not wait for a collector
      const { deps } = await connect(untraced, { url, rpc_urls: await networkUrls(config) }, { log, stops });
      await recordCommand(deps);
      await work(deps);
    } finally {
      for (const stop of stops.reverse()) await stop();
    }
  });
}

/**
 * Returns the configured RPC URLs (none when only Horizon is configured), or the URL of the running sandbox when no network is
 * configured.
 * @throws OperatorError when none is configured and no sandbox runs here.
 */
export async function networkUrls(config: Config): Promise<string[]> {
  if (config.rpc_urls.length + config.horizon_urls.length > 0) return config.rpc_urls;
  const { sandboxRpcUrl } = await import('../sandbox/sandbox-network.ts');
  const url = sandboxRpcUrl(config);
  if (url) return [url];
  throw new OperatorError(
    `No sandbox runs on ${config.data_dir}. Start the service or \`teller sandbox\` first.`,
  );
}
