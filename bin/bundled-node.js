// Plain JavaScript for any Node from 18 on: this runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The service needs exact 64-bit integers in JSON and argon2 in node:crypto, which Node 24 brings. */
const NEEDED_MAJOR = 24;

/**
 * No debugger on SIGUSR1: it would open the memory that holds keys to anyone who can signal us.
 *
 * Young objects are collected every 8 MiB instead of at V8's larger default, and malloc keeps two arenas instead of eight
 * for each core: with 1,000 withdrawals at once the process peaked at 270 MiB instead of 430, for the same CPU time.
 * Neither is a limit: what lives on has all the memory that Node gives it anywhere.
 */
const NODE_FLAGS = [
  '--disable-sigusr1',
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--expose-gc', // for src/cli/give-back-memory.ts
];
const END_WITH_LAUNCHER = `--import=${new URL('end-with-launcher.js', import.meta.url)}`;
const MALLOC = { MALLOC_ARENA_MAX: '2' };

/**
 * In a checkout: installs what package-lock.json pins, unless the last install is newer than the lock file.
 * `only_if_missing`: beside a running service, whose modules must not be taken away.
 */
export function ensureInstalled({ only_if_missing = false } = {}) {
  const lock = join(root, 'package-lock.json');
  if (!existsSync(lock)) return; // an installed package: npm has installed its dependencies already
  const modules = join(root, 'node_modules');
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return; // another checkout's: npm would empty it
  const installed = join(modules, '.package-lock.json');
  const there = existsSync(installed);
  if (there && (only_if_missing || statSync(installed).mtimeMs >= statSync(lock).mtimeMs)) return;
  process.stderr.write('Installing dependencies (npm ci) …\n');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  // The dashboard is built with development tools, which NODE_ENV=production leaves out.
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(command, [...args, 'ci', ...options], {
    cwd: root,
    env: withoutKeys(process.env),
    stdio: ['ignore', 2, 2], // our own output stays ours: npm's goes to stderr
  });
  if (result.status !== 0) fail(`npm ci failed (exit ${result.status ?? result.error?.message}).`);
}

/** For programs of others, which need no key: install scripts of packages, and what builds the dashboard. */
function withoutKeys({ MASTER_KEY: _key, MASTER_KEY_PREVIOUS: _previous, ...rest }) {
  return rest;
}

/** Path of a Node that can run the service: this one if it is new enough, else the one npm installed beside it. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  try {
    const require = createRequire(import.meta.url);
    const bundled = dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`));
    return join(bundled, 'bin', 'node');
  } catch {
    return fail(
      `Stellar Teller needs Node ${NEEDED_MAJOR}; this is Node ${process.versions.node}. ` +
        `On Linux x64 and arm64 npm installs it with the project (optional dependencies must not be omitted). ` +
        `Elsewhere install Node ${NEEDED_MAJOR} yourself and set DATABASE_URL to a PostgreSQL 15+ server.`,
    );
  }
}

const dashboard = join(root, 'dashboard');

/** In a checkout: builds the dashboard when it was never built, or when what it is made of is newer. */
export function ensureDashboard() {
  const built = statSync(join(dashboard, 'dist', 'index.html'), { throwIfNoEntry: false });
  const sources = [
    ...['src', 'index.html', 'vite.config.ts'].map((name) => join(dashboard, name)),
    // What it takes from the client of the API.
    ...['contract.ts', 'exact-name.ts'].map((name) => join(root, 'clients', 'typescript', 'src', name)),
    join(root, 'package-lock.json'),
  ];
  if (built && sources.every((source) => newestIn(source) <= built.mtimeMs)) return;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite)) {
    process.stderr.write(
      'The dashboard is not built: its tools are development dependencies, which were left out. `npm ci --include=dev` brings them.\n',
    );
    return;
  }
  process.stderr.write('Building the dashboard …\n');
  const result = spawnSync(findNode(), [vite, 'build', dashboard, '--logLevel', 'warn'], {
    env: withoutKeys(process.env),
    stdio: ['ignore', 2, 2],
  });
  // The service does its work without it, for instance in a checkout that it may not write to.
  if (result.status !== 0)
    process.stderr.write('The dashboard could not be built; going on without a new one.\n');
}

/** Milliseconds since 1970 of the last change of a file, or of any file in a folder; 0 for one that is not there. */
function newestIn(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return readdirSync(path).reduce(
    (newest, name) => Math.max(newest, newestIn(join(path, name))),
    stat.mtimeMs,
  );
}

/** Replaces this process (or, on an older Node, wraps it) with Node 24 running `script`. */
export function handOver(script, args) {
  const node = findNode();
  const argv = [join(root, script), ...args];
  const env = { ...MALLOC, ...process.env };
  if (process.execve) process.execve(node, [node, ...NODE_FLAGS, ...argv], env);
  // The last one is a pipe: the program notices its end when this process is killed.
  const child = spawn(node, [...NODE_FLAGS, END_WITH_LAUNCHER, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...env, TELLER_LAUNCHER: `${process.pid}` },
  });
  child.stdio[3]?.on('error', () => {});
  // A terminal's Ctrl-C reaches the child too; the service treats a second signal as the first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`cannot start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
