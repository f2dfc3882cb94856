/** A password that somebody chooses for a user. */
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { findUsersByEmail } from '../users/user-store.ts';
import { countAttempt } from './failure-count-store.ts';
import { refuse } from './guess-password.ts';
import { hashingTurn, type Turn } from './hashing-turns.ts';
import { choiceLimit } from './login-limits.ts';
import { faultOfNewPassword } from './new-password.ts';
import { hashPassword } from './passwords.ts';

/** `field`: of the request, for the refusal. `own_id`: of the user who gets it; null: a new one. */
type Choice = { email: string; password: string; field: string; own_id: string | null };

/**
 * Computes the hash of a chosen password with the salt of the e-mail. Users with one e-mail have different passwords, because the
 * password says who logs in. The refusal confirms a right guess of another user's password, so choices are limited as guesses of
 * strangers are.
 * @throws AppError `invalid_request` for the password of another user with the e-mail; `too_many_logins`
 */
export async function hashChosen(
  { db, clock, device_keys }: Pick<Deps, 'db' | 'clock' | 'device_keys'>,
  { turn, ...choice }: Choice & { turn: Turn },
): Promise<string> {
  refuse((await countAttempt(db, [choiceLimit(device_keys.current(), choice.email)], clock.now())).wait_ms);
  return hashingTurn(turn, () => hashAmong(db, choice));
}

/**
 * Computes the hash of a chosen password as `hashChosen` does, without its limit: the operator is not limited.
 * @throws AppError `invalid_request`
 */
export async function hashAmong(db: Db, { email, password, field, own_id }: Choice): Promise<string> {
  const users = await findUsersByEmail(db, email, { members: false });
  const hash = await hashPassword(password, users[0]?.password_hash);
  if (users.some((user) => user.id !== own_id && user.password_hash === hash))
    throw wrongPassword(field, 'is that of another user with this e-mail: choose another one');
  return hash;
}

/** @throws AppError `invalid_request` for a password that is too easy to guess */
export async function requireUncommon(password: string, email: string, field: string): Promise<void> {
  const message = await faultOfNewPassword(password, email);
  if (message !== null) throw wrongPassword(field, message);
}

function wrongPassword(field: string, message: string): AppError {
  return new AppError('invalid_request', `The password ${message}.`, {
    details: [{ path: `/${field}`, message }],
  });
}
