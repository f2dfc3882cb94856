/**
 * `npm run test:browser [-- PART-OF-A-FILE-NAME]`: installs Chromium where it can, then runs the tests that need it. Without Chromium it says so
 * and ends with code 0, because the machine is at fault and not the project.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { whySkipped } from './chromium.ts';
import { SCREENSHOTS } from './looks.ts';

/** For the package list, and again for the package: a mirror that does not answer must not hold up the run. */
const INSTALL_TIMEOUT_MS = 240_000;

if (whySkipped()) installChromium();
const skipped = whySkipped();
if (skipped) console.log(`The tests in a browser do not run: ${skipped}.`);
else await runTests();

async function runTests(): Promise<void> {
  // Here, not in a test: several files run at once, and take pictures.
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS, { recursive: true });
  const runner = join(import.meta.dirname, '..', 'run.ts');
  const options = process.argv.slice(2).filter((arg) => arg.startsWith('-'));
  const names = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
  const files = names.length === 0 ? ['test/browser/'] : names.map((name) => `test/browser/${name}`);
  const args = [...process.execArgv, runner, ...files, ...options];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

/** On Debian and Ubuntu, as root. Older releases have no package of the headless shell. */
function installChromium(): void {
  if (process.getuid?.() !== 0 || !runApt(['update'])) return;
  const install = ['install', '-y', '--no-install-recommends'];
  if (!runApt([...install, 'chromium-headless-shell'])) runApt([...install, 'chromium']);
}

function runApt(command: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: 'inherit', env, timeout: INSTALL_TIMEOUT_MS } as const;
  const { error, status } = spawnSync('apt-get', command, options);
  return !error && status === 0;
}
