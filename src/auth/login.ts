import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import { hashingTurn, hashPassword, verifyPassword } from './passwords.ts';
import { openSession } from './sessions.ts';
import {
  clearFailures,
  countFailures,
  findUser,
  findUserByEmail,
  insertFailure,
  insertUser,
  replacePassword,
  type User,
} from './store.ts';

const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60_000;

type Credentials = { email: string; password: string; ip: string };

/**
 * A new session for the right e-mail and password.
 * @throws AppError `wrong_credentials` (the same for either, in words and in time), or `too_many_logins` after 10
 * failures of this e-mail from this address within 15 minutes.
 */
export async function login(deps: Deps, credentials: Credentials): Promise<{ token: string; user: User }> {
  const user = await findUserByEmail(deps.db, credentials.email);
  // Failures are counted within the turn: a burst of guesses is refused after the tenth, not after the last.
  const right = await hashingTurn(() => attempt(deps, credentials, user?.password_hash));
  if (!user || !right) throw new AppError('wrong_credentials', 'The e-mail or the password is wrong.');
  return { token: await openSession(deps, user.id), user };
}

async function attempt(
  deps: Deps,
  { email, password, ip }: Credentials,
  stored: string | undefined,
): Promise<boolean> {
  const now = deps.clock.now();
  const since = new Date(now.getTime() - WINDOW_MS);
  const origin = { email: email.toLowerCase(), ip };
  if ((await countFailures(deps.db, origin, since)) >= MAX_FAILURES) {
    throw new AppError('too_many_logins', 'Too many failed logins. Try again in 15 minutes.', {
      retry_after_seconds: WINDOW_MS / 1000,
    });
  }
  const right = await verifyPassword(password, stored);
  if (right) await clearFailures(deps.db, origin, since);
  else await insertFailure(deps.db, origin, now);
  return right;
}

/** @throws AppError `wrong_credentials` when the current password is wrong. Every other session of the user ends. */
export async function changePassword(
  deps: Deps,
  change: { user_id: string; session_id: string; current_password: string; new_password: string },
): Promise<void> {
  const user = await findUser(deps.db, change.user_id);
  const right = await hashingTurn(() => verifyPassword(change.current_password, user?.password_hash));
  if (!right) {
    throw new AppError('wrong_credentials', 'The current password is wrong.');
  }
  await replacePassword(deps.db, {
    user_id: change.user_id,
    password_hash: await hashingTurn(() => hashPassword(change.new_password)),
    kept_session_id: change.session_id,
  });
}

/** Null when the e-mail is taken. */
export async function createUser(
  deps: Pick<Deps, 'db' | 'clock'>,
  user: { email: string; password: string; name: string },
): Promise<{ id: string } | null> {
  const id = newId('usr', deps.clock.now());
  const password_hash = await hashingTurn(() => hashPassword(user.password));
  const inserted = await insertUser(deps.db, { id, email: user.email, name: user.name, password_hash });
  return inserted ? { id } : null;
}
