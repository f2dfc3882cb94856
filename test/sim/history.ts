/** What happened in a run, line by line; two runs with the same digest did the same. */
import { createHash } from 'node:crypto';

export class History {
  readonly #hash = createHash('sha256');
  readonly #now_ms: () => number;
  readonly #print: ((line: string) => void) | null;
  lines = 0;

  /** @param print for `--trace`: every line as it happens */
  constructor(now_ms: () => number, print: ((line: string) => void) | null) {
    this.#now_ms = now_ms;
    this.#print = print;
  }

  record(who: string, what: string): void {
    const line = `${new Date(this.#now_ms()).toISOString().slice(11, 23)} ${who} ${what}`;
    this.lines++;
    this.#hash.update(line).update('\n');
    this.#print?.(line);
  }

  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }
}
