/** The only use of the bundled sandbox in the service: starting it, with the service or alone, and the demo payment. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxBanner } from '../../sandbox/banner.ts';
import { type Sandbox, startSandbox } from '../../sandbox/launch.ts';
import { type Paid, payFromTestAccount } from '../../sandbox/pay.ts';
import type { RpcVersion } from '../../sandbox/rpc/versions.ts';
import { startFailure } from '../../sandbox/start-failure.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { makeFolder, whyRefused } from '../lib/folders.ts';
import type { Log } from '../lib/log.ts';
import { parseAddress } from '../stellar/address.ts';

/** Starts the network of `<data_dir>/sandbox`. Uses a free port when the default one is taken. */
export async function launchSandbox(
  config: Config,
  log: Log,
  { faults, rpc_like }: Pick<AloneOptions, 'faults' | 'rpc_like'>,
): Promise<Sandbox> {
  const dir = join(config.data_dir, 'sandbox');
  mkdirSync(dir, { recursive: true });
  const part = {
    log: log.child({ part: 'sandbox' }),
    ...(faults && { faults }),
    ...(rpc_like && { rpc_like }),
  };
  const options = { dir, close_ms: config.sandbox_close_ms, ...part };
  const sandbox = await startSandbox({ ...options, port: config.sandbox_port }).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    if (!config.sandbox_port_fixed) return startSandbox({ ...options, port: 0 });
    throw new OperatorError(
      `SANDBOX_PORT ${config.sandbox_port} is taken. Set SANDBOX_PORT to another port.`,
      { cause: error },
    );
  });
  writeFileSync(urlFile(config.data_dir), sandbox.rpc_url);
  return sandbox;
}

export type AloneOptions = {
  port: number;
  close_ms: number | 'virtual';
  /** Folder of the ledger; null = in memory. */
  dir: string | null;
  /** Absent: as on the public network. */
  max_operations?: number | undefined;
  /** Absent: the newest. */
  rpc_like?: RpcVersion | undefined;
  faults: boolean;
};

/**
 * Starts the network without the service.
 * @throws OperatorError when the port is taken, or the folder is in use or cannot be written.
 */
export async function launchSandboxAlone(
  { max_operations, rpc_like, faults, ...options }: AloneOptions,
  data_dir: string,
  log: Log,
): Promise<Sandbox> {
  const asked = {
    ...(max_operations && { max_operations }),
    ...(rpc_like && { rpc_like }),
    ...(faults && { faults }),
  };
  if (options.dir !== null) makeLedgerFolder(options.dir);
  const sandbox = await startSandbox({ ...options, ...asked, log }).catch((error) => {
    throw new OperatorError(startFailure(error, options), { cause: error });
  });
  // `teller sandbox pay` looks for the URL where the sandbox of the service would put it.
  if (options.dir === join(data_dir, 'sandbox')) writeFileSync(urlFile(data_dir), sandbox.rpc_url);
  return sandbox;
}

function makeLedgerFolder(dir: string): void {
  try {
    makeFolder(dir);
  } catch (error) {
    throw new OperatorError(`The sandbox cannot use the folder ${dir}: ${whyRefused(error)}.`, {
      cause: error,
    });
  }
}

/** The text for a person when the network runs alone. `found`: whether `teller sandbox pay` finds it by itself. */
export function describeSandbox(
  sandbox: Sandbox,
  { place, close_ms, found }: { place: string; close_ms: number | 'virtual'; found: boolean },
): string {
  const environment = found ? '' : `STELLAR_RPC_URL=${sandbox.rpc_url} `;
  return `${sandboxBanner(sandbox, place, close_ms)}  Open the page, or pay an address from another terminal:

  ${environment}npx teller sandbox pay G… 25

`;
}

function urlFile(data_dir: string): string {
  return join(data_dir, 'sandbox', 'rpc-url');
}

/**
 * Pays from a funded test account. Gives the result as a sentence.
 * @throws OperatorError for a malformed destination, amount or memo id, or when no sandbox runs here.
 */
export async function payOnSandbox(
  config: Config,
  order: { destination: string; amount: string; memo_id: string | undefined },
): Promise<string> {
  const { destination, amount } = order;
  if (!parseAddress(destination)) throw new OperatorError(`${destination} is not a G… or M… address.`);
  const amount_stroops = parseUnits(amount);
  const memo_id = order.memo_id === undefined ? {} : { memo_id: parseMemoId(order.memo_id) };
  const paid = await payFromSandbox(config, { destination, amount_stroops, ...memo_id });
  return `Paid ${amount} to ${destination} in ledger ${paid.ledger}, transaction ${paid.hash}.\n`;
}

/** Pays from a funded test account. @throws OperatorError when no sandbox runs here, or the payment failed or may have. */
export async function payFromSandbox(
  config: Config,
  order: { destination: string; amount_stroops: bigint; memo_id?: bigint | undefined },
): Promise<Paid> {
  const { memo_id, ...payment } = order;
  const rpc_url = sandboxRpcUrl(config);
  if (!rpc_url)
    throw new OperatorError(
      `No sandbox runs on ${config.data_dir}. Start the service or \`teller sandbox\` first.`,
    );
  try {
    return await payFromTestAccount({ rpc_url, ...payment, ...(memo_id !== undefined && { memo_id }) });
  } catch (error) {
    throw new OperatorError((error as Error).message, { cause: error });
  }
}

/** RPC URL of the network of a running service, for commands beside it. */
export function sandboxRpcUrl(config: Config): string | undefined {
  const file = urlFile(config.data_dir);
  return config.rpc_urls[0] ?? (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
}

/** Stroops of an amount like `25` or `0.5` units of the native asset; at most seven decimals. */
function parseUnits(text: string): bigint {
  const [, units, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,7}))?$/.exec(text) ?? [];
  const stroops = units === undefined ? 0n : BigInt(units + fraction.padEnd(7, '0'));
  if (stroops <= 0n)
    throw new OperatorError(`${text} is not an amount. Write units of the native asset, like 25 or 0.5.`);
  return stroops;
}

function parseMemoId(text: string): bigint {
  const id = /^\d{1,20}$/.test(text) ? BigInt(text) : 2n ** 64n;
  if (id >= 2n ** 64n) throw new OperatorError(`${text} is not a memo id (an integer from 0 to 2^64−1).`);
  return id;
}
