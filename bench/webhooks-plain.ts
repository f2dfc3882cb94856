/** A plain queue for comparison: each worker claims one delivery, posts it by `fetch`, inserts and updates. */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { createKeys } from '../src/vault/keys.ts';

const WORKERS = 20;

export function plainQueue(database_url: string, master_key: Buffer): (count: number) => Promise<void> {
  const pool = new pg.Pool({ connectionString: database_url, max: WORKERS });
  const { secrets } = createKeys([master_key]);

  async function sendOne(): Promise<boolean> {
    const { rows } = await pool.query(`
      update webhook_deliveries d set attempts = attempts + 1, next_attempt_at = now() + interval '1 minute'
        from webhook_events event, webhook_endpoints endpoint
       where d.id = (select id from webhook_deliveries where status = 'pending' and next_attempt_at <= now()
                      order by next_attempt_at limit 1 for update skip locked)
         and event.id = d.event_id and endpoint.id = d.endpoint_id
      returning d.id, d.attempts, d.endpoint_id, event.body, endpoint.url, endpoint.sealed_secret`);
    const [delivery] = rows;
    if (!delivery) return false;
    const started_at = new Date();
    const secret = secrets.open(delivery.endpoint_id, delivery.sealed_secret);
    const answer = await fetch(delivery.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Svc-Signature': createHmac('sha256', secret).update(delivery.body).digest('hex'),
      },
      body: delivery.body,
    });
    const response_body = await answer.text();
    await pool.query(
      `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, response_body)
         values ($1, $2, $3, $4, $5, $6)`,
      [
        delivery.id,
        delivery.attempts,
        started_at,
        Date.now() - started_at.getTime(),
        answer.status,
        response_body,
      ],
    );
    await pool.query(`update webhook_deliveries set status = 'delivered', settled_at = now() where id = $1`, [
      delivery.id,
    ]);
    return true;
  }

  return async (count) => {
    let left = count;
    const work = async () => {
      while (left-- > 0 && (await sendOne()));
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  };
}
