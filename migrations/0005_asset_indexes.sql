-- no transaction
-- Built while the service writes. Can be repeated.

-- What the comparison of books sums, by asset, without reading the rows themselves.
create index concurrently if not exists withdrawals_booked_by_asset on withdrawals (wallet_id, ledger)
 include (asset_code, asset_issuer, amount_stroops, fee_stroops, status) where ledger is not null;

-- The changes of a wallet's trust lines, which are few.
create index concurrently if not exists withdrawals_trust_lines on withdrawals (wallet_id, asset_code, asset_issuer, id)
 where operation in ('add_trust_line', 'remove_trust_line');
