/**
 * The database notes each step of payouts, their rows and the withdrawals made for rows, in the same transaction: with the status
 * of the payout at that moment, and for longer than an older copy of the database remembers it.
 */
import type { Ask } from './ask.ts';

/** After `watchApprovals`. */
export async function watchPayouts(ask: Ask): Promise<void> {
  await ask(`
    create sequence seen.payout_places;
    create table seen.payout_steps (
      at bigint default nextval('seen.payout_places'), id text, wallet_id text, name text, was text, status text,
      retry_of text, row_count int, rows_hash text, requested_by text, requested_at timestamptz, approvals_required int,
      had jsonb, approvals jsonb, order_hash text, approval_expires_at timestamptz, settled_at timestamptz,
      reason_code text, unsettled int, totals jsonb, policy jsonb, members jsonb);
    create table seen.payout_row_steps (
      at bigint default nextval('seen.payout_places'), payout_id text, number int, was text, status text,
      withdrawal_id text, failure_code text, idempotency_key text, payout_status text);
    create table seen.payout_claims (
      at bigint default nextval('seen.payout_places'), id text, payout_id text, payout_row int, idempotency_key text,
      payout_status text, approvals_required int, payout_approvals jsonb, approvals jsonb, policy jsonb);
    create function seen.payout_totals(payout text) returns jsonb language sql as $$
      select coalesce(jsonb_agg(jsonb_build_object(
               'asset_code', asset_code, 'asset_issuer', asset_issuer, 'amount_stroops', amount_stroops::text)), '[]')
        from (select asset_code, asset_issuer, sum(amount_stroops) as amount_stroops from payout_rows
               where payout_id = payout group by 1, 2 order by 1, 2) totals $$;
    create function seen.payout_step() returns trigger language plpgsql as $$
      begin
        insert into seen.payout_steps (
          id, wallet_id, name, was, status, retry_of, row_count, rows_hash, requested_by, requested_at,
          approvals_required, had, approvals, order_hash, approval_expires_at, settled_at, reason_code, unsettled,
          totals, policy, members)
        values (
          new.id, new.wallet_id, new.name, case when tg_op = 'UPDATE' then old.status end, new.status, new.retry_of,
          new.row_count, new.rows_hash, new.requested_by, coalesce(new.requested_at, new.created_at),
          new.approvals_required, case when tg_op = 'UPDATE' then old.approvals else '[]' end, new.approvals,
          new.order_hash, new.approval_expires_at, new.settled_at, new.reason_code,
          (select count(*) from payout_rows where payout_id = new.id and status in ('waiting', 'pending')),
          seen.payout_totals(new.id), coalesce(seen.policy(new.wallet_id), '{}'), seen.members(new.owner_id));
        if new.status = 'completed' then insert into audit (what, id) values ('payout', new.id); end if;
        return null;
      end $$;
    create trigger payout_made after insert on payouts for each row execute function seen.payout_step();
    create trigger payout_step after update on payouts for each row
      when (old.status <> new.status or old.approvals <> new.approvals) execute function seen.payout_step();
    create function seen.payout_row_step() returns trigger language plpgsql as $$
      begin
        insert into seen.payout_row_steps (
          payout_id, number, was, status, withdrawal_id, failure_code, idempotency_key, payout_status)
        select new.payout_id, new.number, case when tg_op = 'UPDATE' then old.status end, new.status, new.withdrawal_id,
               new.failure_code, new.idempotency_key, (select status from payouts where id = new.payout_id);
        return null;
      end $$;
    create trigger row_made after insert on payout_rows for each row execute function seen.payout_row_step();
    create trigger row_step after update on payout_rows for each row
      when (old.status <> new.status or old.withdrawal_id is distinct from new.withdrawal_id)
      execute function seen.payout_row_step();
    create function seen.payout_claim() returns trigger language plpgsql as $$
      begin
        insert into seen.payout_claims (
          id, payout_id, payout_row, idempotency_key, payout_status, approvals_required, payout_approvals, approvals, policy)
        select new.id, new.payout_id, new.payout_row, new.idempotency_key, status, payouts.approvals_required,
               payouts.approvals, new.approvals, coalesce(seen.policy(new.wallet_id), '{}')
          from payouts where id = new.payout_id;
        return null;
      end $$;
    create trigger payout_claim after insert on withdrawals for each row
      when (new.payout_id is not null) execute function seen.payout_claim();
    create function seen.payout_claim_undone() returns trigger language plpgsql as $$
      begin
        delete from seen.payout_claims where id = old.id;
        return null;
      end $$;
    create trigger payout_claim_undone after delete on withdrawals for each row
      when (old.payout_id is not null) execute function seen.payout_claim_undone();
  `);
}
