-- Expands only: the version before works beside this one. It takes a wallet for that of the user who founded its team.

create table teams (
  id          entity_id primary key,            -- that of the user who founded it
  name        text not null,
  created_at  timestamptz not null default now()
);
comment on table teams is
  'A team owns wallets: wallets.owner_id and withdrawals.owner_id name it. Everyone who is invited nowhere founds a team of one.';

create table team_members (
  user_id     entity_id not null references users,
  team_id     entity_id not null references teams,
  role        text not null
    check (role in ('owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer')),
  wallet_ids  text[],                           -- null: every wallet of the team
  joined_at   timestamptz not null default now(),
  left_at     timestamptz,
  primary key (user_id, joined_at),
  constraint team_members_of_all_wallets check (role not in ('owner', 'admin') or wallet_ids is null)
);
create unique index team_members_now on team_members (user_id) where left_at is null;
create index team_members_list on team_members (team_id, user_id) where left_at is null;
comment on table team_members is 'Who is or was in which team. A user is in one team at a time. Rows stay.';

create table team_invitations (
  id           entity_id primary key,
  team_id      entity_id not null references teams,
  email        text not null,
  role         text not null
    check (role in ('owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer')),
  wallet_ids   text[],
  token_hash   bytea not null unique,           -- SHA-256 of the token: 32 random bytes need no slow hash
  invited_by   entity_id not null references users,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  accepted_at  timestamptz,
  revoked_at   timestamptz
);
create index team_invitations_list on team_invitations (team_id, id) where accepted_at is null and revoked_at is null;
comment on table team_invitations is 'A link that makes its e-mail address a member of the team, once.';

lock table users in share row exclusive mode;    -- whoever is made meanwhile founds a team by the trigger below
insert into teams (id, name, created_at) select id, name, created_at from users;
insert into team_members (user_id, team_id, role, joined_at) select id, id, 'owner', created_at from users;

-- At the commit, so that who accepts an invitation is a member already and founds no team.
create function found_team() returns trigger language plpgsql as $$
begin
  if not exists (select from team_members where user_id = new.id) then
    insert into teams (id, name) values (new.id, new.name);
    insert into team_members (user_id, team_id, role) values (new.id, new.id, 'owner');
  end if;
  return null;
end $$;
create constraint trigger users_found_team after insert on users
  deferrable initially deferred for each row execute function found_team();

alter table wallets drop constraint wallets_owner_id_fkey;
alter table wallets add constraint wallets_owner_id_fkey foreign key (owner_id) references teams;
-- Its wallet has the same owner. A new constraint would read the whole table while nobody can write.
alter table withdrawals drop constraint withdrawals_owner_id_fkey;
comment on view wallet_owners is 'Wallets and their teams, for who compares Idempotency-Keys: a key is unique to a team.';
