/** The only writer of service_user_tokens and used_assertions. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { createFinder } from '../../db/finder.ts';
import type { Membership } from '../teams/team-store.ts';
import type { User } from '../users/user-store.ts';

export type ServiceToken = {
  id: string;
  opened_at: Date;
  expires_at: Date;
  user: User;
  member: Membership;
  allowed_ips: string[] | null;
};

export async function insertServiceToken(
  trx: Trx,
  token: { id: string; service_user_id: string; credential: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await trx.insertInto('service_user_tokens').values(token).execute();
}

/**
 * Returns a function that finds a token by its id, with the rights that its service user has now. The token may have expired. The
 * function returns undefined for an unknown token, and for a service user who is disabled or removed.
 */
export function createServiceTokenFinder(db: Db): (id: string) => Promise<ServiceToken | undefined> {
  return createFinder(async (ids) => {
    const rows = await db
      .selectFrom('service_user_tokens')
      .innerJoin('service_users', 'service_users.id', 'service_user_id')
      .select(['service_user_tokens.id as token_id', 'expires_at'])
      .select('service_user_tokens.created_at as opened_at')
      .select(['service_users.id', 'name', 'service_users.created_at'])
      .select(['team_id', 'role', 'wallet_ids', 'allowed_ips'])
      .where('service_user_tokens.id', '=', sql<string>`any(${ids}::text[])`)
      .where('disabled_at', 'is', null)
      .where('removed_at', 'is', null)
      .execute();
    return rows.map(({ token_id, opened_at, expires_at, allowed_ips, id, name, created_at, ...member }) => ({
      id: token_id,
      opened_at,
      expires_at,
      allowed_ips,
      member,
      user: { id, email: '', name, created_at },
    }));
  });
}

export async function deleteServiceToken(db: Db, id: string): Promise<void> {
  await db.deleteFrom('service_user_tokens').where('id', '=', id).execute();
}

/** Deletes tokens of a service user. `credentials`: only tokens that were given for these; null for all tokens of the service user. */
export async function deleteServiceTokens(
  trx: Trx,
  service_user_id: string,
  credentials: string[] | null,
): Promise<void> {
  let query = trx.deleteFrom('service_user_tokens').where('service_user_id', '=', service_user_id);
  if (credentials) query = query.where('credential', '=', sql<string>`any(${credentials}::text[])`);
  await query.execute();
}

/** Returns true when the assertion was used before, at any process. One that is being used now may still count as unused. */
export async function isUsed(
  db: Db,
  { service_user_id, jti_hash }: { service_user_id: string; jti_hash: Buffer },
): Promise<boolean> {
  const found = await db
    .selectFrom('used_assertions')
    .select('expires_at')
    .where('service_user_id', '=', service_user_id)
    .where('jti_hash', '=', jti_hash)
    .executeTakeFirst();
  return found !== undefined;
}

/** Records the use of an assertion. Returns false when it was used before, at any process. Waits for a process that is using it now. */
export async function useAssertion(
  trx: Trx,
  assertion: { service_user_id: string; jti_hash: Buffer; expires_at: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('used_assertions')
    .values(assertion)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/**
 * Deletes tokens that have expired, and used assertions that need not be remembered any longer. Tokens that another process has
 * locked are left to that process.
 */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const tokens = db.selectFrom('service_user_tokens').select('id').where('expires_at', '<=', now);
  await db.deleteFrom('service_user_tokens').where('id', 'in', tokens.forUpdate().skipLocked()).execute();
  await db.deleteFrom('used_assertions').where('expires_at', '<=', now).execute();
}
