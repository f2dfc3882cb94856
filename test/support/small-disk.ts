/** A file system of a few megabytes, mounted for one command. */
import { spawnSync } from 'node:child_process';

const MOUNTED =
  'mount -t tmpfs -o size="$0" tmpfs "$1"; cd "$2"; target="$1"; shift 2; "$@"; code=$?; ls -A "$target"; exit $code';

/**
 * Runs the command where the empty folder `target` has room for `size` (as mount(8) writes it). What the command leaves in the
 * folder is listed at the end of `stdout`. Null where the right to mount is missing.
 */
export function runOnSmallDisk(
  command: string[],
  { size, target, cwd, env }: { size: string; target: string; cwd: string; env: Record<string, string> },
): { status: number | null; stdout: string; stderr: string } | null {
  const inside = (...args: string[]) =>
    spawnSync('unshare', ['--mount', 'sh', '-c', MOUNTED, size, target, cwd, ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
  return inside('true').status === 0 ? inside(...command) : null;
}
