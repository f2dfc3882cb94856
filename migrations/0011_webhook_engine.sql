-- What was sent with an attempt; null for one that nobody recorded.
alter table webhook_attempts add column request_headers jsonb;
