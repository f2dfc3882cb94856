-- no transaction
-- Built while the service writes. Can be repeated.

-- A row of a payout has one withdrawal.
create unique index concurrently if not exists withdrawals_payout on withdrawals (payout_id, payout_row)
 where payout_id is not null;

-- How many withdrawals of payouts are open, by wallet.
create index concurrently if not exists withdrawals_payout_open on withdrawals (wallet_id)
 where payout_id is not null and status in ('queued', 'signed');
