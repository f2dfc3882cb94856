-- What the dashboard shows and the rows did not tell.

-- When the one envelope was signed, and when it was committed to be sent. Null in rows of older versions.
alter table withdrawals
  add column signed_at timestamptz,
  add column committed_at timestamptz;

-- The deposit that an event tells of; null for test events. Every body begins with it. Not read as JSON: PostgreSQL cannot
-- read all that metadata may have in it (\u0000).
alter table webhook_events add column deposit_id entity_id;
update webhook_events
   set deposit_id = substring(convert_from(body, 'UTF8') from '^\{"event":"deposit\.created","data":\{"id":"(dep_[0-9a-z]+)"')
 where type = 'deposit.created';
create index webhook_events_deposit on webhook_events (deposit_id) where deposit_id is not null;
create index webhook_deliveries_event on webhook_deliveries (event_id);
