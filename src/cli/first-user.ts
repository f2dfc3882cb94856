import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashingTurn } from '../auth/hashing-turns.ts';
import { createUser } from '../auth/login.ts';
import { faultOfNewPassword } from '../auth/new-password.ts';
import { verifyPassword } from '../auth/passwords.ts';
import { anyUser, findUserByEmail } from '../auth/store.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../errors.ts';

const WrittenLogin = z.object({ email: z.string(), password: z.string() });

/** `password` is null once the user has another one. */
export type DemoLogin = { email: string; password: string | null };

const DEMO_EMAIL = 'demo@example.com';
const PASSWORD_CHARS = 'abcdefghijkmnpqrstuvwxyz23456789'; // no characters that look alike
const PASSWORD_LENGTH = 16;

/**
 * Creates the first user when there is none: from ADMIN_EMAIL and ADMIN_PASSWORD, or on the sandbox a demo user whose
 * login is kept in `<data_dir>/demo-login`. Gives the demo login, which every start shows; null when there is none.
 */
export async function ensureFirstUser(deps: Deps): Promise<DemoLogin | null> {
  const { admin, network } = deps.config;
  const exists = await anyUser(deps.db);
  if (admin) {
    if (!exists) await createAdmin(deps, admin);
    return null;
  }
  if (network !== 'sandbox') {
    if (!exists)
      deps.log.warn('no user exists yet: set ADMIN_EMAIL and ADMIN_PASSWORD, or run "teller user create"');
    return null;
  }
  const file = join(deps.config.data_dir, 'demo-login');
  // The file comes first: after a crash in between, the next start creates the user.
  if (!exists && !existsSync(file)) writeDemoLogin(file);
  if (!existsSync(file)) return null;
  const login = WrittenLogin.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (exists) return checked(deps, login);
  await createUser(deps, { ...login, name: 'Demo' });
  return login;
}

/** @throws OperatorError for a password that is too easy to guess: it would be the only one of the service. */
async function createAdmin(deps: Deps, admin: { email: string; password: string }): Promise<void> {
  const fault = await faultOfNewPassword(admin.password, admin.email);
  if (fault !== null) throw new OperatorError(`ADMIN_PASSWORD ${fault}.`);
  await createUser(deps, { ...admin, name: 'Admin' });
}

/** The written login without a password that the user has changed since. Null when there is no such user. */
async function checked(
  { db }: Deps,
  { email, password }: z.output<typeof WrittenLogin>,
): Promise<DemoLogin | null> {
  const user = await findUserByEmail(db, email);
  if (!user) return null;
  const turn = { known: true, group: 'the start' };
  const right = await hashingTurn(turn, () => verifyPassword(password, user.password_hash));
  return { email, password: right ? password : null };
}

function writeDemoLogin(file: string): void {
  const password = Array.from(
    { length: PASSWORD_LENGTH },
    () => PASSWORD_CHARS[randomInt(PASSWORD_CHARS.length)],
  ).join('');
  writeFileSync(file, `${JSON.stringify({ email: DEMO_EMAIL, password })}\n`, { mode: 0o600 });
}
