/** The only writer of second_factors, recovery_codes and factor_challenges, and of users.factor_failures. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { sealedRows } from '../../db/sealed-rows.ts';
import type { NewPasskey, Passkey } from './passkeys.ts';

export type FactorKind = 'totp' | 'passkey';
export type Factor = {
  id: string;
  kind: FactorKind;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  /** Of a passkey: the host name that it is for. */
  rp_id: string | null;
};

const factorColumns = ['id', 'kind', 'name', 'created_at', 'last_used_at', 'rp_id'] as const;

/**
 * Locks the factors of a user, before each use or change of them. Until the lock ends, no session is opened (`insertSession`).
 * Returns the number of failures in a row.
 */
export async function lockFactors(trx: Trx, user_id: string): Promise<{ failures: number }> {
  return trx
    .selectFrom('users')
    .select('factor_failures as failures')
    .where('id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function setFailures(trx: Trx, user_id: string, failures: number): Promise<void> {
  await trx.updateTable('users').set({ factor_failures: failures }).where('id', '=', user_id).execute();
}

/** Lists the confirmed factors of a user, oldest first. */
export async function listFactors(db: Db, user_id: string): Promise<Factor[]> {
  return ofUser(db, user_id).select(factorColumns).orderBy('id').execute();
}

export async function findFactor(db: Db, user_id: string, id: string): Promise<Factor | undefined> {
  return ofUser(db, user_id).select(factorColumns).where('id', '=', id).executeTakeFirst();
}

/** Reads the number of failures in a row, and the number of recovery codes that are left. */
export async function countCodes(db: Db, user_id: string): Promise<{ failures: number; codes: number }> {
  const { failures, codes } = await db
    .selectFrom('users')
    .select('factor_failures as failures')
    .select((eb) =>
      eb
        .selectFrom('recovery_codes')
        .select(eb.fn.countAll<bigint>().as('codes'))
        .where('user_id', '=', user_id)
        .as('codes'),
    )
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow();
  return { failures, codes: Number(codes) };
}

function ofUser(db: Db, user_id: string) {
  return db.selectFrom('second_factors').where('user_id', '=', user_id).where('confirmed_at', 'is not', null);
}

// authenticator apps

export const sealedFactors = sealedRows({
  kind: 'authenticator apps',
  table: 'second_factors',
  column: 'sealed_secret',
  key: 'id',
  key_type: 'text',
  sealed_for: 'id',
});

/** Inserts an authenticator app that is not confirmed yet, in place of the one that was begun before and not confirmed. */
export async function replacePendingTotp(
  trx: Trx,
  factor: {
    id: string;
    user_id: string;
    begun_by: string;
    name: string;
    created_at: Date;
    sealed_secret: Buffer;
  },
): Promise<void> {
  await trx
    .deleteFrom('second_factors')
    .where('user_id', '=', factor.user_id)
    .where('confirmed_at', 'is', null)
    .execute();
  await trx
    .insertInto('second_factors')
    .values({ ...factor, kind: 'totp', last_step: 0n })
    .execute();
}

export type Totp = { id: string; name: string; sealed_secret: Buffer };

/** Finds an app that is not confirmed yet: only for the session that began it, and only when it was begun after `since`. */
export async function findPendingTotp(
  trx: Trx,
  { id, session_id, since }: { id: string; session_id: string; since: Date },
): Promise<Totp | undefined> {
  const row = await trx
    .selectFrom('second_factors')
    .select(['id', 'name', 'sealed_secret'])
    .where('begun_by', '=', session_id)
    .where('created_at', '>', since)
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return row && withSecret(row);
}

/**
 * Counts a wrong code for an app that is not confirmed yet. After `at_most` of them the app is gone: the user begins again, for a
 * first factor with the password.
 */
export async function countWrongCode(trx: Trx, id: string, at_most: number): Promise<void> {
  const { wrong_codes } = await trx
    .updateTable('second_factors')
    .set({ wrong_codes: sql`wrong_codes + 1` })
    .where('id', '=', id)
    .returning('wrong_codes')
    .executeTakeFirstOrThrow();
  if (wrong_codes >= at_most) await trx.deleteFrom('second_factors').where('id', '=', id).execute();
}

export async function listTotps(trx: Trx, user_id: string): Promise<Totp[]> {
  const rows = await ofUser(trx, user_id)
    .select(['id', 'name', 'sealed_secret'])
    .where('kind', '=', 'totp')
    .orderBy('id')
    .execute();
  return rows.map(withSecret);
}

function withSecret({ sealed_secret, ...row }: { id: string; name: string; sealed_secret: Buffer | null }) {
  if (!sealed_secret) throw new Error('a TOTP without its secret');
  return { ...row, sealed_secret };
}

export async function confirmTotp(trx: Trx, id: string, { step, now }: { step: number; now: Date }) {
  await trx
    .updateTable('second_factors')
    .set({ confirmed_at: now, last_used_at: now, last_step: BigInt(step) })
    .where('id', '=', id)
    .execute();
}

/** Records the use of a code. Returns false when this step or a later one was used before: a code is accepted once (RFC 6238, 5.2). */
export async function useStep(
  trx: Trx,
  id: string,
  { step, now }: { step: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('second_factors')
    .set({ last_step: BigInt(step), last_used_at: now })
    .where('id', '=', id)
    .where('last_step', '<', BigInt(step))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

// passkeys

/** Lists the passkeys of a user for a host name, oldest first. */
export async function listPasskeys(
  db: Db,
  user_id: string,
  rp_id: string,
): Promise<(Passkey & { id: string })[]> {
  const rows = await ofUser(db, user_id)
    .select(['id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('kind', '=', 'passkey')
    .where('rp_id', '=', rp_id)
    .orderBy('id')
    .execute();
  return rows.map(({ credential_id, public_key, counter, ...row }) => {
    if (credential_id === null || !public_key || counter === null)
      throw new Error('a passkey without its key');
    return { ...row, credential_id, public_key, counter };
  });
}

/** Inserts a passkey. Returns false when a user has it already. */
export async function insertPasskey(
  trx: Trx,
  factor: NewPasskey & { id: string; user_id: string; name: string; now: Date },
): Promise<boolean> {
  const { now, ...row } = factor;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('second_factors')
    .values({ ...row, kind: 'passkey', created_at: now, confirmed_at: now, last_used_at: now })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function recordUse(
  trx: Trx,
  id: string,
  { counter, now }: { counter: bigint; now: Date },
): Promise<void> {
  await trx.updateTable('second_factors').set({ counter, last_used_at: now }).where('id', '=', id).execute();
}

// factors of either kind

export async function renameFactor(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('second_factors').set({ name }).where('id', '=', id).execute();
}

export async function deleteFactor(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('second_factors').where('id', '=', id).execute();
}

/**
 * Deletes all factors of a user, with the recovery codes, and with challenges that would end in one of these factors. Sets the
 * failures in a row to 0.
 */
export async function deleteFactors(trx: Trx, user_id: string): Promise<void> {
  await trx.deleteFrom('second_factors').where('user_id', '=', user_id).execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
  await trx.deleteFrom('factor_challenges').where('user_id', '=', user_id).execute();
  await setFailures(trx, user_id, 0);
}

// recovery codes

export async function replaceRecoveryCodes(trx: Trx, user_id: string, hashes: Buffer[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute();
}

/** Deletes the recovery code with this hash, so that each code is used once. Returns false when the user has no such code. */
export async function useRecoveryCode(trx: Trx, user_id: string, code_hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

// challenges

export type LoginChallenge = {
  user_id: string;
  verified_hash: string;
  device: string | null;
  failures: number;
  passkey_challenge: string;
};

/** Inserts the challenge of a login, and deletes expired challenges. */
export async function insertLoginChallenge(
  db: Db,
  challenge: Omit<LoginChallenge, 'failures'> & { token_hash: Buffer; now: Date; expires_at: Date },
): Promise<void> {
  const { now, ...row } = challenge;
  await db.deleteFrom('factor_challenges').where('expires_at', '<=', now).execute();
  await db
    .insertInto('factor_challenges')
    .values({ ...row, purpose: 'login' })
    .execute();
}

/** Finds the challenge of a login, if it has not expired at `now`. */
export async function findLoginChallenge(
  db: Db,
  token_hash: Buffer,
  now: Date,
): Promise<LoginChallenge | undefined> {
  const row = await db
    .selectFrom('factor_challenges')
    .select(['user_id', 'verified_hash', 'device', 'failures', 'passkey_challenge'])
    .where('token_hash', '=', token_hash)
    .where('purpose', '=', 'login')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.verified_hash ? { ...row, verified_hash: row.verified_hash } : undefined;
}

export async function countChallengeFailure(trx: Trx, token_hash: Buffer): Promise<void> {
  await trx
    .updateTable('factor_challenges')
    .set({ failures: sql`failures + 1` })
    .where('token_hash', '=', token_hash)
    .execute();
}

export async function deleteChallenge(trx: Trx, token_hash: Buffer): Promise<void> {
  await trx.deleteFrom('factor_challenges').where('token_hash', '=', token_hash).execute();
}

type SessionChallenge = { user_id: string; session_id: string; purpose: 'step_up' | 'register' };

/** Stores a challenge in place of the one that the session had for this purpose. */
export async function replaceSessionChallenge(
  db: Db,
  challenge: SessionChallenge & { passkey_challenge: string; expires_at: Date },
): Promise<void> {
  const { passkey_challenge, expires_at } = challenge;
  await db
    .insertInto('factor_challenges')
    .values(challenge)
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'purpose']).doUpdateSet({ passkey_challenge, expires_at }),
    )
    .execute();
}

/**
 * Takes the challenge for a passkey, once: it is deleted whether the answer is right or not. Returns undefined when there is none,
 * and for an expired one.
 */
export async function takeSessionChallenge(
  trx: Trx,
  { user_id, session_id, purpose }: SessionChallenge,
  now: Date,
): Promise<string | undefined> {
  const taken = await trx
    .deleteFrom('factor_challenges')
    .where('session_id', '=', session_id)
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .returning(['passkey_challenge', 'expires_at'])
    .executeTakeFirst();
  return taken && taken.expires_at > now ? taken.passkey_challenge : undefined;
}
