import { setFlagsFromString } from 'node:v8';
import { systemClock } from '../lib/clock.ts';

/** Much longer than a compilation takes. */
const COMPILED_MS = 100;

/**
 * Ends the process with this exit code. `process.exit` waits for V8's compiler threads while the main thread can do nothing
 * else. A compiler thread that needs memory waits for the main thread to collect garbage: the process would never end, and no
 * supervisor would start it again (https://github.com/nodejs/node/issues/54918). So this lets what is being compiled finish
 * first, and lets nothing new begin.
 */
export async function endProcess(code: number): Promise<never> {
  for (const compiler of ['maglev', 'opt']) setFlagsFromString(`--no-${compiler}`);
  await systemClock.sleep(COMPILED_MS);
  process.exit(code);
}
