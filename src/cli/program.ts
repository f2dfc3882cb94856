/** The command line of `teller`. */
import { join, relative, resolve } from 'node:path';
import { inspect } from 'node:util';
import { Command, Option } from 'commander';
import { operator } from '../audit/audit.ts';
import { createUser } from '../auth/login/login.ts';
import { readConfig, readSandboxConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { missingRight } from '../db/usable-database.ts';
import { systemClock } from '../lib/clock.ts';
import { parseEmail } from '../lib/email.ts';
import { AppError, OperatorError } from '../lib/errors.ts';
import { createLog, type Log } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { version } from '../lib/version.ts';
import { NetworkUnavailable } from '../stellar/network-unavailable.ts';
import { auditCommands } from './audit-commands.ts';
import { backupCommands } from './backup-commands.ts';
import { pointToHelp, whole, withDatabase, withServiceDatabase } from './command-line.ts';
import { dbCommands } from './db-commands.ts';
import { depositCommands } from './deposit-commands.ts';
import { endProcess } from './end-process.ts';
import { keysCommand } from './keys-command.ts';
import { listenCommand } from './listen-command.ts';
import { reconcileCommand } from './reconcile-command.ts';
import { noteCommand } from './record-command.ts';
import { restoreCommand } from './restore-command.ts';
import { ROLES, readRoles } from './roles.ts';
import { protocolOption, sandboxCommands } from './sandbox-commands.ts';
import { serviceUserCommands } from './service-user-commands.ts';
import { sourcesCommand } from './sources-command.ts';
import { triggerCommand } from './trigger-command.ts';
import { userCommands } from './user-commands.ts';
import { verifyReceiverCommand } from './verify-receiver-command.ts';
import { walletCommands } from './wallet-commands.ts';
import { withdrawalCommands } from './withdrawal-commands.ts';

/** Versions of stellar-rpc that the bundled sandbox can answer like. */
const RPC_VERSIONS = ['22', '23', '27.0', '27.1', '28', '30'] as const;
type RpcVersion = (typeof RPC_VERSIONS)[number];
type ServeCommandOptions = { roles: string; rpcLike?: RpcVersion; protocol?: number; faults?: boolean };

export const program = new Command('teller')
  .description('Stellar Teller: a wallet payments service for the Stellar network')
  .version(version, '--version', 'print the version');

program.hook('preAction', (_program, begun) => noteCommand(begun));

program
  .command('serve')
  .description('run the service')
  .option('--roles <roles>', 'roles of this process, separated by commas', ROLES.join(','))
  .addOption(rpcLike('let the bundled sandbox answer as this version of stellar-rpc'))
  .addOption(protocolOption('protocol of a bundled sandbox that begins now'))
  .option('--faults', 'allow scripted faults in the bundled sandbox (see sandbox/README.md)')
  .action(async ({ roles, rpcLike: rpc_like, protocol, faults = false }: ServeCommandOptions) => {
    const config = readConfig(process.env);
    const log = createLog(config.log_level, process.stdout.isTTY);
    const stopped = stopOnSignals(log);
    const chosen = readRoles(roles);
    const { serve } = await import('./serve.ts'); // half of all code, which no other command needs
    const { stopping } = stopped;
    const service = await serve(config, chosen, log, { faults, rpc_like, protocol, stopping }).catch(
      (error) => {
        if (!stopping.aborted || error !== stopping.reason) throw error;
        return null; // stopped before it had started
      },
    );
    const failure = service && (await Promise.race([stopped.signal.then(() => null), service.failed]));
    if (failure) log.fatal(failure.message);
    await service?.stop();
    if (failure) throw failure;
    log.info('stopped');
    await endProcess(0);
  });

program
  .command('migrate')
  .description('update the database schema to this version (`serve` does this too)')
  .action(async () =>
    withDatabase(({ url, config, log }) => migrate(url, { owner_url: config.migration_database_url, log }), {
      begins: true,
    }),
  );

const user = program.command('user').description('manage dashboard users');

user
  .command('create')
  .description(
    'create a user; the password comes from the environment variable PASSWORD or from standard input',
  )
  .requiredOption('--email <email>', 'e-mail address for the login')
  .option('--name <name>', 'name that the dashboard shows (default: the e-mail address)')
  .option('--another', 'although a team has a user with this e-mail')
  .action(async ({ email, name, another = false }: { email: string; name?: string; another?: boolean }) => {
    const password = process.env.PASSWORD ?? (await readPassword());
    const address = parseEmail(email)?.email;
    if (address === undefined) throw new OperatorError(`${email} is not an e-mail address.`);
    if (password.length < 8) throw new OperatorError('The password must have at least 8 characters.');
    await withServiceDatabase(async ({ database, log }) => {
      const deps = { db: database.db, clock: systemClock, log, metrics: createMetrics() };
      const created = await createUser(
        deps,
        { email: address, password, name: name || address },
        operator(),
        { another },
      );
      if (!created)
        throw new OperatorError(
          `A user with the e-mail ${address} already exists. A second one, with a team of its own: --another.`,
        );
      process.stdout.write(`Created ${created.id} (${address}).\n`);
    });
  });

type SandboxOptions = {
  port?: number;
  closeMs?: number;
  stepMs?: number;
  virtualClock?: boolean;
  dir?: string;
  ephemeral?: boolean;
  maxOperations?: number;
  rpcLike?: RpcVersion;
  protocol?: number;
  faults?: boolean;
};

const sandbox = program
  .command('sandbox')
  .description(
    'run the bundled local Stellar network without the service: RPC, Horizon, friendbot and a web page',
  )
  .option(
    '--port <port>',
    'port to listen on; 0: any free port (default: SANDBOX_PORT or 8000)',
    whole(0, 65_535),
  )
  .option(
    '--close-ms <ms>',
    'milliseconds between ledgers (default: SANDBOX_CLOSE_MS or 1000)',
    whole(10, 60_000),
  )
  .option(
    '--step-ms <ms>',
    'least ledger time between ledgers (default: SANDBOX_STEP_MS or 1)',
    whole(1, 60_000),
  )
  .addOption(
    new Option(
      '--virtual-clock',
      'close ledgers as fast as possible; ledger time advances 5 seconds each time',
    ).conflicts('closeMs'),
  )
  .option('--dir <folder>', 'folder of the ledger (default: DATA_DIR/sandbox)')
  .addOption(new Option('--ephemeral', 'keep the ledger in memory only').conflicts('dir'))
  .option('--max-operations <count>', 'operations per ledger (default: 1000)', whole(1, 1_000_000))
  .addOption(rpcLike('answer as this version of stellar-rpc'))
  .addOption(protocolOption('protocol of a network that begins now'))
  .option('--faults', 'allow scripted faults (see sandbox/README.md)')
  .action(async (options: SandboxOptions) => {
    const config = readSandboxConfig(process.env);
    const log = createLog(config.log_level, process.stdout.isTTY);
    const stopped = stopOnSignals(log);
    const { describeSandbox, launchSandboxAlone } = await import('../sandbox/sandbox-network.ts');
    const standard = join(config.data_dir, 'sandbox');
    const dir = options.ephemeral ? null : resolve(options.dir ?? standard);
    const close_ms = options.virtualClock ? 'virtual' : (options.closeMs ?? config.close_ms);
    const step_ms = options.stepMs ?? config.step_ms;
    const { maxOperations: max_operations, rpcLike: rpc_like, protocol, faults = false } = options;
    const { port = config.port } = options;
    const network = await launchSandboxAlone(
      { port, close_ms, step_ms, dir, max_operations, rpc_like, protocol, faults },
      config.data_dir,
      log,
    );
    const place = dir === null ? 'in memory, lost when the network stops' : `in ${shown(dir)}`;
    process.stdout.write(describeSandbox(network, { place, close_ms, found: dir === standard }));
    await stopped.signal;
    await network.stop();
    log.info('stopped');
    await endProcess(0);
  });

userCommands(user);
serviceUserCommands(program);
walletCommands(program);
auditCommands(program);
dbCommands(program);
sandboxCommands(sandbox);
withdrawalCommands(program);
depositCommands(program);
reconcileCommand(program);
keysCommand(program);
backupCommands(program);
restoreCommand(program);
sourcesCommand(program);
listenCommand(program);
triggerCommand(program);
verifyReceiverCommand(program);
pointToHelp(program);

/** Describes an error that ends a command, for a person. An unexpected error is described with its stack and causes. */
export function describeError(failure: unknown): string {
  const error = missingRight(failure) ?? failure;
  const known =
    error instanceof OperatorError || error instanceof AppError || error instanceof NetworkUnavailable;
  const reasons =
    error instanceof NetworkUnavailable && error.cause instanceof Error ? error.cause.message : '';
  return known ? `${error.message}${reasons && ` (${reasons})`}` : inspect(error); // with stack and causes
}

function rpcLike(description: string): Option {
  return new Option('--rpc-like <version>', description).choices(RPC_VERSIONS);
}

/** Returns the folder relative to the current one, or its full path when it is not below the current one. */
function shown(folder: string): string {
  const from_here = relative('', folder);
  return from_here === '' || from_here.startsWith('..') ? folder : `./${from_here}`;
}

/**
 * Waits for a signal that stops the process. Signals after the first one change nothing: Ctrl-C arrives from the terminal and again
 * from npm.
 */
function stopOnSignals(log: Log): { signal: Promise<NodeJS.Signals>; stopping: AbortSignal } {
  const stopping = new AbortController();
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve(name));
  });
  void signal.then((name) => {
    log.info({ signal: name }, 'stopping');
    stopping.abort();
  });
  return { signal, stopping: stopping.signal };
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
