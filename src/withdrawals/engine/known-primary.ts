/**
 * After a long step of the withdrawal cursor, is the database an older copy of itself, or did the same primary only stand
 * still? A process remembers the primary that it worked with before:
 *
 * | what answers now                                     | what it can have forgotten                                    | result    |
 * |------------------------------------------------------|---------------------------------------------------------------|-----------|
 * | the same running server, database and files, which   | nothing: a running server does not go back                    | same      |
 * | no standby has ever copied                           |                                                               |           |
 * | … and every standby that ever did, by its name, has  | nothing: none was promoted, because a promoted standby stops  | same      |
 * | log that was written after the question arose        | to copy                                                       |           |
 * | the same, with fewer such standbys, for up to 15 s   | a standby may have been promoted, or has not come back yet    | undecided |
 * | … for longer                                         | what another process has signed on the promoted standby       | unknown   |
 * | another server, or the same after a restart          | a copy of the files starts as another server, so anything     | unknown   |
 * | other tables (restored from a dump), after which     | the same                                                      | unknown   |
 * | their files have other numbers                       |                                                               |           |
 * | anything, and this process has just started          | the same: it has no memory                                    | unknown   |
 *
 * A connection to a standby proves nothing: PostgreSQL lists one that was cut for a minute more (wal_sender_timeout).
 *
 * A cursor behind what this process has seen, and another timeline, are noticed apart from this (ingest-outcomes.ts).
 */
import type { Primary, Standby } from '../../ledgers/withdrawal-cursor.ts';
import type { Clock } from '../../lib/clock.ts';

/** A standby whose server stood still connects again within 5 s (PostgreSQL, wal_retrieve_retry_interval), if it is not promoted. */
const STANDBYS_RETURN_MS = 15_000;

export type KnownPrimary = {
  /** Notes the primary that this process works with. `missed`: after a long step; the next one has the same reason, and waits no 15 s again. */
  note(primary: Primary, missed: boolean): void;
  /** Says whether something can have been forgotten since the last `note`: not with `same`. `undecided`: call `expect`, and ask again soon. */
  classify(primary: Primary): 'same' | 'undecided' | 'unknown';
  /** Notes that something was written to the log after `position` (writeToLog). Standbys that still copy the primary will have it. */
  expect(position: number): void;
};

export function createKnownPrimary(clock: Clock): KnownPrimary {
  let known: { identity: string; standbys: Map<string, number> } | null = null;
  let undecided_since_ms: number | null = null;
  let expected_after = Number.POSITIVE_INFINITY;

  return {
    note({ identity, standbys }, missed) {
      const before = known?.identity === identity ? known.standbys : new Map<string, number>();
      known = { identity, standbys: most(before, countByName(standbys)) };
      if (!missed) undecided_since_ms = null;
      expected_after = Number.POSITIVE_INFINITY;
    },
    classify({ identity, standbys }) {
      if (known === null || known.identity !== identity) return 'unknown';
      const copying = countByName(
        standbys.filter(({ flushed }) => flushed !== null && flushed > expected_after),
      );
      if ([...known.standbys].every(([name, count]) => (copying.get(name) ?? 0) >= count)) {
        undecided_since_ms = null;
        return 'same';
      }
      const now_ms = clock.now().getTime();
      undecided_since_ms ??= now_ms;
      return Math.abs(now_ms - undecided_since_ms) < STANDBYS_RETURN_MS ? 'undecided' : 'unknown';
    },
    expect(position) {
      expected_after = Math.min(expected_after, position);
    },
  };
}

/** Counts standbys by name: two may have the same one. */
function countByName(standbys: Standby[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of standbys) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function most(a: Map<string, number>, b: Map<string, number>): Map<string, number> {
  const names = new Set([...a.keys(), ...b.keys()]);
  return new Map([...names].map((name) => [name, Math.max(a.get(name) ?? 0, b.get(name) ?? 0)]));
}
