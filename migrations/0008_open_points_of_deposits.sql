-- A transaction in quarantine that a person has judged to matter to nobody: kept, with the reason, and told of no more.
alter table quarantined_transactions
  add column dismissed_at timestamptz,
  add column dismissed_reason text,
  add check ((dismissed_at is null) = (dismissed_reason is null));

-- The M… address that has paid: a custodian needs its id to know whose money comes back with a refund.
alter table deposits add column source_account_muxed text;

-- Nobody has ever filled or read it; the ledger says when it closed.
alter table deposits drop column ledger_closed_at;
