/** What the parties know after a run: who entered the events, the receivers, and the rows of the database. */
import { sql } from 'kysely';
import type { Db } from '../../../src/db/database.ts';
import type { Receipt } from '../../oracle/receipt.ts';
import type { AttemptRow, DeliveryRow } from '../../oracle/webhook-evidence.ts';
import type { Entered } from './events.ts';
import type { Behaviour } from './receivers.ts';

export type Endpoint = {
  id: string;
  wallet_id: string;
  url: string;
  signing_secret: string;
  behaviour: Behaviour;
};

type EventRow = { id: string; wallet_id: string; sequence: bigint; body: string };

/** Known before the database is asked. */
export type Witnesses = {
  retry_seconds: readonly number[];
  endpoints: Endpoint[];
  /** Committed, as far as anybody can tell: the database said so, or somebody entered them again until it did. */
  entered: Entered[];
  /** Bodies of events whose transactions were rolled back. */
  rolled_back: string[];
  receipts: Receipt[];
};

export type Evidence = Witnesses & {
  events: EventRow[];
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
  /** The last number given out, by wallet and by endpoint. */
  last_sequences: Map<string, bigint>;
  gathered_at: Date;
};

export async function gather(db: Db, witnesses: Witnesses): Promise<Evidence> {
  const events = await sql<EventRow>`
    select id, wallet_id, sequence, convert_from(body, 'utf8') as body from webhook_events`.execute(db);
  const deliveries = await sql<DeliveryRow>`
    select id, event_id, endpoint_id, sequence, status, attempts, schedule_step, next_attempt_at, leased_until
      from webhook_deliveries`.execute(db);
  const attempts = await sql<AttemptRow>`
    select delivery_id, number, started_at, duration_ms, status_code, error,
           request_headers->>'webhook-timestamp' as timestamp
      from webhook_attempts order by delivery_id, number`.execute(db);
  const sequences = await db.selectFrom('webhook_sequences').selectAll().execute();
  return {
    ...witnesses,
    receipts: [...witnesses.receipts],
    events: events.rows,
    deliveries: deliveries.rows,
    attempts: attempts.rows,
    last_sequences: new Map(sequences.map(({ owner_id, last }) => [owner_id, last])),
    gathered_at: new Date(),
  };
}
