-- Expands only. The version before signs the withdrawal of a payout row like any other: it carries its own approvals.

create table payouts (
  id                   entity_id primary key,
  wallet_id            entity_id not null references wallets,
  owner_id             entity_id not null,        -- the team; keys are unique to it
  name                 text not null,
  status               text not null
    check (status in ('draft', 'awaiting_approval', 'running', 'paused', 'completed', 'cancelled')),
  reason_code          text,                      -- why it is paused or cancelled
  reason               text,
  retry_of             entity_id references payouts,
  row_count            int not null check (row_count > 0),
  rows_hash            text not null,             -- SHA-256 over the hashes of its rows in order, hex
  created_by           entity_id not null,        -- the user or service user, as below
  created_at           timestamptz not null,
  requested_by         entity_id,                 -- who started it
  requested_at         timestamptz,
  approvals_required   int not null default 0,
  approvals            jsonb not null default '[]', -- [{user_id, decision, comment, order_hash, at}]
  order_hash           text,                      -- what an approval is about: SHA-256, hex
  approval_expires_at  timestamptz,
  approved_at          timestamptz,
  started_at           timestamptz,               -- when rows could first begin
  settled_at           timestamptz,               -- when it was completed or cancelled
  constraint payouts_begun_is_approved check (approvals_required = 0 or started_at is null
    or (approved_at is not null and order_hash is not null and jsonb_array_length(approvals) >= approvals_required)),
  constraint payouts_begun_when_running check (status not in ('running', 'paused', 'completed') or started_at is not null),
  constraint payouts_not_begun_before check (status not in ('draft', 'awaiting_approval') or started_at is null),
  constraint payouts_settled check ((status in ('completed', 'cancelled')) = (settled_at is not null))
);
create index payouts_list on payouts (wallet_id, id);
create index payouts_begun on payouts (id) where status in ('running', 'paused');
create index payouts_awaiting on payouts (owner_id, id) where status = 'awaiting_approval';
create index payouts_retries on payouts (retry_of) where retry_of is not null;
comment on table payouts is 'Many payments as one file. Nothing of it is paid before it is started, and approved where the policy asks for that.';

create table payout_rows (
  payout_id        entity_id not null references payouts,
  number           int not null check (number > 0), -- its place in the file, from 1 on
  owner_id         entity_id not null,
  idempotency_key  text collate "C" not null,     -- of the withdrawal that it becomes
  destination      text not null,
  amount_stroops   bigint not null check (amount_stroops > 0),
  asset_code       text not null default 'native',
  asset_issuer     text,
  memo_id          numeric(20),
  reference        text,                          -- whatever the customer calls it
  row_hash         text not null,                 -- SHA-256 of what it pays, hex
  status           text not null default 'waiting'
    check (status in ('waiting', 'pending', 'confirmed', 'failed', 'cancelled')),
  withdrawal_id    entity_id,                     -- null: it has not begun, and none was made for it
  failure_code     text,
  failure_message  text,
  primary key (payout_id, number),
  unique (payout_id, idempotency_key),
  constraint payout_rows_begun check ((status in ('pending', 'confirmed')) <= (withdrawal_id is not null)),
  constraint payout_rows_not_begun check (status not in ('waiting', 'cancelled') or withdrawal_id is null)
);
create index payout_rows_counted on payout_rows (payout_id, status, asset_code, asset_issuer) include (amount_stroops);
create index payout_rows_pending on payout_rows (payout_id, number) where status = 'pending';
create index payout_rows_keys on payout_rows (owner_id, idempotency_key) where status = 'waiting';
comment on table payout_rows is 'A row becomes one withdrawal, with its key. The claim of the key and the status pending are one transaction.';

alter table withdrawals
  add column payout_id   entity_id,               -- the payout whose row it pays
  add column payout_row  int,
  add constraint withdrawals_payout_row check ((payout_id is null) = (payout_row is null)) not valid;
