/** What the commands of main.ts have in common. */
import { InvalidArgumentError } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import type { Deps } from '../deps.ts';
import { hasCluster } from '../embedded-postgres/cluster.ts';
import { lockDataDir } from '../embedded-postgres/data-dir-lock.ts';
import { OperatorError } from '../errors.ts';
import { createLog, type Log } from '../lib/log.ts';
import { connect, type Stops } from './connect.ts';
import { findStorageUrl, openStorage } from './storage.ts';

/** An option's value: a whole number within these bounds. */
export function whole(min: number, max: number) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

type At = { url: string; log: Log; config: Config };

/** The running service's database when there is one, else ours for the length of the command. */
async function atStorage(work: (at: At) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog('warn', process.stdout.isTTY);
  const running = await findStorageUrl(config, log);
  if (running) return work({ url: running, config, log });
  const lock = lockDataDir(config.data_dir);
  const storage = await openStorage(config, log);
  try {
    await work({ url: storage.url, config, log });
  } finally {
    await storage.close();
    lock.release();
  }
}

/** For commands that need nothing but rows. */
export async function withDatabase(work: (at: At & { database: Database }) => Promise<void>): Promise<void> {
  await atStorage(async (at) => {
    const database = openDatabase(at.url, at.log);
    try {
      await work({ ...at, database });
    } finally {
      await database.close();
    }
  });
}

/**
 * For commands about a service that there is already. An empty database would answer that all is well, when it only is
 * not the service's. @throws OperatorError then
 */
export async function withServiceDatabase(
  work: (at: At & { database: Database }) => Promise<void>,
): Promise<void> {
  const { database_url, data_dir } = readConfig(process.env);
  if (!database_url && !(await hasCluster(data_dir))) {
    throw new OperatorError(`There is no database in ${data_dir}: set DATA_DIR to that of the service.`);
  }
  await withDatabase(async (at) => {
    await migrate(at.url);
    await work(at);
  });
}

/** For commands that need the network and the vault too. */
export async function withDeps(work: (deps: Deps) => Promise<void>): Promise<void> {
  await atStorage(async ({ url, config, log }) => {
    const stops: Stops = [];
    try {
      const { deps } = await connect(config, { url, rpc_urls: await networkUrls(config) }, log, stops);
      await work(deps);
    } finally {
      for (const stop of stops.reverse()) await stop();
    }
  });
}

/** The running sandbox, when no other network is configured. @throws OperatorError when none runs here */
async function networkUrls(config: Config): Promise<string[]> {
  if (config.rpc_urls.length + config.horizon_urls.length > 0) return config.rpc_urls;
  const { sandboxRpcUrl } = await import('./sandbox-network.ts');
  const url = sandboxRpcUrl(config);
  if (url) return [url];
  throw new OperatorError(
    `No sandbox runs on ${config.data_dir}: start the service or \`teller sandbox\` first.`,
  );
}
