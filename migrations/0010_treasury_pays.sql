-- Expands only: the version before works beside this one. What it records leaves the columns null.

-- `fee_stroops` remains what the wallet paid: 0 when somebody else paid.
alter table withdrawals
  add column fee_paid_by         text check (fee_paid_by in ('wallet', 'treasury', 'other')), -- null: not known
  add column fee_charged_stroops bigint;        -- what the network charged, whoever paid; null: not known
