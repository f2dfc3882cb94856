/** The only use of the bundled sandbox in the service: starting it, with the service or alone, and its test money. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxBanner } from '../../sandbox/banner.ts';
import {
  type Done,
  deployTestContract,
  type IssuerOrder,
  orderFromIssuer,
  upgradeNetwork,
} from '../../sandbox/issuer-order.ts';
import { type Sandbox, startSandbox } from '../../sandbox/launch.ts';
import { payFromTestAccount } from '../../sandbox/pay.ts';
import type { RpcVersion } from '../../sandbox/rpc/versions.ts';
import { isRunning, runningOn } from '../../sandbox/running.ts';
import { startFailure } from '../../sandbox/start-failure.ts';
import { findTestAsset, type TestAsset, testAssets } from '../../sandbox/test-assets.ts';
import { type Config, NETWORKS } from '../config.ts';
import { OperatorError } from '../lib/errors.ts';
import { makeFolder, whyRefused } from '../lib/folders.ts';
import type { Log } from '../lib/log.ts';
import { parseUnits } from '../lib/stroops.ts';
import { parseAddress } from '../stellar/address.ts';
import { type AssetFields, assetText, NATIVE } from '../stellar/asset.ts';

/** How many ports from the default one on are tried for a sandbox. */
const PORTS_TRIED = 10;

/** Starts the network of `<data_dir>/sandbox`. Uses the next free port when the default one is taken. */
export async function launchSandbox(
  config: Config,
  log: Log,
  { faults, rpc_like, protocol }: Pick<AloneOptions, 'faults' | 'rpc_like' | 'protocol'>,
): Promise<Sandbox> {
  const dir = join(config.data_dir, 'sandbox');
  makeFolder(dir);
  chmodSync(dir, 0o700); // versions before made it for everybody to read
  const part = {
    log: log.child({ part: 'sandbox' }),
    ...(faults && { faults }),
    ...(rpc_like && { rpc_like }),
    ...(protocol && { protocol }),
  };
  const { sandbox_close_ms: close_ms, sandbox_step_ms: step_ms } = config;
  const options = { dir, close_ms, step_ms, test_assets: true, ...part };
  const startOn = (port: number): Promise<Sandbox> =>
    startSandbox({ ...options, port }).catch((error) => {
      if (error.code !== 'EADDRINUSE') throw error;
      if (!config.sandbox_port_fixed) return startOn(portAfter(port, config));
      throw new OperatorError(
        `SANDBOX_PORT ${config.sandbox_port} is taken. Set SANDBOX_PORT to another port.`,
        { cause: error },
      );
    });
  const sandbox = await startOn(config.sandbox_port);
  writeFileSync(urlFile(config.data_dir), sandbox.rpc_url);
  return sandbox;
}

/** Returns the next port to try; 0 (any free port) after the ports where `findSandboxUrl` looks. */
function portAfter(port: number, { sandbox_port }: Config): number {
  return port + 1 < sandbox_port + PORTS_TRIED ? port + 1 : 0;
}

export type AloneOptions = {
  port: number;
  close_ms: number | 'virtual';
  /** Least ledger time between ledgers. */
  step_ms: number;
  /** Folder of the ledger; null = in memory. */
  dir: string | null;
  /** Absent: as on the public network. */
  max_operations?: number | undefined;
  /** Absent: the newest. */
  rpc_like?: RpcVersion | undefined;
  /** Of a network that begins now. Absent: the newest. */
  protocol?: number | undefined;
  faults: boolean;
};

/**
 * Starts the network without the service.
 * @throws OperatorError when the port is taken, or the folder is in use or cannot be written.
 */
export async function launchSandboxAlone(
  { max_operations, rpc_like, protocol, faults, ...options }: AloneOptions,
  data_dir: string,
  log: Log,
): Promise<Sandbox> {
  const asked = {
    ...(max_operations && { max_operations }),
    ...(rpc_like && { rpc_like }),
    ...(protocol && { protocol }),
    ...(faults && { faults }),
  };
  if (options.dir !== null) makeLedgerFolder(options.dir);
  const sandbox = await startSandbox({ ...options, ...asked, test_assets: true, log }).catch((error) => {
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

/** Returns the text for a person when the network runs alone. `found`: true when `teller sandbox pay` finds it by itself. */
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
 * Pays from a funded test account, or a test asset from its issuer. Returns the result as a sentence.
 * @throws OperatorError for a malformed destination, amount, memo id or asset, or when no sandbox runs here.
 */
export async function payOnSandbox(
  config: Config,
  order: { destination: string; amount: string; memo_id: string | undefined; asset: string | undefined },
): Promise<string> {
  const { destination, amount, asset } = order;
  checkAddress(destination);
  const paid = await payFromSandbox(config, {
    destination,
    amount_stroops: readAmount(amount),
    memo_id: order.memo_id === undefined ? undefined : parseMemoId(order.memo_id),
    asset: asset === undefined || asset === NATIVE.asset_code ? NATIVE : testAssetOf(config, asset),
  });
  const unit = asset === undefined ? '' : ` ${asset.split(':')[0]}`;
  return `Paid ${amount}${unit} to ${destination} in ledger ${paid.ledger}, transaction ${paid.hash}.\n`;
}

/** What the issuer of a test asset does with a trust line. */
type TrustLineAction = 'authorize' | 'revoke' | 'claw-back';

const DONE = { authorize: 'Authorized', revoke: 'Revoked', 'claw-back': 'Clawed back' } as const;

/**
 * Authorizes or revokes a trust line, or claws an amount back, as the issuer of the test asset. Returns the result as a
 * sentence. `amount` is for claw-back only.
 * @throws OperatorError for a malformed address, amount or asset, when no sandbox runs here, or the network refused.
 */
export async function changeTrustLine(
  config: Config,
  action: TrustLineAction,
  order: { address: string; asset: string; amount?: string },
): Promise<string> {
  const { address: account, amount = '' } = order;
  checkAddress(account);
  const test_asset = testAssetOf(config, order.asset);
  const asset = assetText(test_asset);
  const done =
    action === 'claw-back'
      ? await orderOn(config, { action, asset, account, amount_stroops: readAmount(amount) })
      : await orderOn(config, { action, asset, account });
  const what =
    action === 'claw-back' ? `${amount} ${test_asset.asset_code} from` : `${test_asset.asset_code} for`;
  return `${DONE[action]} ${what} ${account} in ledger ${done.ledger}, transaction ${done.hash}.\n`;
}

/**
 * Pays from a funded test account, or a test asset from its issuer.
 * @throws OperatorError when no sandbox runs here, or the payment failed or may have
 */
export async function payFromSandbox(
  config: Config,
  order: {
    destination: string;
    amount_stroops: bigint;
    memo_id?: bigint | undefined;
    asset: AssetFields;
  },
): Promise<Done> {
  const { destination, amount_stroops, asset } = order;
  const payment = {
    destination,
    amount_stroops,
    ...(order.memo_id !== undefined && { memo_id: order.memo_id }),
  };
  if (asset.asset_issuer !== null)
    return await orderOn(config, { action: 'pay', asset: assetText(asset), ...payment });
  return await onSandbox(config, (rpc_url) => payFromTestAccount({ rpc_url, ...payment }));
}

/**
 * Makes a test contract. Returns the result as a sentence.
 * @throws OperatorError when no sandbox runs here, or the network refused
 */
export async function deployOnSandbox(config: Config): Promise<string> {
  const { contract, secret, ledger } = await onSandbox(config, (rpc_url) => deployTestContract(rpc_url));
  return `Contract ${contract} exists since ledger ${ledger}. Its key is ${secret}.\n`;
}

/**
 * Upgrades the protocol of the running network with its next ledger. Returns the result as a sentence.
 * @throws OperatorError when no sandbox runs here, or the network is not below that protocol
 */
export async function upgradeSandbox(config: Config, protocol: number): Promise<string> {
  const { from_protocol, ledger } = await onSandbox(config, (rpc_url) => upgradeNetwork(rpc_url, protocol));
  return `Ledger ${ledger} upgrades the network from protocol ${from_protocol} to ${protocol}.\n`;
}

/** Returns the test assets of the sandbox; an empty list on other networks. */
export function testAssetsOf({ network, passphrase }: Config): TestAsset[] {
  return network === 'sandbox' && passphrase === NETWORKS.sandbox.passphrase ? testAssets(passphrase) : [];
}

function testAssetOf(config: Config, text: string): TestAsset {
  const assets = testAssetsOf(config);
  const asset = findTestAsset(assets, text);
  if (asset) return asset;
  const known = assets.map(({ asset_code }) => asset_code).join(', ') || 'no test assets';
  throw new OperatorError(`${text} is not a test asset. This network has ${known}.`);
}

async function orderOn(config: Config, order: IssuerOrder): Promise<Done> {
  return await onSandbox(config, (rpc_url) => orderFromIssuer(rpc_url, order));
}

async function onSandbox<T>(config: Config, work: (rpc_url: string) => Promise<T>): Promise<T> {
  const rpc_url = sandboxRpcUrl(config);
  if (!rpc_url)
    throw new OperatorError(
      `No sandbox runs on ${config.data_dir}. Start the service or \`teller sandbox\` first.`,
    );
  try {
    return await work(rpc_url);
  } catch (error) {
    throw new OperatorError((error as Error).message, { cause: error });
  }
}

function checkAddress(text: string): void {
  if (!parseAddress(text)) throw new OperatorError(`${text} is not a G… or M… address.`);
}

/**
 * Returns the RPC URL of the network of a running service, for commands beside it: the configured one, or else the one that a
 * sandbox wrote to DATA_DIR at its start. The sandbox may have stopped since. Undefined without either.
 */
export function sandboxRpcUrl(config: Config): string | undefined {
  const file = urlFile(config.data_dir);
  return config.rpc_urls[0] ?? (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
}

/**
 * Finds the RPC URL of the sandbox for a command of a person: the configured one, that of DATA_DIR, or the only one that runs
 * where a sandbox listens without a setting. So the command works with the DATA_DIR of the service and with another one.
 * @throws OperatorError when none runs, or several that are not of DATA_DIR
 */
export async function findSandboxUrl(config: Config): Promise<string> {
  const [configured] = config.rpc_urls;
  if (configured) return configured;
  const own = sandboxRpcUrl(config);
  if (own && (await isRunning(own))) return own;
  const { sandbox_port: first, sandbox_port_fixed } = config;
  const count = sandbox_port_fixed ? 1 : PORTS_TRIED;
  const ports = Array.from({ length: count }, (_, index) => first + index);
  const where = count === 1 ? `on port ${first}` : `on the ports from ${first} to ${first + count - 1}`;
  return onlyOne(await runningOn(ports), { data_dir: config.data_dir, where });
}

/** Returns the only URL. @throws OperatorError when there is none, or more than one */
export function onlyOne(urls: string[], { data_dir, where }: { data_dir: string; where: string }): string {
  const [url] = urls;
  if (!url)
    throw new OperatorError(
      `No sandbox runs on ${data_dir}, nor ${where}. Start the service or \`teller sandbox\` first. ` +
        'Where it has another DATA_DIR or SANDBOX_PORT, set the same one here.',
    );
  if (urls.length === 1) return url;
  throw new OperatorError(
    `No sandbox runs on ${data_dir}, and several elsewhere: ${urls.join(', ')}. Set DATA_DIR to the folder of the service, or STELLAR_RPC_URL to one of them.`,
  );
}

/** Returns an amount in stroops. @throws OperatorError for a text that is no amount, and for 0 */
function readAmount(text: string): bigint {
  const stroops = parseUnits(text);
  if (!stroops) throw new OperatorError(`${text} is not an amount. Write units, like 25 or 0.5.`);
  return stroops;
}

function parseMemoId(text: string): bigint {
  const id = /^\d{1,20}$/.test(text) ? BigInt(text) : 2n ** 64n;
  if (id >= 2n ** 64n) throw new OperatorError(`${text} is not a memo id (an integer from 0 to 2^64−1).`);
  return id;
}
