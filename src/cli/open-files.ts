import { existsSync, readFileSync } from 'node:fs';
import { OperatorError } from '../lib/errors.ts';

/** Below this, the start already fails in places that cannot say why. */
const MIN_OPEN_FILES = 256;
const LIMITS = '/proc/self/limits';

/** @throws OperatorError when this process may open too few files and connections at once. */
export function requireOpenFiles(): void {
  if (!existsSync(LIMITS)) return; // not on Linux
  const limit = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1];
  if (limit === undefined || Number(limit) >= MIN_OPEN_FILES) return; // undefined: unlimited
  throw new OperatorError(
    `This process may open only ${limit} files at once, and needs ${MIN_OPEN_FILES} or more. Raise its limit ` +
      '(`ulimit -n`, or LimitNOFILE of systemd).',
  );
}
