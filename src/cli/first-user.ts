import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { THE_SERVICE } from '../audit/audit.ts';
import { createUser } from '../auth/login/login.ts';
import { hashingTurn } from '../auth/passwords/hashing-turns.ts';
import { faultOfNewPassword } from '../auth/passwords/new-password.ts';
import { matchPassword } from '../auth/passwords/passwords.ts';
import { teamOfUser } from '../auth/teams/team-store.ts';
import { anyUser, findUsersByEmail } from '../auth/users/user-store.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../lib/errors.ts';
import { randomPassword } from './random-password.ts';

const WrittenLogin = z.object({ email: z.string(), password: z.string() });

/** `password` is null where it does not work: the user has another one, or is disabled. */
export type DemoLogin = { email: string; password: string | null; disabled: boolean };

const DEMO_EMAIL = 'demo@example.com';

/**
 * Creates the first user when there is none: from ADMIN_EMAIL and ADMIN_PASSWORD, or on the sandbox a demo user whose login is kept
 * in `<data_dir>/demo-login`. Returns the demo login, which every start shows; null when there is none.
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
  const created = exists ? null : await createUser(deps, { ...login, name: 'Demo' }, THE_SERVICE);
  // Null too when another process, with a DATA_DIR of its own, has just created the demo user.
  return created ? { ...login, disabled: false } : checked(deps, login);
}

/** @throws OperatorError for a password that is too easy to guess: it would be the only one of the service. */
async function createAdmin(deps: Deps, admin: { email: string; password: string }): Promise<void> {
  const fault = await faultOfNewPassword(admin.password, admin.email);
  if (fault !== null) throw new OperatorError(`ADMIN_PASSWORD ${fault}.`);
  await createUser(deps, { ...admin, name: 'Admin' }, THE_SERVICE);
}

/** Returns the written login, without its password where that does not work any more; null when there is no such user. */
async function checked(
  { db }: Deps,
  { email, password }: z.output<typeof WrittenLogin>,
): Promise<DemoLogin | null> {
  const [user] = await findUsersByEmail(db, email, { members: false });
  if (!user) return null;
  const turn = { known: true, group: 'the start' };
  const matches = await hashingTurn(turn, () => matchPassword(password, [user.password_hash]));
  const right = matches.size > 0;
  const is_member = (await teamOfUser(db, user.id)) !== undefined;
  return { email, password: right && is_member ? password : null, disabled: user.disabled_at !== null };
}

function writeDemoLogin(file: string): void {
  const login = { email: DEMO_EMAIL, password: randomPassword() };
  writeFileSync(file, `${JSON.stringify(login)}\n`, { mode: 0o600 });
}
