/** Notifications between processes. They only wake: a process that misses one finds the same by polling. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** The PostgreSQL channel of both notifications below. */
export const WEBHOOK_DUE = 'webhook_due';

/** Tells the deliverers, once the transaction commits, that deliveries are due. */
export async function announceDue(db: Db): Promise<void> {
  await sql`select pg_notify(${WEBHOOK_DUE}, '')`.execute(db);
}

/**
 * Tells the deliverers that an endpoint was deleted, or has another URL or secret: they give back its unsent deliveries,
 * and claim them again with the endpoint as it is now.
 */
export async function announceChanged(db: Db, endpoint_id: string): Promise<void> {
  await sql`select pg_notify(${WEBHOOK_DUE}, ${endpoint_id})`.execute(db);
}
