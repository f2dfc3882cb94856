import { join, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { createUser } from './auth/login.ts';
import { sandboxBanner } from './cli/banner.ts';
import { whole, withDatabase } from './cli/command-line.ts';
import { depositCommands } from './cli/deposit-commands.ts';
import { listenCommand } from './cli/listen-command.ts';
import { reconcileCommand } from './cli/reconcile-command.ts';
import { ROLES, type Role, serve } from './cli/serve.ts';
import { withdrawalCommands } from './cli/withdrawal-commands.ts';
import { ConfigError, readConfig, readSandboxConfig } from './config.ts';
import { InstallationMismatch } from './db/installation.ts';
import { migrate, SchemaMismatch } from './db/migrate.ts';
import { DataDirInUse } from './embedded-postgres/data-dir-lock.ts';
import { EmbeddedPostgresUnavailable } from './embedded-postgres/embedded-postgres.ts';
import { AppError, OperatorError } from './errors.ts';
import { systemClock } from './lib/clock.ts';
import { createLog, type Log } from './lib/log.ts';
import { NetworkUnavailable } from './stellar/network-unavailable.ts';

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
    const { launchSandboxAlone } = await import('./cli/sandbox-network.ts');
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
    const { payOnSandbox } = await import('./cli/sandbox-network.ts');
    process.stdout.write(
      await payOnSandbox(readConfig(process.env), { destination, amount, memo_id: memoId }),
    );
  });

withdrawalCommands(program);
depositCommands(program);
reconcileCommand(program);
listenCommand(program);

/** Faults that a person mends: they get the message, not a stack. */
const FOR_PEOPLE = [
  OperatorError,
  AppError,
  NetworkUnavailable,
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
  process.exit(process.exitCode ?? 1); // a command may have set another one
}

/** A folder as a person would name it from here. */
function shown(folder: string): string {
  const from_here = relative('', folder);
  return from_here === '' || from_here.startsWith('..') ? folder : `./${from_here}`;
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

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password: ');
  let text = '';
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.replace(/\r?\n.*$/s, '');
}
