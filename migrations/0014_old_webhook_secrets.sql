-- Each secret that was replaced signs beside the newest one until its own time is over, however often was rotated.
create table webhook_old_secrets (
  id            bigint generated always as identity primary key,   -- the order in which they were replaced
  endpoint_id   entity_id not null references webhook_endpoints,
  sealed_secret bytea not null,
  signs_until   timestamptz not null                               -- erased after it
);
create index webhook_old_secrets_endpoint on webhook_old_secrets (endpoint_id, id);

insert into webhook_old_secrets (endpoint_id, sealed_secret, signs_until)
select id, previous_sealed_secret, previous_secret_until
  from webhook_endpoints
 where previous_sealed_secret is not null and deleted_at is null;

-- Dropping a column leaves its bytes in the rows; these are gone with the next vacuum.
update webhook_endpoints set previous_sealed_secret = null where previous_sealed_secret is not null;
alter table webhook_endpoints drop column previous_sealed_secret, drop column previous_secret_until;
