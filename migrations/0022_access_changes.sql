-- Expands only. The version before makes members, service users and API keys at once, whatever a policy asks for.

create table access_changes (
  id            entity_id primary key,
  team_id       entity_id not null references teams,
  kind          text not null check (kind in ('members', 'api_keys')),
  operation     text not null,                    -- the operation id of the request
  wallet_id     entity_id references wallets,     -- of an API key
  wallet_ids    text[],                           -- whose policies decide; null: of every wallet of the team
  target_id     entity_id,                        -- the member or service user that exists already
  change        text not null,                    -- JSON, without secrets; as text, because the hash is over it
  order_hash    text not null,                    -- what an approval is about: SHA-256, hex
  requested_by  entity_id not null references users,
  approvals     jsonb not null default '[]',      -- [{user_id, decision, comment, order_hash, at}]
  created_at    timestamptz not null,
  expires_at    timestamptz not null
);
create index access_changes_list on access_changes (team_id, id);
comment on table access_changes is
  'Changes of members, service users and API keys that members must approve. A row goes with its change, its rejection or its end; the audit log keeps all of it.';
