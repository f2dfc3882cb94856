-- Which database this is: PostgreSQL gives a new cluster another system identifier, and one that was promoted, or restored
-- to a point in time, another timeline. Where the accounting of ledgers names another one, newest commits may be missing.
create function database_timeline() returns text language sql stable as $$
  select (pg_control_system()).system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
$$;
alter table withdrawal_cursor add column database_timeline text not null default database_timeline();
