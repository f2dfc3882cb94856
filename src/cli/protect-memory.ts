/** Keeps the memory of this process, which holds keys, out of core dumps, reports and debuggers. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { NetworkName } from '../config.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

const LIMITS = '/proc/self/limits';
/** Which parts of memory a core dump has: none (core(5)). */
const CORE_FILTER = '/proc/self/coredump_filter';
const STATUS = '/proc/self/status';
/** More than the keys of any configuration take, with a page and more for each. */
const LOCKED_BYTES = 2 ** 20;
/** Lets a process lock memory beyond its limit (capabilities(7)). */
const CAP_IPC_LOCK = 14n;
/** Options of Node that show or write memory. */
const SHOWS_MEMORY = /^--(inspect|debug|report-|heapsnapshot-|heap-prof|diagnostic-dir|abort-on-uncaught)/;

/**
 * Keeps the memory of this process out of core dumps. Call it before a key is read. Warns when the platform still writes core dumps,
 * or may swap the memory.
 * @throws OperatorError when Node was started with options that show memory; the sandbox, whose keys hold nothing, allows them
 */
export function protectMemory(network: NetworkName, log: Log): void {
  const shown = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)].filter((option) =>
    SHOWS_MEMORY.test(option),
  );
  if (shown.length > 0 && network !== 'sandbox')
    throw new OperatorError(
      `Node was started with ${shown.join(' ')}: that shows the memory that holds keys. Start it without.`,
    );
  if (!existsSync(LIMITS)) return; // not on Linux: no core dump by default
  forbidCoreDumps();
  if (!coreDumpsForbidden())
    log.warn('core dumps are not forbidden: set the limit to 0 (`ulimit -c 0`, LimitCORE=0)');
  if (!canLockMemory())
    log.warn(
      'memory with keys may be swapped: let this process lock 1 MiB (`ulimit -l 1024`, LimitMEMLOCK=1M, `--ulimit memlock=1048576`)',
    );
}

/** Returns true when this process may lock the memory of its keys. libsodium says nothing when the system refuses to lock its memory. */
function canLockMemory(): boolean {
  const [, limit] = /^Max locked memory +(\S+)/m.exec(readFileSync(LIMITS, 'utf8')) ?? [];
  if (limit === undefined || limit === 'unlimited' || Number(limit) >= LOCKED_BYTES) return true;
  const [, capabilities] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync(STATUS, 'utf8')) ?? [];
  return ((BigInt(`0x${capabilities ?? '0'}`) >> CAP_IPC_LOCK) & 1n) === 1n;
}

/** Forbids core dumps in two ways, because each is missing somewhere: a limit of 0, and dumps without memory. */
function forbidCoreDumps(): void {
  const env = { PATH: process.env.PATH }; // nothing else of ours
  spawnSync('prlimit', ['--pid', `${process.pid}`, '--core=0:0'], { env, stdio: 'ignore' });
  try {
    writeFileSync(CORE_FILTER, '0');
  } catch {
    // A kernel without it: the limit is looked at below.
  }
}

function coreDumpsForbidden(): boolean {
  const limited = /^Max core file size +0 +0 /m.test(readFileSync(LIMITS, 'utf8'));
  return limited || (existsSync(CORE_FILTER) && Number.parseInt(readFileSync(CORE_FILTER, 'utf8'), 16) === 0);
}
