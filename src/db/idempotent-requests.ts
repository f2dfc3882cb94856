/**
 * The only writer of idempotent_requests: requests that make something, by their Idempotency-Keys. What a crash leaves is in
 * api/repeated-requests.ts.
 */
import { randomUUID } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from './database.ts';

/** How long a request that has made something may take to keep its answer. */
const ANSWER_MS = 30_000;
const KEPT_MS = DAY_MS;
const DELETED_AT_ONCE = 500;

/** A request as it came. `operation`: its operation id. */
export type KeyedRequest = { owner_id: string; operation: string; key_hash: Buffer; body_hash: Buffer };

/** The right of one request to make what its key stands for. `made`: what this request has committed; null before. */
export type Claim = KeyedRequest & { claim_id: string; made: Made | null };

/** What a request has made, and its id; null where that has no id of its own, like a signing secret. */
export type Made = { kind: string; id: string | null };

/** The request before with the same key. `made`: null while it is in flight. `answer`: null before it is stored. */
export type EarlierRequest = {
  is_same: boolean;
  age_ms: number;
  /** Until another request may take its place; 0 or less: at once. */
  lease_left_ms: number;
  made: Made | null;
  answer: { status: number; text: string } | null;
};

/**
 * Claims the key for a request. The claim of a request whose lease is over goes to the next request that equals it: one of the two
 * commits. Returns the earlier request when the key is used.
 */
export async function claimRequest(
  db: Db,
  request: KeyedRequest,
  { now, lease_ms }: { now: Date; lease_ms: number },
): Promise<Claim | { earlier: EarlierRequest }> {
  for (;;) {
    const claim_id = randomUUID();
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('idempotent_requests')
      .values({
        ...request,
        claim_id,
        created_at: now,
        lease_until: new Date(now.getTime() + lease_ms),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['owner_id', 'operation', 'key_hash'])
          .doUpdateSet({
            claim_id,
            body_hash: request.body_hash,
            state: 'in_flight',
            lease_until: (eb) => eb.ref('excluded.lease_until'),
            created_at: now,
            target_kind: null,
            target_id: null,
            status: null,
            answer: null,
          })
          .where(
            sql<SqlBool>`idempotent_requests.lease_until <= ${now} and (${isOld(now)} or idempotent_requests.state = 'in_flight'
              and idempotent_requests.body_hash = excluded.body_hash)`,
          ),
      )
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return { ...request, claim_id, made: null };
    const earlier = await findRequest(db, request, now);
    if (earlier) return { earlier };
  }
}

/** Finds the earlier request with this key; undefined when the key has become free since. */
async function findRequest(db: Db, request: KeyedRequest, now: Date): Promise<EarlierRequest | undefined> {
  const row = await db
    .selectFrom('idempotent_requests')
    .selectAll()
    .where((eb) => eb.and(keyOf(request)))
    .executeTakeFirst();
  if (!row) return undefined;
  const { status, answer, target_kind: kind, target_id: id } = row;
  return {
    is_same: row.body_hash.equals(request.body_hash),
    age_ms: now.getTime() - row.created_at.getTime(),
    lease_left_ms: row.lease_until.getTime() - now.getTime(),
    made: kind === null ? null : { kind, id },
    answer: status === null || answer === null ? null : { status, text: answer },
  };
}

/**
 * Records in the transaction of the change that the request has made something. Returns false when the claim is no longer this
 * request's: then the change must roll back.
 */
export async function recordMade(trx: Trx, claim: Claim, { kind, id }: Made, now: Date): Promise<boolean> {
  const lease_until = new Date(now.getTime() + ANSWER_MS);
  const { numUpdatedRows } = await trx
    .updateTable('idempotent_requests')
    .set({ state: 'made', target_kind: kind, target_id: id, lease_until })
    .where((eb) => eb.and({ ...claimOf(claim), state: 'in_flight' }))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps the answer of a request that has made something, for its repeats. */
export async function keepAnswer(
  db: Db,
  claim: Claim,
  answer: { status: number; text: string },
): Promise<void> {
  await db
    .updateTable('idempotent_requests')
    .set({ status: answer.status, answer: answer.text })
    .where((eb) => eb.and({ ...claimOf(claim), state: 'made' }))
    .execute();
}

/**
 * Frees the key of a request that has made nothing. Ends the lease of one that has made something and has no answer, and returns
 * what that is. Waits for a commit whose answer was lost.
 */
export async function endClaim(db: Db, claim: Claim, now: Date): Promise<Made | null> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotent_requests')
    .where((eb) => eb.and({ ...claimOf(claim), state: 'in_flight' }))
    .executeTakeFirst();
  if (numDeletedRows > 0n) return null;
  const row = await db
    .updateTable('idempotent_requests')
    .set({ lease_until: now })
    .where((eb) => eb.and({ ...claimOf(claim), state: 'made' }))
    .returning(['target_kind', 'target_id'])
    .executeTakeFirst();
  return row?.target_kind ? { kind: row.target_kind, id: row.target_id } : null;
}

/** Deletes a batch of requests that are older than a day, and none in flight. Returns true when there may be more. */
export async function deleteOldRequests(db: Db, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from idempotent_requests where ctid = any(array(
      select ctid from idempotent_requests where ${isOld(now)} and lease_until <= ${now}
       limit ${DELETED_AT_ONCE} for update skip locked))`.execute(db);
  return numAffectedRows === BigInt(DELETED_AT_ONCE);
}

function keyOf({ owner_id, operation, key_hash }: KeyedRequest) {
  return { owner_id, operation, key_hash };
}

function claimOf({ claim_id, ...request }: Claim) {
  return { ...keyOf(request), claim_id };
}

function isOld(now: Date) {
  return sql<SqlBool>`idempotent_requests.created_at <= ${new Date(now.getTime() - KEPT_MS)}`;
}
