-- Expands only. The version before examines no endpoint.

alter table webhook_endpoints add column examined_until timestamptz;
comment on column webhook_endpoints.examined_until is
  'An exam of the endpoint runs, at most until this time; null: none runs. After a crash the next exam waits until then.';
