/** The whole service as a user starts it: `node bin/teller.js serve`, with the bundled network and its own database. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type Call, call } from './api.ts';
import { type Launched, launch, launchTeller, printed } from './launch.ts';

export type TestService = {
  url: string;
  rpc_url: string;
  data_dir: string;
  pid: number;
  /** Everything it has printed so far, both streams. */
  output(): string;
  api(method: string, path: string, options?: Call): Promise<Answer>;
  /** The checks of /readyz with their reasons, as the operator reads them beside the metrics. */
  checks(): Promise<Record<string, { ok: boolean; message: string }>>;
  /** The text of /metrics. */
  metrics(): Promise<string>;
  /** A login token of the demo user. */
  login(): Promise<string>;
  /** Resolves with the exit code when it ends by itself. */
  exited(): Promise<number | null>;
  /** As Ctrl-C does; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** As the power does, for this process only: its PostgreSQL is left running. */
  kill(): Promise<void>;
};

/** Much longer than a stop or a command takes on a loaded machine. Without an end nobody would learn what hangs. */
const END_PATIENCE_MS = 180_000;

/**
 * For tests that see a service sign nothing for as long as an envelope is valid: fifteen seconds of ours. A machine that stands
 * still for less lets no payment expire, and a payment waits for longer than that.
 */
export const SHORT_VALIDITY = { WITHDRAW_VALID_SECONDS: '150', WITHDRAW_WAIT_SECONDS: '120' };

/**
 * `data_dir` absent: a new one, removed when the tests end. Ports are free ones; ledgers close every 200 ms. `program`: the
 * launcher of a package, in place of that of the checkout.
 */
export async function startService(
  options: { data_dir?: string; env?: Record<string, string>; args?: string[]; program?: string } = {},
): Promise<TestService> {
  const data_dir = options.data_dir ?? temporaryDirectory();
  const launched = launch([options.program ?? 'bin/teller.js', 'serve', ...(options.args ?? [])], {
    DATA_DIR: data_dir,
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_CLOSE_MS: '200',
    SANDBOX_STEP_MS: '2000',
    // Five ledgers a second, each two seconds later: ledger time runs ten times as fast as ours, 30 s of validity are 3 s. With ten
    // ledgers a second, a service that waits costs half as much again, and the run of all tests takes longer.
    WITHDRAW_VALID_SECONDS: '600',
    LOG_LEVEL: 'warn',
    TEAM_REQUESTS_PER_MINUTE: '1000000', // tests and benches ask again and again
    ...options.env,
  });
  const { child, output } = launched;
  const url = await printed(launched, /URL +(\S+)/).catch((error) => {
    child.kill('SIGKILL'); // else the test file would wait for it for ever
    throw error;
  });
  const rpc_url = /Network +\S+ \(([^,)]+)/.exec(output())?.[1] ?? '';
  const exited = launched.exited;
  const ended = () => within(launched, 'the service', exited);
  const api = (method: string, path: string, given?: Call) => call(url, method, path, given);
  const metricsUrl = () => /Metrics +(\S+)/.exec(output())?.[1] ?? '';
  return {
    url,
    rpc_url,
    data_dir,
    pid: child.pid as number,
    output,
    api,
    async checks() {
      return ((await (await fetch(new URL('/readyz', metricsUrl()))).json()) as any).data;
    },
    metrics: async () => (await fetch(metricsUrl())).text(),
    login: () => logIn(api, data_dir),
    exited: () => exited,
    async stop() {
      child.kill('SIGTERM');
      return ended();
    },
    async kill() {
      child.kill('SIGKILL');
      await ended();
    },
  };
}

/** Runs a `teller` command to its end. */
export async function teller(args: string[], env: Record<string, string> = {}, input = '') {
  const launched = launchTeller(args, env, { stdio: ['pipe', 'pipe', 'pipe'] });
  launched.child.stdin?.end(input);
  const code = await within(launched, `teller ${args.join(' ')}`, launched.ended);
  return { code, output: launched.output() };
}

/** @throws Error with everything that the process has printed, when it does not end in time. Then it is killed. */
async function within<T>({ child, output }: Launched, what: string, end: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    late.reject(new Error(`${what} did not end in ${END_PATIENCE_MS} ms:\n${output()}`));
  }, END_PATIENCE_MS);
  return Promise.race([end, late.promise]).finally(() => clearTimeout(timer));
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'teller-data-'));
  chmodSync(directory, 0o755); // as root the database runs as somebody else, who must get there
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function logIn(api: TestService['api'], data_dir: string): Promise<string> {
  const credentials = JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8'));
  const { body } = await api('POST', '/v1/auth/login', { body: credentials });
  return body.data.token;
}
