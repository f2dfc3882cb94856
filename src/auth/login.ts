import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import { hashingTurn, hashPassword, verifyPassword } from './passwords.ts';
import { openSession } from './sessions.ts';
import {
  clearFailures,
  countFailures,
  deleteFailure,
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
 * Opens a session for a correct e-mail and password.
 * @throws AppError `wrong_credentials`, with the same words and in the same time for either; `too_many_logins` after 10
 * failures of this e-mail from this address within 15 minutes.
 */
export async function login(deps: Deps, credentials: Credentials): Promise<{ token: string; user: User }> {
  const user = await findUserByEmail(deps.db, credentials.email);
  const right = await guess(deps, credentials, user?.password_hash);
  const token = user && right ? await openSession(deps, user) : null;
  if (!user || !token) throw new AppError('wrong_credentials', 'The e-mail or the password is wrong.');
  return { token, user };
}

/**
 * Checks one password. It is counted as a failure before the check, within its turn, so that of a burst of guesses at any
 * number of processes at most ten are checked. @throws AppError `too_many_logins`
 */
async function guess(deps: Deps, credentials: Credentials, stored: string | undefined): Promise<boolean> {
  const origin = { email: credentials.email.toLowerCase(), ip: credentials.ip };
  return hashingTurn(credentials.ip, async () => {
    const now = deps.clock.now();
    const since = new Date(now.getTime() - WINDOW_MS);
    const id = await insertFailure(deps.db, origin, now, since);
    if ((await countFailures(deps.db, origin, since)) > MAX_FAILURES) {
      await deleteFailure(deps.db, id);
      throw new AppError('too_many_logins', 'Too many failed logins. Try again in 15 minutes.', {
        retry_after_seconds: WINDOW_MS / 1000,
      });
    }
    const right = await verifyPassword(credentials.password, stored);
    if (right) await clearFailures(deps.db, origin);
    return right;
  });
}

/**
 * Replaces the password and ends every other session of the user.
 * @throws AppError `wrong_credentials` or `too_many_logins` for the current password, as `login` does.
 */
export async function changePassword(
  deps: Deps,
  change: { user: User; session_id: string; ip: string; current_password: string; new_password: string },
): Promise<void> {
  const { user, ip } = change;
  const stored = await findUser(deps.db, user.id);
  const credentials = { email: user.email, password: change.current_password, ip };
  const right = await guess(deps, credentials, stored?.password_hash);
  const wrong = new AppError('wrong_credentials', 'The current password is wrong.');
  if (!stored || !right) throw wrong;
  const replaced = await replacePassword(deps.db, {
    user_id: user.id,
    verified_hash: stored.password_hash,
    password_hash: await hashingTurn(ip, () => hashPassword(change.new_password)),
    kept_session_id: change.session_id,
  });
  if (!replaced) throw wrong;
}

/** Creates a user; null when the e-mail is taken. */
export async function createUser(
  deps: Pick<Deps, 'db' | 'clock'>,
  user: { email: string; password: string; name: string },
): Promise<{ id: string } | null> {
  const id = newId('usr', deps.clock.now());
  const password_hash = await hashPassword(user.password);
  const inserted = await insertUser(deps.db, { id, email: user.email, name: user.name, password_hash });
  return inserted ? { id } : null;
}
