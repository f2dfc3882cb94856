-- A migration that contracts the schema is announced by its row, which has no time until the migration has run. Here, and not
-- when one is announced: a migration waits for its locks a second at a time, so nobody waits behind it.
alter table migrations alter run_at drop not null;
