-- Before lanes were given out in turn, a waiting withdrawal named its lane without holding it, and a lane could be left
-- with a holder that was settled. Such a row would never get its turn, and such a lane never be given out again.
update withdrawals set lane = null
 where status = 'queued' and lane is not null
   and not exists (select from lanes where lanes.account = withdrawals.lane and lanes.holder = withdrawals.id);
update lanes set holder = null
 where holder in (select id from withdrawals where status in ('confirmed', 'failed'));
