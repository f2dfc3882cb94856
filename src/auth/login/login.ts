import { type Actor, auditAlone, audited } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type ProvenLogin, requireSecondFactor } from '../factors/login-challenge.ts';
import { hashAmong, hashChosen, requireUncommon } from '../passwords/choose-password.ts';
import { deleteForgottenCounts } from '../passwords/failure-count-store.ts';
import { guess, guessAtDevice, isKnown, ofDevice, ofStranger } from '../passwords/guess-password.ts';
import { FORGOTTEN_AFTER_MS } from '../passwords/login-limits.ts';
import { openSession, type SessionClient } from '../sessions/sessions.ts';
import { teamOfUser } from '../teams/team-store.ts';
import { strangerAt } from '../users/actor.ts';
import { noteOwnPassword } from '../users/known-password-store.ts';
import {
  findUser,
  findUsersByEmail,
  insertUser,
  type KnownUser,
  lockEmail,
  replacePassword,
  type User,
} from '../users/user-store.ts';
import { findDevice, withDevice } from './device-cookie.ts';

/** `devices`: the device tokens of the browser. `client`: what opens the session. */
type Credentials = {
  email: string;
  password: string;
  ip: string;
  devices?: readonly string[];
  client?: SessionClient;
};

type LoggedIn = { token: string; user: User; devices: string[] };

/** A user whose password was right. `device`: the known device; null when the browser is no known device. */
type Verified = {
  user: KnownUser;
  device: string | null;
  factor_at?: null;
};

/**
 * Opens a session for a correct e-mail and password.
 * @throws AppError as `verifyLogin` does; `second_factor_required` with a challenge for a user who has a second factor
 */
export async function login(deps: Deps, credentials: Credentials): Promise<LoggedIn> {
  const verified = await verifyLogin(deps, credentials);
  await requireSecondFactor(deps, verified, credentials.ip);
  return openLogin(deps, verified, credentials);
}

/**
 * Checks e-mail and password. Several users may have the e-mail, each in a team of its own: the password says which of them.
 * `members`: only those who are in a team.
 * @throws AppError `wrong_credentials`, with the same words and in the same time for either; `too_many_logins` while a
 * limit of failed logins (passwords/login-limits.ts) keeps the attempt back, or when too many logins are waiting.
 */
export async function verifyLogin(
  deps: Deps,
  { email, password, ip, devices = [] }: Credentials,
  { members } = { members: true },
): Promise<Verified> {
  const candidates = await findCandidates(deps, { email, devices, members });
  const users = candidates.map(({ user }) => user);
  const known = candidates.filter(isKnown);
  const stranger = ofStranger(deps, { email, ip });
  const { right, kept_back_ms } =
    known.length > 0
      ? await guessAtDevice(deps, { known, candidates, stranger }, password)
      : await guess(deps, stranger, { password, candidates });
  if (right) return right;
  await noteFailure(deps, { users, ip, kept_back_ms });
  throw new AppError('wrong_credentials', 'The e-mail or the password is wrong.');
}

/** Returns true when a user with the e-mail has signed in at this browser before. */
export async function isDeviceOfUser(
  deps: Deps,
  { email, devices }: Pick<Credentials, 'email'> & { devices: readonly string[] },
): Promise<boolean> {
  return (await findCandidates(deps, { email, devices, members: false })).some(isKnown);
}

/** As many users as this take the time of one: an answer must not show by its time in how many teams an e-mail is. */
const SAME_TIME_USERS = 4;

/** Finds the users with the e-mail, each with the known device that the browser is for them. */
async function findCandidates(
  { db, device_keys, clock }: Deps,
  { email, devices, members }: { email: string; devices: readonly string[]; members: boolean },
) {
  const users = await findUsersByEmail(db, email, { members });
  const now = clock.now();
  const deviceOf = (user: KnownUser | undefined) => findDevice(device_keys, devices, user, now);
  for (let absent = users.length; absent < SAME_TIME_USERS; absent++) deviceOf(undefined);
  return users.map((user) => ({ user, device: deviceOf(user) }));
}

/**
 * Records a failed login in the audit log. An unknown e-mail has an entry too, in the log of the service. The e-mail is not written
 * down: people type passwords there.
 */
async function noteFailure(
  deps: Deps,
  { users, ip, kept_back_ms }: { users: KnownUser[]; ip: string; kept_back_ms: number },
): Promise<void> {
  await audited(deps, strangerAt(ip), async (trx, note) => {
    for (const id of users.length > 0 ? users.map((user) => user.id) : [null]) {
      const team_id = (await teamOfUser(trx, id ?? ''))?.team_id ?? null;
      note({ team_id, action: 'login.failed', target: { kind: 'user', id }, after: { kept_back_ms } });
    }
  });
}

/**
 * Opens a session. Returns its token, and the device tokens that the browser shall keep.
 * @throws AppError `wrong_credentials` when the verified password is no longer the user's, the user is in no team, or has got a
 * second factor since
 */
export async function openLogin(
  deps: Deps,
  { user, device, factor_at = null }: Verified | ProvenLogin,
  {
    ip,
    devices = [],
    client = { kind: 'program', device: null, ip },
  }: Omit<Credentials, 'email' | 'password'>,
): Promise<LoggedIn> {
  const is_new_device = device === null && user.last_login_at !== null;
  const token = await openSession(deps, user, client, { factor_at, is_new_device });
  if (!token) throw new AppError('wrong_credentials', 'The e-mail or the password is wrong.');
  const now = deps.clock.now();
  return { token, user, devices: withDevice(deps.device_keys, devices, user, { device, now }) };
}

/** Deletes counts of failed logins that change no answer any more. */
export async function forgetFailures({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await deleteForgottenCounts(db, new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS));
}

/**
 * Replaces the password and ends every other session of the user. Returns the device tokens that the browser shall keep.
 * @throws AppError `invalid_request` for a new password that is too easy to guess, or that of another user with the e-mail;
 * `wrong_credentials` or `too_many_logins` for the current password, as `login` does.
 */
export async function changePassword(
  deps: Deps,
  change: {
    user: User;
    session_id: string;
    team_id: string;
    actor: Actor;
    current_password: string;
    new_password: string;
    devices?: readonly string[];
  },
): Promise<{ devices: string[] }> {
  const { user, session_id, team_id, actor, devices = [] } = change;
  await requireUncommon(change.new_password, user.email, 'new_password');
  const stored = await findUser(deps.db, user.id);
  const attempt = ofDevice(deps, user.id, session_id);
  const { right, kept_back_ms } = await guess(deps, attempt, {
    password: change.current_password,
    candidates: stored ? [{ user: stored }] : [],
  });
  const wrong = new AppError('wrong_credentials', 'The current password is wrong.');
  const target = { kind: 'user', id: user.id };
  if (!stored || !right) {
    await auditAlone(deps, actor, { team_id, action: 'password.refused', target, after: { kept_back_ms } });
    throw wrong;
  }
  const password_hash = await hashChosen(deps, {
    email: user.email,
    password: change.new_password,
    field: 'new_password',
    turn: attempt.turn,
    own_id: user.id,
  });
  const replaced = await audited(deps, actor, async (trx, note) => {
    const done = await replacePassword(trx, {
      user_id: user.id,
      verified_hash: stored.password_hash,
      password_hash,
      kept_session_id: session_id,
    });
    if (!done) return false;
    note({ team_id, action: 'password.changed', target });
    // The same password again is as known as before.
    if (password_hash !== stored.password_hash) await noteOwnPassword(trx, user.id);
    return true;
  });
  if (!replaced) throw wrong;
  const now = deps.clock.now();
  const device = findDevice(deps.device_keys, devices, stored, now);
  const changed = { id: user.id, password_hash };
  return { devices: withDevice(deps.device_keys, devices, changed, { device, now }) };
}

/**
 * Creates a user with a team of one. Returns null when there is a user with the e-mail, unless there may be `another` one.
 * @throws AppError `invalid_request` for a password that is too easy to guess, or that of another user with the e-mail
 */
export async function createUser(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  user: { email: string; password: string; name: string },
  actor: Actor,
  { another } = { another: false },
): Promise<{ id: string } | null> {
  const { email, password, name } = user;
  await requireUncommon(password, email, 'password');
  const id = newId('usr', deps.clock.now());
  const isTaken = async (db: Db) =>
    !another && (await findUsersByEmail(db, email, { members: false })).length > 0;
  if (await isTaken(deps.db)) return null;
  const password_hash = await hashAmong(deps.db, { email, password, field: 'password', own_id: null });
  return audited(deps, actor, async (trx, note) => {
    await lockEmail(trx, email);
    if (await isTaken(trx)) return null;
    await insertUser(trx, { id, email, name, password_hash });
    // The commit founds the team of the user, which has the same id.
    note({ team_id: id, action: 'user.created', target: { kind: 'user', id }, after: { email, name } });
    return { id };
  });
}
