-- Expands only. The version before traces nothing.

alter table withdrawals add column traceparent text;
comment on column withdrawals.traceparent is
  'W3C Trace Context: the span that has claimed it, so that other processes go on with the same trace; null: not traced.';
alter table webhook_events add column traceparent text;
comment on column webhook_events.traceparent is
  'W3C Trace Context: the span of what the event tells, so that deliveries belong to the same trace; null: not traced.';
