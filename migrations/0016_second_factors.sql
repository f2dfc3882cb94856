-- Expands only: the version before works beside this one. It opens no session for a user who has a second factor (the
-- trigger below), and does not ask sessions that are older than the first factor for one.

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
comment on table second_factors is 'Authenticator apps and passkeys of users.';

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
comment on table factor_challenges is 'Logins whose password was right, and passkeys that a session asks for. Each is used once, within five minutes.';

alter table users add column factor_failures integer not null default 0;
comment on column users.factor_failures is 'Failures of second factors in a row. From 100 on codes of an authenticator app are refused.';

alter table sessions add column factor_at timestamptz;
comment on column sessions.factor_at is 'When the session last proved a second factor.';

alter table teams add column second_factor_required boolean not null default false;

-- A version that does not know second factors would open a session after the password alone. It takes a session that was
-- not inserted for a user whose password has just changed.
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
