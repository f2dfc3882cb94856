-- Expands only: the version before works beside this one. What it changes is in the audit log, and so makes its alerts.

create table alert_settings (
  team_id          entity_id primary key references teams,
  kinds            text[],                      -- null: every kind, also those of later versions
  url              text,                        -- null: no webhook
  sealed_secret    bytea,
  disabled_reason  text,                        -- of the webhook; null: it is sent to
  failing_since    timestamptz,                 -- null: the last attempt was acknowledged
  last_failed_at   timestamptz,
  last_failure     text,
  constraint alert_settings_signed check ((url is null) = (sealed_secret is null)),
  constraint alert_settings_failed check ((last_failed_at is null) = (last_failure is null))
);
comment on table alert_settings is 'Which alerts a team gets, and its webhook. A team without a row gets every kind by mail.';

create table alert_thresholds (
  team_id         entity_id not null references alert_settings,
  asset_code      text not null,
  asset_issuer    text,                         -- null: the native asset
  amount_stroops  bigint not null check (amount_stroops >= 0),
  constraint alert_thresholds_once unique nulls not distinct (team_id, asset_code, asset_issuer)
);
comment on table alert_thresholds is 'Withdrawals of a larger amount make an alert.';

create table alert_old_webhooks (
  id             bigint primary key generated always as identity,
  team_id        entity_id not null references alert_settings,
  url            text not null,
  sealed_secret  bytea not null,
  told_until     timestamptz not null
);
create index alert_old_webhooks_team on alert_old_webhooks (team_id);
comment on table alert_old_webhooks is
  'Webhooks that a team had before, with their secrets. They are told of changed alerts for a while, so that nobody can unplug them unseen.';

create table alert_cursors (
  chain  text primary key,
  seq    bigint not null
);
comment on table alert_cursors is 'The entry of each chain of the audit log up to which alerts are made.';
insert into alert_cursors (chain, seq) select chain, seq from audit_heads;  -- what is past makes no alert

create table alerts (
  chain       text not null,
  seq         bigint not null,                  -- the entry that the alert tells
  receiver    text not null,                    -- 'webhook', 'webhook N' for an old one, or the id of a user who gets a mail
  kind        text not null,
  attempts    integer not null default 0,
  due_at      timestamptz not null,             -- of an attempt under way: the end of its lease
  created_at  timestamptz not null,
  primary key (chain, seq, receiver)
);
create index alerts_due on alerts (due_at);
comment on table alerts is 'Alerts that are not sent yet. A row is deleted when its alert is sent or given up.';

create view audit_tails as
select chain, seq from audit_heads;
comment on view audit_tails is 'The last entry of each chain, for the alerts.';

create view audit_entries as
select chain, seq, entry, hash, action from audit_log;
comment on view audit_entries is 'The audit log, for the alerts.';

create view user_addresses as
select id, email, disabled_at from users;
comment on view user_addresses is 'Where mails of a user go.';

create view member_roles as
select user_id, team_id, role from team_members where left_at is null;
comment on view member_roles is 'Who is in which team now, for the mails of a team.';

create view team_names as
select id, name from teams;
comment on view team_names is 'How mails call a team.';
