/**
 * In which order the database's transactions made what they made, noted by the database itself: the clocks of processes
 * are wrong, and what was true of an endpoint when an event was made is not to be seen in rows afterwards.
 */
import type { Ask } from './ask.ts';
import { watchApprovals } from './watch-approvals.ts';
import { watchPayouts } from './watch-payouts.ts';

export async function audit(ask: Ask): Promise<void> {
  await ask(`
    create table audit (at bigserial primary key, what text not null, id text not null);
    create function note() returns trigger language plpgsql as $$
      begin
        insert into audit (what, id) values (tg_argv[0], to_jsonb(new) ->> tg_argv[1]);
        return null;
      end $$;
    create trigger noted after insert on webhook_events for each row execute function note('event', 'id');
    create trigger noted after insert on webhook_endpoints for each row execute function note('endpoint', 'id');
    create trigger gone after update on webhook_endpoints for each row
      when (old.deleted_at is null and new.deleted_at is not null) execute function note('endpoint_gone', 'id');
    create trigger noted after insert on withdrawals for each row
      when (new.settled_at is not null) execute function note('outcome', 'id');
    create trigger settled after update on withdrawals for each row
      when (old.settled_at is null and new.settled_at is not null) execute function note('outcome', 'id');
    create trigger noted after insert or update on deposit_cursor for each row
      execute function note('cursor', 'ledger');
  `);
}

/**
 * What was signed and with what, also after an older copy of the database has forgotten it; how often an attempt that
 * nobody had recorded was taken over, and an endpoint disabled by the service; each step of what needs approvals, and of payouts.
 */
export async function remember(ask: Ask): Promise<void> {
  await ask(`
    create schema seen;
    create table seen.bodies (at bigserial, event_id text, wallet_id text, body bytea);
    create table seen.secrets (at bigserial, endpoint_id text, wallet_id text, url text, sealed_secret bytea);
    create table seen.turns (what text);
    create function seen.body() returns trigger language plpgsql as $$
      begin
        insert into seen.bodies (event_id, wallet_id, body) values (new.id, new.wallet_id, new.body);
        return null;
      end $$;
    create function seen.secret() returns trigger language plpgsql as $$
      begin
        insert into seen.secrets (endpoint_id, wallet_id, url, sealed_secret)
        values (new.id, new.wallet_id, new.url, new.sealed_secret);
        return null;
      end $$;
    create function seen.turn() returns trigger language plpgsql as $$
      begin
        insert into seen.turns values (tg_argv[0]);
        return null;
      end $$;
    create trigger seen after insert on webhook_events for each row execute function seen.body();
    create trigger seen after insert or update of sealed_secret on webhook_endpoints for each row
      execute function seen.secret();
    create trigger seen after insert on webhook_attempts for each row
      when (new.request_headers is null) execute function seen.turn('takeover');
    create trigger disabled after update on webhook_endpoints for each row
      when (old.disabled_reason is null and new.disabled_reason is not null) execute function seen.turn('disabled');
  `);
  await watchApprovals(ask);
  await watchPayouts(ask);
}

/** Places by id. */
export async function audited(ask: Ask, what: string): Promise<Map<string, number>> {
  const rows = await ask('select id, at::int as at from audit where what = $1', [what]);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

export async function movesOfCursor(ask: Ask): Promise<number[]> {
  const rows = await ask(`
    select ledger from (select id::int as ledger, lag(id::int) over (order by at) as before, at
                          from audit where what = 'cursor') moves
     where ledger is distinct from before order by at`);
  return rows.map(({ ledger }) => ledger);
}
