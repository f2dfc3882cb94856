/**
 * The advisory locks of sessions. To the real server all connections of a simulation are one session, which would get
 * every lock. This file decides which process holds which lock, and makes the statement answer that.
 */
import type { Connection } from './connection.ts';

const TRY = /pg_try_advisory_lock\(\$1\)/;

export class AdvisoryLocks {
  /** How often a lock went from one process to another. */
  takeovers = 0;
  readonly #holders = new Map<string, Connection>();
  readonly #isOpen: (connection: Connection) => boolean;

  /** @param isOpen whether the server still has the connection: with it, it gives back its locks */
  constructor(isOpen: (connection: Connection) => boolean) {
    this.#isOpen = isOpen;
  }

  /** The statement, with what the server would say to the attempt at a lock in it. */
  answering(connection: Connection, text: string, values: unknown[]): string {
    if (!TRY.test(text)) return text;
    const lock = `${values[0]}`;
    const holder = this.#holders.get(lock);
    const taken = holder !== undefined && holder !== connection && this.#isOpen(holder);
    if (!taken) {
      if (holder && holder.owner !== connection.owner) this.takeovers++;
      this.#holders.set(lock, connection);
    }
    return text.replace(TRY, `($1::bigint is ${taken ? '' : 'not '}null)`);
  }

  /** Names of the processes that hold a lock. */
  get holders(): string[] {
    return [...this.#holders.values()].filter(this.#isOpen).map(({ owner }) => owner.name);
  }
}
