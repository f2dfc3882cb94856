-- When an endpoint's latest failure was, to the hour: days in which nothing was sent are no days of failures. Null: not
-- known, so the five days begin with the next failure.
alter table webhook_endpoints add column failed_at timestamptz;
