/**
 * Loaded before the program on a Node without `process.execve`, where the launcher is another process that only waits. When the
 * launcher is killed, the program ends at once, as if it had been killed itself. Otherwise nobody would stop it, and it would
 * keep every later start from its folder.
 */
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** The end of a pipe whose other end the launcher alone holds. */
const PIPE = 3;

// Threads and forks of the program load this too, and have no such pipe.
if (isMainThread && process.env.TELLER_LAUNCHER === `${process.ppid}`) {
  const launcher = new Socket({ fd: PIPE });
  launcher.on('error', () => {});
  launcher.on('close', () => process.kill(process.pid, 'SIGKILL'));
  launcher.resume();
  launcher.unref(); // the program ends when its work is done
}
delete process.env.TELLER_LAUNCHER;
