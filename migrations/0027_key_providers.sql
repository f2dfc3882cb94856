-- Expands only. The version before goes on until "teller keys provider on", which ends the processes that know no provider.

create table key_providers (
  key_check  bytea primary key,           -- of the data key in "wrapped"; reveals nothing of it
  kind       text not null check (kind in ('aws-kms', 'pkcs11')),
  key        text not null,               -- as the operator named it
  wrapped    bytea not null,              -- a data key of no use, which only this key of the provider unwraps
  since      timestamptz not null,
  left_at    timestamptz                  -- from then on no seed needed it
);
comment on table key_providers is
  'The keys of key providers that wrap data keys of seeds. The one whose left_at is null may be needed to open them.';

-- allowed: constraint installation_provider_check_fkey of installation is checked on all rows: add it "not valid". It has one row.
alter table installation add column provider_check bytea references key_providers;
comment on column installation.provider_check is
  'The key of the provider that wraps the data keys of new seeds; null: the master key alone seals them.';

-- Seeds that a provider has a part in begin with 3, the first bytes of the check of the master key, and of that of the provider.
create or replace function require_sealing_key_of_seed() returns trigger language plpgsql as $$
declare
  now_sealing installation%rowtype;
begin
  select * into now_sealing from installation for share;
  if now_sealing.provider_check is not null then
    if substr(new.sealed_seed, 1, 9)
       <> '\x03'::bytea || substr(now_sealing.key_check, 1, 4) || substr(now_sealing.provider_check, 1, 4) then
      raise exception 'sealed without the key provider that seals now' using errcode = 'TK001';
    end if;
  elsif substr(new.sealed_seed, 1, 1) = '\x03'::bytea then
    raise exception 'sealed with a key provider, and none seals now' using errcode = 'TK001';
  else
    perform require_sealing_key(new.sealed_seed);
  end if;
  return new;
end $$;

-- A version without this file cannot open what a provider has a part in. Its processes look at `needs` every few seconds, and end.
create function end_versions_without_providers() returns void language sql security definer set search_path from current as $$
  update migrations set needs = name where name like '%\_key\_providers.sql'
$$;
