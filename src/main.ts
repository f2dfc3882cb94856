import { join, relative, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createUser } from './auth/login.ts';
import { sandboxBanner } from './banner.ts';
import { parseAddress } from './chain/address.ts';
import type { Chain } from './chain/chain.ts';
import { createChain } from './chain/create-chain.ts';
import { type Config, ConfigError, readConfig, readSandboxConfig } from './config.ts';
import { DataDirInUse, lockDataDir } from './db/data-dir-lock.ts';
import { type Database, openDatabase } from './db/database.ts';
import { EmbeddedPostgresUnavailable } from './db/embedded.ts';
import { InstallationMismatch } from './db/installation.ts';
import { migrate, SchemaMismatch } from './db/migrate.ts';
import { AppError, OperatorError } from './errors.ts';
import { systemClock } from './lib/clock.ts';
import { createLog, type Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import { ROLES, type Role, serve } from './serve.ts';
import { findStorageUrl, openStorage } from './storage.ts';
import { acceptLane, describeLanes } from './withdrawals/lanes.ts';
import { acceptStray, assignStray, describeStrays, skipUnread } from './withdrawals/strays.ts';

const program = new Command('teller').description('Wallet payments on the Stellar network');

program
  .command('serve')
  .description('run the service')
  .option('--roles <roles>', `which parts to run here: ${ROLES.join(', ')}`, ROLES.join(','))
  .option('--faults', 'let faults of the bundled sandbox be scripted (see sandbox/README.md)', false)
  .action(async ({ roles, faults }: { roles: string; faults: boolean }) => {
    const config = readConfig(process.env);
    const log = createLog(config.log_level, process.stdout.isTTY);
    const stopped = stopOnSignals(log);
    const service = await serve(config, readRoles(roles), log, { faults });
    await stopped.signal;
    await service.stop();
    log.info('stopped');
    process.exit(0);
  });

program
  .command('migrate')
  .description('bring the database to this version’s schema')
  .action(async () => withDatabase(({ url }) => migrate(url)));

program
  .command('user')
  .description('dashboard users')
  .command('create')
  .description(
    'create a user; the password is read from the environment variable PASSWORD or from standard input',
  )
  .requiredOption('--email <email>')
  .option('--name <name>', 'shown in the dashboard', '')
  .action(async ({ email, name }: { email: string; name: string }) => {
    const password = process.env.PASSWORD ?? (await readPassword());
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new OperatorError(`${email} is not an e-mail address.`);
    if (password.length < 8) throw new OperatorError('The password must have at least 8 characters.');
    await withDatabase(async ({ database, url }) => {
      await migrate(url);
      const deps = { db: database.db, clock: systemClock };
      const user = await createUser(deps, { email, password, name: name || email });
      if (!user) throw new OperatorError(`There is a user with the e-mail ${email} already.`);
      process.stdout.write(`Created ${user.id} (${email}).\n`);
    });
  });

type SandboxOptions = {
  port?: number;
  closeMs?: number;
  virtualClock: boolean;
  dir?: string;
  ephemeral: boolean;
  maxOperations?: number;
  faults: boolean;
};

const sandbox = program
  .command('sandbox')
  .description('the bundled local network, alone: RPC, Horizon, friendbot and a page to look at')
  .option('--port <port>', 'where it listens, 0 = any free port (SANDBOX_PORT, else 8000)', whole(0, 65_535))
  .option('--close-ms <ms>', 'time between ledgers (SANDBOX_CLOSE_MS, else 1000)', whole(10, 60_000))
  .addOption(
    new Option('--virtual-clock', 'close ledgers as fast as can be, 5 seconds of ledger time apart')
      .default(false)
      .conflicts('closeMs'),
  )
  .option('--dir <folder>', 'where the ledger lies (else DATA_DIR/sandbox)')
  .addOption(new Option('--ephemeral', 'keep the ledger in memory only').default(false).conflicts('dir'))
  .option('--max-operations <count>', 'operations in one ledger (else 1000)', whole(1, 1_000_000))
  .option('--faults', 'let faults be scripted (see sandbox/README.md)', false)
  .action(async (options: SandboxOptions) => {
    const config = readSandboxConfig(process.env);
    const log = createLog(config.log_level, process.stdout.isTTY);
    const stopped = stopOnSignals(log);
    const { launchSandboxAlone } = await import('./sandbox-network.ts');
    const standard = join(config.data_dir, 'sandbox');
    const dir = options.ephemeral ? null : resolve(options.dir ?? standard);
    const close_ms = options.virtualClock ? 'virtual' : (options.closeMs ?? config.close_ms);
    const { maxOperations: max_operations, faults, port = config.port } = options;
    const network = await launchSandboxAlone(
      { port, close_ms, dir, max_operations, faults },
      config.data_dir,
      log,
    );
    const ledger = dir === null ? 'in memory, gone when it stops' : `in ${shown(dir)}`;
    const pace = close_ms === 'virtual' ? 'on a virtual clock' : `one every ${close_ms / 1000} s`;
    process.stdout.write(sandboxBanner(network, { ledger, pace, found: dir === standard }));
    await stopped.signal;
    await network.stop();
    log.info('stopped');
    process.exit(0);
  });

sandbox
  .command('pay')
  .description('pay an address from a funded test account, to see a deposit arrive')
  .argument('<destination>', 'M… or G… address')
  .argument('<amount>', 'in units of the native asset, like 25 or 0.5')
  .option('--memo-id <id>', 'memo id, for a G… address')
  .action(async (destination: string, amount: string, { memoId }: { memoId?: string }) => {
    const { payOnSandbox } = await import('./sandbox-network.ts');
    process.stdout.write(
      await payOnSandbox(readConfig(process.env), { destination, amount, memo_id: memoId }),
    );
  });

const lanes = program.command('lanes').description('wallets for which nothing is signed (see the runbook)');

lanes
  .command('list', { isDefault: true })
  .description('which they are, and why')
  .action(async () => {
    await withDatabase(async ({ database }) => {
      process.stdout.write(await describeLanes({ db: database.db }));
    });
  });

lanes
  .command('accept')
  .description('go on signing after the account’s present sequence number')
  .argument('<account>', 'G… account of the wallet')
  .action(async (account: string) => {
    if (!parseAddress(account)) throw new OperatorError(`${account} is not a G… address.`);
    await withNetwork(async ({ database, chain }) => {
      process.stdout.write(await acceptLane({ db: database.db, chain }, account));
    });
  });

const strays = program
  .command('strays')
  .description('transactions of wallets in the ledger that no withdrawal knows (see the runbook)');

strays
  .command('list', { isDefault: true })
  .description('which they are, and what they pay')
  .action(async () => {
    await withDatabase(async ({ database, config }) => {
      process.stdout.write(await describeStrays({ db: database.db, config }));
    });
  });

strays
  .command('accept')
  .description('none of the waiting withdrawals is this transaction: its wallet goes on')
  .argument('<hash>')
  .action(async (hash: string) => {
    await withDatabase(async ({ database }) => {
      process.stdout.write(await acceptStray({ db: database.db, clock: systemClock }, hash));
    });
  });

strays
  .command('assign')
  .description('the transaction is the payment of this withdrawal, which gets its outcome')
  .argument('<hash>')
  .argument('<withdrawal_id>')
  .action(async (hash: string, withdrawal_id: string) => {
    await withDatabase(async ({ database, config }) => {
      const deps = { db: database.db, clock: systemClock, config };
      process.stdout.write(await assignStray(deps, hash, withdrawal_id));
    });
  });

strays
  .command('skip')
  .description('go on from the newest ledger though no source has those before it any more')
  .action(async () => {
    await withNetwork(async ({ database, config, chain }) => {
      process.stdout.write(await skipUnread({ db: database.db, clock: systemClock, config, chain }));
    });
  });

/** Faults that a person mends: they get the message, not a stack. */
const FOR_PEOPLE = [
  OperatorError,
  AppError,
  ConfigError,
  DataDirInUse,
  EmbeddedPostgresUnavailable,
  InstallationMismatch,
  SchemaMismatch,
];

try {
  await program.parseAsync();
} catch (error) {
  const plain =
    FOR_PEOPLE.some((kind) => error instanceof kind) || (error as { cause?: unknown }).cause !== undefined;
  process.stderr.write(`${plain ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(1);
}

/** A folder as a person would name it from here. */
function shown(folder: string): string {
  const from_here = relative('', folder);
  return from_here === '' || from_here.startsWith('..') ? folder : `./${from_here}`;
}

/** An option's value: a whole number within these bounds. */
function whole(min: number, max: number) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

function readRoles(text: string): ReadonlySet<Role> {
  const roles = text.split(',').map((role) => role.trim());
  const unknown = roles.filter((role) => !ROLES.includes(role as Role));
  if (unknown.length > 0)
    throw new OperatorError(`Unknown role ${unknown.join(', ')}. Roles are ${ROLES.join(', ')}.`);
  return new Set(roles as Role[]);
}

/** Ctrl-C reaches us from the terminal and again from npm: every signal after the first means the same. */
function stopOnSignals(log: Log): { signal: Promise<NodeJS.Signals> } {
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve(name));
  });
  void signal.then((name) => log.info({ signal: name }, 'stopping'));
  return { signal };
}

type AtDatabase = { url: string; database: Database; log: Log; config: Config };

/** The running service's database when there is one, else ours for the length of the command. */
async function withDatabase(work: (at: AtDatabase) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog('warn', process.stdout.isTTY);
  const running = await findStorageUrl(config, log);
  if (running) return onDatabase(running, { config, log }, work);
  const lock = lockDataDir(config.data_dir);
  const storage = await openStorage(config, log);
  try {
    await onDatabase(storage.url, { config, log }, work);
  } finally {
    await storage.close();
    lock.release();
  }
}

/** The same, with the network: the running sandbox when that is the service's. */
async function withNetwork(work: (at: AtDatabase & { chain: Chain }) => Promise<void>): Promise<void> {
  const { sandboxRpcUrl } = await import('./sandbox-network.ts');
  await withDatabase(async (at) => {
    const { config, log } = at;
    const rpc_url = sandboxRpcUrl(config);
    const { horizon_urls, passphrase } = config;
    const named = config.rpc_urls.length + horizon_urls.length > 0;
    const rpc_urls = named || !rpc_url ? config.rpc_urls : [rpc_url];
    const metrics = createMetrics();
    const chain = createChain({ rpc_urls, horizon_urls, passphrase, clock: systemClock, log, metrics });
    try {
      await work({ ...at, chain });
    } finally {
      await chain.close();
    }
  });
}

async function onDatabase(
  url: string,
  { config, log }: { config: Config; log: Log },
  work: (at: AtDatabase) => Promise<void>,
): Promise<void> {
  const database = openDatabase(url, log);
  try {
    await work({ url, database, log, config });
  } finally {
    await database.close();
  }
}

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password: ');
  let text = '';
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.replace(/\r?\n.*$/s, '');
}
