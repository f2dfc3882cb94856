/**
 * `npm run test:providers`: the key providers on the real thing, as far as a machine has it: AWS KMS as moto answers (PyPI), and
 * PKCS#11 with SoftHSM (Debian: softhsm2). moto and pkcs11js are installed into a cache folder. What cannot be had is skipped with
 * a message, because the machine is at fault and not the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'stellar-teller',
  'key-providers',
);
const PYTHON = join(CACHE, 'moto');
const MOTO = 'moto[server]==5.2.5';
const PKCS11JS = 'pkcs11js@2.1.7';
const INSTALL_TIMEOUT_MS = 600_000;

mkdirSync(CACHE, { recursive: true });
if (!existsSync(join(PYTHON, 'bin', 'moto_server'))) {
  run('python3', ['-m', 'venv', PYTHON]);
  run(join(PYTHON, 'bin', 'pip'), ['install', '--quiet', MOTO]);
}
if (!existsSync(join(CACHE, 'node_modules', 'pkcs11js', 'build'))) {
  // It compiles, which npm does for a package that is named only.
  run('npm', ['install', '--prefix', CACHE, '--no-audit', '--no-fund', '--no-save', PKCS11JS]);
  run('npm', ['rebuild', '--prefix', CACHE, 'pkcs11js']);
}
const environment = {
  ...process.env,
  MOTO_SERVER: join(PYTHON, 'bin', 'moto_server'),
  NODE_PATH: join(CACHE, 'node_modules'),
};
const { status } = spawnSync(process.execPath, [...process.execArgv, 'test/run.ts', 'test/providers'], {
  stdio: 'inherit',
  cwd: ROOT,
  env: environment,
});
process.exitCode = status ?? 1;

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    cwd: CACHE,
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status !== 0)
    console.log(`${command} ${args[0]} failed${error ? ` (${error.message})` : ''}: its tests are skipped.`);
}
