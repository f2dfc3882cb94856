/**
 * After a long step of the withdrawal cursor, is the database an older copy of itself, or did the same primary only stand
 * still? A process remembers the primary that it worked with before:
 *
 * | what answers now                                     | what it can have forgotten                                    | result    |
 * |------------------------------------------------------|---------------------------------------------------------------|-----------|
 * | the same running server, database and files, and as  | nothing: a running server does not go back, and nobody else   | same      |
 * | many standbys as ever copy it                        | was promoted, because a promoted standby stops to copy        |           |
 * | the same, with fewer standbys, for up to 15 s        | a standby may have been promoted, or has not come back yet    | undecided |
 * | … for longer                                         | what another process has signed on the promoted standby       | unknown   |
 * | another server, or the same after a restart          | a copy of the files starts as another server, so anything     | unknown   |
 * | other tables (restored from a dump), after which     | the same                                                      | unknown   |
 * | their files have other numbers                       |                                                               |           |
 * | anything, and this process has just started          | the same: it has no memory                                    | unknown   |
 *
 * A cursor behind what this process has seen, and another timeline, are noticed apart from this (ingest-outcomes.ts).
 */
import type { Primary } from '../../ledgers/withdrawal-cursor.ts';
import type { Clock } from '../../lib/clock.ts';

/** A standby whose server stood still connects again within 5 s (PostgreSQL, wal_retrieve_retry_interval), if it is not promoted. */
const STANDBYS_RETURN_MS = 15_000;

export type KnownPrimary = {
  /** What this process works with. */
  note(primary: Primary): void;
  /** Whether nothing can have been forgotten since the last `note`. `undecided`: ask again soon. */
  classify(primary: Primary): 'same' | 'undecided' | 'unknown';
};

export function createKnownPrimary(clock: Clock): KnownPrimary {
  let known: Primary | null = null;
  let undecided_since_ms: number | null = null;

  return {
    note({ identity, standbys }) {
      const before = known?.identity === identity ? known.standbys : 0;
      known = { identity, standbys: Math.max(standbys, before) };
      undecided_since_ms = null;
    },
    classify(primary) {
      if (known === null || known.identity !== primary.identity) return 'unknown';
      if (primary.standbys >= known.standbys) return 'same';
      const now_ms = clock.now().getTime();
      undecided_since_ms ??= now_ms;
      return Math.abs(now_ms - undecided_since_ms) < STANDBYS_RETURN_MS ? 'undecided' : 'unknown';
    },
  };
}
