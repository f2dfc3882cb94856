/** Reads deliveries and their attempts for the API. delivery-store.ts writes them. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import { type EventSubject, subjectOf } from './event-subject.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export type Attempt = {
  number: number;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
  /** Null when the sender stopped before it recorded the attempt. */
  request_headers: Record<string, string> | null;
};

export type Delivery = {
  id: string;
  endpoint_id: string;
  event_id: string;
  event: string;
  /** Null for a test event. A deposit has the label of the address that it paid, as it is now. */
  subject: EventSubject | null;
  /** The bytes that are sent. */
  body: Buffer;
  /** Counts the endpoint's deliveries. */
  sequence: bigint;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date;
  created_at: Date;
  settled_at: Date | null;
};

/** Redeliveries can make a log of any length; the latest attempts are the useful ones. */
export const SHOWN_ATTEMPTS = 50;

function selectDeliveries(db: Db, endpoint: { wallet_id: string; id: string }) {
  return selectOfWallet(db, endpoint.wallet_id).where('delivery.endpoint_id', '=', endpoint.id);
}

function selectOfWallet(db: Db, wallet_id: string) {
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .select([
      'delivery.id',
      'delivery.endpoint_id',
      'delivery.event_id',
      'event.type as event',
      'event.body',
      'delivery.sequence',
      'delivery.status',
      'delivery.attempts',
      'delivery.next_attempt_at',
      'delivery.created_at',
      'delivery.settled_at',
    ])
    .where('event.wallet_id', '=', wallet_id);
}

export async function findDelivery(
  db: Db,
  endpoint: { wallet_id: string; id: string },
  id: string,
): Promise<Delivery | undefined> {
  const found = await selectDeliveries(db, endpoint).where('delivery.id', '=', id).execute();
  const [delivery] = await withSubjects(db, found);
  return delivery;
}

/** Lists deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  endpoint: { wallet_id: string; id: string },
  filter: { status: DeliveryStatus | undefined },
  page: PageRequest,
): Promise<Delivery[]> {
  const { where, order } = newestFirst('delivery', { endpoint_id: endpoint.id }, page.before);
  let query = selectOfWallet(db, endpoint.wallet_id).where(where);
  // Literally, as in the indexes of the deliveries with one status.
  if (filter.status !== undefined)
    query = query.where(sql<SqlBool>`delivery.status = ${sql.lit(filter.status)}`);
  return withSubjects(db, await query.orderBy(order).limit(page.limit).execute());
}

/**
 * Lists the deliveries of the deposit's events, newest first: one for each endpoint that had chosen the type when the deposit was
 * attributed, also endpoints that were deleted since.
 */
export async function listDeliveriesOfDeposit(
  db: Db,
  deposit: { wallet_id: string; id: string },
): Promise<(Delivery & { url: string })[]> {
  const rows = await selectOfWallet(db, deposit.wallet_id)
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .select('endpoint.url')
    .where('event.deposit_id', '=', deposit.id)
    .orderBy('delivery.id', 'desc')
    .execute();
  return withSubjects(db, rows);
}

async function withSubjects<Row extends { event: string; body: Buffer }>(
  db: Db,
  rows: Row[],
): Promise<(Row & Pick<Delivery, 'subject'>)[]> {
  const subjects = rows.map(({ event, body }) => subjectOf(event, body));
  const labels = await readLabels(
    db,
    subjects.flatMap((subject) => subject?.address_id ?? []),
  );
  return rows.map((row, index) => {
    const subject = subjects[index] ?? null;
    const label = subject?.address_id ? labels.get(subject.address_id) : undefined;
    return { ...row, subject: subject && { ...subject, name: label ?? subject.name } };
  });
}

/** Reads the labels of deposit addresses, by the id of the address. */
async function readLabels(db: Db, address_ids: string[]): Promise<Map<string, string | null>> {
  if (address_ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('address_labels')
    .select(['id', 'label'])
    .where('id', 'in', [...new Set(address_ids)])
    .execute();
  return new Map(rows.map(({ id, label }) => [id, label]));
}

/** Reads the latest 50 attempts of each delivery, oldest first, by the delivery's id. */
export async function readAttempts(db: Db, delivery_ids: string[]): Promise<Map<string, Attempt[]>> {
  const { rows } = await sql<Attempt & { delivery_id: string }>`
    select attempt.* from unnest(${delivery_ids}::text[]) as wanted (id)
     cross join lateral (
       select delivery_id, number, started_at, duration_ms, status_code, error, response_body, request_headers
         from webhook_attempts where delivery_id = wanted.id order by number desc limit ${SHOWN_ATTEMPTS}) attempt
     order by attempt.number
  `.execute(db);
  return Map.groupBy(rows, ({ delivery_id }) => delivery_id);
}
