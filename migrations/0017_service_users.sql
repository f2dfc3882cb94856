-- Expands only: the version before works beside this one. It knows no service user and no named API key, and refuses their
-- tokens and keys: it cannot overlook an address, a scope or an end.

create table service_users (
  id            entity_id primary key,          -- the client id, too
  team_id       entity_id not null references teams,
  name          text not null,
  role          text not null check (role in ('admin', 'operator', 'approver', 'developer', 'auditor', 'viewer')),
  wallet_ids    text[],                         -- null: every wallet of the team
  allowed_ips   text[],                         -- CIDR blocks; null: every address
  public_keys   text not null default '[]',     -- JSON Web Keys, as JSON
  created_by    entity_id references users,     -- null: the operator
  known_to      text[] not null default '{}',   -- the users who have made it, or gave it a credential
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

-- Not in `sessions`: the version before would accept these tokens from every address.
create table service_user_tokens (
  id               entity_id primary key,
  service_user_id  entity_id not null references service_users,
  credential       text not null,               -- the id of the secret, or the thumbprint of the public key (RFC 7638)
  created_at       timestamptz not null default now(),
  expires_at       timestamptz not null
);
create index service_user_tokens_of on service_user_tokens (service_user_id, credential);
create index service_user_tokens_expiry on service_user_tokens (expires_at);
comment on table service_user_tokens is 'The login tokens of service users. They end with the credential that they were given for.';

create table used_assertions (
  service_user_id  entity_id not null references service_users,
  jti_hash         bytea not null,
  expires_at       timestamptz not null,
  primary key (service_user_id, jti_hash)
);
create index used_assertions_expiry on used_assertions (expires_at);
comment on table used_assertions is 'Assertions are good once (RFC 7523, 3). Rows are deleted when the assertion has expired.';

create table named_api_keys (
  id            entity_id primary key,
  wallet_id     entity_id not null references wallets,
  name          text not null,
  key_hash      bytea not null unique,
  prefix        text not null,
  last_four     text not null,
  scopes        text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'addresses', 'webhooks']),
  allowed_ips   text[],                         -- CIDR blocks; null: every address
  created_by    entity_id not null references users,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  last_used_at  timestamptz
);
create index named_api_keys_list on named_api_keys (wallet_id, id);
comment on table named_api_keys is 'API keys of a wallet beside its main key, which api_keys has. A deleted key has no row.';

-- Null: not known, also for an endpoint that the version before registers.
alter table webhook_endpoints
  add column created_by_kind  text check (created_by_kind in ('user', 'service_user', 'api_key')),
  add column created_by_id    entity_id,
  add column created_by_name  text;             -- null for the main key of the wallet
comment on column webhook_endpoints.created_by_id is
  'Of a user, a service user, or an API key. The main key of a wallet has another id after each regeneration.';
