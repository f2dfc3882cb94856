-- no transaction
-- Indexes are built while the service writes. Each statement runs alone, ends with an empty line, and can be repeated.

-- What a search by a part of a label or of the metadata looks up: each sequence of one to three bytes in them, in lower case
-- (ASCII), and the id of the wallet, which is longer. Built in: a server may lack the extension pg_trgm.
create or replace function search_parts(wallet_id text, label text, metadata text) returns bytea[]
language sql immutable parallel safe cost 1000 as $$
  select array_agg(distinct part)
    from (select convert_to(wallet_id, 'UTF8') as part
           union all
          select substr(bytes, start, length)
            from unnest(array[label, metadata]) as given (text)
           cross join lateral convert_to(lower(given.text collate "C"), 'UTF8') as bytes
           cross join generate_series(1, 3) as length
           cross join lateral generate_series(1, octet_length(bytes) - length + 1) as start) as parts
$$;

-- Without the list of pending entries: a search would read all of it, and one insert would pay for many.
create index concurrently if not exists deposit_addresses_search on deposit_addresses
 using gin (search_parts(wallet_id, label, metadata)) with (fastupdate = off);

create index concurrently if not exists deposit_addresses_search_memo_id on deposit_addresses
 (wallet_id, (memo_id::text) collate "C");

-- A search by the beginning of a text. Without the ids in them, rows of the same sender or memo share an entry.
create index concurrently if not exists deposits_search_hash on deposits (wallet_id, stellar_tx_hash collate "C");

create index concurrently if not exists deposits_search_sender on deposits (wallet_id, source_account collate "C");

create index concurrently if not exists deposits_search_memo_id on deposits (wallet_id, (memo_id::text) collate "C")
 where memo_id is not null;

create index concurrently if not exists deposits_search_memo_text on deposits (wallet_id, lower(memo collate "C"))
 where memo_type = 'text';

create index concurrently if not exists deposits_search_memo_by_hand on deposits (wallet_id, memo collate "C")
 where assigned_by_hand;

create index concurrently if not exists withdrawals_search_hash on withdrawals (wallet_id, stellar_tx_hash collate "C")
 where stellar_tx_hash is not null;

create index concurrently if not exists withdrawals_search_inner_hash on withdrawals (wallet_id, inner_tx_hash collate "C")
 where inner_tx_hash is distinct from stellar_tx_hash;

create index concurrently if not exists withdrawals_search_destination on withdrawals
 (wallet_id, destination collate "C");

create index concurrently if not exists withdrawals_search_memo_id on withdrawals (wallet_id, (memo_id::text) collate "C")
 where memo_id is not null;

-- Lists filtered by a status that few rows have, or none.
create index concurrently if not exists withdrawals_pending on withdrawals (wallet_id, id)
 where status in ('queued', 'signed');

create index concurrently if not exists withdrawals_failed on withdrawals (wallet_id, id) where status = 'failed';

create index concurrently if not exists withdrawals_confirmed on withdrawals (wallet_id, id) where status = 'confirmed';

create index concurrently if not exists webhook_deliveries_pending on webhook_deliveries (endpoint_id, id)
 where status = 'pending';

create index concurrently if not exists webhook_deliveries_failed on webhook_deliveries (endpoint_id, id)
 where status = 'failed';

create index concurrently if not exists webhook_deliveries_delivered on webhook_deliveries (endpoint_id, id)
 where status = 'delivered';

-- When the sums of the books were last made of all rows. In between, each comparison adds the rows of the ledgers since the
-- last one. Null: by a version that makes them of all rows each time, so this one begins with that.
alter table reconciliations add column if not exists summed_at timestamptz;
