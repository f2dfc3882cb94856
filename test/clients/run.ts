/**
 * `npm run test:clients`: the clients on the real service, in every runtime that can be had here. Deno, Bun and the oldest
 * Node come from npm into a cache folder; what cannot be had is skipped with a message, because the machine is at fault and
 * not the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { arch, homedir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'stellar-teller',
  'client-runtimes',
);
const TOOLS = ['deno@2.9.6', 'bun@1.4.5', `node-linux-${arch()}@22.12.0`];
const INSTALL_TIMEOUT_MS = 240_000;
const PYTHON = join('clients', 'python', 'run-tests.mjs');

installRuntimes();
const typescript = node(['test/run.ts', 'test/clients'], { CLIENT_RUNTIMES: CACHE });
const python = existsSync(join(ROOT, PYTHON)) ? node([PYTHON]) : 0;
process.exitCode = typescript || python;

function installRuntimes(): void {
  mkdirSync(CACHE, { recursive: true });
  for (const tool of TOOLS) {
    const args = [
      'install',
      '--prefix',
      CACHE,
      '--no-audit',
      '--no-fund',
      '--no-save',
      '--loglevel=error',
      tool,
    ];
    const { status } = spawnSync('npm', args, { stdio: 'inherit', cwd: CACHE, timeout: INSTALL_TIMEOUT_MS });
    if (status !== 0) console.log(`${tool} could not be installed: its tests are skipped.`);
  }
}

function node(args: string[], env: NodeJS.ProcessEnv = {}): number {
  const options = { stdio: 'inherit', cwd: ROOT, env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [...process.execArgv, ...args], options).status ?? 1;
}
