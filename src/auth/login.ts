import { type Actor, auditAlone, audited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { addressGroup } from '../lib/client-address.ts';
import { newId } from '../lib/ids.ts';
import { strangerAt } from './actor.ts';
import type { Requester } from './authenticate.ts';
import { findDevice, withDevice } from './device-cookie.ts';
import { type ProvenLogin, requireSecondFactor } from './factors/login-challenge.ts';
import { hashingTurn, type Turn } from './hashing-turns.ts';
import {
  accountLimit,
  addressGroupLimit,
  deviceLimit,
  FORGOTTEN_AFTER_MS,
  type Limit,
} from './login-limits.ts';
import { faultOfNewPassword } from './new-password.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { openSession, type SessionClient } from './sessions.ts';
import {
  countAttempt,
  deleteForgottenCounts,
  findCounts,
  findUser,
  findUserByEmail,
  insertUser,
  type KnownUser,
  replacePassword,
  takeBackAttempt,
  type User,
} from './store.ts';
import { teamOfUser } from './teams/team-store.ts';

/** `devices`: the device tokens of the browser. `client`: what opens the session. */
type Credentials = {
  email: string;
  password: string;
  ip: string;
  devices?: readonly string[];
  client?: SessionClient;
};

/** With whom an attempt waits for its turn, and with whose failures it is counted. */
type Attempt = { turn: Turn; limits: Limit[] };

type LoggedIn = { token: string; user: User; devices: string[] };

/** A user whose password was right. `device`: the known device of the browser; null when it is none. */
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
 * Checks e-mail and password.
 * @throws AppError `wrong_credentials`, with the same words and in the same time for either; `too_many_logins` while a
 * limit of failed logins (login-limits.ts) keeps the attempt back, or when too many logins are waiting.
 */
export async function verifyLogin(
  deps: Deps,
  { email, password, ip, devices = [] }: Credentials,
): Promise<Verified> {
  const user = await findUserByEmail(deps.db, email);
  const now = deps.clock.now();
  const device = findDevice(deps.device_keys, devices, user, now);
  const attempt = user && device !== null ? ofDevice(deps, user.id, device) : ofStranger(deps, { email, ip });
  const { right, kept_back_ms } = await guess(deps, attempt, { password, stored: user?.password_hash });
  if (user && right) return { user, device };
  // The same statements for a known and an unknown e-mail, which is not written down: people type passwords there too.
  const team = await teamOfUser(deps.db, user?.id ?? '');
  await auditAlone(deps, strangerAt(ip), {
    team_id: team?.team_id ?? null,
    action: 'login.failed',
    target: { kind: 'user', id: user?.id ?? null },
    after: { kept_back_ms },
  });
  throw new AppError('wrong_credentials', 'The e-mail or the password is wrong.');
}

/**
 * Opens a session. Gives the device tokens that the browser shall keep.
 * @throws AppError `wrong_credentials` when the verified password is no longer the user's, the user is in no team, or has got a
 * second factor meanwhile
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

function ofDevice({ device_keys }: Deps, user_id: string, device: string): Attempt {
  return {
    turn: { known: true, group: user_id },
    limits: [deviceLimit(device_keys.current(), user_id, device)],
  };
}

function ofStranger({ device_keys }: Deps, { email, ip }: { email: string; ip: string }): Attempt {
  const group = addressGroup(ip);
  return {
    turn: { known: false, group },
    limits: [accountLimit(device_keys.current(), email), addressGroupLimit(group)],
  };
}

/**
 * Checks one password. A refusal comes before the turn, so that nobody waits for a refusal; the attempt is counted within
 * the turn, so that attempts that wait are not counted yet. @throws AppError `too_many_logins`
 */
async function guess(
  { db, clock }: Deps,
  { turn, limits }: Attempt,
  { password, stored }: { password: string; stored: string | undefined },
): Promise<{ right: boolean; kept_back_ms: number }> {
  const counts = await findCounts(db, limits);
  refuse(Math.max(...counts.map(({ limit, count }) => limit.wait_ms(count, clock.now()))));
  return hashingTurn(turn, async () => {
    const { wait_ms, kept_back_ms } = await countAttempt(db, limits, clock.now());
    refuse(wait_ms);
    const right = await verifyPassword(password, stored);
    if (right) await takeBackAttempt(db, limits);
    return { right, kept_back_ms };
  });
}

/** @throws AppError `too_many_logins` unless there is nothing to wait for. */
function refuse(wait_ms: number): void {
  if (wait_ms <= 0) return;
  const seconds = Math.ceil(wait_ms / 1000);
  const words = `Too many failed logins. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  throw new AppError('too_many_logins', words, { retry_after_seconds: seconds });
}

/** Deletes counts of failed logins that change no answer any more. */
export async function forgetFailures({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await deleteForgottenCounts(db, new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS));
}

/**
 * Replaces the password and ends every other session of the user. Gives the device tokens that the browser shall keep.
 * @throws AppError `invalid_request` for a new password that is too easy to guess; `wrong_credentials` or
 * `too_many_logins` for the current password, as `login` does.
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
    stored: stored?.password_hash,
  });
  const wrong = new AppError('wrong_credentials', 'The current password is wrong.');
  const target = { kind: 'user', id: user.id };
  if (!stored || !right) {
    await auditAlone(deps, actor, { team_id, action: 'password.refused', target, after: { kept_back_ms } });
    throw wrong;
  }
  const password_hash = await hashingTurn(attempt.turn, () => hashPassword(change.new_password));
  const replaced = await audited(deps, actor, async (trx, note) => {
    const done = await replacePassword(trx, {
      user_id: user.id,
      verified_hash: stored.password_hash,
      password_hash,
      kept_session_id: session_id,
    });
    if (done) note({ team_id, action: 'password.changed', target });
    return done;
  });
  if (!replaced) throw wrong;
  const now = deps.clock.now();
  const device = findDevice(deps.device_keys, devices, stored, now);
  const changed = { id: user.id, password_hash };
  return { devices: withDevice(deps.device_keys, devices, changed, { device, now }) };
}

/**
 * Checks the password of a session's user once more.
 * @throws AppError `wrong_credentials`; `too_many_logins` as `login` does
 */
export async function requirePassword(
  deps: Deps,
  { login: { user, session_id, member }, actor }: Requester,
  password: string,
): Promise<void> {
  const stored = (await findUser(deps.db, user.id))?.password_hash;
  const attempt = ofDevice(deps, user.id, session_id);
  const { right, kept_back_ms } = await guess(deps, attempt, { password, stored });
  if (right) return;
  const { team_id } = member;
  const target = { kind: 'user', id: user.id };
  await auditAlone(deps, actor, { team_id, action: 'password.refused', target, after: { kept_back_ms } });
  throw new AppError('wrong_credentials', 'The password is wrong.');
}

/**
 * Creates a user; null when the e-mail is taken.
 * @throws AppError `invalid_request` for a password that is too easy to guess.
 */
export async function createUser(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  user: { email: string; password: string; name: string },
  actor: Actor,
): Promise<{ id: string } | null> {
  await requireUncommon(user.password, user.email, 'password');
  const id = newId('usr', deps.clock.now());
  const password_hash = await hashPassword(user.password);
  const { email, name } = user;
  return audited(deps, actor, async (trx, note) => {
    if (!(await insertUser(trx, { id, email, name, password_hash }))) return null;
    // The commit founds the team of the user, which has the same id.
    note({ team_id: id, action: 'user.created', target: { kind: 'user', id }, after: { email, name } });
    return { id };
  });
}

/** @throws AppError `invalid_request` for a password that is too easy to guess */
export async function requireUncommon(password: string, email: string, field: string): Promise<void> {
  const message = await faultOfNewPassword(password, email);
  if (message === null) return;
  throw new AppError('invalid_request', `The password ${message}.`, {
    details: [{ path: `/${field}`, message }],
  });
}
