/**
 * The database notes each step of what needs approvals, in the same transaction: with the policy and the rights of that moment,
 * and for longer than an older copy of the database remembers it.
 */
import type {
  ApprovalEvidence,
  ApprovalStep,
  ChangeStep,
  Decided,
  MemberThen,
  PolicyThen,
} from './approval-evidence.ts';
import type { Ask } from './ask.ts';

/** After `remember` (audit.ts). */
export async function watchApprovals(ask: Ask): Promise<void> {
  await ask(`
    create table seen.approval_steps (
      at bigserial, id text, wallet_id text, was text, status text, asset_code text, asset_issuer text, amount_stroops bigint,
      destination text, memo_id numeric, memo_return text, idempotency_key text, requested_by text, created_at timestamptz,
      approvals_required int, had jsonb, approvals jsonb, order_hash text, approval_expires_at timestamptz,
      settled_at timestamptz, failure_code text, inner_tx_hash text, policy jsonb, members jsonb, payout_id text);
    create table seen.approved_changes (
      at bigserial, id text, wallet_id text, requested_by text, created_at timestamptz, approvals_required int,
      approvals jsonb, members jsonb);
    create function seen.ms(at timestamptz) returns bigint language sql as
      $$ select floor(extract(epoch from at) * 1000)::bigint $$;
    create function seen.members(team text) returns jsonb language sql as $$
      select coalesce(jsonb_agg(jsonb_build_object(
               'user_id', member.user_id, 'role', role, 'wallet_ids', wallet_ids,
               'since_ms', seen.ms(coalesce(rights_since, joined_at)), 'joined_ms', seen.ms(joined_at),
               'disabled', users.disabled_at is not null,
               'knows', array(select distinct service_user_id from service_user_credentials
                               where member.user_id = any(known_to) order by 1)) order by member.user_id), '[]')
        from team_members member join users on users.id = member.user_id
       where team_id = team and left_at is null $$;
    create function seen.policy(wallet text) returns jsonb language sql as $$
      select jsonb_build_object(
               'rule', approvals, 'frozen', operator_frozen_at is not null,
               'changes', coalesce((select jsonb_agg(jsonb_build_object(
                                             'rule', new_approvals, 'takes_effect_ms', seen.ms(takes_effect_at)) order by id)
                                      from policy_changes change
                                     where change.wallet_id = wallet and field = 'approvals' and approved_at is not null), '[]'))
        from wallet_policies where wallet_id = wallet $$;
    create function seen.approval_step() returns trigger language plpgsql as $$
      declare
        policy jsonb := coalesce(seen.policy(new.wallet_id), '{}');
      begin
        if new.amount_stroops = 0 or tg_op = 'INSERT' and policy ->> 'rule' is null then return null; end if;
        insert into seen.approval_steps (
          id, wallet_id, was, status, asset_code, asset_issuer, amount_stroops, destination, memo_id, memo_return,
          idempotency_key, requested_by, created_at, approvals_required, had, approvals, order_hash, approval_expires_at,
          settled_at, failure_code, inner_tx_hash, policy, members, payout_id)
        values (
          new.id, new.wallet_id, case when tg_op = 'UPDATE' then old.status end, new.status, new.asset_code,
          new.asset_issuer, new.amount_stroops, new.destination, new.memo_id, new.memo_return, new.idempotency_key,
          new.requested_by, new.created_at, new.approvals_required,
          case when tg_op = 'UPDATE' then old.approvals else '[]' end, new.approvals, new.order_hash,
          new.approval_expires_at, new.settled_at, new.failure_code, new.inner_tx_hash, policy, seen.members(new.owner_id),
          to_jsonb(new) ->> 'payout_id');
        return null;
      end $$;
    create trigger approval_made after insert on withdrawals for each row execute function seen.approval_step();
    create trigger approval_step after update on withdrawals for each row
      when (old.status <> new.status and (new.order_hash is not null or new.status = 'signed')
            or old.approvals is distinct from new.approvals or old.order_hash is distinct from new.order_hash)
      execute function seen.approval_step();
    create function seen.approved_change() returns trigger language plpgsql as $$
      begin
        insert into seen.approved_changes (id, wallet_id, requested_by, created_at, approvals_required, approvals, members)
        select new.id, new.wallet_id, new.requested_by, new.created_at, new.approvals_required, new.approvals,
               seen.members(owner_id)
          from wallet_owners where wallet_owners.id = new.wallet_id
           and not exists (select from seen.approved_changes known
                            where known.id = new.id and known.approvals = new.approvals);
        return null;
      end $$;
    create trigger approved_change after insert on policy_changes for each row
      when (new.approved_at is not null) execute function seen.approved_change();
  `);
}

export async function readApprovals(
  ask: Ask,
  known: Omit<ApprovalEvidence, 'steps' | 'changes'>,
): Promise<ApprovalEvidence> {
  const steps = await ask('select * from seen.approval_steps order by at');
  const changes = await ask('select * from seen.approved_changes order by at');
  return { ...known, steps: steps.map(stepOf), changes: changes.map(changeOf) };
}

function stepOf(row: any): ApprovalStep {
  const { at: _, created_at, approval_expires_at, settled_at, policy, had, ...step } = row;
  return {
    ...step,
    ...askedIn(row),
    amount_stroops: BigInt(step.amount_stroops),
    memo_id: step.memo_id === null ? null : BigInt(step.memo_id),
    had: decidedIn(had),
    approvals: decidedIn(step.approvals),
    expires_ms: approval_expires_at?.getTime() ?? null,
    settled_ms: settled_at?.getTime() ?? null,
    policy: policyIn(policy),
  };
}

export function policyIn(policy: any): PolicyThen {
  return {
    rule: policy.rule ?? null,
    frozen: policy.frozen ?? false,
    changes: (policy.changes ?? []).map((change: any) => ({
      rule: change.rule,
      takes_effect_ms: Number(change.takes_effect_ms),
    })),
  };
}

function changeOf(row: any): ChangeStep {
  const { at: _, created_at, ...step } = row;
  return { ...step, ...askedIn(row), approvals: decidedIn(step.approvals) };
}

function askedIn({ created_at, members }: any) {
  return { created_ms: created_at.getTime(), members: membersIn(members) };
}

export function membersIn(members: any[]): MemberThen[] {
  return members.map((member) => ({
    ...member,
    since_ms: Number(member.since_ms),
    joined_ms: Number(member.joined_ms),
  }));
}

export function decidedIn(approvals: any[]): Decided[] {
  return approvals.map(({ user_id, decision, order_hash, at }) => ({ user_id, decision, order_hash, at }));
}
