-- Expands only. The version before seals as it did, until the first rotation: that ends the processes that know no rotation.

alter table installation add column rotations integer not null default 0;
comment on table installation is
  'One row: the network of this database, and the master key that seals now. A start with another network or passphrase, or without that key, is refused.';

create table master_keys (
  key_check      bytea primary key,       -- derived from the key; reveals nothing of it
  sealing_since  timestamptz not null,
  left_at        timestamptz              -- from then on no row was sealed with it
);
comment on table master_keys is
  'The master keys of this database, from the first rotation on. The key whose left_at is null still opens rows.';

-- From the first rotation on, sealed bytes begin with 2 and the first bytes of the check of their key. The lock keeps a rotation
-- from coming between this look and the commit: so no row is ever committed that a key seals which a rotation has left.
create function require_sealing_key(sealed bytea) returns void language plpgsql as $$
declare
  now_sealing installation%rowtype;
begin
  select * into now_sealing from installation for share;
  if now_sealing.rotations > 0 and substr(sealed, 1, 5) <> '\x02'::bytea || substr(now_sealing.key_check, 1, 4) then
    raise exception 'sealed with another master key than the one that seals now' using errcode = 'TK001';
  end if;
end $$;

create function require_sealing_key_of_seed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.sealed_seed is distinct from old.sealed_seed then
    perform require_sealing_key(new.sealed_seed);
  end if;
  return new;
end $$;

create function require_sealing_key_of_secret() returns trigger language plpgsql as $$
begin
  if new.sealed_secret is not null and (tg_op = 'INSERT' or new.sealed_secret is distinct from old.sealed_secret) then
    perform require_sealing_key(new.sealed_secret);
  end if;
  return new;
end $$;

create trigger wallets_sealed before insert or update of sealed_seed on wallets
  for each row execute function require_sealing_key_of_seed();
create trigger channels_sealed before insert or update of sealed_seed on channels
  for each row execute function require_sealing_key_of_seed();
create trigger treasury_sealed before insert or update of sealed_seed on treasury
  for each row execute function require_sealing_key_of_seed();
create trigger webhook_endpoints_sealed before insert or update of sealed_secret on webhook_endpoints
  for each row execute function require_sealing_key_of_secret();
create trigger webhook_old_secrets_sealed before insert or update of sealed_secret on webhook_old_secrets
  for each row execute function require_sealing_key_of_secret();
create trigger alert_settings_sealed before insert or update of sealed_secret on alert_settings
  for each row execute function require_sealing_key_of_secret();
create trigger alert_old_webhooks_sealed before insert or update of sealed_secret on alert_old_webhooks
  for each row execute function require_sealing_key_of_secret();
create trigger second_factors_sealed before insert or update of sealed_secret on second_factors
  for each row execute function require_sealing_key_of_secret();

-- A version without this file cannot open what the new key seals. Its processes look at `needs` every few seconds, and end. The
-- role of the service may not write migrations itself.
create function end_versions_without_rotation() returns void language sql security definer set search_path from current as $$
  update migrations set needs = name where name like '%\_key\_rotation.sql'
$$;
