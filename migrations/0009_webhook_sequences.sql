-- What lets a receiver see that it missed something, and fetch it.

-- The last number of each wallet's events and of each endpoint's deliveries. The row is locked from the allotment to the
-- commit, so numbers have no gaps and are seen in their order: who has read up to n will never find one below it.
create table webhook_sequences (
  owner_id    entity_id primary key,           -- a wallet or an endpoint
  last        bigint not null
);

alter table webhook_events add column sequence bigint;
update webhook_events set sequence = numbered.sequence
  from (select id, row_number() over (partition by wallet_id order by id) as sequence from webhook_events) as numbered
 where numbered.id = webhook_events.id;
alter table webhook_events alter column sequence set not null;
create unique index webhook_events_sequence on webhook_events (wallet_id, sequence);

alter table webhook_deliveries add column sequence bigint;
update webhook_deliveries set sequence = numbered.sequence
  from (select id, row_number() over (partition by endpoint_id order by id) as sequence from webhook_deliveries) as numbered
 where numbered.id = webhook_deliveries.id;
alter table webhook_deliveries alter column sequence set not null;
create unique index webhook_deliveries_sequence on webhook_deliveries (endpoint_id, sequence);

insert into webhook_sequences (owner_id, last)
select wallet_id, max(sequence) from webhook_events group by wallet_id
union all
select endpoint_id, max(sequence) from webhook_deliveries group by endpoint_id;
