/** The command `stellar-sandbox`: the network alone, until a signal stops it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { sandboxBanner } from './banner.ts';
import { startSandbox } from './launch.ts';
import { NEWEST_PROTOCOL, PROTOCOLS } from './ledger/protocols.ts';
import { createLog } from './log.ts';
import { RPC_VERSIONS, type RpcVersion } from './rpc/versions.ts';
import { startFailure } from './start-failure.ts';

type Options = {
  port: number;
  closeMs: number;
  stepMs: number;
  virtualClock?: boolean;
  dir: string;
  ephemeral?: boolean;
  maxOperations?: number;
  faults?: boolean;
  rpcLike?: RpcVersion;
  protocol?: number;
};

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));

await new Command('stellar-sandbox')
  .description('A local Stellar network: RPC, Horizon, friendbot and a page for browsers')
  .version(version)
  .showHelpAfterError('Run with --help for the options.')
  .option('--port <port>', 'port on 127.0.0.1; 0 = any free port', integer(0, 65_535), 8000)
  .option('--close-ms <ms>', 'time between ledgers', integer(10, 60_000), 1000)
  .option('--step-ms <ms>', 'least ledger time between ledgers', integer(1, 60_000), 1)
  .addOption(
    new Option('--virtual-clock', 'close ledgers without a pause, 5 seconds of ledger time apart').conflicts(
      'closeMs',
    ),
  )
  .option('--dir <folder>', 'state folder, where the ledger is kept', join('data', 'sandbox'))
  .addOption(new Option('--ephemeral', 'keep the ledger in memory, without a state folder').conflicts('dir'))
  .option('--max-operations <count>', 'most operations in one ledger (default: 1000)', integer(1, 1_000_000))
  .option('--protocol <number>', `protocol of a new network (default: ${NEWEST_PROTOCOL})`, protocol)
  .option('--faults', 'let clients script faults at /faults')
  .addOption(
    new Option('--rpc-like <version>', 'answer as this version of stellar-rpc').choices(RPC_VERSIONS),
  )
  .action(run)
  .parseAsync();

async function run({ port, maxOperations, faults, rpcLike, ...options }: Options): Promise<void> {
  const dir = options.ephemeral ? null : resolve(options.dir);
  const close_ms = options.virtualClock ? 'virtual' : options.closeMs;
  const stopped = firstSignal();
  const sandbox = await startSandbox({
    port,
    dir,
    close_ms,
    step_ms: options.stepMs,
    test_assets: true,
    log: createLog('info', process.stdout.isTTY),
    ...(faults ? { faults } : {}),
    ...(maxOperations === undefined ? {} : { max_operations: maxOperations }),
    ...(rpcLike === undefined ? {} : { rpc_like: rpcLike }),
    ...(options.protocol === undefined ? {} : { protocol: options.protocol }),
  }).catch((error) => {
    process.stderr.write(`${startFailure(error, { port, dir })}\n`);
    process.exit(1);
  });
  const place = dir ?? 'in memory, lost when the network stops';
  process.stdout.write(sandboxBanner(sandbox, place, close_ms));
  await stopped;
  await sandbox.stop();
  process.exit(0);
}

/** Ctrl-C comes from the terminal and again from npm: every signal after the first is ignored. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve());
  });
}

/** Parser of --protocol. */
function protocol(text: string): number {
  const known = PROTOCOLS.find((one) => `${one}` === text);
  if (known === undefined) throw new InvalidArgumentError(`It must be one of ${PROTOCOLS.join(', ')}.`);
  return known;
}

/** Parser of an option: a whole number from `min` to `max`. */
function integer(min: number, max: number) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}
