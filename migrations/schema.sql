-- The schema after all migrations. Written by "npm run schema" and compared by "npm run check": do not edit.

create domain entity_id as text collate "C";
CREATE OR REPLACE FUNCTION public.add_to_deposit_days()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into deposit_days as total
         (wallet_id, day, asset_code, asset_issuer, deposits, stroops, own_funds, own_funds_stroops)
  select wallet_id, day, asset_code, asset_issuer, count(*), sum(amount_stroops), count(*) filter (where is_own),
         coalesce(sum(amount_stroops) filter (where is_own), 0)
    from added
   cross join lateral (
     select (created_at at time zone 'UTC')::date as day,
            not attributed and is_own_funds(wallet_id, memo_type, memo_id, kind, source_account) as is_own) as made
   group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict on constraint deposit_days_key do update
     set deposits = total.deposits + excluded.deposits, stroops = total.stroops + excluded.stroops,
         own_funds = total.own_funds + excluded.own_funds,
         own_funds_stroops = total.own_funds_stroops + excluded.own_funds_stroops;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.append_audit(chains text[], entries text[])
 RETURNS TABLE(seq bigint, hash bytea)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  for i in 1 .. cardinality(entries) loop
    insert into audit_heads as head (chain, seq, hash)
    values (chains[i], 1, audit_hash(sha256(convert_to(chains[i], 'UTF8')), 1, entries[i]))
    on conflict (chain) do update
      set seq = head.seq + 1, hash = audit_hash(head.hash, head.seq + 1, entries[i])
    returning head.seq, head.hash into seq, hash;
    insert into audit_log (chain, seq, entry, hash) values (chains[i], append_audit.seq, entries[i], append_audit.hash);
    return next;
  end loop;
end $function$;
CREATE OR REPLACE FUNCTION public.audit_hash(before bytea, seq bigint, entry text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
RETURN sha256(((before || int8send(seq)) || convert_to(entry, 'UTF8'::name)));
CREATE OR REPLACE FUNCTION public.database_timeline()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select (pg_control_system()).system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
$function$;
CREATE OR REPLACE FUNCTION public.found_team()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from team_members where user_id = new.id) then
    insert into teams (id, name) values (new.id, new.name);
    insert into team_members (user_id, team_id, role, email_folded) values (new.id, new.id, 'owner', new.email_folded);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.is_own_funds(wallet_id text, memo_type text, memo_id numeric, kind text, source_account text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select memo_type = 'none' and memo_id is null
         and (kind = 'create_account' or exists (
           select from wallets as sender join wallets as paid on paid.owner_id = sender.owner_id
            where sender.account = is_own_funds.source_account and paid.id = is_own_funds.wallet_id))
$function$;
CREATE OR REPLACE FUNCTION public.key_fingerprint(wallet_id text, idempotency_key text)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select 1 + (('x' || left(encode(sha256(convert_to('withdrawal ' || wallet_id || ' ' || idempotency_key, 'UTF8')), 'hex'), 8))
              ::bit(32)::bigint >> 2)::integer
$function$;
CREATE OR REPLACE FUNCTION public.lock_deposits(ids text[])
 RETURNS SETOF refundable_deposits
 LANGUAGE sql
AS $function$
  select id, wallet_id, asset_code, asset_issuer, amount_stroops, source_account, source_account_muxed, stellar_tx_hash,
         attributed
    from deposits where id = any(ids) order by id for update
$function$;
CREATE OR REPLACE FUNCTION public.note_ended_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update service_user_credentials set ended_at = clock_timestamp()
   where service_user_id = new.id and ended_at is null
     and credential in (select key ->> 'thumbprint' from jsonb_array_elements(old.public_keys::jsonb) as key)
     and (new.removed_at is not null or credential not in (
       select key ->> 'thumbprint' from jsonb_array_elements(new.public_keys::jsonb) as key));
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.note_ended_secret()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update service_user_credentials set ended_at = clock_timestamp()
   where service_user_id = old.service_user_id and credential = old.id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.note_metadata_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.metadata_version := (select metadata_version from deposit_addresses where id = new.address_id);
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.note_rights_since()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.rights_since := now();
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $function$;
CREATE OR REPLACE FUNCTION public.require_sealing_key(sealed bytea, is_seed boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  now_sealing installation%rowtype;
  prefix bytea;
begin
  select * into now_sealing from installation for share;
  prefix := '\x01'::bytea || substr(now_sealing.key_check, 1, 4);
  if is_seed and now_sealing.provider_check is not null then
    prefix := '\x02'::bytea || substr(now_sealing.key_check, 1, 4) || substr(now_sealing.provider_check, 1, 4);
  end if;
  if substr(sealed, 1, length(prefix)) <> prefix then -- null, so false, before a first start has named a key
    raise exception 'sealed with another master key, or another key provider, than seals now' using errcode = 'TK001';
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.require_sealing_key_of_secret()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.sealed_secret is not null and (tg_op = 'INSERT' or new.sealed_secret is distinct from old.sealed_secret) then
    perform require_sealing_key(new.sealed_secret, false);
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.require_sealing_key_of_seed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform require_sealing_key(new.sealed_seed, true);
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.require_second_factor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.factor_at is null and exists (
    select from second_factors where user_id = new.user_id and confirmed_at is not null
  ) then
    return null;
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.search_parts(wallet_id text, label text, metadata text)
 RETURNS bytea[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE COST 1000
AS $function$
  select array_agg(distinct part)
    from (select convert_to(wallet_id, 'UTF8') as part
           union all
          select substr(bytes, start, length)
            from unnest(array[label, metadata]) as given (text)
           cross join lateral convert_to(lower(given.text collate "C"), 'UTF8') as bytes
           cross join generate_series(1, 3) as length
           cross join lateral generate_series(1, octet_length(bytes) - length + 1) as start) as parts
$function$;
CREATE OR REPLACE FUNCTION public.take_from_own_funds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update deposit_days as total
     set own_funds = total.own_funds - 1, own_funds_stroops = total.own_funds_stroops - old.amount_stroops
   where total.wallet_id = old.wallet_id and total.day = (old.created_at at time zone 'UTC')::date
     and total.asset_code = old.asset_code and total.asset_issuer is not distinct from old.asset_issuer
     and is_own_funds(old.wallet_id, old.memo_type, old.memo_id, old.kind, old.source_account);
  return null;
end $function$;

create table access_changes (
  id entity_id not null,
  team_id entity_id not null,
  kind text not null,
  operation text not null,
  wallet_id entity_id,
  wallet_ids text[],
  target_id entity_id,
  change text not null,
  order_hash text not null,
  requested_by entity_id not null,
  approvals jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint access_changes_pkey PRIMARY KEY (id),
  constraint access_changes_kind_check CHECK ((kind = ANY (ARRAY['members'::text, 'api_keys'::text, 'payees'::text]))),
  constraint access_changes_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint access_changes_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX access_changes_list ON public.access_changes USING btree (team_id, id);
comment on table access_changes is 'Changes of members, service users, API keys and payees that members must approve. A row goes with its change, its rejection or its end; decided_changes and the audit log keep it.';

create table address_activity (
  address_id entity_id not null,
  wallet_id entity_id not null,
  latest_id entity_id not null,
  constraint address_activity_pkey PRIMARY KEY (address_id),
  constraint address_activity_address_id_fkey FOREIGN KEY (address_id) REFERENCES deposit_addresses(id)
);
CREATE UNIQUE INDEX address_activity_list ON public.address_activity USING btree (wallet_id, latest_id);
comment on table address_activity is 'The order of deposit addresses by their last deposit. A table of its own: each deposit changes a row, and an address has an index for the search.';
comment on column address_activity.latest_id is 'Of its last deposit; before the first one, of the address itself, which sorts below all deposits.';

create table adjustments (
  id entity_id not null,
  wallet_id entity_id not null,
  asset_code text not null,
  asset_issuer text,
  reason text not null,
  amount_stroops bigint not null,
  operation text not null,
  caused_by text not null,
  stellar_tx_hash text not null,
  operation_index integer not null,
  event_index integer not null default 0,
  ledger integer not null,
  created_at timestamp with time zone not null default now(),
  constraint adjustments_pkey PRIMARY KEY (id),
  constraint adjustments_amount_of_reason CHECK (
CASE
    WHEN (reason = ANY (ARRAY['clawback'::text, 'contract_transfer'::text, 'contract_burn'::text])) THEN (amount_stroops > 0)
    ELSE (amount_stroops = 0)
END),
  constraint adjustments_operation_check CHECK ((operation = ANY (ARRAY['clawback'::text, 'set_trust_line_flags'::text, 'allow_trust'::text, 'invoke_host_function'::text]))),
  constraint adjustments_place UNIQUE (stellar_tx_hash, operation_index, event_index, wallet_id),
  constraint adjustments_reason_check CHECK ((reason = ANY (ARRAY['clawback'::text, 'contract_transfer'::text, 'contract_burn'::text, 'authorized'::text, 'maintain_liabilities'::text, 'authorization_revoked'::text]))),
  constraint adjustments_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX adjustments_booked ON public.adjustments USING btree (wallet_id, ledger) INCLUDE (asset_code, asset_issuer, amount_stroops);
CREATE INDEX adjustments_of_wallet ON public.adjustments USING btree (wallet_id, id);
CREATE INDEX adjustments_search_hash ON public.adjustments USING btree (wallet_id, stellar_tx_hash COLLATE "C");
comment on table adjustments is 'What others did to a wallet without paying it: they took some of its balance, or changed what a trust line may do.';

create table alert_cursors (
  chain text not null,
  seq bigint not null,
  constraint alert_cursors_pkey PRIMARY KEY (chain)
);
comment on table alert_cursors is 'The entry of each chain of the audit log up to which alerts are made.';

create table alert_old_webhooks (
  id bigint not null generated always as identity,
  team_id entity_id not null,
  url text not null,
  sealed_secret bytea not null,
  told_until timestamp with time zone not null,
  constraint alert_old_webhooks_pkey PRIMARY KEY (id),
  constraint alert_old_webhooks_team_id_fkey FOREIGN KEY (team_id) REFERENCES alert_settings(team_id)
);
CREATE INDEX alert_old_webhooks_team ON public.alert_old_webhooks USING btree (team_id);
CREATE TRIGGER alert_old_webhooks_sealed BEFORE INSERT OR UPDATE OF sealed_secret ON public.alert_old_webhooks FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_secret();
comment on table alert_old_webhooks is 'Webhooks that a team had before, with their secrets. They still get the alerts of changed settings for a while: nobody can remove a webhook unseen.';

create table alert_settings (
  team_id entity_id not null,
  kinds text[],
  url text,
  sealed_secret bytea,
  disabled_reason text,
  failing_since timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_failure text,
  constraint alert_settings_pkey PRIMARY KEY (team_id),
  constraint alert_settings_failed CHECK (((last_failed_at IS NULL) = (last_failure IS NULL))),
  constraint alert_settings_signed CHECK (((url IS NULL) = (sealed_secret IS NULL))),
  constraint alert_settings_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE TRIGGER alert_settings_sealed BEFORE INSERT OR UPDATE OF sealed_secret ON public.alert_settings FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_secret();
comment on table alert_settings is 'Which alerts a team gets, and its webhook. A team without a row gets every kind by mail.';

create table alert_thresholds (
  team_id entity_id not null,
  asset_code text not null,
  asset_issuer text,
  amount_stroops bigint not null,
  constraint alert_thresholds_amount_stroops_check CHECK ((amount_stroops >= 0)),
  constraint alert_thresholds_once UNIQUE NULLS NOT DISTINCT (team_id, asset_code, asset_issuer),
  constraint alert_thresholds_team_id_fkey FOREIGN KEY (team_id) REFERENCES alert_settings(team_id)
);
comment on table alert_thresholds is 'Withdrawals of a larger amount make an alert.';

create table alerts (
  chain text not null,
  seq bigint not null,
  receiver text not null,
  kind text not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint alerts_pkey PRIMARY KEY (chain, seq, receiver)
);
CREATE INDEX alerts_due ON public.alerts USING btree (due_at);
comment on table alerts is 'Alerts that are not sent yet. A row is deleted when its alert is sent or given up.';

create table api_keys (
  id entity_id not null,
  wallet_id entity_id not null,
  name text,
  key_hash bytea not null,
  prefix text not null,
  last_four text not null,
  scopes text[],
  allowed_ips text[],
  created_by entity_id,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_kind CHECK (
CASE
    WHEN (name IS NULL) THEN (num_nonnulls(scopes, allowed_ips, created_by, expires_at) = 0)
    ELSE (num_nulls(scopes, created_by) = 0)
END),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['read'::text, 'addresses'::text, 'webhooks'::text]))),
  constraint api_keys_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX api_keys_list ON public.api_keys USING btree (wallet_id, id);
CREATE UNIQUE INDEX api_keys_main ON public.api_keys USING btree (wallet_id) WHERE (name IS NULL);
comment on table api_keys is 'API keys of a wallet: the main key, whose regeneration replaces all of the row, and named keys. A deleted key has no row.';

create table audit_heads (
  chain text not null,
  seq bigint not null,
  hash bytea not null,
  constraint audit_heads_pkey PRIMARY KEY (chain)
);
comment on table audit_heads is 'The last entry of each chain of the audit log. Locked by who appends.';

create table audit_log (
  chain text not null,
  seq bigint not null,
  entry text not null,
  hash bytea not null,
  id text not null generated always as (((entry)::jsonb ->> 'id'::text)) stored,
  at text not null generated always as (((entry)::jsonb ->> 'at'::text)) stored,
  action text not null generated always as (((entry)::jsonb ->> 'action'::text)) stored,
  actor_id text generated always as ((((entry)::jsonb -> 'actor'::text) ->> 'id'::text)) stored,
  target_id text generated always as ((((entry)::jsonb -> 'target'::text) ->> 'id'::text)) stored,
  wallet_id text generated always as (((entry)::jsonb ->> 'wallet_id'::text)) stored,
  constraint audit_log_pkey PRIMARY KEY (chain, seq)
);
CREATE INDEX audit_log_action ON public.audit_log USING btree (chain, action, seq);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (chain, actor_id, seq);
CREATE INDEX audit_log_target ON public.audit_log USING btree (chain, target_id, seq);
CREATE INDEX audit_log_wallet ON public.audit_log USING btree (chain, wallet_id, seq);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
comment on table audit_log is 'Who changed what, when and from where. Rows are only ever appended, by append_audit.';

create table channels (
  account text not null,
  id entity_id not null,
  sealed_seed bytea not null,
  sponsor text not null,
  status text not null,
  tx_hash text,
  created_at timestamp with time zone not null default now(),
  constraint channels_pkey PRIMARY KEY (account),
  constraint channels_id_key UNIQUE (id),
  constraint channels_sponsor_fkey FOREIGN KEY (sponsor) REFERENCES treasury(account),
  constraint channels_status_check CHECK ((status = ANY (ARRAY['creating'::text, 'active'::text, 'retired'::text, 'merged'::text]))),
  constraint channels_transaction_by_status CHECK (((tx_hash IS NULL) OR (status = ANY (ARRAY['creating'::text, 'retired'::text]))))
);
CREATE INDEX channels_by_status ON public.channels USING btree (status, account);
CREATE TRIGGER channels_sealed BEFORE INSERT OR UPDATE OF sealed_seed ON public.channels FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_seed();
comment on table channels is 'Channel accounts. The sealed seed is committed before the account''s first transaction is sent, so no key is ever lost.';

create table decided_changes (
  id entity_id not null,
  team_id entity_id not null,
  kind text not null,
  wallet_ids text[],
  outcome text not null,
  change text not null,
  decided_at timestamp with time zone not null,
  constraint decided_changes_pkey PRIMARY KEY (team_id, decided_at, id),
  constraint decided_changes_kind_check CHECK ((kind = ANY (ARRAY['policy_change'::text, 'members'::text, 'api_keys'::text, 'payees'::text]))),
  constraint decided_changes_outcome_check CHECK ((outcome = ANY (ARRAY['approved'::text, 'not_needed'::text, 'rejected'::text, 'approval_expired'::text, 'requester_removed'::text, 'cancelled'::text]))),
  constraint decided_changes_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
comment on table decided_changes is 'Changes of policies and of access that awaited approvals, and how each ended. A withdrawal or a payout keeps that in its own row.';

create table deposit_addresses (
  id entity_id not null,
  wallet_id entity_id not null,
  memo_id bigint not null,
  label text,
  metadata text,
  metadata_version integer not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint deposit_addresses_pkey PRIMARY KEY (id),
  constraint deposit_addresses_memo_id_check CHECK (((memo_id >= 1) AND (memo_id <= '9007199254740991'::bigint))),
  constraint deposit_addresses_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint deposit_addresses_wallet_id_memo_id_key UNIQUE (wallet_id, memo_id)
);
CREATE INDEX deposit_addresses_list ON public.deposit_addresses USING btree (wallet_id, id);
CREATE INDEX deposit_addresses_search ON public.deposit_addresses USING gin (search_parts((wallet_id)::text, label, metadata)) WITH (fastupdate=off);
CREATE INDEX deposit_addresses_search_memo_id ON public.deposit_addresses USING btree (wallet_id, ((memo_id)::text) COLLATE "C");
comment on table deposit_addresses is 'A memo id of a wallet, with what its owner wrote about the payer.';
comment on column deposit_addresses.metadata_version is 'How often its metadata was replaced.';

create table deposit_cursor (
  singleton boolean not null default true,
  ledger integer not null,
  ledger_hash text,
  close_time bigint,
  stop_reason text,
  updated_at timestamp with time zone not null default now(),
  constraint deposit_cursor_pkey PRIMARY KEY (singleton),
  constraint deposit_cursor_singleton_check CHECK (singleton)
);
comment on table deposit_cursor is 'One row: the last ledger whose deposits are committed. Moved only in the transaction that commits them.';

create table deposit_days (
  wallet_id entity_id not null,
  day date not null,
  asset_code text not null,
  asset_issuer text,
  deposits integer not null,
  stroops numeric(30,0) not null,
  own_funds integer not null,
  own_funds_stroops numeric(30,0) not null,
  constraint deposit_days_key UNIQUE NULLS NOT DISTINCT (wallet_id, day, asset_code, asset_issuer)
);
comment on table deposit_days is 'The deposits of a wallet and an asset on a day: how many, and their sum. Triggers add each deposit in its transaction, so the statistics of a day read one row, however many deposits it has.';

create table deposit_minimums (
  wallet_id entity_id not null,
  asset_code text not null,
  asset_issuer text,
  amount_stroops bigint not null,
  constraint deposit_minimums_amount_stroops_check CHECK ((amount_stroops > 0)),
  constraint deposit_minimums_of_asset UNIQUE NULLS NOT DISTINCT (wallet_id, asset_code, asset_issuer),
  constraint deposit_minimums_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
comment on table deposit_minimums is 'The smallest deposit of an asset for which a wallet gets an event. An asset without a row has no minimum.';

create table deposit_positions (
  ledger integer not null,
  ledger_hash text not null,
  close_time bigint not null,
  constraint deposit_positions_pkey PRIMARY KEY (ledger)
);
comment on table deposit_positions is 'Where the deposit cursor was after each step, for as long as sources keep those ledgers. A rewind chooses one of these.';

create table deposits (
  id entity_id not null,
  wallet_id entity_id not null,
  address_id entity_id,
  metadata_version integer,
  asset_code text not null,
  asset_issuer text,
  amount_stroops bigint not null,
  below_minimum boolean not null default false,
  source_account text not null,
  source_account_muxed text,
  stellar_tx_hash text not null,
  operation_index integer not null,
  event_index integer not null default 0,
  kind text not null default 'payment'::text,
  memo_id numeric(20,0),
  memo_type text not null default 'none'::text,
  memo text,
  ledger integer not null,
  attributed boolean not null,
  assigned_by_hand boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint deposits_pkey PRIMARY KEY (id),
  constraint deposits_address_id_fkey FOREIGN KEY (address_id) REFERENCES deposit_addresses(id),
  constraint deposits_amount_stroops_check CHECK ((amount_stroops > 0)),
  constraint deposits_attributed_has_address CHECK ((attributed = (address_id IS NOT NULL))),
  constraint deposits_credit UNIQUE (stellar_tx_hash, operation_index, event_index),
  constraint deposits_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'create_account'::text, 'path_payment_strict_send'::text, 'path_payment_strict_receive'::text, 'account_merge'::text, 'contract_transfer'::text, 'contract_mint'::text]))),
  constraint deposits_memo_type_check CHECK ((memo_type = ANY (ARRAY['none'::text, 'id'::text, 'text'::text, 'hash'::text, 'return'::text]))),
  constraint deposits_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX deposits_booked ON public.deposits USING btree (wallet_id, ledger) INCLUDE (asset_code, asset_issuer, amount_stroops);
CREATE INDEX deposits_by_address ON public.deposits USING btree (address_id, id) WHERE (address_id IS NOT NULL);
CREATE INDEX deposits_inbox ON public.deposits USING btree (wallet_id, attributed, id);
CREATE INDEX deposits_list ON public.deposits USING btree (wallet_id, id);
CREATE INDEX deposits_search_amount ON public.deposits USING btree (wallet_id, amount_stroops);
CREATE INDEX deposits_search_hash ON public.deposits USING btree (wallet_id, stellar_tx_hash COLLATE "C");
CREATE INDEX deposits_search_memo_by_hand ON public.deposits USING btree (wallet_id, memo COLLATE "C") WHERE assigned_by_hand;
CREATE INDEX deposits_search_memo_id ON public.deposits USING btree (wallet_id, ((memo_id)::text) COLLATE "C") WHERE (memo_id IS NOT NULL);
CREATE INDEX deposits_search_memo_text ON public.deposits USING btree (wallet_id, lower((memo COLLATE "C"))) WHERE (memo_type = 'text'::text);
CREATE INDEX deposits_search_sender ON public.deposits USING btree (wallet_id, source_account COLLATE "C");
CREATE TRIGGER deposits_assigned AFTER UPDATE OF attributed ON public.deposits FOR EACH ROW WHEN ((new.attributed AND (NOT old.attributed))) EXECUTE FUNCTION take_from_own_funds();
CREATE TRIGGER deposits_days AFTER INSERT ON public.deposits REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_deposit_days();
CREATE TRIGGER deposits_metadata_version BEFORE INSERT OR UPDATE OF address_id ON public.deposits FOR EACH ROW WHEN ((new.address_id IS NOT NULL)) EXECUTE FUNCTION note_metadata_version();
comment on table deposits is 'Each credit to a wallet. The unique constraint makes a credit one deposit, however often its ledger is read.';
comment on column deposits.metadata_version is 'That of its address when the deposit was attributed. The metadata of an address may change; the deposit keeps what it was.';
comment on column deposits.below_minimum is 'Smaller than the minimum that its wallet had for the asset: recorded, and told by no event.';

create table factor_challenges (
  id bigint not null generated always as identity,
  token_hash bytea,
  user_id entity_id not null,
  purpose text not null,
  session_id entity_id,
  verified_hash text,
  device text,
  failures integer not null default 0,
  passkey_challenge text not null,
  expires_at timestamp with time zone not null,
  constraint factor_challenges_pkey PRIMARY KEY (id),
  constraint factor_challenges_of_login CHECK ((((purpose = 'login'::text) = (token_hash IS NOT NULL)) AND ((purpose = 'login'::text) = (verified_hash IS NOT NULL)))),
  constraint factor_challenges_of_session CHECK (((purpose = 'login'::text) = (session_id IS NULL))),
  constraint factor_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'step_up'::text, 'register'::text]))),
  constraint factor_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint factor_challenges_session_id_purpose_key UNIQUE (session_id, purpose),
  constraint factor_challenges_token_hash_key UNIQUE (token_hash),
  constraint factor_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX factor_challenges_age ON public.factor_challenges USING btree (expires_at);
comment on table factor_challenges is 'Logins whose password was right, and passkeys that a session asks for. Each is used once, within five minutes.';

create table idempotent_requests (
  owner_id entity_id not null,
  operation text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  claim_id text not null,
  state text not null default 'in_flight'::text,
  lease_until timestamp with time zone not null,
  target_kind text,
  target_id text,
  status integer,
  answer text,
  created_at timestamp with time zone not null,
  constraint idempotent_requests_pkey PRIMARY KEY (owner_id, operation, key_hash),
  constraint idempotent_requests_answer CHECK ((((status IS NULL) = (answer IS NULL)) AND ((answer IS NULL) OR (state = 'made'::text)))),
  constraint idempotent_requests_made CHECK (((state = 'made'::text) = (target_kind IS NOT NULL))),
  constraint idempotent_requests_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES teams(id),
  constraint idempotent_requests_state_check CHECK ((state = ANY (ARRAY['in_flight'::text, 'made'::text])))
);
CREATE INDEX idempotent_requests_age ON public.idempotent_requests USING btree (created_at);
comment on table idempotent_requests is 'Requests with an Idempotency-Key that make something. The state becomes made in the transaction that makes it. Rows are deleted after 24 hours. Withdrawals, refunds and payouts keep their keys elsewhere, for ever.';

create table installation (
  singleton boolean not null default true,
  network text not null,
  passphrase text not null,
  key_check bytea not null,
  provider_check bytea,
  start_ledger integer not null,
  start_ledger_hash text not null,
  created_at timestamp with time zone not null default now(),
  constraint installation_pkey PRIMARY KEY (singleton),
  constraint installation_provider_check_fkey FOREIGN KEY (provider_check) REFERENCES key_providers(key_check),
  constraint installation_singleton_check CHECK (singleton)
);
comment on table installation is 'One row: the network of this database, and the master key that seals now. A start with another network or passphrase, or without that key, is refused.';
comment on column installation.provider_check is 'The key of the provider that wraps the data keys of new seeds; null: the master key alone seals them.';

create table invitation_mails (
  email_folded text not null,
  mailed_at timestamp with time zone not null,
  constraint invitation_mails_pkey PRIMARY KEY (email_folded)
);
comment on table invitation_mails is 'Whom a mail with an invitation of any team went to within the last hour. Older rows are deleted.';

create table key_providers (
  key_check bytea not null,
  kind text not null,
  key text not null,
  wrapped bytea not null,
  since timestamp with time zone not null,
  left_at timestamp with time zone,
  constraint key_providers_pkey PRIMARY KEY (key_check),
  constraint key_providers_kind_check CHECK ((kind = ANY (ARRAY['aws-kms'::text, 'pkcs11'::text])))
);
comment on table key_providers is 'The keys of key providers that wrap data keys of seeds. The one whose left_at is null may be needed to open them.';

create table known_passwords (
  user_id entity_id not null,
  known_to text[] not null,
  old_factors text[],
  ended_at timestamp with time zone,
  constraint known_passwords_pkey PRIMARY KEY (user_id),
  constraint known_passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table known_passwords is 'Members whose first password somebody else chose, or could have chosen with the link of an invitation.';

create table leaderships (
  work text not null,
  term bigint not null,
  leader text not null,
  moved_at timestamp with time zone not null,
  disputed_at timestamp with time zone,
  constraint leaderships_pkey PRIMARY KEY (work)
);
comment on table leaderships is 'Who leads. Each write of a leader checks and moves the row in its own transaction, so a leader before writes nothing more.';

create table login_failure_counts (
  key text not null,
  failures integer not null,
  failed_at timestamp with time zone not null,
  constraint login_failure_counts_pkey PRIMARY KEY (key)
);
CREATE INDEX login_failure_counts_age ON public.login_failure_counts USING btree (failed_at);
comment on table login_failure_counts is 'Failed logins, by whose attempts are counted together (src/auth/passwords/login-limits.ts). A row without a failure for an hour is deleted.';

create table master_keys (
  key_check bytea not null,
  sealing_since timestamp with time zone not null,
  left_at timestamp with time zone,
  constraint master_keys_pkey PRIMARY KEY (key_check)
);
comment on table master_keys is 'The master keys of this database, from the first rotation on. The key whose left_at is null still opens rows.';

create table migrations (
  name text not null,
  checksum text not null,
  run_at timestamp with time zone default now(),
  needs text,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table payees (
  id entity_id not null,
  team_id entity_id not null,
  name text not null,
  destination text not null,
  memo_id numeric(20,0),
  asset_code text,
  asset_issuer text,
  note text,
  created_by entity_id not null,
  created_at timestamp with time zone not null,
  named_at timestamp with time zone not null,
  paid_before timestamp with time zone,
  deleted_at timestamp with time zone,
  constraint payees_pkey PRIMARY KEY (id),
  constraint payees_asset CHECK (((asset_issuer IS NULL) OR (asset_code IS NOT NULL))),
  constraint payees_native_asset CHECK (((asset_issuer IS NOT NULL) OR (asset_code = 'native'::text))),
  constraint payees_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX payees_list ON public.payees USING btree (team_id, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX payees_name ON public.payees USING btree (team_id, lower((name COLLATE "C"))) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX payees_recipient ON public.payees USING btree (team_id, destination, memo_id) NULLS NOT DISTINCT WHERE (deleted_at IS NULL);
comment on table payees is 'Whom a team pays, by name. A deleted one keeps its row: a request that named it can be repeated, and its key is known.';

create table payout_rows (
  payout_id entity_id not null,
  number integer not null,
  owner_id entity_id not null,
  idempotency_key text collate "C" not null,
  destination text not null,
  amount_stroops bigint not null,
  asset_code text not null default 'native'::text,
  asset_issuer text,
  memo_id numeric(20,0),
  reference text,
  row_hash text not null,
  status text not null default 'waiting'::text,
  withdrawal_id entity_id,
  failure_code text,
  failure_message text,
  constraint payout_rows_pkey PRIMARY KEY (payout_id, number),
  constraint payout_rows_amount_stroops_check CHECK ((amount_stroops > 0)),
  constraint payout_rows_begun CHECK (((status = ANY (ARRAY['pending'::text, 'confirmed'::text])) <= (withdrawal_id IS NOT NULL))),
  constraint payout_rows_not_begun CHECK (((status <> ALL (ARRAY['waiting'::text, 'cancelled'::text])) OR (withdrawal_id IS NULL))),
  constraint payout_rows_number_check CHECK ((number > 0)),
  constraint payout_rows_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payouts(id),
  constraint payout_rows_payout_id_idempotency_key_key UNIQUE (payout_id, idempotency_key),
  constraint payout_rows_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'pending'::text, 'confirmed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX payout_rows_counted ON public.payout_rows USING btree (payout_id, status, asset_code, asset_issuer) INCLUDE (amount_stroops);
CREATE INDEX payout_rows_keys ON public.payout_rows USING btree (owner_id, idempotency_key) WHERE (status = 'waiting'::text);
CREATE INDEX payout_rows_pending ON public.payout_rows USING btree (payout_id, number) WHERE (status = 'pending'::text);
comment on table payout_rows is 'A row becomes one withdrawal, with its key. The claim of the key and the status pending are one transaction.';

create table payouts (
  id entity_id not null,
  wallet_id entity_id not null,
  owner_id entity_id not null,
  name text not null,
  status text not null,
  reason_code text,
  reason text,
  retry_of entity_id,
  row_count integer not null,
  rows_hash text not null,
  created_by entity_id not null,
  created_at timestamp with time zone not null,
  requested_by entity_id,
  requested_at timestamp with time zone,
  approvals_required integer not null default 0,
  approvals_cause text,
  approvals jsonb not null default '[]'::jsonb,
  order_hash text,
  approval_expires_at timestamp with time zone,
  approved_at timestamp with time zone,
  started_at timestamp with time zone,
  settled_at timestamp with time zone,
  constraint payouts_pkey PRIMARY KEY (id),
  constraint payouts_approvals_cause_check CHECK ((approvals_cause = ANY (ARRAY['amount'::text, 'sum'::text]))),
  constraint payouts_begun_is_approved CHECK (((approvals_required = 0) OR (started_at IS NULL) OR ((approved_at IS NOT NULL) AND (order_hash IS NOT NULL) AND (jsonb_array_length(approvals) >= approvals_required)))),
  constraint payouts_begun_when_running CHECK (((status <> ALL (ARRAY['running'::text, 'paused'::text, 'completed'::text])) OR (started_at IS NOT NULL))),
  constraint payouts_not_begun_before CHECK (((status <> ALL (ARRAY['draft'::text, 'awaiting_approval'::text])) OR (started_at IS NULL))),
  constraint payouts_retry_of_fkey FOREIGN KEY (retry_of) REFERENCES payouts(id),
  constraint payouts_row_count_check CHECK ((row_count > 0)),
  constraint payouts_settled CHECK (((status = ANY (ARRAY['completed'::text, 'cancelled'::text])) = (settled_at IS NOT NULL))),
  constraint payouts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'awaiting_approval'::text, 'running'::text, 'paused'::text, 'completed'::text, 'cancelled'::text]))),
  constraint payouts_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX payouts_awaiting ON public.payouts USING btree (owner_id, id) WHERE (status = 'awaiting_approval'::text);
CREATE INDEX payouts_begun ON public.payouts USING btree (id) WHERE (status = ANY (ARRAY['running'::text, 'paused'::text]));
CREATE INDEX payouts_decided ON public.payouts USING btree (owner_id, COALESCE(approved_at, settled_at), id) WHERE ((order_hash IS NOT NULL) AND (status <> 'awaiting_approval'::text));
CREATE INDEX payouts_list ON public.payouts USING btree (wallet_id, id);
CREATE INDEX payouts_retries ON public.payouts USING btree (retry_of) WHERE (retry_of IS NOT NULL);
comment on table payouts is 'Many payments as one file. Nothing of it is paid before it is started, and approved where the policy asks for that.';

create table policy_changes (
  id entity_id not null,
  wallet_id entity_id not null,
  field text not null,
  asset_code text,
  asset_issuer text,
  limit_stroops bigint,
  max_withdrawal_stroops bigint,
  max_rolling_24h_stroops bigint,
  destination text,
  new_approvals jsonb,
  requested_by entity_id not null,
  created_at timestamp with time zone not null,
  takes_effect_at timestamp with time zone not null,
  approvals_required integer not null,
  approvals jsonb not null,
  expires_at timestamp with time zone,
  approved_at timestamp with time zone,
  constraint policy_changes_pkey PRIMARY KEY (id),
  constraint policy_changes_approvals_required_check CHECK ((approvals_required >= 0)),
  constraint policy_changes_approved CHECK (((approved_at IS NULL) OR (jsonb_array_length(approvals) >= approvals_required))),
  constraint policy_changes_field_check CHECK ((field = ANY (ARRAY['frozen'::text, 'max_withdrawal_stroops'::text, 'max_rolling_24h_stroops'::text, 'limits'::text, 'destinations'::text, 'approvals'::text]))),
  constraint policy_changes_of_field CHECK ((
CASE
    WHEN (field = 'limits'::text) THEN ((limit_stroops IS NULL) AND ((asset_code IS NOT NULL) = (num_nonnulls(max_withdrawal_stroops, max_rolling_24h_stroops) > 0)))
    WHEN (field ~~ 'max_%'::text) THEN ((asset_code IS NOT NULL) AND (num_nonnulls(max_withdrawal_stroops, max_rolling_24h_stroops) = 0))
    ELSE (num_nonnulls(asset_code, limit_stroops, max_withdrawal_stroops, max_rolling_24h_stroops) = 0)
END AND ((asset_issuer IS NULL) OR (asset_code IS NOT NULL)) AND ((destination IS NULL) OR (field = 'destinations'::text)) AND ((new_approvals IS NULL) OR (field = 'approvals'::text)))),
  constraint policy_changes_once UNIQUE NULLS NOT DISTINCT (wallet_id, field, asset_code, asset_issuer, destination),
  constraint policy_changes_request CHECK (
CASE
    WHEN (approvals_required = 0) THEN (num_nonnulls(expires_at, approved_at) = 0)
    ELSE (expires_at IS NOT NULL)
END),
  constraint policy_changes_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallet_policies(wallet_id)
);
CREATE INDEX policy_changes_requests ON public.policy_changes USING btree (wallet_id, id) WHERE (expires_at IS NOT NULL);
comment on table policy_changes is 'Looser rules that were asked for. From takes_effect_at on, and once it has its approvals, a row is in force wherever it is read; the next change of the policy moves it into wallet_policies.';

create table quarantined_transactions (
  hash text not null,
  ledger integer not null,
  reason text not null,
  envelope_xdr text not null,
  result_xdr text not null,
  meta_xdr text,
  created_at timestamp with time zone not null default now(),
  resolved_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  dismissed_reason text,
  constraint quarantined_transactions_pkey PRIMARY KEY (hash),
  constraint quarantined_transactions_dismissed_with_reason CHECK (((dismissed_at IS NULL) = (dismissed_reason IS NULL)))
);
CREATE INDEX quarantined_open ON public.quarantined_transactions USING btree (ledger) WHERE (resolved_at IS NULL);
comment on table quarantined_transactions is 'Transactions that mention a wallet and could not be read. The reading goes on; a person looks at these.';

create table reconciliations (
  wallet_id entity_id not null,
  asset_code text not null,
  asset_issuer text not null default ''::text,
  ledger integer not null,
  opening_stroops numeric(30,0) not null default 0,
  opening_reason text,
  deposits_stroops numeric(30,0) not null,
  withdrawals_stroops numeric(30,0) not null,
  adjustments_stroops numeric(30,0) not null default 0,
  fees_stroops numeric(30,0) not null,
  balance_stroops bigint not null,
  difference_stroops numeric(30,0) not null,
  agreed_ledger integer,
  may_explain jsonb,
  summed_at timestamp with time zone,
  checked_at timestamp with time zone not null,
  constraint reconciliations_pkey PRIMARY KEY (wallet_id, asset_code, asset_issuer),
  constraint reconciliations_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX reconciliations_different ON public.reconciliations USING btree (wallet_id) WHERE (difference_stroops <> (0)::numeric);
comment on table reconciliations is 'The last comparison of each wallet''s books with its account on the ledger, by asset.';

create table recovery_codes (
  user_id entity_id not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table recovery_codes is 'Codes that stand in for a lost factor. A row is deleted when its code is used.';

create table replaced_metadata (
  address_id entity_id not null,
  version integer not null,
  metadata text,
  constraint replaced_metadata_pkey PRIMARY KEY (address_id, version),
  constraint replaced_metadata_address_id_fkey FOREIGN KEY (address_id) REFERENCES deposit_addresses(id)
);
comment on table replaced_metadata is 'The metadata that addresses had before, for the deposits of that time. Rows stay.';

create table second_factors (
  id entity_id not null,
  user_id entity_id not null,
  kind text not null,
  name text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_used_at timestamp with time zone,
  begun_by entity_id,
  wrong_codes integer not null default 0,
  sealed_secret bytea,
  last_step bigint,
  credential_id text,
  public_key bytea,
  counter bigint,
  transports text[],
  device_type text,
  backed_up boolean,
  aaguid text,
  rp_id text,
  constraint second_factors_pkey PRIMARY KEY (id),
  constraint second_factors_credential_id_key UNIQUE (credential_id),
  constraint second_factors_kind_check CHECK ((kind = ANY (ARRAY['totp'::text, 'passkey'::text]))),
  constraint second_factors_passkey CHECK (((kind <> 'passkey'::text) OR ((credential_id IS NOT NULL) AND (public_key IS NOT NULL) AND (counter IS NOT NULL) AND (rp_id IS NOT NULL) AND (confirmed_at IS NOT NULL)))),
  constraint second_factors_totp CHECK (((kind <> 'totp'::text) OR ((sealed_secret IS NOT NULL) AND (last_step IS NOT NULL)))),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX second_factors_of_user ON public.second_factors USING btree (user_id);
CREATE UNIQUE INDEX second_factors_pending ON public.second_factors USING btree (user_id) WHERE (confirmed_at IS NULL);
CREATE TRIGGER second_factors_sealed BEFORE INSERT OR UPDATE OF sealed_secret ON public.second_factors FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_secret();
comment on table second_factors is 'Authenticator apps and passkeys of users.';

create table service_user_credentials (
  service_user_id entity_id not null,
  credential text not null,
  known_to text[] not null,
  ended_at timestamp with time zone,
  constraint service_user_credentials_pkey PRIMARY KEY (service_user_id, credential),
  constraint service_user_credentials_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES service_users(id)
);
CREATE INDEX service_user_credentials_of_all ON public.service_user_credentials USING btree (credential);
comment on table service_user_credentials is 'Who knows which credential, and until when it was valid. Rows stay.';

create table service_user_secrets (
  id entity_id not null,
  service_user_id entity_id not null,
  secret_hash bytea not null,
  last_four text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint service_user_secrets_pkey PRIMARY KEY (id),
  constraint service_user_secrets_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES service_users(id)
);
CREATE INDEX service_user_secrets_list ON public.service_user_secrets USING btree (service_user_id, id);
CREATE TRIGGER service_user_secrets_ended AFTER DELETE ON public.service_user_secrets FOR EACH ROW EXECUTE FUNCTION note_ended_secret();
comment on table service_user_secrets is 'Two at once at most, so that a rotation has no gap. A retired secret is deleted.';

create table service_user_tokens (
  id entity_id not null,
  service_user_id entity_id not null,
  credential text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint service_user_tokens_pkey PRIMARY KEY (id),
  constraint service_user_tokens_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES service_users(id)
);
CREATE INDEX service_user_tokens_expiry ON public.service_user_tokens USING btree (expires_at);
CREATE INDEX service_user_tokens_of ON public.service_user_tokens USING btree (service_user_id, credential);
comment on table service_user_tokens is 'The login tokens of service users. They end with the credential that they were given for.';

create table service_users (
  id entity_id not null,
  team_id entity_id not null,
  name text not null,
  role text not null,
  wallet_ids text[],
  allowed_ips text[],
  public_keys text not null default '[]'::text,
  created_by entity_id,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_by text,
  removed_at timestamp with time zone,
  constraint service_users_pkey PRIMARY KEY (id),
  constraint service_users_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint service_users_disabled CHECK (((disabled_at IS NULL) = (disabled_by IS NULL))),
  constraint service_users_disabled_by_check CHECK ((disabled_by = ANY (ARRAY['team'::text, 'operator'::text]))),
  constraint service_users_of_all_wallets CHECK (((role <> 'admin'::text) OR (wallet_ids IS NULL))),
  constraint service_users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'operator'::text, 'approver'::text, 'developer'::text, 'auditor'::text, 'viewer'::text]))),
  constraint service_users_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX service_users_list ON public.service_users USING btree (team_id, id) WHERE (removed_at IS NULL);
CREATE TRIGGER service_users_keys AFTER UPDATE OF public_keys, removed_at ON public.service_users FOR EACH ROW EXECUTE FUNCTION note_ended_keys();
comment on table service_users is 'Programs that act with the rights of a member of a team. Rows stay.';

create table sessions (
  id entity_id not null,
  user_id entity_id not null,
  kind text not null,
  device text,
  ip text,
  renewals integer not null default 0,
  renewed_at timestamp with time zone,
  factor_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'program'::text]))),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE TRIGGER sessions_require_second_factor BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION require_second_factor();
comment on table sessions is 'A login token is valid while its row exists. Logout deletes the row.';
comment on column sessions.kind is 'browser: its token is in a cookie. program: its token is sent as a bearer token, and can be renewed.';
comment on column sessions.factor_at is 'When the session last proved a second factor.';
comment on column sessions.expires_at is 'The end of the session unless it is used (browser) or its token is renewed (program) before.';

create table team_invitations (
  id entity_id not null,
  team_id entity_id not null,
  email text not null,
  email_folded text not null,
  role text not null,
  wallet_ids text[],
  token_hash bytea not null,
  invited_by entity_id not null,
  known_to text[] not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint team_invitations_pkey PRIMARY KEY (id),
  constraint team_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint team_invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'operator'::text, 'approver'::text, 'developer'::text, 'auditor'::text, 'viewer'::text]))),
  constraint team_invitations_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint team_invitations_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX team_invitations_list ON public.team_invitations USING btree (team_id, id) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX team_invitations_made ON public.team_invitations USING btree (team_id, created_at);
comment on table team_invitations is 'A link that makes its e-mail address a member of the team, once.';

create table team_members (
  user_id entity_id not null,
  team_id entity_id not null,
  role text not null,
  email_folded text not null,
  wallet_ids text[],
  joined_at timestamp with time zone not null default now(),
  rights_since timestamp with time zone,
  left_at timestamp with time zone,
  constraint team_members_pkey PRIMARY KEY (user_id, joined_at),
  constraint team_members_of_all_wallets CHECK (((role <> ALL (ARRAY['owner'::text, 'admin'::text])) OR (wallet_ids IS NULL))),
  constraint team_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'operator'::text, 'approver'::text, 'developer'::text, 'auditor'::text, 'viewer'::text]))),
  constraint team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint team_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX team_members_email ON public.team_members USING btree (team_id, email_folded) WHERE (left_at IS NULL);
CREATE INDEX team_members_former ON public.team_members USING btree (team_id, user_id) WHERE (left_at IS NOT NULL);
CREATE INDEX team_members_list ON public.team_members USING btree (team_id, user_id) WHERE (left_at IS NULL);
CREATE UNIQUE INDEX team_members_now ON public.team_members USING btree (user_id) WHERE (left_at IS NULL);
CREATE TRIGGER team_members_rights_since BEFORE UPDATE ON public.team_members FOR EACH ROW WHEN ((((old.role IS DISTINCT FROM new.role) OR (old.wallet_ids IS DISTINCT FROM new.wallet_ids)) AND (NOT (old.rights_since IS DISTINCT FROM new.rights_since)))) EXECUTE FUNCTION note_rights_since();
comment on table team_members is 'Who is or was in which team. A user is in one team at a time, with one e-mail once. Rows stay.';
comment on column team_members.rights_since is 'When the role or the wallets last changed. A member approves what was requested after that.';

create table team_usage (
  team_id entity_id not null,
  wallets bigint not null default 0,
  addresses bigint not null default 0,
  constraint team_usage_pkey PRIMARY KEY (team_id)
);
comment on table team_usage is 'How many wallets and deposit addresses a team has made. Its row is locked by who makes one, so that two at once cannot both be the last.';

create table teams (
  id entity_id not null,
  name text not null,
  second_factor_required boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint teams_pkey PRIMARY KEY (id)
);
comment on table teams is 'A team owns wallets: wallets.owner_id and withdrawals.owner_id name it. Everyone who is invited nowhere founds a team of one.';

create table treasury (
  account text not null,
  id entity_id not null,
  sealed_seed bytea not null,
  ledger integer not null default 0,
  tx_hash text,
  envelope_xdr text,
  max_time bigint,
  signed_ledger integer,
  created_at timestamp with time zone not null default now(),
  constraint treasury_pkey PRIMARY KEY (account),
  constraint treasury_id_key UNIQUE (id),
  constraint treasury_transaction_whole CHECK ((num_nulls(tx_hash, envelope_xdr, max_time, signed_ledger) = ANY (ARRAY[0, 4])))
);
CREATE TRIGGER treasury_sealed BEFORE INSERT OR UPDATE OF sealed_seed ON public.treasury FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_seed();
comment on table treasury is 'Accounts that pay for channels. One transaction at a time creates, merges or fills channels: it is committed here before it is sent and stays until its outcome is proven.';

create table treasury_budgets (
  team_id entity_id not null,
  daily_stroops bigint,
  constraint treasury_budgets_pkey PRIMARY KEY (team_id),
  constraint treasury_budgets_daily_stroops_check CHECK ((daily_stroops >= 0))
);
comment on table treasury_budgets is 'What the treasury pays for a team in 24 hours at most. The row is locked by who claims what the treasury pays, so that of two at once one is counted by the other.';

create table tx_sources (
  account text not null,
  kind text not null default 'wallet'::text,
  withdrawal_id entity_id,
  last_sequence bigint,
  blocked_reason text,
  constraint tx_sources_pkey PRIMARY KEY (account),
  constraint tx_sources_kind_check CHECK ((kind = ANY (ARRAY['wallet'::text, 'channel'::text]))),
  constraint tx_sources_withdrawal_id_key UNIQUE (withdrawal_id)
);
CREATE INDEX tx_sources_free_channels ON public.tx_sources USING btree (account) WHERE ((kind = 'channel'::text) AND (withdrawal_id IS NULL));
comment on table tx_sources is 'Accounts whose sequence numbers transactions use: a wallet''s own account or a channel. A source has one withdrawal at a time, so no two live envelopes compete for a sequence number.';

create table unmatched_transactions (
  hash text not null,
  wallet_id entity_id not null,
  ledger integer not null,
  envelope_xdr text not null,
  result_xdr text not null,
  key_fingerprint integer,
  refunds_hash text,
  withdrawal_id entity_id,
  found_at timestamp with time zone not null default now(),
  resolved_at timestamp with time zone,
  released_at timestamp with time zone,
  constraint unmatched_transactions_pkey PRIMARY KEY (hash),
  constraint unmatched_transactions_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint unmatched_transactions_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id)
);
CREATE INDEX unmatched_transactions_key ON public.unmatched_transactions USING btree (key_fingerprint) WHERE ((withdrawal_id IS NULL) AND (released_at IS NULL));
CREATE INDEX unmatched_transactions_open ON public.unmatched_transactions USING btree (wallet_id) WHERE (resolved_at IS NULL);
CREATE INDEX unmatched_transactions_unassigned ON public.unmatched_transactions USING btree (wallet_id, key_fingerprint) WHERE ((withdrawal_id IS NULL) AND (released_at IS NULL));
comment on table unmatched_transactions is 'Outgoing transactions that match no withdrawal: the database was restored from an older copy, or a key is used elsewhere. One that names its key keeps back withdrawals with this key. One that names none keeps back its wallet until a person has resolved it.';

create table unread_wallets (
  hash text not null,
  wallet_id entity_id not null,
  constraint unread_wallets_pkey PRIMARY KEY (wallet_id, hash),
  constraint unread_wallets_hash_fkey FOREIGN KEY (hash) REFERENCES quarantined_transactions(hash),
  constraint unread_wallets_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX unread_wallets_hash ON public.unread_wallets USING btree (hash);
comment on table unread_wallets is 'Wallets that a quarantined transaction of a later protocol names. Nothing is signed for them while it waits in quarantine.';

create table used_assertions (
  service_user_id entity_id not null,
  jti_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint used_assertions_pkey PRIMARY KEY (service_user_id, jti_hash),
  constraint used_assertions_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES service_users(id)
);
CREATE INDEX used_assertions_expiry ON public.used_assertions USING btree (expires_at);
comment on table used_assertions is 'Assertions are good once (RFC 7523, 3). Rows are deleted when the assertion has expired.';

create table users (
  id entity_id not null,
  email text not null,
  email_folded text not null,
  name text not null,
  password_hash text not null,
  enabled_password_hash text,
  password_of_team boolean not null default false,
  factor_failures integer not null default 0,
  last_login_at timestamp with time zone,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_disabled CHECK (((disabled_at IS NULL) = (enabled_password_hash IS NULL)))
);
CREATE INDEX users_email ON public.users USING btree (email_folded);
CREATE CONSTRAINT TRIGGER users_found_team AFTER INSERT ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION found_team();
comment on table users is 'People who log in, each to one team. Two teams may each have a user with one e-mail address.';
comment on column users.email_folded is 'The same for each spelling of the address. src/lib/email.ts folds it; the database never does, because its locale would.';
comment on column users.password_of_team is 'Whether a team has chosen the password, and the user none since. Such a password opens no other team.';
comment on column users.factor_failures is 'Failures of second factors in a row. From 100 on codes of an authenticator app are refused.';
comment on column users.disabled_at is 'The user cannot log in. The wallets, their API keys and their deposits go on.';

create table wallet_policies (
  wallet_id entity_id not null,
  frozen boolean not null default false,
  limits jsonb,
  destinations text[],
  approvals jsonb,
  operator_frozen_at timestamp with time zone,
  operator_freeze_reason text,
  constraint wallet_policies_pkey PRIMARY KEY (wallet_id),
  constraint wallet_policies_limits CHECK ((jsonb_array_length(limits) = jsonb_array_length(jsonb_path_query_array(limits, '$[*]?(((@."max_withdrawal_stroops" == null || @."max_withdrawal_stroops" like_regex "^[1-9][0-9]*$") && (@."max_rolling_24h_stroops" == null || @."max_rolling_24h_stroops" like_regex "^[1-9][0-9]*$")) && (@."max_withdrawal_stroops" != null || @."max_rolling_24h_stroops" != null))'::jsonpath)))),
  constraint wallet_policies_operator_freeze CHECK (((operator_frozen_at IS NOT NULL) OR (operator_freeze_reason IS NULL))),
  constraint wallet_policies_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
comment on table wallet_policies is 'What a wallet may pay out. The row is made when it is first needed. Its lock orders the checks of withdrawals and the changes of the policy.';
comment on column wallet_policies.limits is 'While any asset has a limit, assets without one are refused. Amounts are texts: JSON numbers are doubles for many readers. An asset has one limit or both, which are above 0; null is no limit.';
comment on column wallet_policies.approvals is 'How many members must approve which withdrawals and changes of this policy.';

create table wallets (
  id entity_id not null,
  owner_id entity_id not null,
  name text not null,
  network text not null,
  account text not null,
  sealed_seed bytea not null,
  funded_at timestamp with time zone,
  numeric_memo_text boolean not null default false,
  inserted_xid xid8 not null default pg_current_xact_id(),
  created_at timestamp with time zone not null default now(),
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_account_key UNIQUE (account),
  constraint wallets_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES teams(id)
);
CREATE INDEX wallets_inserted ON public.wallets USING btree (inserted_xid);
CREATE INDEX wallets_owner ON public.wallets USING btree (owner_id, id);
CREATE TRIGGER wallets_sealed BEFORE INSERT OR UPDATE OF sealed_seed ON public.wallets FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_seed();
comment on table wallets is 'A wallet is one Stellar account. Its seed is sealed with the master key.';

create table webhook_attempts (
  delivery_id entity_id not null,
  number integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response_body text,
  request_headers json,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, number)
);
comment on table webhook_attempts is 'What was sent with each attempt, and what came back.';

create table webhook_deliveries (
  id entity_id not null,
  event_id entity_id not null,
  endpoint_id entity_id not null,
  sequence bigint not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  schedule_step integer not null default 0,
  log_pruned boolean not null default false,
  next_attempt_at timestamp with time zone not null default now(),
  leased_until timestamp with time zone,
  settled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id),
  constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
) with (fillfactor=50);
CREATE INDEX webhook_deliveries_delivered ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE (status = 'delivered'::text);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (event_id);
CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE (status = 'failed'::text);
CREATE INDEX webhook_deliveries_list ON public.webhook_deliveries USING btree (endpoint_id, id);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_prunable ON public.webhook_deliveries USING btree (settled_at) WHERE ((status = 'delivered'::text) AND (NOT log_pruned));
CREATE UNIQUE INDEX webhook_deliveries_sequence ON public.webhook_deliveries USING btree (endpoint_id, sequence);
comment on table webhook_deliveries is 'An event for an endpoint. The row is its own job: due at next_attempt_at, claimed by a lease. It is never deleted.';

create table webhook_endpoints (
  id entity_id not null,
  wallet_id entity_id not null,
  url text not null,
  description text,
  events text[] not null default '{deposit.created}'::text[],
  enabled boolean not null default true,
  disabled_reason text,
  sealed_secret bytea not null,
  failing_since timestamp with time zone,
  last_failed_at timestamp with time zone,
  examined_until timestamp with time zone,
  exam_passed_at timestamp with time zone,
  created_by_kind text not null,
  created_by_id entity_id not null,
  created_by_name text,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'service_user'::text, 'api_key'::text]))),
  constraint webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoints_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX webhook_endpoints_list ON public.webhook_endpoints USING btree (wallet_id, id) WHERE (deleted_at IS NULL);
CREATE TRIGGER webhook_endpoints_sealed BEFORE INSERT OR UPDATE OF sealed_secret ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_secret();
comment on table webhook_endpoints is 'URLs that receive the events of a wallet. A deleted one keeps its deliveries.';
comment on column webhook_endpoints.events is 'The types of events that it gets.';
comment on column webhook_endpoints.examined_until is 'An exam of the endpoint runs, at most until this time; null: none runs. After a crash the next exam waits until then.';
comment on column webhook_endpoints.exam_passed_at is 'When the receiver passed an exam last; null: it has not passed one at this URL.';
comment on column webhook_endpoints.created_by_id is 'Of a user, a service user, or an API key. The main key of a wallet has another id after each regeneration.';

create table webhook_events (
  id entity_id not null,
  wallet_id entity_id not null,
  sequence bigint not null,
  type text not null,
  deposit_id entity_id,
  body bytea not null,
  traceparent text,
  created_at timestamp with time zone not null default now(),
  constraint webhook_events_pkey PRIMARY KEY (id),
  constraint webhook_events_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX webhook_events_deposit ON public.webhook_events USING btree (deposit_id) WHERE (deposit_id IS NOT NULL);
CREATE UNIQUE INDEX webhook_events_sequence ON public.webhook_events USING btree (wallet_id, sequence);
comment on table webhook_events is 'The body is stored once. Every attempt and redelivery sends these bytes.';
comment on column webhook_events.traceparent is 'W3C Trace Context: the span of what the event tells, so that deliveries belong to the same trace; null: not traced.';

create table webhook_old_secrets (
  id bigint not null generated always as identity,
  endpoint_id entity_id not null,
  sealed_secret bytea not null,
  signs_until timestamp with time zone not null,
  constraint webhook_old_secrets_pkey PRIMARY KEY (id),
  constraint webhook_old_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id)
);
CREATE INDEX webhook_old_secrets_endpoint ON public.webhook_old_secrets USING btree (endpoint_id, id);
CREATE TRIGGER webhook_old_secrets_sealed BEFORE INSERT OR UPDATE OF sealed_secret ON public.webhook_old_secrets FOR EACH ROW EXECUTE FUNCTION require_sealing_key_of_secret();
comment on table webhook_old_secrets is 'Replaced secrets. Each signs beside the newest one until its own time is over, however often the secret was rotated.';

create table webhook_sequences (
  owner_id entity_id not null,
  last bigint not null,
  constraint webhook_sequences_pkey PRIMARY KEY (owner_id)
);
comment on table webhook_sequences is 'The last number given. The row is locked from then to the commit, so numbers have no gaps and are seen in order: who has read up to n never finds a new one below n.';

create table withdrawal_cursor (
  singleton boolean not null default true,
  ledger integer not null,
  ledger_hash text,
  close_time bigint not null,
  sign_after bigint not null default 0,
  longest_valid_seconds integer not null default 0,
  stop_reason text,
  database_timeline text not null default database_timeline(),
  updated_at timestamp with time zone not null default now(),
  constraint withdrawal_cursor_pkey PRIMARY KEY (singleton),
  constraint withdrawal_cursor_singleton_check CHECK (singleton)
);
comment on table withdrawal_cursor is 'One row: every outgoing transaction up to this ledger is processed. Moved only in the transaction that records outcomes.';

create table withdrawal_days (
  wallet_id entity_id not null,
  day date not null,
  asset_code text not null,
  asset_issuer text,
  withdrawals integer not null,
  stroops numeric(30,0) not null,
  fees_stroops numeric(30,0) not null,
  constraint withdrawal_days_key UNIQUE NULLS NOT DISTINCT (wallet_id, day, asset_code, asset_issuer)
);
comment on table withdrawal_days is 'The confirmed withdrawals of a wallet and an asset on a day: how many, their sum, and what all transactions cost. Each outcome is added in its transaction, so the statistics of a day read one row, however many withdrawals it has.';

create table withdrawals (
  id entity_id not null,
  wallet_id entity_id not null,
  owner_id entity_id not null,
  idempotency_key text collate "C" not null,
  status text not null,
  operation text not null,
  destination text not null,
  amount_stroops bigint not null,
  asset_code text not null default 'native'::text,
  asset_issuer text,
  memo_id numeric(20,0),
  memo_return text,
  refund_of entity_id,
  payee_id entity_id,
  reference text,
  payout_id entity_id,
  payout_row integer,
  requested_by entity_id,
  approvals_required integer not null,
  approvals_cause text,
  approvals jsonb not null default '[]'::jsonb,
  order_hash text,
  approval_expires_at timestamp with time zone,
  approved_at timestamp with time zone,
  tx_source text,
  sequence bigint,
  soroban_data text,
  resource_fee_stroops bigint,
  treasury_stroops bigint,
  envelope_xdr text,
  inner_tx_hash text,
  stellar_tx_hash text,
  fee_bump_hashes text[] not null default '{}'::text[],
  fee_bid_stroops bigint,
  max_time bigint,
  signed_ledger integer,
  ledger integer,
  fee_stroops bigint,
  fee_charged_stroops bigint,
  fee_paid_by text,
  failure_code text,
  failure_message text,
  traceparent text,
  leased_until timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  signed_at timestamp with time zone,
  committed_at timestamp with time zone,
  settled_at timestamp with time zone,
  constraint withdrawals_pkey PRIMARY KEY (id),
  constraint withdrawals_amount_stroops_check CHECK (((amount_stroops > 0) OR ((amount_stroops = 0) AND (operation = ANY (ARRAY['add_trust_line'::text, 'remove_trust_line'::text]))))),
  constraint withdrawals_approvals_cause_check CHECK ((approvals_cause = ANY (ARRAY['amount'::text, 'sum'::text]))),
  constraint withdrawals_approvals_required_check CHECK ((approvals_required >= 0)),
  constraint withdrawals_asset_of_operation CHECK (
CASE
    WHEN (operation = ANY (ARRAY['payment'::text, 'create_account'::text])) THEN (asset_issuer IS NULL)
    WHEN (operation = ANY (ARRAY['asset_payment'::text, 'add_trust_line'::text, 'remove_trust_line'::text])) THEN (asset_issuer IS NOT NULL)
    ELSE true
END),
  constraint withdrawals_awaiting_is_untouched CHECK (((status <> 'awaiting_approval'::text) OR ((approvals_required > 0) AND (order_hash IS NOT NULL) AND (approval_expires_at IS NOT NULL) AND (approved_at IS NULL) AND (tx_source IS NULL) AND (envelope_xdr IS NULL)))),
  constraint withdrawals_contract_transfer CHECK ((((soroban_data IS NULL) = (resource_fee_stroops IS NULL)) AND ((soroban_data IS NULL) OR (operation = 'contract_transfer'::text)) AND ((operation <> 'contract_transfer'::text) OR (soroban_data IS NOT NULL) OR (status = ANY (ARRAY['confirmed'::text, 'failed'::text]))))),
  constraint withdrawals_fee_has_payer CHECK ((num_nulls(fee_stroops, fee_charged_stroops, fee_paid_by) = ANY (ARRAY[0, 3]))),
  constraint withdrawals_fee_paid_by_check CHECK ((fee_paid_by = ANY (ARRAY['wallet'::text, 'channel'::text, 'treasury'::text, 'other'::text]))),
  constraint withdrawals_key_for_ever UNIQUE (owner_id, idempotency_key),
  constraint withdrawals_native_asset CHECK (((asset_issuer IS NOT NULL) OR (asset_code = 'native'::text))),
  constraint withdrawals_operation_check CHECK ((operation = ANY (ARRAY['payment'::text, 'create_account'::text, 'asset_payment'::text, 'contract_transfer'::text, 'add_trust_line'::text, 'remove_trust_line'::text]))),
  constraint withdrawals_payout_row CHECK (((payout_id IS NULL) = (payout_row IS NULL))),
  constraint withdrawals_queued_has_no_envelope CHECK (((status <> 'queued'::text) OR (envelope_xdr IS NULL))),
  constraint withdrawals_refund_of_fkey FOREIGN KEY (refund_of) REFERENCES deposits(id),
  constraint withdrawals_sent_is_approved CHECK (((approvals_required = 0) OR (status <> ALL (ARRAY['queued'::text, 'signed'::text])) OR ((approved_at IS NOT NULL) AND (jsonb_array_length(approvals) >= approvals_required)))),
  constraint withdrawals_settled_has_outcome CHECK (((status = ANY (ARRAY['confirmed'::text, 'failed'::text])) = (settled_at IS NOT NULL))),
  constraint withdrawals_signed_has_envelope CHECK (((status <> 'signed'::text) OR ((envelope_xdr IS NOT NULL) AND (tx_source IS NOT NULL)))),
  constraint withdrawals_status_check CHECK ((status = ANY (ARRAY['awaiting_approval'::text, 'queued'::text, 'signed'::text, 'confirmed'::text, 'failed'::text]))),
  constraint withdrawals_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
);
CREATE INDEX withdrawals_approved ON public.withdrawals USING btree (wallet_id, approved_at) WHERE (approved_at IS NOT NULL);
CREATE INDEX withdrawals_awaiting ON public.withdrawals USING btree (wallet_id, id) WHERE (status = 'awaiting_approval'::text);
CREATE INDEX withdrawals_booked ON public.withdrawals USING btree (wallet_id, ledger) INCLUDE (asset_code, asset_issuer, amount_stroops, fee_stroops, status) WHERE (ledger IS NOT NULL);
CREATE INDEX withdrawals_confirmed ON public.withdrawals USING btree (wallet_id, id) WHERE (status = 'confirmed'::text);
CREATE UNIQUE INDEX withdrawals_creating ON public.withdrawals USING btree (destination) WHERE ((operation = 'create_account'::text) AND (status = 'signed'::text));
CREATE INDEX withdrawals_decided ON public.withdrawals USING btree (owner_id, COALESCE(approved_at, settled_at), id) WHERE ((order_hash IS NOT NULL) AND (payout_id IS NULL) AND (status <> 'awaiting_approval'::text));
CREATE INDEX withdrawals_failed ON public.withdrawals USING btree (wallet_id, id) WHERE (status = 'failed'::text);
CREATE INDEX withdrawals_inner_hash ON public.withdrawals USING btree (inner_tx_hash) WHERE (inner_tx_hash IS NOT NULL);
CREATE INDEX withdrawals_ledger ON public.withdrawals USING btree (ledger, fee_stroops) WHERE (ledger IS NOT NULL);
CREATE INDEX withdrawals_list ON public.withdrawals USING btree (wallet_id, id);
CREATE INDEX withdrawals_open ON public.withdrawals USING btree (leased_until) WHERE (status = ANY (ARRAY['queued'::text, 'signed'::text]));
CREATE INDEX withdrawals_payee ON public.withdrawals USING btree (payee_id, wallet_id, settled_at) INCLUDE (asset_code, asset_issuer, amount_stroops) WHERE ((payee_id IS NOT NULL) AND (status = 'confirmed'::text));
CREATE UNIQUE INDEX withdrawals_payout ON public.withdrawals USING btree (payout_id, payout_row) WHERE (payout_id IS NOT NULL);
CREATE INDEX withdrawals_payout_open ON public.withdrawals USING btree (wallet_id) WHERE ((payout_id IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'signed'::text])));
CREATE INDEX withdrawals_pending ON public.withdrawals USING btree (wallet_id, id) WHERE (status = ANY (ARRAY['queued'::text, 'signed'::text]));
CREATE INDEX withdrawals_queue ON public.withdrawals USING btree (wallet_id, id) WHERE (status = 'queued'::text);
CREATE UNIQUE INDEX withdrawals_refund ON public.withdrawals USING btree (refund_of) WHERE ((refund_of IS NOT NULL) AND (status <> 'failed'::text));
CREATE INDEX withdrawals_refunds ON public.withdrawals USING btree (refund_of, id) WHERE (refund_of IS NOT NULL);
CREATE INDEX withdrawals_search_amount ON public.withdrawals USING btree (wallet_id, amount_stroops);
CREATE INDEX withdrawals_search_destination ON public.withdrawals USING btree (wallet_id, destination COLLATE "C");
CREATE INDEX withdrawals_search_hash ON public.withdrawals USING btree (wallet_id, stellar_tx_hash COLLATE "C") WHERE (stellar_tx_hash IS NOT NULL);
CREATE INDEX withdrawals_search_inner_hash ON public.withdrawals USING btree (wallet_id, inner_tx_hash COLLATE "C") WHERE (inner_tx_hash IS DISTINCT FROM stellar_tx_hash);
CREATE INDEX withdrawals_search_memo_id ON public.withdrawals USING btree (wallet_id, ((memo_id)::text) COLLATE "C") WHERE (memo_id IS NOT NULL);
CREATE INDEX withdrawals_search_reference ON public.withdrawals USING btree (wallet_id, lower((reference COLLATE "C"))) WHERE (reference IS NOT NULL);
CREATE INDEX withdrawals_spent ON public.withdrawals USING btree (wallet_id, created_at) INCLUDE (amount_stroops) WHERE (status <> 'failed'::text);
CREATE INDEX withdrawals_spent_issued ON public.withdrawals USING btree (wallet_id, asset_code, asset_issuer, created_at) INCLUDE (amount_stroops, approvals_required) WHERE ((status <> 'failed'::text) AND (asset_issuer IS NOT NULL));
CREATE INDEX withdrawals_spent_native ON public.withdrawals USING btree (wallet_id, created_at) INCLUDE (amount_stroops, approvals_required) WHERE ((status <> 'failed'::text) AND (asset_issuer IS NULL));
CREATE INDEX withdrawals_treasury ON public.withdrawals USING btree (owner_id, COALESCE(approved_at, created_at)) WHERE (treasury_stroops IS NOT NULL);
CREATE INDEX withdrawals_trust_lines ON public.withdrawals USING btree (wallet_id, asset_code, asset_issuer, id) WHERE (operation = ANY (ARRAY['add_trust_line'::text, 'remove_trust_line'::text]));
comment on table withdrawals is 'A withdrawal is one payment and, once signed, one inner transaction for ever. Its idempotency key is never free again, which makes a retry harmless. A refund is a withdrawal of a whole deposit to its sender.';
comment on column withdrawals.approvals is 'Who approved or rejected the withdrawal, in this order. Each user is in it once.';
comment on column withdrawals.soroban_data is 'Of a contract transfer: the ledger entries that it uses, and its resources. Its envelope is built with it.';
comment on column withdrawals.traceparent is 'W3C Trace Context: the span that has claimed it, so that other processes go on with the same trace; null: not traced.';

create view address_labels as
 SELECT id,
    wallet_id,
    memo_id,
    label,
    metadata
   FROM deposit_addresses;
comment on view address_labels is 'Deposit addresses for the search in a wallet''s list of transactions, and for what a webhook delivery tells of.';

create view adjustment_movements as
 SELECT id,
    wallet_id,
    asset_code,
    asset_issuer,
    reason,
    amount_stroops,
    caused_by,
    stellar_tx_hash,
    created_at
   FROM adjustments;
comment on view adjustment_movements is 'Adjustments for a wallet''s list of transactions and its statistics.';

create view allowed_destinations as
 SELECT policy_changes.wallet_id,
    policy_changes.destination
   FROM policy_changes
  WHERE (policy_changes.destination IS NOT NULL)
UNION ALL
 SELECT wallet_policies.wallet_id,
    unnest(wallet_policies.destinations) AS destination
   FROM wallet_policies;
comment on view allowed_destinations is 'The entries of the allow lists, and those that pending changes add: nobody deletes a payee that is one of them.';

create view approval_needs as
 SELECT wallet_id,
    approvals
   FROM wallet_policies
  WHERE (approvals IS NOT NULL);
comment on view approval_needs is 'The wallets that ask for approvals, and how many: for who removes members.';

create view audit_entries as
 SELECT chain,
    seq,
    entry,
    hash,
    action
   FROM audit_log;
comment on view audit_entries is 'The audit log, for the alerts.';

create view audit_tails as
 SELECT chain,
    seq
   FROM audit_heads;
comment on view audit_tails is 'The last entry of each chain, for the alerts.';

create view deposit_movements as
 SELECT id,
    wallet_id,
    address_id,
    asset_code,
    asset_issuer,
    amount_stroops,
    below_minimum,
    source_account,
    stellar_tx_hash,
    kind,
    memo_id,
    memo_type,
    memo,
    attributed,
    assigned_by_hand,
    created_at
   FROM deposits;
comment on view deposit_movements is 'Deposits for a wallet''s list of transactions and its status.';

create view fees_in_flight as
 SELECT wallet_id,
    fee_bid_stroops,
    resource_fee_stroops
   FROM withdrawals
  WHERE ((operation = 'contract_transfer'::text) AND (status = ANY (ARRAY['queued'::text, 'signed'::text])));
comment on view fees_in_flight is 'What contract transfers without an outcome declare as fee: it must be there when they are sent, though most of it comes back.';

create view known_payees as
 SELECT id,
    team_id,
    destination,
    memo_id
   FROM payees
  WHERE (deleted_at IS NULL);
comment on view known_payees is 'Whom a team pays, for the payee of a withdrawal.';

create view member_roles as
 SELECT user_id,
    team_id,
    role
   FROM team_members
  WHERE (left_at IS NULL);
comment on view member_roles is 'Who is in which team now, for the mails of a team.';

create view payee_payments as
 SELECT payee_id,
    wallet_id,
    asset_code,
    asset_issuer,
    amount_stroops,
    settled_at
   FROM withdrawals
  WHERE ((payee_id IS NOT NULL) AND (status = 'confirmed'::text));
comment on view payee_payments is 'What payees were paid, and when.';

create view payments_to_destinations as
 SELECT wallet_id,
    destination,
    memo_id,
    settled_at
   FROM withdrawals
  WHERE ((status = 'confirmed'::text) AND (operation <> ALL (ARRAY['add_trust_line'::text, 'remove_trust_line'::text])));
comment on view payments_to_destinations is 'Whom wallets have paid, and when.';

create view refundable_deposits as
 SELECT id,
    wallet_id,
    asset_code,
    asset_issuer,
    amount_stroops,
    source_account,
    source_account_muxed,
    stellar_tx_hash,
    attributed
   FROM deposits;
comment on view refundable_deposits is 'Deposits for refunds: what is paid back, to whom, and whether it is assigned.';

create view refunds as
 SELECT id,
    refund_of,
    status,
    stellar_tx_hash
   FROM withdrawals
  WHERE (refund_of IS NOT NULL);
comment on view refunds is 'Withdrawals that pay a deposit back, failed ones too: for the inbox.';

create view team_names as
 SELECT id,
    name
   FROM teams;
comment on view team_names is 'How mails call a team.';

create view user_addresses as
 SELECT id,
    email,
    disabled_at
   FROM users;
comment on view user_addresses is 'Where mails of a user go.';

create view wallet_accounts as
 SELECT id,
    account,
    numeric_memo_text,
    created_at
   FROM wallets;
comment on view wallet_accounts is 'Wallets for who looks for their accounts on the ledger: no owner, no seed.';

create view wallet_assets as
 SELECT DISTINCT wallet_id,
    asset_code,
    asset_issuer
   FROM withdrawals
  WHERE (operation = ANY (ARRAY['add_trust_line'::text, 'remove_trust_line'::text]));
comment on view wallet_assets is 'The issued assets that a wallet has, had or asked for: whose trust lines are worth reading.';

create view wallet_keys as
 SELECT id,
    account,
    sealed_seed
   FROM wallets;
comment on view wallet_keys is 'Wallets for who signs.';

create view wallet_owners as
 SELECT id,
    owner_id
   FROM wallets;
comment on view wallet_owners is 'Wallets and their teams, for who compares Idempotency-Keys: a key is unique to a team.';

create view withdrawal_bookings as
 SELECT id,
    wallet_id,
    status,
    asset_code,
    asset_issuer,
    amount_stroops,
    fee_stroops,
    stellar_tx_hash,
    ledger,
    created_at
   FROM withdrawals;
comment on view withdrawal_bookings is 'What each transaction of a wallet took from it, by asset, and its fee: for the comparison of books.';

create view withdrawal_movements as
 SELECT id,
    wallet_id,
    owner_id,
    idempotency_key,
    reference,
    payout_id,
    payout_row,
    status,
    operation,
    destination,
    amount_stroops,
    asset_code,
    asset_issuer,
    fee_stroops,
    memo_id,
    stellar_tx_hash,
    inner_tx_hash,
    ledger,
    created_at
   FROM withdrawals
  WHERE (operation <> ALL (ARRAY['add_trust_line'::text, 'remove_trust_line'::text]));
comment on view withdrawal_movements is 'Withdrawals for a wallet''s list of transactions, its balance and the comparison of its books.';
