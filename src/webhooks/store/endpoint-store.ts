/** Writes webhook_endpoints and webhook_old_secrets; endpoint-health-store.ts writes the health of endpoints. */
import { type RawBuilder, sql } from 'kysely';
import type { Maker } from '../../auth/users/actor.ts';
import type { Db, Trx } from '../../db/database.ts';
import { sealedRows } from '../../db/sealed-rows.ts';
import { lockWallet } from '../../wallets/access.ts';
import type { EventType } from './event-types.ts';

export type Endpoint = {
  id: string;
  wallet_id: string;
  url: string;
  description: string | null;
  /** The types of events that it gets. A later version may have more types than this one. */
  events: string[];
  enabled: boolean;
  disabled_reason: string | null;
  failing_since: Date | null;
  exam_passed_at: Date | null;
  created_at: Date;
  created_by_kind: Maker['kind'];
  created_by_id: string;
  /** Null for the main key of the wallet. */
  created_by_name: string | null;
};

/** The endpoint's signing secrets at the time of reading, sealed. */
export type EndpointSecrets = {
  endpoint_id: string;
  sealed_secret: Buffer;
  /** Replaced secrets that still sign, newest first. */
  old_sealed_secrets: Buffer[];
};

/** Where the endpoint's deliveries go, and the secrets that sign them. */
export type Receiver = EndpointSecrets & { url: string };

export const endpointColumns = [
  'id',
  'wallet_id',
  'url',
  'description',
  'events',
  'enabled',
  'disabled_reason',
  'failing_since',
  'exam_passed_at',
  'created_at',
  'created_by_kind',
  'created_by_id',
  'created_by_name',
] as const;

/** Returns the columns of EndpointSecrets that depend on the time. */
function secretsAt(now: Date) {
  const old = sql<Buffer[]>`array(
    select old.sealed_secret from webhook_old_secrets old
     where old.endpoint_id = webhook_endpoints.id and old.signs_until > ${now}
     order by old.id desc)`;
  return ['sealed_secret', old.as('old_sealed_secrets')] as const;
}

export const sealedEndpoints = sealedRows({
  kind: 'webhook endpoints',
  table: 'webhook_endpoints',
  column: 'sealed_secret',
  key: 'id',
  key_type: 'text',
  sealed_for: 'id',
});

export const sealedOldSecrets = sealedRows({
  kind: 'replaced webhook secrets',
  table: 'webhook_old_secrets',
  column: 'sealed_secret',
  key: 'id',
  key_type: 'bigint',
  sealed_for: 'endpoint_id',
});

/** Returns false when the wallet has `at_most` endpoints already; exact, however many registrations run at once. */
export async function insertEndpoint(
  trx: Trx,
  endpoint: {
    id: string;
    wallet_id: string;
    url: string;
    description: string | null;
    events: EventType[];
    sealed_secret: Buffer;
    created_at: Date;
  } & Pick<Endpoint, 'created_by_kind' | 'created_by_id' | 'created_by_name'>,
  at_most: number,
): Promise<boolean> {
  // One registration of a wallet at a time: otherwise each of two would not count the other one.
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
  return selectEndpoint(db, wallet_id, id).executeTakeFirst();
}

/** Includes disabled and deleted endpoints. */
export async function findReceivers(db: Db, ids: string[], now: Date): Promise<Receiver[]> {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id as endpoint_id', 'url', ...secretsAt(now)])
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
}

export async function findSecrets(
  db: Db,
  wallet_id: string,
  id: string,
  now: Date,
): Promise<EndpointSecrets | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id as endpoint_id', ...secretsAt(now)])
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Finds a deleted endpoint too: its deliveries stay readable. */
export async function findEndpointOrDeleted(
  db: Db,
  wallet_id: string,
  id: string,
): Promise<Endpoint | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists endpoints, newest first. `created_by_id`: of a user, a service user or an API key. */
export async function listEndpointsMadeBy(
  db: Db,
  wallet_id: string,
  created_by_id: string,
): Promise<Endpoint[]> {
  return db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('wallet_id', '=', wallet_id)
    .where('created_by_id', '=', created_by_id)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

/** Lists the same of a service user, over all wallets of its team. */
export async function listEndpointsOfServiceUser(
  db: Db,
  { id, team_id }: { id: string; team_id: string },
): Promise<Endpoint[]> {
  return db
    .selectFrom('webhook_endpoints')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'wallet_id')
    .select(endpointColumns.map((column) => `webhook_endpoints.${column}` as const))
    .where('owner_id', '=', team_id)
    .where('created_by_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('webhook_endpoints.id', 'desc')
    .execute();
}

/** Lists endpoints, newest first. */
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
 * Finds the endpoint and locks it until the transaction ends. Without the lock it could be deleted before a delivery is
 * made for it, and nobody would ever send that delivery or give it up.
 */
export async function lockEndpoint(trx: Trx, wallet_id: string, id: string): Promise<Endpoint | undefined> {
  return selectEndpoint(trx, wallet_id, id).forShare().executeTakeFirst();
}

/** Locks an endpoint before a change: two that had the lock above would wait for each other. */
export async function lockToChange(trx: Trx, wallet_id: string, id: string): Promise<Endpoint | undefined> {
  return selectEndpoint(trx, wallet_id, id).forNoKeyUpdate().executeTakeFirst();
}

function selectEndpoint(db: Db, wallet_id: string, id: string) {
  return db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
}

/** Returns the condition that the wallet with this id has an endpoint that gets events of one of these types. */
export function hasChoice(wallet_id: RawBuilder<unknown>, types: EventType[]): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from webhook_endpoints
     where webhook_endpoints.wallet_id = ${wallet_id} and events && ${types}::text[] and deleted_at is null)`;
}

/** Returns those of these wallets that have an endpoint that gets events of one of these types. Locks nothing. */
export async function walletsWithChoice(
  db: Db,
  wallet_ids: string[],
  types: EventType[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select('wallet_id')
    .where(hasChosen(wallet_ids, types))
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ wallet_id }) => wallet_id));
}

/**
 * Locks the endpoints of the wallets that get events of one of these types likewise, in the order of their ids: two
 * transactions never wait for each other.
 */
export async function lockEndpointsOf(
  trx: Trx,
  wallet_ids: string[],
  types: EventType[],
): Promise<{ id: string; wallet_id: string; events: string[] }[]> {
  return trx
    .selectFrom('webhook_endpoints')
    .select(['id', 'wallet_id', 'events'])
    .where(hasChosen(wallet_ids, types))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
}

function hasChosen(wallet_ids: string[], types: EventType[]) {
  return sql<boolean>`wallet_id = any(${wallet_ids}::text[]) and events && ${types}::text[]`;
}

export type EndpointChange = {
  url?: string;
  description?: string | null;
  events?: EventType[];
  enabled?: boolean;
};

/** Updates an endpoint. Earlier failures no longer count when it is enabled or gets another URL; nor does an exam of the URL before. */
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
      id: eb.ref('id'), // an empty change is a statement too
      ...change,
      ...(change.enabled === true ? { disabled_reason: null } : {}),
      ...(fresh ? { failing_since: null } : {}),
      ...(change.url === undefined
        ? {}
        : { exam_passed_at: sql<Date | null>`case when url = ${change.url} then exam_passed_at end` }),
    }))
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(endpointColumns)
    .executeTakeFirst();
}

/** Deletes its old secrets too: its events are no longer signed. */
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
 * Replaces the secret. The old one still signs until `old_until`, and older ones until their own time is over; only the newest
 * `old_at_most` of them are kept. `reseal`: seals it with the key that seals now.
 */
export async function replaceSecret(
  trx: Trx,
  wallet_id: string,
  id: string,
  change: {
    sealed_secret: Buffer;
    old_until: Date;
    old_at_most: number;
    reseal(sealed_secret: Buffer): Buffer;
  },
): Promise<Endpoint | undefined> {
  // Without the lock, two rotations at once would keep the same old secret, and one new secret would be lost.
  const replaced = await trx
    .selectFrom('webhook_endpoints')
    .select('sealed_secret')
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!replaced) return undefined;
  await trx
    .insertInto('webhook_old_secrets')
    .values({
      endpoint_id: id,
      sealed_secret: change.reseal(replaced.sealed_secret),
      signs_until: change.old_until,
    })
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

/** Deletes secrets that no longer sign. Skips those that another process is deleting. */
export async function deleteExpiredSecrets(db: Db, now: Date): Promise<void> {
  const expired = db.selectFrom('webhook_old_secrets').select('id').where('signs_until', '<=', now);
  await db.deleteFrom('webhook_old_secrets').where('id', 'in', expired.forUpdate().skipLocked()).execute();
}

/** Notes that an exam runs until `until`; false while another one runs. */
export async function beginExam(trx: Trx, id: string, now: Date, until: Date): Promise<boolean> {
  const begun = await trx
    .updateTable('webhook_endpoints')
    .set({ examined_until: until })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('examined_until', 'is', null), eb('examined_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst();
  return begun !== undefined;
}

/** An exam that ends. `passed_at`: null unless the receiver at `url` has passed it. */
type EndedExam = { until: Date; url: string; passed_at: Date | null };

/** Ends an exam. It says nothing of an endpoint that got another URL during the exam. */
export async function endExam(db: Db, id: string, { until, url, passed_at }: EndedExam): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({
      examined_until: null,
      ...(passed_at && { exam_passed_at: sql`case when url = ${url} then ${passed_at}::timestamptz end` }),
    })
    .where('id', '=', id)
    .where('examined_until', '=', until)
    .execute();
}
