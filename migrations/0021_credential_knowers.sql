-- Expands only: the version before works beside this one. It goes on with service_users.known_to, which only grows. What it
-- does to secrets and public keys, the triggers below record.

create table service_user_credentials (
  service_user_id  entity_id not null references service_users,
  credential       text not null,               -- as in service_user_tokens
  known_to         text[],                      -- the users who were shown or gave it; null: all in service_users.known_to
  ended_at         timestamptz,                 -- null: it is valid
  primary key (service_user_id, credential)
);
create index service_user_credentials_of_all on service_user_credentials (credential);
comment on table service_user_credentials is
  'Who knows which credential, and until when it was valid. Rows stay. A secret of the version before has none while it is valid: all in service_users.known_to know it.';
comment on column service_users.known_to is
  'The users who have ever made it, or gave it a credential. Who knows a valid one: service_user_credentials.';

create function thumbprints_of(public_keys text, removed_at timestamptz) returns text[] language sql immutable as $$
  select array(
    select key ->> 'thumbprint' from jsonb_array_elements(public_keys::jsonb) as key where removed_at is null
  );
$$;

-- Whichever version ends a credential: its knowers stay known, with the time.
create function end_credential(ended_of text, ended text) returns void language sql as $$
  insert into service_user_credentials (service_user_id, credential, known_to, ended_at)
  select id, ended, known_to, clock_timestamp() from service_users where id = ended_of
  on conflict (service_user_id, credential) do update
    set ended_at = excluded.ended_at, known_to = coalesce(service_user_credentials.known_to, excluded.known_to);
$$;

create function note_ended_secret() returns trigger language plpgsql as $$
begin
  perform end_credential(old.service_user_id, old.id);
  return null;
end $$;
create trigger service_user_secrets_ended after delete on service_user_secrets for each row
  execute function note_ended_secret();

-- A key that is new, or comes back, is known to all until the version that knows better says to whom.
create function note_public_keys() returns trigger language plpgsql as $$
declare
  before text[] := thumbprints_of(old.public_keys, old.removed_at);
  after text[] := thumbprints_of(new.public_keys, new.removed_at);
begin
  perform end_credential(new.id, key) from unnest(before) as key where key <> all(after);
  insert into service_user_credentials (service_user_id, credential)
  select new.id, key from unnest(after) as key where key <> all(before)
  on conflict (service_user_id, credential) do update set known_to = null, ended_at = null;
  return null;
end $$;
create trigger service_users_keys after insert or update of public_keys, removed_at on service_users for each row
  execute function note_public_keys();

insert into service_user_credentials (service_user_id, credential)
select id, unnest(thumbprints_of(public_keys, removed_at)) from service_users;

-- Credentials that have ended before: nobody has written down whose they were, and when.
insert into service_user_credentials (service_user_id, credential, known_to, ended_at)
select id, 'ended before', known_to, clock_timestamp() from service_users where known_to <> '{}';
