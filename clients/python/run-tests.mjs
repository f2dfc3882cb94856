/**
 * `node clients/python/run-tests.mjs [pytest arguments]`: format, types and tests of the Python client at the real service.
 *
 * It makes a virtual environment with the packages of requirements-test.txt in the user's cache, once for each version of
 * Python. Where Python 3.10 or the packages are missing, it says so and ends with 0. PYTHON names another interpreter.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const here = import.meta.dirname;
const { PYTHON = 'python3', XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;

const python = environment();
if (python) {
  // All of them run: what one finds hides nothing of the others. The first one writes the half for threads.
  const checks = [
    ['hatch_build.py'],
    ['-m', 'ruff', 'check', '.'],
    ['-m', 'ruff', 'format', '--check', '.'],
    ['-m', 'mypy'],
    ['-m', 'pytest', ...process.argv.slice(2)],
  ];
  const statuses = checks.map((args) => run(python, args));
  process.exitCode = statuses.some((status) => status !== 0) ? 1 : 0;
}

/** The interpreter of the virtual environment; undefined when it cannot be had. */
function environment() {
  const version = output(PYTHON, ['-c', 'import sys; print(*sys.version_info[:3], sep=".")']);
  const [major = 0, minor = 0] = version?.split('.').map(Number) ?? [];
  if (major !== 3 || minor < 10)
    return skip(`it needs Python 3.10, and ${PYTHON} is ${version ?? 'not there'}`);
  const requirements = readFileSync(join(here, 'requirements-test.txt'));
  const name = createHash('sha256').update(version).update(requirements).digest('hex').slice(0, 16);
  const directory = join(XDG_CACHE_HOME, 'stellar-teller', `python-${name}`);
  if (!existsSync(directory)) {
    console.log(`Installing the packages of requirements-test.txt into ${directory}`);
    const unfinished = `${directory}.${process.pid}`;
    mkdirSync(dirname(directory), { recursive: true });
    const fault =
      install(PYTHON, ['-m', 'venv', unfinished]) ??
      install(join(unfinished, 'bin', 'python'), [
        '-m',
        'pip',
        'install',
        '-q',
        '-r',
        join(here, 'requirements-test.txt'),
      ]);
    if (fault) rmSync(unfinished, { recursive: true, force: true });
    else renameSync(unfinished, directory);
    if (fault) return skip(`its packages cannot be installed:\n${fault}`);
  }
  return join(directory, 'bin', 'python');
}

function skip(reason) {
  console.log(`The tests of the Python client are skipped: ${reason}`);
}

/** The end of what the command has printed, when it fails. */
function install(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout ?? ''}${stderr ?? ''}`.trim().slice(-500);
}

function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function run(command, args) {
  // The service runs on this Node. Files of bytecode in the sources would be new files in the repository.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = {
    ...process.env,
    PATH,
    PYTHONDONTWRITEBYTECODE: '1',
    RUFF_CACHE_DIR: join(XDG_CACHE_HOME, 'stellar-teller', 'ruff'),
    MYPY_CACHE_DIR: join(XDG_CACHE_HOME, 'stellar-teller', 'mypy'),
  };
  return spawnSync(command, args, { cwd: here, env, stdio: 'inherit' }).status;
}
