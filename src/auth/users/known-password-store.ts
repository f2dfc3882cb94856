/**
 * The only writer of known_passwords: whose password somebody else has chosen, or could have chosen with the link of the invitation.
 * Such a person could be that member, as who knows a credential of a service user could be the program.
 */
import { sql } from 'kysely';
import type { Trx } from '../../db/database.ts';

/**
 * How long a password or credential counts as known after its end. A request that was accepted before the end may be recorded after it,
 * and the clocks of the database and of the processes differ. Both are far less than this.
 */
export const KNOWN_AFTER_END_MS = 3_600_000;

/** Returns the ids of those who could be this user now: the user, and those who know the password. */
export async function whoCouldBe(trx: Trx, user_id: string): Promise<string[]> {
  const { rows } = await sql<{ known_to: string[] }>`
    select known_to from known_passwords
     where user_id = ${user_id} and (ended_at is null or ended_at > clock_timestamp() - ${KNOWN_AFTER_END_MS} * interval '1 ms')
  `.execute(trx);
  return [user_id, ...rows.flatMap(({ known_to }) => known_to)];
}

/** Notes who knows the first password of a new user, or could have chosen it. */
export async function notePasswordKnown(trx: Trx, user_id: string, known_to: string[]): Promise<void> {
  if (known_to.length === 0) return;
  await trx.insertInto('known_passwords').values({ user_id, known_to }).execute();
}

/**
 * Records that the user has chosen another password. Call it in the transaction in which the user does so. A person who knew the
 * first one may have added a factor with it: the user has an account of their own once the factors of now are gone.
 */
export async function noteOwnPassword(trx: Trx, user_id: string): Promise<void> {
  await trx
    .updateTable('known_passwords')
    .set({
      old_factors: sql<string[]>`array(
        select id from second_factors factor
         where factor.user_id = known_passwords.user_id and confirmed_at is not null)`,
    })
    .where('user_id', '=', user_id)
    .where('old_factors', 'is', null)
    .execute();
  await endKnown(trx, user_id);
}

/**
 * Ends what others know of the user, once the user has another password and none of the factors from before it. Call it in the
 * transaction that removes a factor.
 */
export async function endKnown(trx: Trx, user_id: string): Promise<void> {
  await sql`
    update known_passwords set ended_at = clock_timestamp()
     where user_id = ${user_id} and ended_at is null and old_factors is not null
       and not exists (select from second_factors where id = any(old_factors))
  `.execute(trx);
}
