-- Whether a fee is one that our own fee-bumps were charged lately: asked for every batch that is signed.
create index withdrawals_fees on withdrawals (fee_stroops, ledger) where fee_stroops is not null;
