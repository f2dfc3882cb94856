/** Collects the outcomes of withdrawals and the events that tell them, on a database with the triggers of audit.ts. */
import type { Ask } from './ask.ts';
import { audited } from './audit.ts';
import type { ChoiceEvidence } from './choice-checks.ts';

export async function readChoices(ask: Ask): Promise<ChoiceEvidence> {
  const [outcomes, events, made, gone] = [
    await audited(ask, 'outcome'),
    await audited(ask, 'event'),
    await audited(ask, 'endpoint'),
    await audited(ask, 'endpoint_gone'),
  ];
  const rows = await ask(`
    select id, wallet_id, status, destination, amount_stroops, stellar_tx_hash, ledger, fee_stroops, failure_code
      from withdrawals where status in ('confirmed', 'failed') and amount_stroops > 0 order by id`);
  const told = await ask(`
    select id, wallet_id, type, convert_from(body, 'UTF8') as body from webhook_events
     where type in ('withdrawal.confirmed', 'withdrawal.failed') order by id`);
  const endpoints = await ask('select id, wallet_id, events from webhook_endpoints order by id');
  return {
    outcomes: rows.map((row) => ({ ...row, at: outcomes.get(row.id) ?? null })),
    events: told.map((row) => ({ ...row, at: events.get(row.id) ?? -1 })),
    endpoints: endpoints.map((row) => ({
      ...row,
      at: made.get(row.id) ?? -1,
      gone_at: gone.get(row.id) ?? null,
    })),
    deliveries: await ask(`
      select event_id, endpoint_id from webhook_deliveries d join webhook_events e on e.id = d.event_id
       where e.type in ('withdrawal.confirmed', 'withdrawal.failed') order by d.id`),
  };
}
