-- The whole schema, slice by slice: the floor, auth, audit, alerts, wallets, deposits, withdrawals, ledgers, webhooks
-- (ARCHITECTURE.md). A table is written by its slice alone and read by others through the slice's views.
-- src/db/table-access.test.ts checks that.
-- Amounts are in stroops (bigint; sums are numeric). A close time or max time is ledger time, in Unix seconds.

-- Ids are text with a prefix and sort by time. Collation "C" makes their order the same on every server.
create domain entity_id as text collate "C";

-- PostgreSQL gives a new cluster another system identifier. It gives a cluster that was promoted, or restored to a point in
-- time, another timeline. In both cases the newest commits may be missing.
create function database_timeline() returns text language sql stable as $$
  select (pg_control_system()).system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
$$;

-- floor --------------------------------------------------------------------------------------------------

create table key_providers (
  key_check  bytea primary key,                 -- of the data key in "wrapped"; reveals nothing of it
  kind       text not null check (kind in ('aws-kms', 'pkcs11')),
  key        text not null,                     -- as the operator named it
  wrapped    bytea not null,                    -- a data key of no use, which only this key of the provider unwraps
  since      timestamptz not null,
  left_at    timestamptz                        -- from then on no seed needed it
);
comment on table key_providers is
  'The keys of key providers that wrap data keys of seeds. The one whose left_at is null may be needed to open them.';

create table leaderships (
  work         text primary key,                -- what one process at a time does: deposits or reconciliation
  term         bigint not null,                 -- each leader has the next one
  leader       text not null,                   -- host and process id, for people
  moved_at     timestamptz not null,            -- of the last write of a leader, or of the beginning of its term
  disputed_at  timestamptz                      -- when a process with the lock last saw that another one leads
);
comment on table leaderships is
  'Who leads. Each write of a leader checks and moves the row in its own transaction, so a leader before writes nothing more.';

create table installation (
  singleton          boolean primary key default true check (singleton),
  network            text not null,
  passphrase         text not null,
  key_check          bytea not null,            -- derived from MASTER_KEY; reveals nothing of it
  provider_check     bytea references key_providers,
  start_ledger       integer not null,          -- every wallet is younger: deposits are read after this ledger
  start_ledger_hash  text not null,             -- the next ledger must name it
  created_at         timestamptz not null default now()
);
comment on table installation is
  'One row: the network of this database, and the master key that seals now. A start with another network or passphrase, or '
  'without that key, is refused.';
comment on column installation.provider_check is
  'The key of the provider that wraps the data keys of new seeds; null: the master key alone seals them.';

create table master_keys (
  key_check      bytea primary key,             -- derived from the key; reveals nothing of it
  sealing_since  timestamptz not null,
  left_at        timestamptz                    -- from then on no row was sealed with it
);
comment on table master_keys is
  'The master keys of this database, from the first rotation on. The key whose left_at is null still opens rows.';

-- Sealed bytes begin with 1 and the first bytes of the check of their master key; seeds that a key provider has a part in with 2,
-- the same, and the first bytes of the check of the provider. The lock keeps a rotation from coming between this look and the
-- commit: so no row is ever committed that a key seals which a rotation has left.
create function require_sealing_key(sealed bytea, is_seed boolean) returns void language plpgsql as $$
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
end $$;

create function require_sealing_key_of_seed() returns trigger language plpgsql as $$
begin
  perform require_sealing_key(new.sealed_seed, true);
  return new;
end $$;

create function require_sealing_key_of_secret() returns trigger language plpgsql as $$
begin
  if new.sealed_secret is not null and (tg_op = 'INSERT' or new.sealed_secret is distinct from old.sealed_secret) then
    perform require_sealing_key(new.sealed_secret, false);
  end if;
  return new;
end $$;

-- auth: users and teams ----------------------------------------------------------------------------------

create table users (
  id                     entity_id primary key,
  email                  text not null,         -- as it was typed; mails go there
  email_folded           text not null,
  name                   text not null,
  password_hash          text not null,         -- argon2id, PHC string
  enabled_password_hash  text,                  -- of a disabled user: the hash that comes back; nobody has that in password_hash
  password_of_team       boolean not null default false,
  factor_failures        integer not null default 0,
  last_login_at          timestamptz,           -- null: never
  disabled_at            timestamptz,
  created_at             timestamptz not null default now(),
  constraint users_disabled check ((disabled_at is null) = (enabled_password_hash is null))
);
create index users_email on users (email_folded);
comment on table users is 'People who log in, each to one team. Two teams may each have a user with one e-mail address.';
comment on column users.email_folded is
  'The same for each spelling of the address. src/lib/email.ts folds it; the database never does, because its locale would.';
comment on column users.disabled_at is 'The user cannot log in. The wallets, their API keys and their deposits go on.';
comment on column users.password_of_team is
  'Whether a team has chosen the password, and the user none since. Such a password opens no other team.';
comment on column users.factor_failures is
  'Failures of second factors in a row. From 100 on codes of an authenticator app are refused.';

create table teams (
  id                      entity_id primary key, -- that of the user who founded it
  name                    text not null,
  second_factor_required  boolean not null default false,
  created_at              timestamptz not null default now()
);
comment on table teams is
  'A team owns wallets: wallets.owner_id and withdrawals.owner_id name it. Everyone who is invited nowhere founds a team of one.';

create table team_members (
  user_id       entity_id not null references users,
  team_id       entity_id not null references teams,
  role          text not null
    check (role in ('owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer')),
  email_folded  text not null,
  wallet_ids    text[],                         -- null: every wallet of the team
  joined_at     timestamptz not null default now(),
  rights_since  timestamptz,                    -- null: since joined_at
  left_at       timestamptz,
  primary key (user_id, joined_at),
  constraint team_members_of_all_wallets check (role not in ('owner', 'admin') or wallet_ids is null)
);
create unique index team_members_now on team_members (user_id) where left_at is null;
create unique index team_members_email on team_members (team_id, email_folded) where left_at is null;
create index team_members_list on team_members (team_id, user_id) where left_at is null;
create index team_members_former on team_members (team_id, user_id) where left_at is not null;
comment on table team_members is 'Who is or was in which team. A user is in one team at a time, with one e-mail once. Rows stay.';
comment on column team_members.rights_since is
  'When the role or the wallets last changed. A member approves what was requested after that.';

create function note_rights_since() returns trigger language plpgsql as $$
begin
  new.rights_since := now();
  return new;
end $$;
create trigger team_members_rights_since before update on team_members for each row
  when ((old.role is distinct from new.role or old.wallet_ids is distinct from new.wallet_ids)
        and old.rights_since is not distinct from new.rights_since)
  execute function note_rights_since();

-- At the commit, so that who accepts an invitation is a member already and founds no team.
create function found_team() returns trigger language plpgsql as $$
begin
  if not exists (select from team_members where user_id = new.id) then
    insert into teams (id, name) values (new.id, new.name);
    insert into team_members (user_id, team_id, role, email_folded) values (new.id, new.id, 'owner', new.email_folded);
  end if;
  return null;
end $$;
create constraint trigger users_found_team after insert on users
  deferrable initially deferred for each row execute function found_team();

create table team_invitations (
  id           entity_id primary key,
  team_id      entity_id not null references teams,
  email        text not null,
  email_folded text not null,
  role         text not null
    check (role in ('owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer')),
  wallet_ids   text[],
  token_hash   bytea not null unique,           -- SHA-256 of the token: 32 random bytes need no slow hash
  invited_by   entity_id not null references users,
  known_to     text[] not null,                 -- who could see the link: who invited, and who could be that user; empty: mailed
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  accepted_at  timestamptz,
  revoked_at   timestamptz
);
create index team_invitations_list on team_invitations (team_id, id) where accepted_at is null and revoked_at is null;
create index team_invitations_made on team_invitations (team_id, created_at);
comment on table team_invitations is 'A link that makes its e-mail address a member of the team, once.';

create table invitation_mails (
  email_folded  text primary key,
  mailed_at     timestamptz not null
);
comment on table invitation_mails is
  'Whom a mail with an invitation of any team went to within the last hour. Older rows are deleted.';

create table team_usage (
  team_id    entity_id primary key,
  wallets    bigint not null default 0,
  addresses  bigint not null default 0
);
comment on table team_usage is
  'How many wallets and deposit addresses a team has made. Its row is locked by who makes one, so that two at once cannot both '
  'be the last.';

create view user_addresses as
  select id, email, disabled_at from users;
comment on view user_addresses is 'Where mails of a user go.';

create view member_roles as
  select user_id, team_id, role from team_members where left_at is null;
comment on view member_roles is 'Who is in which team now, for the mails of a team.';

create view team_names as
  select id, name from teams;
comment on view team_names is 'How mails call a team.';

-- auth: logins -------------------------------------------------------------------------------------------

create table sessions (
  id            entity_id primary key,
  user_id       entity_id not null references users,
  kind          text not null check (kind in ('browser', 'program')),
  device        text,                           -- the browser and its system, or the program; null: not known
  ip            text,                           -- where the login came from; null: not known
  renewals      integer not null default 0,     -- the number of the newest login token that was used
  renewed_at    timestamptz,                    -- since when the login token before it ends
  factor_at     timestamptz,
  last_used_at  timestamptz,                    -- to the minute; null: not yet
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
comment on table sessions is 'A login token is valid while its row exists. Logout deletes the row.';
comment on column sessions.kind is
  'browser: its token is in a cookie. program: its token is sent as a bearer token, and can be renewed.';
comment on column sessions.factor_at is 'When the session last proved a second factor.';
comment on column sessions.expires_at is
  'The end of the session unless it is used (browser) or its token is renewed (program) before.';

create table second_factors (
  id             entity_id primary key,
  user_id        entity_id not null references users,
  kind           text not null check (kind in ('totp', 'passkey')),
  name           text not null,
  created_at     timestamptz not null,
  confirmed_at   timestamptz,                   -- null: a TOTP of which no code was right yet; it is no factor
  last_used_at   timestamptz,
  -- of a TOTP
  begun_by       entity_id,                     -- the session that began it, until it is confirmed
  wrong_codes    integer not null default 0,    -- until it is confirmed
  sealed_secret  bytea,                         -- encrypted under a key derived from the master key, bound to the id
  last_step      bigint,                        -- the step of the last code: an equal or older one is refused
  -- of a passkey
  credential_id  text unique,
  public_key     bytea,                         -- COSE
  counter        bigint,
  transports     text[],
  device_type    text,
  backed_up      boolean,
  aaguid         text,
  rp_id          text,                          -- the host name that the passkey is for
  constraint second_factors_totp check (kind <> 'totp' or (sealed_secret is not null and last_step is not null)),
  constraint second_factors_passkey check (kind <> 'passkey' or (
    credential_id is not null and public_key is not null and counter is not null and rp_id is not null
    and confirmed_at is not null))
);
create index second_factors_of_user on second_factors (user_id);
create unique index second_factors_pending on second_factors (user_id) where confirmed_at is null;
create trigger second_factors_sealed before insert or update of sealed_secret on second_factors
  for each row execute function require_sealing_key_of_secret();
comment on table second_factors is 'Authenticator apps and passkeys of users.';

-- Without a proof a session of a user with a factor is not inserted, like that of a user whose password has just changed.
create function require_second_factor() returns trigger language plpgsql as $$
begin
  if new.factor_at is null and exists (
    select from second_factors where user_id = new.user_id and confirmed_at is not null
  ) then
    return null;
  end if;
  return new;
end $$;
create trigger sessions_require_second_factor before insert on sessions
  for each row execute function require_second_factor();

create table recovery_codes (
  user_id    entity_id not null references users,
  code_hash  bytea not null,                    -- SHA-256: 128 random bits need no slow hash
  primary key (user_id, code_hash)
);
comment on table recovery_codes is 'Codes that stand in for a lost factor. A row is deleted when its code is used.';

create table factor_challenges (
  id                 bigint generated always as identity primary key,
  token_hash         bytea unique,              -- of a login: SHA-256 of its challenge, which has 32 random bytes
  user_id            entity_id not null references users,
  purpose            text not null check (purpose in ('login', 'step_up', 'register')),
  session_id         entity_id references sessions on delete cascade,
  verified_hash      text,                      -- of a login: the password hash that the password was right for
  device             text,                      -- of a login: the known device of the browser
  failures           integer not null default 0,
  passkey_challenge  text not null,             -- what a passkey signs
  expires_at         timestamptz not null,
  unique (session_id, purpose),
  constraint factor_challenges_of_session check ((purpose = 'login') = (session_id is null)),
  constraint factor_challenges_of_login check (
    (purpose = 'login') = (token_hash is not null) and (purpose = 'login') = (verified_hash is not null))
);
create index factor_challenges_age on factor_challenges (expires_at);
comment on table factor_challenges is
  'Logins whose password was right, and passkeys that a session asks for. Each is used once, within five minutes.';

create table login_failure_counts (
  key        text primary key,                  -- `device:` or `account:` and a digest, or `addresses:` and a block of addresses
  failures   integer not null,
  failed_at  timestamptz not null               -- of a block of addresses: since when the failures have not decreased
);
create index login_failure_counts_age on login_failure_counts (failed_at);
comment on table login_failure_counts is
  'Failed logins, by whose attempts are counted together (src/auth/passwords/login-limits.ts). A row without a failure for an hour is '
  'deleted.';

-- auth: service users ------------------------------------------------------------------------------------

create table service_users (
  id            entity_id primary key,          -- the client id, too
  team_id       entity_id not null references teams,
  name          text not null,
  role          text not null check (role in ('admin', 'operator', 'approver', 'developer', 'auditor', 'viewer')),
  wallet_ids    text[],                         -- null: every wallet of the team
  allowed_ips   text[],                         -- CIDR blocks; null: every address
  public_keys   text not null default '[]',     -- JSON Web Keys, as JSON
  created_by    entity_id references users,     -- null: the operator
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  disabled_at   timestamptz,
  disabled_by   text check (disabled_by in ('team', 'operator')),
  removed_at    timestamptz,
  constraint service_users_of_all_wallets check (role <> 'admin' or wallet_ids is null),
  constraint service_users_disabled check ((disabled_at is null) = (disabled_by is null))
);
create index service_users_list on service_users (team_id, id) where removed_at is null;
comment on table service_users is 'Programs that act with the rights of a member of a team. Rows stay.';

create table service_user_secrets (
  id               entity_id primary key,
  service_user_id  entity_id not null references service_users,
  secret_hash      bytea not null,              -- SHA-256: 256 random bits need no slow hash
  last_four        text not null,
  created_at       timestamptz not null default now(),
  last_used_at     timestamptz
);
create index service_user_secrets_list on service_user_secrets (service_user_id, id);
comment on table service_user_secrets is 'Two at once at most, so that a rotation has no gap. A retired secret is deleted.';

create table known_passwords (
  user_id      entity_id primary key references users,
  known_to     text[] not null,                 -- the users who chose it, saw the link, or could be one of these
  old_factors  text[],                          -- the factors of the user when they chose another one; null: not yet
  ended_at     timestamptz                      -- when the user had another one and none of these factors; null: not yet
);
comment on table known_passwords is 'Members whose first password somebody else chose, or could have chosen with the link of an invitation.';

create table service_user_credentials (
  service_user_id  entity_id not null references service_users,
  credential       text not null,               -- the id of the secret, or the thumbprint of the public key (RFC 7638)
  known_to         text[] not null,             -- the users who were shown or gave it; none: the operator made it
  ended_at         timestamptz,                 -- null: it is valid
  primary key (service_user_id, credential)
);
create index service_user_credentials_of_all on service_user_credentials (credential);
comment on table service_user_credentials is 'Who knows which credential, and until when it was valid. Rows stay.';

-- However a credential ends: its knowers stay known, with the time.
create function note_ended_secret() returns trigger language plpgsql as $$
begin
  update service_user_credentials set ended_at = clock_timestamp()
   where service_user_id = old.service_user_id and credential = old.id;
  return null;
end $$;
create trigger service_user_secrets_ended after delete on service_user_secrets for each row
  execute function note_ended_secret();

create function note_ended_keys() returns trigger language plpgsql as $$
begin
  update service_user_credentials set ended_at = clock_timestamp()
   where service_user_id = new.id and ended_at is null
     and credential in (select key ->> 'thumbprint' from jsonb_array_elements(old.public_keys::jsonb) as key)
     and (new.removed_at is not null or credential not in (
       select key ->> 'thumbprint' from jsonb_array_elements(new.public_keys::jsonb) as key));
  return null;
end $$;
create trigger service_users_keys after update of public_keys, removed_at on service_users for each row
  execute function note_ended_keys();

-- Not in `sessions`: these tokens are good only from the addresses of their service user.
create table service_user_tokens (
  id               entity_id primary key,
  service_user_id  entity_id not null references service_users,
  credential       text not null,               -- as in service_user_credentials
  created_at       timestamptz not null default now(),
  expires_at       timestamptz not null
);
create index service_user_tokens_of on service_user_tokens (service_user_id, credential);
create index service_user_tokens_expiry on service_user_tokens (expires_at);
comment on table service_user_tokens is
  'The login tokens of service users. They end with the credential that they were given for.';

create table used_assertions (
  service_user_id  entity_id not null references service_users,
  jti_hash         bytea not null,
  expires_at       timestamptz not null,
  primary key (service_user_id, jti_hash)
);
create index used_assertions_expiry on used_assertions (expires_at);
comment on table used_assertions is
  'Assertions are good once (RFC 7523, 3). Rows are deleted when the assertion has expired.';

-- repeated requests --------------------------------------------------------------------------------------

create table idempotent_requests (
  owner_id     entity_id not null references teams,
  operation    text not null,
  key_hash     bytea not null,                  -- SHA-256 of the Idempotency-Key
  body_hash    bytea not null,                  -- SHA-256 of path, query and body
  claim_id     text not null,                   -- of the request that may make it: another one after a take-over
  state        text not null default 'in_flight' check (state in ('in_flight', 'made')),
  lease_until  timestamptz not null,
  target_kind  text,
  target_id    text,
  status       integer,
  answer       text,                            -- the first answer, without secrets
  created_at   timestamptz not null,
  primary key (owner_id, operation, key_hash),
  constraint idempotent_requests_made check ((state = 'made') = (target_kind is not null)),
  constraint idempotent_requests_answer check ((status is null) = (answer is null) and (answer is null or state = 'made'))
);
create index idempotent_requests_age on idempotent_requests (created_at);
comment on table idempotent_requests is
  'Requests with an Idempotency-Key that make something. The state becomes made in the transaction that makes it. Rows are '
  'deleted after 24 hours. Withdrawals, refunds and payouts keep their keys elsewhere, for ever.';

-- audit --------------------------------------------------------------------------------------------------

create table audit_heads (
  chain  text primary key,                      -- the id of a team, or 'service'
  seq    bigint not null,
  hash   bytea not null
);
comment on table audit_heads is 'The last entry of each chain of the audit log. Locked by who appends.';

create table audit_log (
  chain      text not null,
  seq        bigint not null,                   -- 1, 2, 3, … in each chain
  entry      text not null,                     -- JSON; the hash is over exactly this text
  hash       bytea not null,                    -- SHA-256 of the hash before, seq and entry
  id         text not null generated always as (entry::jsonb ->> 'id') stored,
  at         text not null generated always as (entry::jsonb ->> 'at') stored,
  action     text not null generated always as (entry::jsonb ->> 'action') stored,
  actor_id   text generated always as (entry::jsonb -> 'actor' ->> 'id') stored,
  target_id  text generated always as (entry::jsonb -> 'target' ->> 'id') stored,
  wallet_id  text generated always as (entry::jsonb ->> 'wallet_id') stored,
  primary key (chain, seq)
);
create index audit_log_action on audit_log (chain, action, seq);
create index audit_log_actor on audit_log (chain, actor_id, seq);
create index audit_log_target on audit_log (chain, target_id, seq);
create index audit_log_wallet on audit_log (chain, wallet_id, seq);
comment on table audit_log is 'Who changed what, when and from where. Rows are only ever appended, by append_audit.';

create function audit_hash(before bytea, seq bigint, entry text) returns bytea
language sql immutable return sha256(before || int8send(seq) || convert_to(entry, 'UTF8'));

-- Each chain begins with the hash of its name, so that an entry cannot move to another chain.
create function append_audit(chains text[], entries text[]) returns table (seq bigint, hash bytea)
language plpgsql as $$
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
end $$;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();

create view audit_tails as
  select chain, seq from audit_heads;
comment on view audit_tails is 'The last entry of each chain, for the alerts.';

create view audit_entries as
  select chain, seq, entry, hash, action from audit_log;
comment on view audit_entries is 'The audit log, for the alerts.';

-- alerts -------------------------------------------------------------------------------------------------

create table alert_settings (
  team_id          entity_id primary key references teams,
  kinds            text[],                      -- null: every kind, also those of later versions
  url              text,                        -- null: no webhook
  sealed_secret    bytea,
  disabled_reason  text,                        -- of the webhook; null: it is sent to
  failing_since    timestamptz,                 -- null: the last attempt was acknowledged
  last_failed_at   timestamptz,
  last_failure     text,
  constraint alert_settings_signed check ((url is null) = (sealed_secret is null)),
  constraint alert_settings_failed check ((last_failed_at is null) = (last_failure is null))
);
create trigger alert_settings_sealed before insert or update of sealed_secret on alert_settings
  for each row execute function require_sealing_key_of_secret();
comment on table alert_settings is
  'Which alerts a team gets, and its webhook. A team without a row gets every kind by mail.';

create table alert_thresholds (
  team_id         entity_id not null references alert_settings,
  asset_code      text not null,
  asset_issuer    text,                         -- null: the native asset
  amount_stroops  bigint not null check (amount_stroops >= 0),
  constraint alert_thresholds_once unique nulls not distinct (team_id, asset_code, asset_issuer)
);
comment on table alert_thresholds is 'Withdrawals of a larger amount make an alert.';

create table alert_old_webhooks (
  id             bigint primary key generated always as identity,
  team_id        entity_id not null references alert_settings,
  url            text not null,
  sealed_secret  bytea not null,
  told_until     timestamptz not null
);
create index alert_old_webhooks_team on alert_old_webhooks (team_id);
create trigger alert_old_webhooks_sealed before insert or update of sealed_secret on alert_old_webhooks
  for each row execute function require_sealing_key_of_secret();
comment on table alert_old_webhooks is
  'Webhooks that a team had before, with their secrets. They still get the alerts of changed settings for a while: nobody can '
  'remove a webhook unseen.';

create table alert_cursors (
  chain  text primary key,
  seq    bigint not null
);
comment on table alert_cursors is 'The entry of each chain of the audit log up to which alerts are made.';

create table alerts (
  chain       text not null,
  seq         bigint not null,                  -- the entry that the alert tells
  receiver    text not null,                    -- 'webhook', 'webhook N' for an old one, or the id of a user who gets a mail
  kind        text not null,
  attempts    integer not null default 0,
  due_at      timestamptz not null,             -- of an attempt under way: the end of its lease
  created_at  timestamptz not null,
  primary key (chain, seq, receiver)
);
create index alerts_due on alerts (due_at);
comment on table alerts is 'Alerts that are not sent yet. A row is deleted when its alert is sent or given up.';

-- wallets ------------------------------------------------------------------------------------------------

create table wallets (
  id                 entity_id primary key,
  owner_id           entity_id not null references teams,
  name               text not null,
  network            text not null,
  account            text not null unique,      -- G…
  sealed_seed        bytea not null,            -- only vault/ can open it
  funded_at          timestamptz,               -- when friendbot funded it; a wallet with deposits is active too
  numeric_memo_text  boolean not null default false, -- a memo text of digits counts as a memo id
  inserted_xid       xid8 not null default pg_current_xact_id(), -- lets a process read only the new wallets
  created_at         timestamptz not null default now()
);
create index wallets_owner on wallets (owner_id, id);
create index wallets_inserted on wallets (inserted_xid);
create trigger wallets_sealed before insert or update of sealed_seed on wallets
  for each row execute function require_sealing_key_of_seed();
comment on table wallets is 'A wallet is one Stellar account. Its seed is sealed with the master key.';

create view wallet_accounts as
  select id, account, numeric_memo_text, created_at from wallets;
comment on view wallet_accounts is 'Wallets for who looks for their accounts on the ledger: no owner, no seed.';

create view wallet_keys as
  select id, account, sealed_seed from wallets;
comment on view wallet_keys is 'Wallets for who signs.';

create view wallet_owners as
  select id, owner_id from wallets;
comment on view wallet_owners is 'Wallets and their teams, for who compares Idempotency-Keys: a key is unique to a team.';

-- auth: access to wallets --------------------------------------------------------------------------------

create table api_keys (
  id            entity_id primary key,
  wallet_id     entity_id not null references wallets,
  name          text,                           -- null: the main key of the wallet
  key_hash      bytea not null unique,          -- SHA-256 of the whole key: 32 random bytes need no slow hash
  prefix        text not null,
  last_four     text not null,
  scopes        text[] check (cardinality(scopes) > 0 and scopes <@ array['read', 'addresses', 'webhooks']), -- null: all
  allowed_ips   text[],                         -- CIDR blocks; null: every address
  created_by    entity_id references users,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,                    -- null: it does not expire
  last_used_at  timestamptz,
  constraint api_keys_kind check (case when name is null then num_nonnulls(scopes, allowed_ips, created_by, expires_at) = 0
                                       else num_nulls(scopes, created_by) = 0 end)
);
create unique index api_keys_main on api_keys (wallet_id) where name is null;
create index api_keys_list on api_keys (wallet_id, id);
comment on table api_keys is
  'API keys of a wallet: the main key, whose regeneration replaces all of the row, and named keys. A deleted key has no row.';

create table access_changes (
  id            entity_id primary key,
  team_id       entity_id not null references teams,
  kind          text not null check (kind in ('members', 'api_keys', 'payees')),
  operation     text not null,                  -- the operation id of the request
  wallet_id     entity_id references wallets,   -- of an API key
  wallet_ids    text[],                         -- whose policies decide; null: of every wallet of the team
  target_id     entity_id,                      -- the member, service user or payee that exists already
  change        text not null,                  -- JSON, without secrets; as text, because the hash is over it
  order_hash    text not null,                  -- what an approval is about: SHA-256, hex
  requested_by  entity_id not null,             -- the user or service user
  approvals     jsonb not null default '[]',    -- [{user_id, decision, comment, order_hash, at}]
  created_at    timestamptz not null,
  expires_at    timestamptz not null
);
create index access_changes_list on access_changes (team_id, id);
comment on table access_changes is
  'Changes of members, service users, API keys and payees that members must approve. A row goes with its change, its rejection '
  'or its end; decided_changes and the audit log keep it.';

create table decided_changes (
  id          entity_id not null,               -- of the change, whose own row goes
  team_id     entity_id not null references teams,
  kind        text not null check (kind in ('policy_change', 'members', 'api_keys', 'payees')),
  wallet_ids  text[],                           -- the wallets that it is about; null: every wallet of the team
  outcome     text not null
    check (outcome in ('approved', 'not_needed', 'rejected', 'approval_expired', 'requester_removed', 'cancelled')),
  change      text not null,                    -- JSON as the API showed it when it was decided or over
  decided_at  timestamptz not null,
  primary key (team_id, decided_at, id)
);
comment on table decided_changes is
  'Changes of policies and of access that awaited approvals, and how each ended. A withdrawal or a payout keeps that in its own row.';

-- payees -------------------------------------------------------------------------------------------------

create table payees (
  id            entity_id primary key,
  team_id       entity_id not null references teams,
  name          text not null,
  destination   text not null,                  -- G…, M…, C… or W…; never changes
  memo_id       numeric(20, 0),                 -- of every payment; null: each payment says it
  asset_code    text,                           -- the only asset that is paid; null: any
  asset_issuer  text,                           -- null: the native asset, or any
  note          text,
  created_by    entity_id not null,             -- the user or service user
  created_at    timestamptz not null,
  named_at      timestamptz not null,           -- since when it has its name
  paid_before   timestamptz,                    -- when the team last paid it before it was a payee; null: never
  deleted_at    timestamptz,
  constraint payees_asset check (asset_issuer is null or asset_code is not null),
  constraint payees_native_asset check (asset_issuer is not null or asset_code = 'native')
);
create index payees_list on payees (team_id, id) where deleted_at is null;
create unique index payees_name on payees (team_id, lower(name collate "C")) where deleted_at is null;
-- Nobody is a payee twice: a payment has one payee.
create unique index payees_recipient on payees (team_id, destination, memo_id) nulls not distinct where deleted_at is null;
comment on table payees is
  'Whom a team pays, by name. A deleted one keeps its row: a request that named it can be repeated, and its key is known.';

create view known_payees as
  select id, team_id, destination, memo_id from payees where deleted_at is null;
comment on view known_payees is 'Whom a team pays, for the payee of a withdrawal.';

-- deposits -----------------------------------------------------------------------------------------------

create table deposit_addresses (
  id                entity_id primary key,
  wallet_id         entity_id not null references wallets,
  memo_id           bigint not null check (memo_id between 1 and 9007199254740991),
  label             text,
  metadata          text,                       -- JSON text exactly as given: jsonb would reorder and round
  metadata_version  integer not null default 0,
  created_at        timestamptz not null default now(),
  unique (wallet_id, memo_id)
);
create index deposit_addresses_list on deposit_addresses (wallet_id, id);
comment on table deposit_addresses is 'A memo id of a wallet, with what its owner wrote about the payer.';
comment on column deposit_addresses.metadata_version is 'How often its metadata was replaced.';

-- What a search by a part of a label or of the metadata looks up: each sequence of one to three bytes in them, in lower case
-- (ASCII), and the id of the wallet, which is longer. Built in: a server may lack the extension pg_trgm.
create function search_parts(wallet_id text, label text, metadata text) returns bytea[]
language sql immutable parallel safe cost 1000 as $$
  select array_agg(distinct part)
    from (select convert_to(wallet_id, 'UTF8') as part
           union all
          select substr(bytes, start, length)
            from unnest(array[label, metadata]) as given (text)
           cross join lateral convert_to(lower(given.text collate "C"), 'UTF8') as bytes
           cross join generate_series(1, 3) as length
           cross join lateral generate_series(1, octet_length(bytes) - length + 1) as start) as parts
$$;
-- Without the list of pending entries: a search would read all of it, and one insert would pay for many.
create index deposit_addresses_search on deposit_addresses
 using gin (search_parts(wallet_id, label, metadata)) with (fastupdate = off);
create index deposit_addresses_search_memo_id on deposit_addresses (wallet_id, (memo_id::text) collate "C");

create table replaced_metadata (
  address_id  entity_id not null references deposit_addresses,
  version     integer not null,
  metadata    text,                             -- JSON as given; null: the address was made without any
  primary key (address_id, version)
);
comment on table replaced_metadata is 'The metadata that addresses had before, for the deposits of that time. Rows stay.';

create table deposits (
  id                    entity_id primary key,
  wallet_id             entity_id not null references wallets,
  address_id            entity_id references deposit_addresses,
  metadata_version      integer,
  asset_code            text not null,
  asset_issuer          text,
  amount_stroops        bigint not null check (amount_stroops > 0),
  below_minimum         boolean not null default false,
  source_account        text not null,
  source_account_muxed  text,                   -- M… that paid: a custodian needs its id to credit a refund
  stellar_tx_hash       text not null,
  operation_index       integer not null,
  event_index           integer not null default 0,
  kind                  text not null default 'payment' check (kind in
    ('payment', 'create_account', 'path_payment_strict_send', 'path_payment_strict_receive', 'account_merge',
     'contract_transfer', 'contract_mint')),
  memo_id               numeric(20, 0),
  memo_type             text not null default 'none' check (memo_type in ('none', 'id', 'text', 'hash', 'return')),
  memo                  text,                   -- as text, or base64 of bytes that are no text
  ledger                integer not null,
  attributed            boolean not null,
  assigned_by_hand      boolean not null default false,
  created_at            timestamptz not null default now(),
  constraint deposits_attributed_has_address check (attributed = (address_id is not null)),
  constraint deposits_credit unique (stellar_tx_hash, operation_index, event_index)
);
create index deposits_list on deposits (wallet_id, id);
create index deposits_by_address on deposits (address_id, id) where address_id is not null;
create index deposits_inbox on deposits (wallet_id, attributed, id);
create index deposits_booked on deposits (wallet_id, ledger) include (asset_code, asset_issuer, amount_stroops);
-- A search by the beginning of a text. Without the ids in them, rows of the same sender or memo share an entry.
create index deposits_search_hash on deposits (wallet_id, stellar_tx_hash collate "C");
create index deposits_search_sender on deposits (wallet_id, source_account collate "C");
create index deposits_search_memo_id on deposits (wallet_id, (memo_id::text) collate "C") where memo_id is not null;
create index deposits_search_memo_text on deposits (wallet_id, lower(memo collate "C")) where memo_type = 'text';
create index deposits_search_memo_by_hand on deposits (wallet_id, memo collate "C") where assigned_by_hand;
create index deposits_search_amount on deposits (wallet_id, amount_stroops);
comment on table deposits is
  'Each credit to a wallet. The unique constraint makes a credit one deposit, however often its ledger is read.';
comment on column deposits.metadata_version is
  'That of its address when the deposit was attributed. The metadata of an address may change; the deposit keeps what it was.';
comment on column deposits.below_minimum is
  'Smaller than the minimum that its wallet had for the asset: recorded, and told by no event.';

create function note_metadata_version() returns trigger language plpgsql as $$
begin
  new.metadata_version := (select metadata_version from deposit_addresses where id = new.address_id);
  return new;
end $$;
create trigger deposits_metadata_version before insert or update of address_id on deposits for each row
  when (new.address_id is not null)
  execute function note_metadata_version();

-- Whether an unattributed deposit brings no customer's money: it names nobody, and it made the account or came from a wallet of the
-- team (src/wallets/own-funds.ts says the same).
create function is_own_funds(wallet_id text, memo_type text, memo_id numeric, kind text, source_account text)
returns boolean language sql stable as $$
  select memo_type = 'none' and memo_id is null
         and (kind = 'create_account' or exists (
           select from wallets as sender join wallets as paid on paid.owner_id = sender.owner_id
            where sender.account = is_own_funds.source_account and paid.id = is_own_funds.wallet_id))
$$;

create table deposit_days (
  wallet_id           entity_id not null,
  day                 date not null,            -- of the creation of its deposits, in UTC
  asset_code          text not null,
  asset_issuer        text,
  deposits            integer not null,
  stroops             numeric(30, 0) not null,
  own_funds           integer not null,         -- how many of the deposits are own funds
  own_funds_stroops   numeric(30, 0) not null,
  constraint deposit_days_key unique nulls not distinct (wallet_id, day, asset_code, asset_issuer)
);
comment on table deposit_days is
  'The deposits of a wallet and an asset on a day: how many, and their sum. Triggers add each deposit in its transaction, so the '
  'statistics of a day read one row, however many deposits it has.';

-- In the order of the key, so that two transactions never wait for each other.
create function add_to_deposit_days() returns trigger language plpgsql as $$
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
end $$;
create trigger deposits_days after insert on deposits referencing new table as added
  for each statement execute function add_to_deposit_days();

-- A deposit that is assigned to an address is no own funds any more.
create function take_from_own_funds() returns trigger language plpgsql as $$
begin
  update deposit_days as total
     set own_funds = total.own_funds - 1, own_funds_stroops = total.own_funds_stroops - old.amount_stroops
   where total.wallet_id = old.wallet_id and total.day = (old.created_at at time zone 'UTC')::date
     and total.asset_code = old.asset_code and total.asset_issuer is not distinct from old.asset_issuer
     and is_own_funds(old.wallet_id, old.memo_type, old.memo_id, old.kind, old.source_account);
  return null;
end $$;
create trigger deposits_assigned after update of attributed on deposits for each row
  when (new.attributed and not old.attributed) execute function take_from_own_funds();

create table address_activity (
  address_id  entity_id primary key references deposit_addresses,
  wallet_id   entity_id not null,
  latest_id   entity_id not null
);
create unique index address_activity_list on address_activity (wallet_id, latest_id);
comment on table address_activity is
  'The order of deposit addresses by their last deposit. A table of its own: each deposit changes a row, and an address has an index for the search.';
comment on column address_activity.latest_id is
  'Of its last deposit; before the first one, of the address itself, which sorts below all deposits.';

create table deposit_minimums (
  wallet_id       entity_id not null references wallets,
  asset_code      text not null,
  asset_issuer    text,
  amount_stroops  bigint not null check (amount_stroops > 0),
  constraint deposit_minimums_of_asset unique nulls not distinct (wallet_id, asset_code, asset_issuer)
);
comment on table deposit_minimums is
  'The smallest deposit of an asset for which a wallet gets an event. An asset without a row has no minimum.';

create table adjustments (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallets,
  asset_code       text not null,
  asset_issuer     text,                        -- null: the native asset
  reason           text not null check (reason in
    ('clawback', 'contract_transfer', 'contract_burn', 'authorized', 'maintain_liabilities', 'authorization_revoked')),
  amount_stroops   bigint not null,             -- what was taken; 0 for a change of the trust line
  operation        text not null check (operation in
    ('clawback', 'set_trust_line_flags', 'allow_trust', 'invoke_host_function')),
  caused_by        text not null,               -- the account (G…) or contract (C…) that did it
  stellar_tx_hash  text not null,
  operation_index  integer not null,
  event_index      integer not null default 0,
  ledger           integer not null,
  created_at       timestamptz not null default now(),
  constraint adjustments_amount_of_reason check
    (case when reason in ('clawback', 'contract_transfer', 'contract_burn') then amount_stroops > 0
          else amount_stroops = 0 end),
  constraint adjustments_place unique (stellar_tx_hash, operation_index, event_index, wallet_id)
);
create index adjustments_of_wallet on adjustments (wallet_id, id);
create index adjustments_booked on adjustments (wallet_id, ledger) include (asset_code, asset_issuer, amount_stroops);
create index adjustments_search_hash on adjustments (wallet_id, stellar_tx_hash collate "C");
comment on table adjustments is
  'What others did to a wallet without paying it: they took some of its balance, or changed what a trust line may do.';

create table reconciliations (
  wallet_id            entity_id not null references wallets,
  asset_code           text not null,
  asset_issuer         text not null default '',         -- empty for the native asset: a key has no nulls
  ledger               integer not null,                 -- at which the books and the account were compared
  opening_stroops      numeric(30, 0) not null default 0, -- differences whose cause a person has found
  opening_reason       text,
  deposits_stroops     numeric(30, 0) not null,
  withdrawals_stroops  numeric(30, 0) not null,
  adjustments_stroops  numeric(30, 0) not null default 0,
  fees_stroops         numeric(30, 0) not null,
  balance_stroops      bigint not null,                  -- of the account, on the ledger
  difference_stroops   numeric(30, 0) not null,          -- the account's balance less the books'
  agreed_ledger        integer,                          -- the last one without a difference
  may_explain          jsonb,                            -- possible causes of a difference; null before the search
  -- When the sums were last made of all rows. In between, each comparison adds the rows of the ledgers since the last one.
  summed_at            timestamptz,
  checked_at           timestamptz not null,
  primary key (wallet_id, asset_code, asset_issuer)
);
create index reconciliations_different on reconciliations (wallet_id) where difference_stroops <> 0;
comment on table reconciliations is 'The last comparison of each wallet''s books with its account on the ledger, by asset.';

create view address_labels as
  select id, wallet_id, memo_id, label, metadata from deposit_addresses;
comment on view address_labels is 'Deposit addresses for the search in a wallet''s list of transactions, and for what a webhook delivery tells of.';

create view deposit_movements as
  select id, wallet_id, address_id, asset_code, asset_issuer, amount_stroops, below_minimum, source_account, stellar_tx_hash,
         kind, memo_id, memo_type, memo, attributed, assigned_by_hand, created_at
    from deposits;
comment on view deposit_movements is 'Deposits for a wallet''s list of transactions and its status.';

create view adjustment_movements as
  select id, wallet_id, asset_code, asset_issuer, reason, amount_stroops, caused_by, stellar_tx_hash, created_at
    from adjustments;
comment on view adjustment_movements is 'Adjustments for a wallet''s list of transactions and its statistics.';

create view refundable_deposits as
  select id, wallet_id, asset_code, asset_issuer, amount_stroops, source_account, source_account_muxed, stellar_tx_hash,
         attributed
    from deposits;
comment on view refundable_deposits is 'Deposits for refunds: what is paid back, to whom, and whether it is assigned.';

-- In the order of ids, so that two transactions never wait for each other. A lock through a view has no such order:
-- PostgreSQL locks below the sort.
create function lock_deposits(ids text[]) returns setof refundable_deposits language sql as $$
  select id, wallet_id, asset_code, asset_issuer, amount_stroops, source_account, source_account_muxed, stellar_tx_hash,
         attributed
    from deposits where id = any(ids) order by id for update
$$;

-- withdrawals --------------------------------------------------------------------------------------------

create table tx_sources (
  account         text primary key,
  kind            text not null default 'wallet' check (kind in ('wallet', 'channel')),
  withdrawal_id   entity_id unique,             -- has the source from before signing until its outcome is proven; null: free
  last_sequence   bigint,                       -- of the last transaction known to be applied; null before the first
  blocked_reason  text                          -- why nothing is signed with it: for people; null when it is used
);
create index tx_sources_free_channels on tx_sources (account) where kind = 'channel' and withdrawal_id is null;
comment on table tx_sources is
  'Accounts whose sequence numbers transactions use: a wallet''s own account or a channel. A source has one withdrawal at a '
  'time, so no two live envelopes compete for a sequence number.';

create table treasury (
  account        text primary key,
  id             entity_id not null unique,     -- the seed is sealed for this id
  sealed_seed    bytea not null,
  ledger         integer not null default 0,    -- of its last proven transaction: a source behind it is not believed
  tx_hash        text,                          -- with the next three: its transaction that has no outcome yet
  envelope_xdr   text,
  max_time       bigint,
  signed_ledger  integer,                       -- newest processed ledger when it was signed
  created_at     timestamptz not null default now(),
  constraint treasury_transaction_whole check (num_nulls(tx_hash, envelope_xdr, max_time, signed_ledger) in (0, 4))
);
create trigger treasury_sealed before insert or update of sealed_seed on treasury
  for each row execute function require_sealing_key_of_seed();
comment on table treasury is
  'Accounts that pay for channels. One transaction at a time creates, merges or fills channels: it is committed here '
  'before it is sent and stays until its outcome is proven.';

create table treasury_budgets (
  team_id        entity_id primary key,
  daily_stroops  bigint check (daily_stroops >= 0) -- null: TREASURY_TEAM_DAILY_STROOPS
);
comment on table treasury_budgets is
  'What the treasury pays for a team in 24 hours at most. The row is locked by who claims what the treasury pays, so that of two '
  'at once one is counted by the other.';

create table channels (
  account      text primary key,
  id           entity_id not null unique,       -- the seed is sealed for this id
  sealed_seed  bytea not null,
  sponsor      text not null references treasury, -- pays its reserve and gets it back
  status       text not null check (status in ('creating', 'active', 'retired', 'merged')),
  tx_hash      text,                            -- the sponsor's open transaction that creates or merges it
  created_at   timestamptz not null default now(),
  constraint channels_transaction_by_status check (tx_hash is null or status in ('creating', 'retired'))
);
create index channels_by_status on channels (status, account);
create trigger channels_sealed before insert or update of sealed_seed on channels
  for each row execute function require_sealing_key_of_seed();
comment on table channels is
  'Channel accounts. The sealed seed is committed before the account''s first transaction is sent, so no key is ever lost.';

-- Which Idempotency-Key a transaction pays, in 30 bits of a hash: the transaction has it as its minTime
-- (src/withdrawals/engine/key-fingerprint.ts computes the same).
create function key_fingerprint(wallet_id text, idempotency_key text) returns integer language sql stable as $$
  select 1 + (('x' || left(encode(sha256(convert_to('withdrawal ' || wallet_id || ' ' || idempotency_key, 'UTF8')), 'hex'), 8))
              ::bit(32)::bigint >> 2)::integer
$$;

create table withdrawals (
  id                    entity_id primary key,
  wallet_id             entity_id not null references wallets,
  owner_id              entity_id not null,     -- the team; no foreign key, because its wallet has the same owner
  idempotency_key       text not null collate "C",
  status                text not null check (status in ('awaiting_approval', 'queued', 'signed', 'confirmed', 'failed')),
  operation             text not null check (operation in
    ('payment', 'create_account', 'asset_payment', 'contract_transfer', 'add_trust_line', 'remove_trust_line')),
  destination           text not null,
  amount_stroops        bigint not null,
  asset_code            text not null default 'native',
  asset_issuer          text,                   -- null: the native asset
  memo_id               numeric(20, 0),
  memo_return           text,                   -- hash of the transaction that a refund pays back
  refund_of             entity_id references deposits,
  payee_id              entity_id,              -- the payee of the team that it pays, when it was asked for
  reference             text,                   -- whatever the customer calls it; of a row of a payout, the reference of the row
  payout_id             entity_id,              -- the payout whose row it pays
  payout_row            integer,
  -- what members must approve
  requested_by          entity_id,              -- the user or service user
  approvals_required    integer not null check (approvals_required >= 0), -- 0: none
  approvals_cause       text check (approvals_cause in ('amount', 'sum')), -- why, when it was asked for; null: none
  approvals             jsonb not null default '[]', -- [{user_id, decision, comment, order_hash, at}]
  order_hash            text,                   -- what an approval is about: SHA-256 of the canonical order, hex
  approval_expires_at   timestamptz,
  approved_at           timestamptz,            -- when the last approval sent it
  -- the envelope
  tx_source             text,                   -- account; no foreign key: a merged channel is gone, its withdrawals stay
  sequence              bigint,
  soroban_data          text,                   -- XDR SorobanTransactionData, base64: what the simulation before the claim gave
  resource_fee_stroops  bigint,                 -- the resource fee in it
  treasury_stroops      bigint,                 -- what the treasury was to pay when it was asked for; null: nothing
  envelope_xdr          text,                   -- committed before it is first sent
  inner_tx_hash         text,
  stellar_tx_hash       text,
  fee_bump_hashes       text[] not null default '{}', -- of every fee-bump that was ever sent: each may be the applied one
  fee_bid_stroops       bigint,                 -- of the newest envelope
  max_time              bigint,                 -- a later ledger cannot include the envelope
  signed_ledger         integer,                -- newest processed ledger when it was signed: absence is proven from there on
  -- the outcome
  ledger                integer,
  fee_stroops           bigint,                 -- what the wallet paid: 0 when somebody else paid
  fee_charged_stroops   bigint,                 -- what the network charged, whoever paid
  fee_paid_by           text check (fee_paid_by in ('wallet', 'channel', 'treasury', 'other')),
  failure_code          text,
  failure_message       text,
  traceparent           text,
  leased_until          timestamptz not null,   -- other processes leave the row alone until then
  created_at            timestamptz not null default now(),
  signed_at             timestamptz,
  committed_at          timestamptz,            -- when the envelope was committed, before it was first sent
  settled_at            timestamptz,            -- when the outcome was recorded
  constraint withdrawals_key_for_ever unique (owner_id, idempotency_key),
  constraint withdrawals_amount_stroops_check
    check (amount_stroops > 0 or (amount_stroops = 0 and operation in ('add_trust_line', 'remove_trust_line'))),
  constraint withdrawals_asset_of_operation
    check (case when operation in ('payment', 'create_account') then asset_issuer is null
                when operation in ('asset_payment', 'add_trust_line', 'remove_trust_line') then asset_issuer is not null
                else true end),
  constraint withdrawals_native_asset check (asset_issuer is not null or asset_code = 'native'),
  constraint withdrawals_payout_row check ((payout_id is null) = (payout_row is null)),
  constraint withdrawals_awaiting_is_untouched check (status <> 'awaiting_approval'
    or (approvals_required > 0 and order_hash is not null and approval_expires_at is not null and approved_at is null
        and tx_source is null and envelope_xdr is null)),
  constraint withdrawals_sent_is_approved check (approvals_required = 0
    or status not in ('queued', 'signed')
    or (approved_at is not null and jsonb_array_length(approvals) >= approvals_required)),
  constraint withdrawals_contract_transfer check (
    (soroban_data is null) = (resource_fee_stroops is null)
    and (soroban_data is null or operation = 'contract_transfer')
    and (operation <> 'contract_transfer' or soroban_data is not null or status in ('confirmed', 'failed'))),
  constraint withdrawals_queued_has_no_envelope check (status <> 'queued' or envelope_xdr is null),
  constraint withdrawals_signed_has_envelope
    check (status <> 'signed' or (envelope_xdr is not null and tx_source is not null)),
  constraint withdrawals_settled_has_outcome check ((status in ('confirmed', 'failed')) = (settled_at is not null)),
  constraint withdrawals_fee_has_payer check (num_nulls(fee_stroops, fee_charged_stroops, fee_paid_by) in (0, 3))
);
create index withdrawals_list on withdrawals (wallet_id, id);
create index withdrawals_queue on withdrawals (wallet_id, id) where status = 'queued';
create index withdrawals_open on withdrawals (leased_until) where status in ('queued', 'signed');
create index withdrawals_inner_hash on withdrawals (inner_tx_hash) where inner_tx_hash is not null;
create index withdrawals_ledger on withdrawals (ledger, fee_stroops) where ledger is not null;
-- What the comparison of books sums, by asset, without reading the rows themselves.
create index withdrawals_booked on withdrawals (wallet_id, ledger)
 include (asset_code, asset_issuer, amount_stroops, fee_stroops, status) where ledger is not null;
-- The sums of the last 24 hours are read while a wallet's policy is locked: by asset, from the index alone. A withdrawal counts
-- towards them from its approval on.
create index withdrawals_spent on withdrawals (wallet_id, created_at) include (amount_stroops) where status <> 'failed';
create index withdrawals_spent_native on withdrawals (wallet_id, created_at) include (amount_stroops, approvals_required)
 where status <> 'failed' and asset_issuer is null;
create index withdrawals_spent_issued on withdrawals (wallet_id, asset_code, asset_issuer, created_at)
 include (amount_stroops, approvals_required) where status <> 'failed' and asset_issuer is not null;
create index withdrawals_approved on withdrawals (wallet_id, approved_at) where approved_at is not null;
-- What the treasury pays for a team in 24 hours.
create index withdrawals_treasury on withdrawals (owner_id, (coalesce(approved_at, created_at)))
 where treasury_stroops is not null;
-- Of several orders to one new account, of any wallet and process, one envelope at a time creates the account.
create unique index withdrawals_creating on withdrawals (destination) where operation = 'create_account' and status = 'signed';
create unique index withdrawals_refund on withdrawals (refund_of) where refund_of is not null and status <> 'failed';
create index withdrawals_refunds on withdrawals (refund_of, id) where refund_of is not null; -- failed ones too
-- A row of a payout has one withdrawal.
create unique index withdrawals_payout on withdrawals (payout_id, payout_row) where payout_id is not null;
create index withdrawals_payout_open on withdrawals (wallet_id)
 where payout_id is not null and status in ('queued', 'signed');
create index withdrawals_awaiting on withdrawals (wallet_id, id) where status = 'awaiting_approval';
-- What members have decided; a row of a payout is decided with its payout.
create index withdrawals_decided on withdrawals (owner_id, (coalesce(approved_at, settled_at)), id)
 where order_hash is not null and payout_id is null and status <> 'awaiting_approval';
-- The changes of a wallet's trust lines, which are few.
create index withdrawals_trust_lines on withdrawals (wallet_id, asset_code, asset_issuer, id)
 where operation in ('add_trust_line', 'remove_trust_line');
-- Lists filtered by a status that few rows have, or none.
create index withdrawals_pending on withdrawals (wallet_id, id) where status in ('queued', 'signed');
create index withdrawals_failed on withdrawals (wallet_id, id) where status = 'failed';
create index withdrawals_confirmed on withdrawals (wallet_id, id) where status = 'confirmed';
-- When each wallet last paid a payee, and what a payee was paid, from the index alone.
create index withdrawals_payee on withdrawals (payee_id, wallet_id, settled_at)
 include (asset_code, asset_issuer, amount_stroops) where payee_id is not null and status = 'confirmed';
-- A search by the beginning of a text, as in deposits.
create index withdrawals_search_hash on withdrawals (wallet_id, stellar_tx_hash collate "C")
 where stellar_tx_hash is not null;
create index withdrawals_search_inner_hash on withdrawals (wallet_id, inner_tx_hash collate "C")
 where inner_tx_hash is distinct from stellar_tx_hash;
create index withdrawals_search_destination on withdrawals (wallet_id, destination collate "C");
create index withdrawals_search_memo_id on withdrawals (wallet_id, (memo_id::text) collate "C") where memo_id is not null;
create index withdrawals_search_amount on withdrawals (wallet_id, amount_stroops);
create index withdrawals_search_reference on withdrawals (wallet_id, (lower(reference collate "C")))
 where reference is not null;
comment on table withdrawals is
  'A withdrawal is one payment and, once signed, one inner transaction for ever. Its idempotency key is never free again, '
  'which makes a retry harmless. A refund is a withdrawal of a whole deposit to its sender.';
comment on column withdrawals.approvals is
  'Who approved or rejected the withdrawal, in this order. Each user is in it once.';
comment on column withdrawals.soroban_data is
  'Of a contract transfer: the ledger entries that it uses, and its resources. Its envelope is built with it.';
comment on column withdrawals.traceparent is
  'W3C Trace Context: the span that has claimed it, so that other processes go on with the same trace; null: not traced.';

create table withdrawal_days (
  wallet_id      entity_id not null,
  day            date not null,                 -- of the creation of its withdrawals, in UTC
  asset_code     text not null,
  asset_issuer   text,
  withdrawals    integer not null,              -- confirmed
  stroops        numeric(30, 0) not null,
  fees_stroops   numeric(30, 0) not null,       -- native: also of failed ones, and of changes of the trust line
  constraint withdrawal_days_key unique nulls not distinct (wallet_id, day, asset_code, asset_issuer)
);
comment on table withdrawal_days is
  'The confirmed withdrawals of a wallet and an asset on a day: how many, their sum, and what all transactions cost. Each outcome is '
  'added in its transaction, so the statistics of a day read one row, however many withdrawals it has.';

create view refunds as
  select id, refund_of, status, stellar_tx_hash from withdrawals where refund_of is not null;
comment on view refunds is 'Withdrawals that pay a deposit back, failed ones too: for the inbox.';

create view withdrawal_movements as
  select id, wallet_id, owner_id, idempotency_key, reference, payout_id, payout_row, status, operation, destination,
         amount_stroops, asset_code, asset_issuer, fee_stroops, memo_id, stellar_tx_hash, inner_tx_hash, ledger, created_at
    from withdrawals where operation not in ('add_trust_line', 'remove_trust_line');
comment on view withdrawal_movements is
  'Withdrawals for a wallet''s list of transactions, its balance and the comparison of its books.';

-- The changes of trust lines too: they move no asset, and their fees are paid.
create view withdrawal_bookings as
  select id, wallet_id, status, asset_code, asset_issuer, amount_stroops, fee_stroops, stellar_tx_hash, ledger, created_at
    from withdrawals;
comment on view withdrawal_bookings is
  'What each transaction of a wallet took from it, by asset, and its fee: for the comparison of books.';

create view payee_payments as
  select payee_id, wallet_id, asset_code, asset_issuer, amount_stroops, settled_at
    from withdrawals where payee_id is not null and status = 'confirmed';
comment on view payee_payments is 'What payees were paid, and when.';

create view payments_to_destinations as
  select wallet_id, destination, memo_id, settled_at from withdrawals
   where status = 'confirmed' and operation not in ('add_trust_line', 'remove_trust_line');
comment on view payments_to_destinations is 'Whom wallets have paid, and when.';

create view wallet_assets as
  select distinct wallet_id, asset_code, asset_issuer from withdrawals
   where operation in ('add_trust_line', 'remove_trust_line');
comment on view wallet_assets is
  'The issued assets that a wallet has, had or asked for: whose trust lines are worth reading.';

create view fees_in_flight as
  select wallet_id, fee_bid_stroops, resource_fee_stroops
    from withdrawals where operation = 'contract_transfer' and status in ('queued', 'signed');
comment on view fees_in_flight is
  'What contract transfers without an outcome declare as fee: it must be there when they are sent, though most of it comes back.';

-- withdrawals: policies ----------------------------------------------------------------------------------

create table wallet_policies (
  wallet_id               entity_id primary key references wallets,
  frozen                  boolean not null default false, -- by the owner
  limits                  jsonb,                -- [{asset_code, asset_issuer, max_…_stroops}]; null: no asset has a limit
  destinations            text[],               -- addresses and payees; null: everywhere; '{}': nowhere
  approvals               jsonb,                -- {required, above, for}; null: none are asked for
  -- The operator's freeze is no part of the policy: no login can undo it.
  operator_frozen_at      timestamptz,
  operator_freeze_reason  text,
  constraint wallet_policies_operator_freeze check (operator_frozen_at is not null or operator_freeze_reason is null),
  constraint wallet_policies_limits check (
    jsonb_array_length(limits) = jsonb_array_length(jsonb_path_query_array(limits, '$[*] ? (
      (@.max_withdrawal_stroops == null || @.max_withdrawal_stroops like_regex "^[1-9][0-9]*$") &&
      (@.max_rolling_24h_stroops == null || @.max_rolling_24h_stroops like_regex "^[1-9][0-9]*$") &&
      (@.max_withdrawal_stroops != null || @.max_rolling_24h_stroops != null))')))
);
comment on table wallet_policies is
  'What a wallet may pay out. The row is made when it is first needed. Its lock orders the checks of withdrawals and the '
  'changes of the policy.';
comment on column wallet_policies.limits is
  'While any asset has a limit, assets without one are refused. Amounts are texts: JSON numbers are doubles for many readers. '
  'An asset has one limit or both, which are above 0; null is no limit.';
comment on column wallet_policies.approvals is
  'How many members must approve which withdrawals and changes of this policy.';

create table policy_changes (
  id                       entity_id primary key,
  wallet_id                entity_id not null references wallet_policies,
  field                    text not null
    check (field in ('frozen', 'max_withdrawal_stroops', 'max_rolling_24h_stroops', 'limits', 'destinations', 'approvals')),
  asset_code               text,                -- of a limit; null for limits: all assets, which have no limits any more
  asset_issuer             text,
  limit_stroops            bigint,              -- of a max_… field: the new limit, null for none
  max_withdrawal_stroops   bigint,              -- of limits: what an asset that was refused gets
  max_rolling_24h_stroops  bigint,
  destination              text,                -- of destinations: the address to add, null for everywhere
  new_approvals            jsonb,               -- of approvals: the new rule, null for none
  requested_by             entity_id not null,  -- the user who asked first
  created_at               timestamptz not null,
  takes_effect_at          timestamptz not null,
  -- what members must approve
  approvals_required       integer not null check (approvals_required >= 0), -- 0: none
  approvals                jsonb not null,      -- [{user_id, decision, comment, order_hash, at}]
  expires_at               timestamptz,
  approved_at              timestamptz,         -- when the last approval came
  constraint policy_changes_of_field check (
    case when field = 'limits' then limit_stroops is null
           and (asset_code is not null) = (num_nonnulls(max_withdrawal_stroops, max_rolling_24h_stroops) > 0)
         when field like 'max_%' then asset_code is not null
           and num_nonnulls(max_withdrawal_stroops, max_rolling_24h_stroops) = 0
         else num_nonnulls(asset_code, limit_stroops, max_withdrawal_stroops, max_rolling_24h_stroops) = 0 end
    and (asset_issuer is null or asset_code is not null)
    and (destination is null or field = 'destinations')
    and (new_approvals is null or field = 'approvals')),
  constraint policy_changes_request check (
    case when approvals_required = 0 then num_nonnulls(expires_at, approved_at) = 0 else expires_at is not null end),
  constraint policy_changes_approved check (approved_at is null or jsonb_array_length(approvals) >= approvals_required),
  constraint policy_changes_once unique nulls not distinct (wallet_id, field, asset_code, asset_issuer, destination)
);
-- Those that members must approve.
create index policy_changes_requests on policy_changes (wallet_id, id) where expires_at is not null;
comment on table policy_changes is
  'Looser rules that were asked for. From takes_effect_at on, and once it has its approvals, a row is in force wherever it is '
  'read; the next change of the policy moves it into wallet_policies.';

create view approval_needs as
  select wallet_id, approvals from wallet_policies where approvals is not null;
comment on view approval_needs is 'The wallets that ask for approvals, and how many: for who removes members.';

create view allowed_destinations as
  select wallet_id, destination from policy_changes where destination is not null
   union all
  select wallet_id, unnest(destinations) as destination from wallet_policies;
comment on view allowed_destinations is
  'The entries of the allow lists, and those that pending changes add: nobody deletes a payee that is one of them.';

-- withdrawals: payouts -----------------------------------------------------------------------------------

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
  row_count            integer not null check (row_count > 0),
  rows_hash            text not null,             -- SHA-256 over the hashes of its rows in order, hex
  created_by           entity_id not null,        -- the user or service user, as below
  created_at           timestamptz not null,
  requested_by         entity_id,                 -- who started it
  requested_at         timestamptz,
  approvals_required   integer not null default 0,
  approvals_cause      text check (approvals_cause in ('amount', 'sum')), -- why, when it was started; null: none
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
create index payouts_decided on payouts (owner_id, (coalesce(approved_at, settled_at)), id)
 where order_hash is not null and status <> 'awaiting_approval';
create index payouts_retries on payouts (retry_of) where retry_of is not null;
comment on table payouts is
  'Many payments as one file. Nothing of it is paid before it is started, and approved where the policy asks for that.';

create table payout_rows (
  payout_id        entity_id not null references payouts,
  number           integer not null check (number > 0), -- its place in the file, from 1 on
  owner_id         entity_id not null,
  idempotency_key  text collate "C" not null,     -- of the withdrawal that it becomes
  destination      text not null,
  amount_stroops   bigint not null check (amount_stroops > 0),
  asset_code       text not null default 'native',
  asset_issuer     text,
  memo_id          numeric(20, 0),
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
comment on table payout_rows is
  'A row becomes one withdrawal, with its key. The claim of the key and the status pending are one transaction.';

-- ledgers ------------------------------------------------------------------------------------------------

create table withdrawal_cursor (
  singleton              boolean primary key default true check (singleton),
  ledger                 integer not null,
  ledger_hash            text,                  -- the next ledger must name it
  close_time             bigint not null,       -- of that ledger
  sign_after             bigint not null default 0, -- close time: nothing is signed before a ledger has closed at this time
  longest_valid_seconds  integer not null default 0, -- largest WITHDRAW_VALID_SECONDS ever
  stop_reason            text,                  -- why ledgers cannot be processed: for people; null when they can
  database_timeline      text not null default database_timeline(), -- another one now: newest commits may be missing
  updated_at             timestamptz not null default now()
);
comment on table withdrawal_cursor is
  'One row: every outgoing transaction up to this ledger is processed. Moved only in the transaction that records outcomes.';

create table unmatched_transactions (
  hash             text primary key,
  wallet_id        entity_id not null references wallets,
  ledger           integer not null,
  envelope_xdr     text not null,
  result_xdr       text not null,
  key_fingerprint  integer,                     -- of the key that it pays; null: none, so that it blocks its wallet
  refunds_hash     text,                        -- of the transaction that it pays back, if it is a refund that succeeded
  withdrawal_id    entity_id references withdrawals, -- the withdrawal whose payment it is, if a person said so
  found_at         timestamptz not null default now(),
  resolved_at      timestamptz,                 -- when a person resolved it
  released_at      timestamptz                  -- when a person said that withdrawals equal to it are other payments
);
create index unmatched_transactions_open on unmatched_transactions (wallet_id) where resolved_at is null;
create index unmatched_transactions_unassigned on unmatched_transactions (wallet_id, key_fingerprint)
  where withdrawal_id is null and released_at is null;
create index unmatched_transactions_key on unmatched_transactions (key_fingerprint)
  where withdrawal_id is null and released_at is null;
comment on table unmatched_transactions is
  'Outgoing transactions that match no withdrawal: the database was restored from an older copy, or a key is used elsewhere. '
  'One that names its key keeps back withdrawals with this key. One that names none keeps back its wallet until a person has '
  'resolved it.';

create table deposit_cursor (
  singleton    boolean primary key default true check (singleton),
  ledger       integer not null,
  ledger_hash  text,                            -- the next ledger must name it
  close_time   bigint,                          -- of that ledger; null before the first step
  stop_reason  text,                            -- why ledgers cannot be read (gap, reset, …): for people; null when they can
  updated_at   timestamptz not null default now()
);
comment on table deposit_cursor is
  'One row: the last ledger whose deposits are committed. Moved only in the transaction that commits them.';

create table deposit_positions (
  ledger       integer primary key,
  ledger_hash  text not null,
  close_time   bigint not null
);
comment on table deposit_positions is
  'Where the deposit cursor was after each step, for as long as sources keep those ledgers. A rewind chooses one of these.';

create table quarantined_transactions (
  hash              text primary key,
  ledger            integer not null,
  reason            text not null,
  envelope_xdr      text not null,
  result_xdr        text not null,
  meta_xdr          text,
  created_at        timestamptz not null default now(),
  resolved_at       timestamptz,                -- when it could be read
  dismissed_at      timestamptz,                -- when a person said that it matters to nobody
  dismissed_reason  text,
  constraint quarantined_transactions_dismissed_with_reason
    check ((dismissed_at is null) = (dismissed_reason is null))
);
create index quarantined_open on quarantined_transactions (ledger) where resolved_at is null;
comment on table quarantined_transactions is
  'Transactions that mention a wallet and could not be read. The reading goes on; a person looks at these.';

create table unread_wallets (
  hash       text not null references quarantined_transactions,
  wallet_id  entity_id not null references wallets,
  primary key (wallet_id, hash)
);
create index unread_wallets_hash on unread_wallets (hash);
comment on table unread_wallets is
  'Wallets that a quarantined transaction of a later protocol names. Nothing is signed for them while it waits in quarantine.';

-- webhooks -----------------------------------------------------------------------------------------------

create table webhook_endpoints (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallets,
  url              text not null,
  description      text,
  events           text[] not null default '{deposit.created}' check (cardinality(events) > 0),
  enabled          boolean not null default true,
  disabled_reason  text,
  sealed_secret    bytea not null,
  failing_since    timestamptz,                 -- first failure after the last success
  last_failed_at   timestamptz,                 -- to the hour: days without a delivery do not count as failing
  examined_until   timestamptz,
  exam_passed_at   timestamptz,
  created_by_kind  text not null check (created_by_kind in ('user', 'service_user', 'api_key')),
  created_by_id    entity_id not null,
  created_by_name  text,                        -- null for the main key of the wallet
  created_at       timestamptz not null default now(),
  deleted_at       timestamptz
);
create index webhook_endpoints_list on webhook_endpoints (wallet_id, id) where deleted_at is null;
create trigger webhook_endpoints_sealed before insert or update of sealed_secret on webhook_endpoints
  for each row execute function require_sealing_key_of_secret();
comment on table webhook_endpoints is 'URLs that receive the events of a wallet. A deleted one keeps its deliveries.';
comment on column webhook_endpoints.events is 'The types of events that it gets.';
comment on column webhook_endpoints.examined_until is
  'An exam of the endpoint runs, at most until this time; null: none runs. After a crash the next exam waits until then.';
comment on column webhook_endpoints.exam_passed_at is
  'When the receiver passed an exam last; null: it has not passed one at this URL.';
comment on column webhook_endpoints.created_by_id is
  'Of a user, a service user, or an API key. The main key of a wallet has another id after each regeneration.';

create table webhook_old_secrets (
  id             bigint generated always as identity primary key, -- the order in which they were replaced
  endpoint_id    entity_id not null references webhook_endpoints,
  sealed_secret  bytea not null,
  signs_until    timestamptz not null           -- erased after it
);
create index webhook_old_secrets_endpoint on webhook_old_secrets (endpoint_id, id);
create trigger webhook_old_secrets_sealed before insert or update of sealed_secret on webhook_old_secrets
  for each row execute function require_sealing_key_of_secret();
comment on table webhook_old_secrets is
  'Replaced secrets. Each signs beside the newest one until its own time is over, however often the secret was rotated.';

create table webhook_sequences (
  owner_id  entity_id primary key,              -- a wallet (its events) or an endpoint (its deliveries)
  last      bigint not null
);
comment on table webhook_sequences is
  'The last number given. The row is locked from then to the commit, so numbers have no gaps and are seen in order: who has '
  'read up to n never finds a new one below n.';

create table webhook_events (
  id           entity_id primary key,
  wallet_id    entity_id not null references wallets,
  sequence     bigint not null,
  type         text not null,
  deposit_id   entity_id,                       -- null for test events
  body         bytea not null,
  traceparent  text,
  created_at   timestamptz not null default now()
);
create unique index webhook_events_sequence on webhook_events (wallet_id, sequence);
create index webhook_events_deposit on webhook_events (deposit_id) where deposit_id is not null;
comment on table webhook_events is 'The body is stored once. Every attempt and redelivery sends these bytes.';
comment on column webhook_events.traceparent is
  'W3C Trace Context: the span of what the event tells, so that deliveries belong to the same trace; null: not traced.';

create table webhook_deliveries (
  id               entity_id primary key,
  event_id         entity_id not null references webhook_events,
  endpoint_id      entity_id not null references webhook_endpoints,
  sequence         bigint not null,
  status           text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts         integer not null default 0,
  schedule_step    integer not null default 0,  -- redelivery starts the schedule again, attempts go on counting
  log_pruned       boolean not null default false, -- a flag: an index over attempts would be written by each claim
  next_attempt_at  timestamptz not null default now(),
  leased_until     timestamptz,                 -- claimed; in no index, so a claim updates the row within its page
  settled_at       timestamptz,
  created_at       timestamptz not null default now()
) with (fillfactor = 50);                       -- room for a claim and its record in the same page
create unique index webhook_deliveries_sequence on webhook_deliveries (endpoint_id, sequence);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_list on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_event on webhook_deliveries (event_id);
-- Lists filtered by a status that few rows have, or none.
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, id) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where status = 'failed';
create index webhook_deliveries_delivered on webhook_deliveries (endpoint_id, id) where status = 'delivered';
-- Exactly the deliveries whose log will be pruned (WEBHOOK_LOG_DAYS): one probe finds that there are none.
create index webhook_deliveries_prunable on webhook_deliveries (settled_at) where status = 'delivered' and not log_pruned;
comment on table webhook_deliveries is
  'An event for an endpoint. The row is its own job: due at next_attempt_at, claimed by a lease. It is never deleted.';

create table webhook_attempts (
  delivery_id      entity_id not null,          -- no foreign key: the statement that writes this row reads its delivery
  number           integer not null,
  started_at       timestamptz not null,
  duration_ms      integer not null,
  status_code      integer,
  error            text,
  response_body    text,                        -- first 1 KiB
  request_headers  json,                        -- in the order sent; null for an attempt that nobody recorded
  primary key (delivery_id, number)
);
comment on table webhook_attempts is 'What was sent with each attempt, and what came back.';
