/** Collects what the database has of webhooks, and what it ever had of what receivers can check. */
import type { Secrets } from '../../src/vault/secrets.ts';
import type { Ask } from './ask.ts';
import { DUE_FOR_MS, type SeenEndpoint, type WebhookEvidence } from './webhook-evidence.ts';

/** Known without the database. */
export type WebhookWitnesses = Pick<
  WebhookEvidence,
  | 'faultless'
  | 'days_passed'
  | 'delivering'
  | 'leases_ended'
  | 'retry_seconds'
  | 'now_ms'
  | 'skews_ms'
  | 'receipts'
  | 'calls'
>;

/** Those that only the database has. */
export type WebhookRows = Pick<
  WebhookEvidence,
  'endpoints' | 'events' | 'deliveries' | 'attempts' | 'last_sequences'
>;

/** On a database with the triggers of audit.ts. */
export async function readWebhooks(
  ask: Ask,
  secrets: Secrets,
  witnesses: WebhookWitnesses,
): Promise<WebhookEvidence> {
  const [turns] = await ask(`
    select (count(*) filter (where what = 'takeover'))::int as takeovers,
           (count(*) filter (where what = 'disabled'))::int as disablings from seen.turns`);
  const bodies = await ask(
    "select event_id as id, wallet_id, convert_from(body, 'UTF8') as body from seen.bodies order by at",
  );
  const events = [...Map.groupBy(bodies, ({ id }) => id)].map(([id, same]) => ({
    id,
    wallet_id: same[0].wallet_id,
    bodies: same.map(({ body }) => body),
  }));
  const seen = { endpoints: await seenEndpoints(ask, secrets), events };
  return { ...witnesses, ...(await readWebhookRows(ask)), seen, turns };
}

export async function readWebhookRows(ask: Ask): Promise<WebhookRows> {
  const sequences = await ask('select owner_id, last from webhook_sequences order by owner_id');
  return {
    endpoints: await ask(`
      select id, enabled, deleted_at is not null as deleted, disabled_reason, failing_since
        from webhook_endpoints order by id`),
    events: await ask('select id, wallet_id, type, sequence from webhook_events order by id'),
    deliveries: await ask(`
      select id, event_id, endpoint_id, sequence, status, attempts, schedule_step, next_attempt_at, leased_until
        from webhook_deliveries order by id`),
    attempts: await ask(`
      select delivery_id, number, started_at, duration_ms, status_code, error,
             request_headers->>'webhook-timestamp' as timestamp
        from webhook_attempts order by delivery_id, number`),
    last_sequences: new Map(sequences.map(({ owner_id, last }) => [owner_id, last])),
  };
}

/** With their secrets, the first one first. */
async function seenEndpoints(ask: Ask, secrets: Secrets): Promise<SeenEndpoint[]> {
  const rows = await ask(
    'select endpoint_id as id, wallet_id, url, sealed_secret from seen.secrets order by at',
  );
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, same]) => ({
    id,
    wallet_id: same[0].wallet_id,
    url: same[0].url,
    secrets: same.map(({ sealed_secret }) => secrets.open(id, sealed_secret)),
  }));
}

/** How many deliveries are claimed, or should be by a clock that says `now_ms`, or should be given up with their endpoint. */
export async function countDue(ask: Ask, now_ms: number): Promise<number> {
  const [{ due }] = await ask(
    `select count(*)::int as due from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.status = 'pending'
        and (e.deleted_at is not null or e.enabled and (d.leased_until is not null or d.next_attempt_at <= $1))`,
    [new Date(now_ms - DUE_FOR_MS)],
  );
  return due;
}
