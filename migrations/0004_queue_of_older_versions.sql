-- Before transaction sources were given out in turn, a waiting withdrawal named its transaction source without holding it, and a transaction source could be left
-- with a holder that was settled. Such a row would never get its turn, and such a transaction source never be given out again.
update withdrawals set tx_source = null
 where status = 'queued' and tx_source is not null
   and not exists (select from tx_sources where tx_sources.account = withdrawals.tx_source and tx_sources.holder = withdrawals.id);
update tx_sources set holder = null
 where holder in (select id from withdrawals where status in ('confirmed', 'failed'));
