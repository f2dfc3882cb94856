-- Expands only: the version before works beside this one. It makes endpoints with the default, and tells every endpoint of
-- deposits alone, also one that has chosen other events.

alter table webhook_endpoints
  add column events text[] not null default '{deposit.created}' check (cardinality(events) > 0);
comment on column webhook_endpoints.events is 'The types of events that it gets.';

-- The metadata of an address may change. A deposit keeps what its address had when it was attributed, whichever version
-- records the deposit: hence a trigger.
alter table deposit_addresses add column metadata_version integer not null default 0;
comment on column deposit_addresses.metadata_version is 'How often its metadata was replaced.';
alter table deposits add column metadata_version integer;
comment on column deposits.metadata_version is
  'That of its address when the deposit was attributed; null means 0: it was attributed before metadata could be replaced.';

create table replaced_metadata (
  address_id  entity_id not null references deposit_addresses,
  version     integer not null,
  metadata    text,               -- JSON as given; null: the address was made without any
  primary key (address_id, version)
);
comment on table replaced_metadata is 'The metadata that addresses had before, for the deposits of that time. Rows stay.';

create function note_metadata_version() returns trigger language plpgsql as $$
begin
  new.metadata_version := (select metadata_version from deposit_addresses where id = new.address_id);
  return new;
end $$;
create trigger deposits_metadata_version before insert or update of address_id on deposits for each row
  when (new.address_id is not null)
  execute function note_metadata_version();
