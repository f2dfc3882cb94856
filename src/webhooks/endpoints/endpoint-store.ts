/** The only writer of webhook_endpoints and webhook_old_secrets. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { lockWallet } from '../../wallets/access.ts';
import type { EndpointSigner, Receiver } from '../delivery/headers.ts';

export type Endpoint = {
  id: string;
  wallet_id: string;
  url: string;
  description: string | null;
  enabled: boolean;
  disabled_reason: string | null;
  failing_since: Date | null;
  created_at: Date;
};

const endpointColumns = [
  'id',
  'wallet_id',
  'url',
  'description',
  'enabled',
  'disabled_reason',
  'failing_since',
  'created_at',
] as const;

/** A Signer's secrets at `now`. */
function secretsAt(now: Date) {
  const old = sql<Buffer[]>`array(
    select old.sealed_secret from webhook_old_secrets old
     where old.endpoint_id = webhook_endpoints.id and old.signs_until > ${now}
     order by old.id desc)`;
  return ['sealed_secret', old.as('old_sealed_secrets')] as const;
}

/** False when the wallet has `at_most` endpoints already; exact, however many registrations run at once. */
export async function insertEndpoint(
  trx: Trx,
  endpoint: {
    id: string;
    wallet_id: string;
    url: string;
    description: string | null;
    sealed_secret: Buffer;
    created_at: Date;
  },
  at_most: number,
): Promise<boolean> {
  // One registration of a wallet at a time: otherwise each of two would count without the other.
  await lockWallet(trx, endpoint.wallet_id);
  const { count } = await trx
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('wallet_id', '=', endpoint.wallet_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= BigInt(at_most)) return false;
  await trx.insertInto('webhook_endpoints').values(endpoint).execute();
  return true;
}

export async function findEndpoint(db: Db, wallet_id: string, id: string): Promise<Endpoint | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Of endpoints that there are, disabled and deleted ones too. */
export async function findReceivers(db: Db, ids: string[], now: Date): Promise<Receiver[]> {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id as endpoint_id', 'url', ...secretsAt(now)])
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
}

/** The endpoint's secrets at `now`, still sealed. */
export async function findSigner(
  db: Db,
  wallet_id: string,
  id: string,
  now: Date,
): Promise<EndpointSigner | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id as endpoint_id', ...secretsAt(now)])
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** A deleted endpoint too: what became of its deliveries stays readable. */
export async function findEndpointEver(db: Db, wallet_id: string, id: string): Promise<Endpoint | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Newest first. */
export async function listEndpoints(
  db: Db,
  wallet_id: string,
  page: { limit: number; before: string | undefined },
): Promise<Endpoint[]> {
  let query = db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('wallet_id', '=', wallet_id)
    .where('deleted_at', 'is', null);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

/**
 * The endpoint, held as it is until the transaction ends: it cannot be deleted between the look and the delivery that
 * is made for it, which nobody would ever send or give up.
 */
export async function holdEndpoint(trx: Trx, wallet_id: string, id: string): Promise<Endpoint | undefined> {
  return trx
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

/** All endpoints of the wallets, held likewise; in one order, so that two transactions never wait for each other. */
export async function holdEndpointsOf(
  trx: Trx,
  wallet_ids: string[],
): Promise<{ id: string; wallet_id: string }[]> {
  return trx
    .selectFrom('webhook_endpoints')
    .select(['id', 'wallet_id'])
    .where('wallet_id', 'in', wallet_ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
}

export type EndpointChange = { url?: string; description?: string | null; enabled?: boolean };

/** A new URL, or enabling, is a new start: earlier failures no longer count. */
export async function updateEndpoint(
  db: Db,
  wallet_id: string,
  id: string,
  change: EndpointChange,
): Promise<Endpoint | undefined> {
  const fresh = change.enabled === true || change.url !== undefined;
  return db
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      id: eb.ref('id'), // so that an empty change is a statement too
      ...change,
      ...(change.enabled === true ? { disabled_reason: null } : {}),
      ...(fresh ? { failing_since: null } : {}),
    }))
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(endpointColumns)
    .executeTakeFirst();
}

/** Its old secrets are erased: no event of it is signed any more. */
export async function markDeleted(
  trx: Trx,
  wallet_id: string,
  id: string,
  now: Date,
): Promise<Endpoint | undefined> {
  const deleted = await trx
    .updateTable('webhook_endpoints')
    .set({ deleted_at: now })
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(endpointColumns)
    .executeTakeFirst();
  if (deleted) await trx.deleteFrom('webhook_old_secrets').where('endpoint_id', '=', id).execute();
  return deleted;
}

/**
 * The secret it had signs beside the new one until `old_until`, and those before it until their own time is over; only the
 * newest `old_at_most` of them.
 */
export async function replaceSecret(
  trx: Trx,
  wallet_id: string,
  id: string,
  change: { sealed_secret: Buffer; old_until: Date; old_at_most: number },
): Promise<Endpoint | undefined> {
  // Locked: of two rotations at once each would else keep the same old secret, and one of the new ones would be lost.
  const replaced = await trx
    .selectFrom('webhook_endpoints')
    .select(['id as endpoint_id', 'sealed_secret'])
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!replaced) return undefined;
  await trx
    .insertInto('webhook_old_secrets')
    .values({ ...replaced, signs_until: change.old_until })
    .execute();
  const newestFirst = trx
    .selectFrom('webhook_old_secrets')
    .select('id')
    .where('endpoint_id', '=', id)
    .orderBy('id', 'desc');
  await trx
    .deleteFrom('webhook_old_secrets')
    .where('id', 'in', newestFirst.offset(change.old_at_most))
    .execute();
  return trx
    .updateTable('webhook_endpoints')
    .set({ sealed_secret: change.sealed_secret })
    .where('id', '=', id)
    .returning(endpointColumns)
    .executeTakeFirst();
}

/** Secrets that no longer sign anything. Those that somebody else is erasing are passed over. */
export async function eraseOldSecrets(db: Db, now: Date): Promise<void> {
  const over = db.selectFrom('webhook_old_secrets').select('id').where('signs_until', '<=', now);
  await db.deleteFrom('webhook_old_secrets').where('id', 'in', over.forUpdate().skipLocked()).execute();
}

/** Disabled endpoints: by the service after nothing but failures, and by their owners. */
export async function countDisabled(db: Db): Promise<{ by_failures: bigint; by_owner: bigint }> {
  return db
    .selectFrom('webhook_endpoints')
    .select((eb) => [
      eb.fn.count<bigint>('disabled_reason').as('by_failures'),
      eb.fn.countAll<bigint>().filterWhere('disabled_reason', 'is', null).as('by_owner'),
    ])
    .where('enabled', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/** What attempts say of their endpoints; one with both kinds is healthy. */
export type Health = {
  healthy: string[];
  failing: string[];
  now: Date;
  /** One that had nothing but failures since before this is disabled. */
  disable_if_since: Date;
  /** One whose latest failure was before this had nothing sent to it for a while: its failures are counted anew. */
  forget_if_before: Date;
  /** Failures are noted once in a while: one that is down has many. */
  note_if_before: Date;
  disabled_reason: string;
};

/**
 * The statement that notes it and gives the `id` of what it changed, `enabled` or not: false means disabled by this. It
 * is part of the one that records the attempts (delivery-store.ts). Writes only when something changes.
 */
export function noteHealth(health: Health) {
  const { healthy, failing, now, disable_if_since, forget_if_before, note_if_before } = health;
  const is_over = sql`coalesce(
    sick.id is not null and failing_since <= ${disable_if_since} and failed_at >= ${forget_if_before}, false)`;
  return sql<{ id: string; enabled: boolean }>`
    update webhook_endpoints
       set failing_since = case when sick.id is null then null
                                when failing_since is not null and failed_at >= ${forget_if_before} then failing_since
                                else ${now} end,
           failed_at = case when sick.id is null then failed_at else ${now} end,
           enabled = enabled and not ${is_over},
           disabled_reason = case when ${is_over} then ${health.disabled_reason} else disabled_reason end
      from (select id from webhook_endpoints
             where id = any(${healthy}::text[]) and failing_since is not null
                or id = any(${failing}::text[]) and enabled
                   and (failing_since is null or failing_since <= ${disable_if_since}
                        or failed_at is null or failed_at < ${note_if_before})
             order by id for no key update) as changed
      left join unnest(${failing}::text[]) as sick (id) on sick.id = changed.id
     where webhook_endpoints.id = changed.id
    returning webhook_endpoints.id, enabled or sick.id is null as enabled`;
}
