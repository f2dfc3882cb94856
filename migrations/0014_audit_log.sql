-- Expands only: the version before goes on beside this one, and its changes are not in the log.

create table audit_heads (
  chain  text primary key,                      -- the id of a team, or 'service'
  seq    bigint not null,
  hash   bytea not null
);
comment on table audit_heads is 'The last entry of each chain of the audit log. Locked by who appends.';

create table audit_log (
  chain      text not null,
  seq        bigint not null,                   -- 1, 2, 3, … in each chain
  entry      text not null,                     -- JSON; the hash is over exactly this text
  hash       bytea not null,                    -- SHA-256 of the hash before, seq and entry
  id         text not null generated always as (entry::jsonb ->> 'id') stored,
  at         text not null generated always as (entry::jsonb ->> 'at') stored,
  action     text not null generated always as (entry::jsonb ->> 'action') stored,
  actor_id   text generated always as (entry::jsonb -> 'actor' ->> 'id') stored,
  target_id  text generated always as (entry::jsonb -> 'target' ->> 'id') stored,
  wallet_id  text generated always as (entry::jsonb ->> 'wallet_id') stored,
  primary key (chain, seq)
);
create index audit_log_action on audit_log (chain, action, seq);
create index audit_log_actor on audit_log (chain, actor_id, seq);
create index audit_log_target on audit_log (chain, target_id, seq);
create index audit_log_wallet on audit_log (chain, wallet_id, seq);
comment on table audit_log is 'Who changed what, when and from where. Rows are only ever appended, by append_audit.';

create function audit_hash(before bytea, seq bigint, entry text) returns bytea
language sql immutable return sha256(before || int8send(seq) || convert_to(entry, 'UTF8'));

-- Each chain begins with the hash of its name, so that an entry cannot move to another chain.
create function append_audit(chains text[], entries text[]) returns table (seq bigint, hash bytea)
language plpgsql as $$
#variable_conflict use_column
begin
  for i in 1 .. cardinality(entries) loop
    insert into audit_heads as head (chain, seq, hash)
    values (chains[i], 1, audit_hash(sha256(convert_to(chains[i], 'UTF8')), 1, entries[i]))
    on conflict (chain) do update
      set seq = head.seq + 1, hash = audit_hash(head.hash, head.seq + 1, entries[i])
    returning head.seq, head.hash into seq, hash;
    insert into audit_log (chain, seq, entry, hash) values (chains[i], append_audit.seq, entries[i], append_audit.hash);
    return next;
  end loop;
end $$;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();
