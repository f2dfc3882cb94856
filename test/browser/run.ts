/** `npm run test:browser`: installs Chromium where that can be done, then runs the tests that need it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { whySkipped } from './chromium.ts';

if (whySkipped() && !process.env.CI) installChromium();

const runner = join(import.meta.dirname, '..', 'run.ts');
const args = [...process.execArgv, runner, 'test/browser/', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;

/** On Debian and Ubuntu, as root. Where it cannot be, the tests say that they are skipped, and why. */
function installChromium(): void {
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { error, status } = spawnSync('apt-get', command, { stdio: 'inherit', env });
    if (error || status !== 0) return;
  }
}
