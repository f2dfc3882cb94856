-- Expands only: the version before works beside this one. It knows no approvals, so the triggers below refuse what it would
-- do to a wallet that asks for them: it makes no withdrawal and changes no policy of such a wallet.

alter table withdrawals
  add column requested_by         entity_id,      -- the user or service user; null: an older version has made the row
  add column approvals_required   int,            -- 0: none; null: an older version has made the row
  add column approvals            jsonb not null default '[]', -- [{user_id, decision, comment, order_hash, at}]
  add column order_hash           text,           -- what an approval is about: SHA-256 of the canonical order, hex
  add column approval_expires_at  timestamptz,
  add column approved_at          timestamptz,    -- when the last approval sent it
  drop constraint withdrawals_status_check,
  -- Not valid: the rows of before had the narrower constraint, and reading them would stop all writes meanwhile.
  add constraint withdrawals_status_check
    check (status in ('awaiting_approval', 'queued', 'signed', 'confirmed', 'failed')) not valid,
  add constraint withdrawals_awaiting_is_untouched check (status <> 'awaiting_approval'
    or (approvals_required > 0 and order_hash is not null and approval_expires_at is not null and approved_at is null
        and tx_source is null and envelope_xdr is null)) not valid,
  add constraint withdrawals_sent_is_approved check (coalesce(approvals_required, 0) = 0
    or status not in ('queued', 'signed')
    or (approved_at is not null and jsonb_array_length(approvals) >= approvals_required)) not valid;
comment on column withdrawals.approvals is 'Who approved or rejected the withdrawal, in this order. Each user is in it once.';

alter table wallet_policies
  add column approvals  jsonb,                    -- {required, above, for}; null: none are asked for
  add column version    bigint not null default 0,
  -- The version before refuses withdrawals of a frozen wallet. `owner_frozen` is what the owner wants.
  add constraint wallet_policies_approvals_freeze check (approvals is null or frozen);
comment on column wallet_policies.approvals is 'How many members must approve which withdrawals and changes of this policy.';
comment on column wallet_policies.version is 'Grows with each change by a version that knows approvals.';

create table policy_change_requests (
  id                      entity_id primary key,
  wallet_id               entity_id not null references wallets,
  field                   text not null
    check (field in ('frozen', 'max_withdrawal_stroops', 'max_rolling_24h_stroops', 'limits', 'destinations', 'approvals')),
  asset_code              text,
  asset_issuer            text,
  limit_stroops           bigint,
  max_withdrawal_stroops  bigint,
  max_rolling_24h_stroops bigint,
  destination             text,
  new_approvals           jsonb,                  -- of the field approvals; null: none are asked for any more
  created_at              timestamptz not null,
  takes_effect_at         timestamptz not null,
  requested_by            entity_id not null,     -- the user or service user
  approvals_required      int not null check (approvals_required > 0),
  approvals               jsonb not null default '[]',
  expires_at              timestamptz not null,
  approved_at             timestamptz
);
create index policy_change_requests_list on policy_change_requests (wallet_id, id);
comment on table policy_change_requests is
  'Changes to a looser policy that members must approve. They are in force once they are approved and their time has come. The version before reads policy_changes, and would apply them without approvals there.';

create view approval_needs as
  select wallet_id, approvals from wallet_policies where approvals is not null;
comment on view approval_needs is 'The wallets that ask for approvals, and how many: for who removes members.';

alter table team_members add column rights_since timestamptz; -- null: since joined_at
comment on column team_members.rights_since is 'When the role or the wallets last changed. A member approves what was requested after that.';

create function note_rights_since() returns trigger language plpgsql as $$
begin
  new.rights_since := now();
  return new;
end $$;
create trigger team_members_rights_since before update on team_members for each row
  when ((old.role is distinct from new.role or old.wallet_ids is distinct from new.wallet_ids)
        and old.rights_since is not distinct from new.rights_since)
  execute function note_rights_since();

create function refuse_unchecked_withdrawal() returns trigger language plpgsql as $$
begin
  if exists (select from withdrawals where id = new.id)
     and exists (select from wallet_policies where wallet_id = new.wallet_id and approvals is not null) then
    raise exception 'the wallet asks for approvals, which this version does not know' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
-- At the commit: a withdrawal that the policy refuses is gone by then.
create constraint trigger withdrawals_checked after insert on withdrawals deferrable initially deferred
  for each row when (new.approvals_required is null and new.status = 'queued' and new.amount_stroops > 0)
  execute function refuse_unchecked_withdrawal();

create function refuse_unchecked_policy() returns trigger language plpgsql as $$
begin
  raise exception 'the policy asks for approvals, which this version does not know' using errcode = 'restrict_violation';
end $$;
create trigger wallet_policies_checked before update on wallet_policies for each row
  when (old.approvals is not null and new.version = old.version)
  execute function refuse_unchecked_policy();
