/** Requests that awaited approvals and are decided or over: how each ended, and their order in the list. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * `approval_expired`: its time was over. `requester_removed`: its requester was removed or disabled. `cancelled`: it ended before it was
 * decided, in another way. `not_needed`: its requester carried it out after the rule had ended that asked for approvals.
 */
export const OUTCOMES = [
  ...(['approved', 'not_needed', 'rejected'] as const),
  ...(['approval_expired', 'requester_removed', 'cancelled'] as const),
];
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes that rows of withdrawals and payouts have as the code of their end. */
const CODES: readonly string[] = ['rejected', 'approval_expired', 'requester_removed'] satisfies Outcome[];

/** Returns the outcome of a request. `code`: of its end, when it was not approved. */
export function outcomeOf(is_approved: boolean, code: string | null): Outcome {
  if (is_approved) return 'approved';
  return code !== null && CODES.includes(code) ? (code as Outcome) : 'cancelled';
}

/** Where a page begins: below this request. */
export type DecidedBefore = { decided_at: Date; id: string };
export type DecidedPage = { limit: number; before: DecidedBefore | undefined };

/** Writes the place of a request in the list, for a cursor. */
export function placeOf({ decided_at, id }: DecidedBefore): string {
  return `${decided_at.getTime()} ${id}`;
}

/** Of the places that `placeOf` writes. */
export const PLACE = /^[0-9]{1,15} [a-z]{2,3}_[0-9a-z]{26}$/;

export function readPlace(place: string): DecidedBefore {
  const [time = '', id = ''] = place.split(' ');
  return { decided_at: new Date(Number(time)), id };
}

/**
 * Returns condition and order of a page of a table, newest decision first. `team_id` and `decided_at`: its columns for them, which an
 * index has in this order, before the id.
 */
export function newestDecided(
  table: string,
  { team_id, decided_at }: { team_id: string; decided_at: RawBuilder<Date> },
  team: string,
  { before }: DecidedPage,
): { where: RawBuilder<SqlBool>; order: RawBuilder<unknown> } {
  const own = [sql.ref(`${table}.${team_id}`), decided_at, sql.ref(`${table}.id`)];
  const end = before && sql`(${sql.join(own)}) < (${team}, ${before.decided_at}::timestamptz, ${before.id})`;
  return {
    where: sql<SqlBool>`${own[0]} = ${team} and ${end ?? sql`true`}`,
    order: sql.join(own.map((column) => sql`${column} desc`)),
  };
}
