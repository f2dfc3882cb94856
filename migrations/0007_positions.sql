-- Every reading of ledgers holds on to one chain of hashes, and finds its way back when that was the wrong one.

-- Of the ledger that reading begins after; null in installations of older versions.
alter table installation add column start_hash text;

-- Where the reading of deposits was after each step, for as long as servers have the ledgers to read them again.
create table deposit_positions (
  ledger       integer primary key,
  ledger_hash  text not null,
  close_time   bigint not null
);

-- The hash of the withdrawal cursor's ledger: the next one must name it. Null until the first step of this version.
alter table withdrawal_cursor add column ledger_hash text;
