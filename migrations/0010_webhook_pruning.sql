-- The log of a delivery that was acknowledged long ago can go (WEBHOOK_LOG_DAYS); the delivery and its event stay.

-- Exactly the deliveries that have something to prune, now or one day: to find that there is nothing is one probe. A flag,
-- for an index that looked at attempts would be touched by each claim.
alter table webhook_deliveries add column log_pruned boolean not null default false;
create index webhook_deliveries_prunable on webhook_deliveries (settled_at) where status = 'delivered' and not log_pruned;
