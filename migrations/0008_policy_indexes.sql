-- no transaction
-- Built while the service writes. Can be repeated. A withdrawal is in one of the two.

-- The sums of the last 24 hours are read while a wallet's policy is locked: by asset, without the rows of the others.
create index concurrently if not exists withdrawals_spent_native on withdrawals (wallet_id, created_at)
 include (amount_stroops) where status <> 'failed' and asset_issuer is null;

create index concurrently if not exists withdrawals_spent_issued on withdrawals
 (wallet_id, asset_code, asset_issuer, created_at) include (amount_stroops)
 where status <> 'failed' and asset_issuer is not null;
