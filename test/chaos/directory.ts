import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { ChaosTarget } from './chaos-target.ts';

/**
 * Does `work`, which gives what is wrong, in a directory of its own. Each process that it adds to `toBeEnded` is ended
 * with it. The files stay when something is wrong, and `say` tells where.
 */
export async function inDirectoryOfRun(
  { seed, say }: { seed: string; say(line: string): void },
  work: (dir: string, toBeEnded: ChaosTarget[]) => Promise<string[]>,
): Promise<string[]> {
  // Not tmpdir(): `npm test` empties its own at its end, and the files of a failed run are to stay.
  const dir = mkdtempSync('/tmp/teller-chaos-');
  chmodSync(dir, 0o755); // as root the database runs as somebody else, who must get there
  const kept = `data and logs are in ${dir} (seed ${seed})`;
  const toBeEnded: ChaosTarget[] = [];
  const endAll = () => {
    for (const target of toBeEnded) target.end();
  };
  process.once('exit', endAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      say(kept);
      process.exit(1);
    });
  const found = ['it did not come to its end'];
  try {
    found.splice(0, 1, ...(await work(dir, toBeEnded)));
    return found;
  } finally {
    endAll();
    process.off('exit', endAll);
    if (found.length === 0) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    else say(kept);
  }
}
