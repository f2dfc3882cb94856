-- Expands only: the version before works beside this one. It counts in login_failures; each version keeps its own limits.

create table login_failure_counts (
  key        text primary key,      -- `device:` or `account:` and a digest, or `addresses:` and a block of addresses
  failures   integer not null,
  failed_at  timestamptz not null   -- of a block of addresses: since when the failures have not decreased
);
create index login_failure_counts_age on login_failure_counts (failed_at);
comment on table login_failure_counts is 'Failed logins, by whose attempts are counted together (src/auth/login-limits.ts). A row without a failure for an hour is deleted.';
