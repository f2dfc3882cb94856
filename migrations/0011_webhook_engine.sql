-- What makes claiming and recording deliveries cheap.

-- A claim writes the lease instead of moving the delivery's turn: no index holds it, so the row is updated in its page.
alter table webhook_deliveries add column leased_until timestamptz;   -- claimed, and its outcome not recorded until then
alter table webhook_deliveries set (fillfactor = 50);

-- What was sent with an attempt, in its order; null for one that nobody recorded.
alter table webhook_attempts add column request_headers json;

-- The statement that logs an attempt reads its delivery, and no delivery is ever deleted: checking each again took as
-- long as writing it.
alter table webhook_attempts drop constraint webhook_attempts_delivery_id_fkey;
