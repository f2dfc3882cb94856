-- Expands only: the version before works beside this one. Its sessions are those of programs, and end with their token.

alter table sessions
  add column kind          text not null default 'program' check (kind in ('browser', 'program')),
  add column device        text,                         -- the browser and its system, or the program; null: not known
  add column ip            text,                         -- where the login came from; null: not known
  add column last_used_at  timestamptz,                  -- to the minute; null: not known
  add column renewals      integer not null default 0,   -- the number of the newest login token that was used
  add column renewed_at    timestamptz;                  -- since when the login token before it ends
comment on column sessions.kind is
  'browser: its token is in a cookie. program: its token is sent as a bearer token, and can be renewed.';
comment on column sessions.expires_at is
  'The end of the session unless it is used (browser) or its token is renewed (program) before. The version before knows no other end.';
