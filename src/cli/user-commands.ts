/** `teller user …` without `create`: what an operator does to users, beside the running service and without a login. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { revokeInvitationsBy } from '../access/teams/invitation-store.ts';
import { audited, type Deed, operator } from '../audit/audit.ts';
import { resetFactors } from '../auth/factors/reset-factors.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';
import { type ListedSession, listSessions } from '../auth/sessions/session-store.ts';
import { programsKnownTo } from '../auth/teams/program-store.ts';
import { teamOfUser } from '../auth/teams/team-store.ts';
import {
  disableUser,
  enableUser,
  endSession,
  endSessions,
  type ListedUser,
  listUsers,
  resetPassword,
} from '../auth/users/operator-store.ts';
import type { Db, Trx } from '../db/database.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { withServiceDatabase } from './command-line.ts';
import { randomPassword } from './random-password.ts';
import { requireUser } from './require-user.ts';
import { textTable, timeText } from './text-table.ts';

export function userCommands(user: Command): void {
  user
    .command('list')
    .description('list all users with their open sessions and last login')
    .option('--json', 'as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      printed(async ({ db }) => {
        const users = await listUsers(db, systemClock.now());
        return json ? inJson(users) : describeUsers(users);
      }),
    );

  user
    .command('disable')
    .description('end every session of a user and refuse new logins; the wallets go on')
    .argument('<email>', 'e-mail address of the user')
    .action((email: string) => printed((at) => disable(at, email)));

  user
    .command('enable')
    .description('let a disabled user log in again')
    .argument('<email>', 'e-mail address of the user')
    .action((email: string) => printed((at) => enable(at, email)));

  user
    .command('reset-password')
    .description('give a user a new random password, which is printed once, and end every session')
    .argument('<email>', 'e-mail address of the user')
    .action((email: string) => printed((at) => reset(at, email)));

  user
    .command('reset-factors')
    .description('remove every second factor and recovery code of a user, and end every session')
    .argument('<email>', 'e-mail address of the user')
    .action((email: string) =>
      withServiceDatabase(async ({ database: { db }, log }) => {
        const { id, email: name } = await requireUser(db, email);
        const removed = await resetFactors({ db, log, clock: systemClock, metrics: createMetrics() }, id);
        process.stdout.write(describeReset(name, removed));
      }),
    );

  user
    .command('sessions')
    .description('list the open sessions of a user, or end them')
    .argument('<email>', 'e-mail address of the user')
    .option('--end <session>', 'id of the session to end, or "all"')
    .option('--json', 'as JSON')
    .action((email: string, { end, json = false }: { end?: string; json?: boolean }) =>
      printed(async (at) => {
        const { db } = at;
        if (end !== undefined) return endNamed(at, email, end);
        const { id } = await requireUser(db, email);
        const sessions = await listSessions(db, id, { now: systemClock.now() });
        return json ? inJson(sessions) : describeSessions(sessions);
      }),
    );
}

type At = { db: Db; log: Log };

function printed(work: (at: At) => Promise<string>): Promise<void> {
  return withServiceDatabase(async ({ database: { db }, log }) => {
    process.stdout.write(await work({ db, log }));
  });
}

/** Runs `work` in a transaction with the entry of the audit log, which is in the log of the user's team. */
async function asOperator<T>(
  { db, log }: At,
  user: { id: string; email: string },
  deed: Pick<Deed, 'action' | 'after'> & { target?: Deed['target'] },
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  return audited({ db, log, clock: systemClock, metrics: createMetrics() }, operator(), async (trx, note) => {
    const result = await work(trx);
    const team_id = (await teamOfUser(trx, user.id))?.team_id ?? null;
    note({ team_id, target: { kind: 'user', id: user.id }, before: { email: user.email }, ...deed });
    return result;
  });
}

function inJson(rows: object[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}

function describeUsers(users: ListedUser[]): string {
  if (users.length === 0) return 'There is no user.\n';
  return textTable(
    ['EMAIL', 'NAME', 'ID', 'CREATED', 'LAST LOGIN', 'SESSIONS', 'DISABLED SINCE'],
    users.map(({ email, name, id, created_at, last_login_at, sessions, disabled_at }) => [
      email,
      name,
      id,
      timeText(created_at),
      timeText(last_login_at),
      `${sessions}`,
      timeText(disabled_at),
    ]),
  );
}

function describeSessions(sessions: ListedSession[]): string {
  if (sessions.length === 0) return 'No session is open.\n';
  return textTable(
    ['ID', 'KIND', 'DEVICE', 'ADDRESS', 'CREATED', 'LAST USED', 'EXPIRES'],
    sessions.map(({ id, kind, device, ip, created_at, last_used_at, expires_at }) => [
      id,
      kind,
      device ?? '',
      ip ?? '',
      timeText(created_at),
      timeText(last_used_at),
      timeText(expires_at),
    ]),
  );
}

/** @throws OperatorError when the user is unknown, or disabled already */
async function disable(at: At, email: string): Promise<string> {
  const user = await requireUser(at.db, email);
  const unusable_hash = await hashPassword(randomBytes(32).toString('hex'), user.password_hash);
  const known = await asOperator(at, user, { action: 'user.disabled' }, async (trx) => {
    if (!(await disableUser(trx, { user_id: user.id, unusable_hash, now: systemClock.now() })))
      throw new OperatorError(`${user.email} is disabled already. Nothing was changed.`);
    await revokeInvitationsBy(trx, user.id, systemClock.now());
    const membership = await teamOfUser(trx, user.id);
    return membership ? programsKnownTo(trx, membership.team_id, user.id) : [];
  });
  return (
    `Disabled: ${user.email}. Every session has ended, no login is possible, and the user's invitations are revoked.\n` +
    'Service users and API keys that the user has made go on: look at them ("teller service-user list").\n' +
    known
      .map(
        ({ id, name }) => `The user knows a credential of ${id} (${name}): replace its secrets and keys.\n`,
      )
      .join('') +
    'The wallets go on: their API keys work, deposits are credited, and withdrawals that were accepted continue.\n'
  );
}

/** @throws OperatorError when the user is unknown, or not disabled */
async function enable(at: At, email: string): Promise<string> {
  const user = await requireUser(at.db, email);
  await asOperator(at, user, { action: 'user.enabled' }, async (trx) => {
    if (!(await enableUser(trx, user.id)))
      throw new OperatorError(`${user.email} is not disabled. Nothing was changed.`);
  });
  return `Enabled: ${user.email} can log in with the password from before, or the one of a reset since.\n`;
}

/** @throws OperatorError when the user is unknown */
async function reset(at: At, email: string): Promise<string> {
  const user = await requireUser(at.db, email);
  const password = randomPassword();
  const password_hash = await hashPassword(password, user.password_hash);
  const { disabled_at } = await asOperator(at, user, { action: 'password.reset' }, (trx) =>
    resetPassword(trx, { user_id: user.id, password_hash }),
  );
  const disabled = disabled_at === null ? '' : 'The user stays disabled until "teller user enable".\n';
  return (
    `New password of ${user.email}: ${password}\n` +
    `It is shown only now. Every session has ended.\n${disabled}`
  );
}

function describeReset(email: string, removed: number): string {
  const factors = removed === 1 ? '1 second factor' : `${removed} second factors`;
  return (
    `Removed: ${factors} of ${email}, with all recovery codes. Every session has ended.\n` +
    'The user logs in with the password alone, and can add factors again.\n'
  );
}

/** @throws OperatorError when the user or the session is unknown */
async function endNamed(at: At, email: string, end: string): Promise<string> {
  const user = await requireUser(at.db, email);
  if (end === 'all') {
    await asOperator(at, user, { action: 'session.ended', after: { ended: 'all' } }, (trx) =>
      endSessions(trx, user.id),
    );
    return `Ended: every session of ${user.email}.\n`;
  }
  const target = { kind: 'session', id: end };
  await asOperator(at, user, { action: 'session.ended', target }, async (trx) => {
    if (!(await endSession(trx, { id: end, user_id: user.id })))
      throw new OperatorError(`${user.email} has no session ${end}. Nothing was changed.`);
  });
  return `Ended: session ${end} of ${user.email}.\n`;
}
