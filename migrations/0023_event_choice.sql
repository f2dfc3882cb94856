-- Expands only: the version before works beside this one. It makes endpoints with the default, and tells every endpoint of
-- deposits alone, also one that has chosen other events.

alter table webhook_endpoints
  add column events text[] not null default '{deposit.created}' check (cardinality(events) > 0);
comment on column webhook_endpoints.events is 'The types of events that it gets.';
