-- no transaction
-- Built while the service writes. Can be repeated.

-- What awaits approvals, which is little: by wallet, and by its end.
create index concurrently if not exists withdrawals_awaiting on withdrawals (wallet_id, id)
 where status = 'awaiting_approval';

-- What counts towards the limit of 24 hours from its approval on.
create index concurrently if not exists withdrawals_approved on withdrawals (wallet_id, approved_at)
 where approved_at is not null;
