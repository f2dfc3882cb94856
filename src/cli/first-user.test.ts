import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ACTOR } from '../../test/support/acting.ts';
import { startInProcess } from '../../test/support/in-process-service.ts';
import { temporaryDirectory } from '../../test/support/service.ts';
import { changePassword, login } from '../auth/login/login.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';
import { disableUser, enableUser, resetPassword } from '../auth/users/operator-store.ts';
import { findUsersByEmail } from '../auth/users/user-store.ts';
import { banner, type Started } from './banner.ts';
import { ensureFirstUser } from './first-user.ts';

const STARTED: Omit<Started, 'demo_login'> = {
  url: 'http://127.0.0.1:3000',
  network: 'sandbox',
  database: 'PostgreSQL',
  metrics: '',
  warnings: [],
};

/** The banner of a start on an empty database with `data_dir`. */
async function demoService(context: { after(clean: () => Promise<void>): void }) {
  const world = await startInProcess();
  context.after(() => world.close());
  const depsIn = (data_dir: string) => ({
    ...world.deps,
    config: { ...world.deps.config, network: 'sandbox' as const, data_dir, admin: null },
  });
  await world.deps.pool.query('truncate users cascade');
  const data_dir = temporaryDirectory();
  const deps = depsIn(data_dir);
  const printed = async (own = deps) => banner({ ...STARTED, demo_login: await ensureFirstUser(own) });
  const written = (): { email: string; password: string } =>
    JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8'));
  return { deps, depsIn, printed, written };
}

test('a start prints the demo password while it is the password, and not once the user has another', async (context) => {
  const { deps, printed, written } = await demoService(context);
  const first = await printed();
  const { email, password } = written();
  assert.ok(first.includes(`Log in    ${email}  ${password}\n`));
  assert.equal(await printed(), first, 'the same at the next start');

  const { user } = await login(deps, { email, password, ip: '127.0.0.1' });
  const [session] = (await deps.pool.query('select id from sessions')).rows;
  await changePassword(deps, {
    user,
    session_id: session.id,
    team_id: user.id,
    actor: ACTOR,
    current_password: password,
    new_password: 'another password',
  });
  const later = await printed();
  assert.ok(!later.includes(password));
  assert.ok(later.includes(`Log in    ${email}  with the password that you have set\n`));
  assert.ok(later.includes('"password":"YOUR-PASSWORD"'));

  await deps.pool.query(`update users set email_folded = 'someone@example.com'`);
  assert.doesNotMatch(await printed(), /Log in/, 'no login of a user who is not there');
});

test('a start does not print the demo password after a reset, nor while the user is disabled', async (context) => {
  const { deps, printed, written } = await demoService(context);
  const first = await printed();
  const { email, password } = written();
  const { id: user_id } = (await findUsersByEmail(deps.db, email, { members: true }))[0] ?? assert.fail();

  const unusable_hash = await hashPassword('what nobody knows');
  await deps.db
    .transaction()
    .execute((trx) => disableUser(trx, { user_id, unusable_hash, now: deps.clock.now() }));
  const disabled = await printed();
  assert.ok(!disabled.includes(password));
  assert.ok(disabled.includes(`Log in    ${email}  is disabled (see "teller user enable")\n`));

  await enableUser(deps.db, user_id);
  assert.equal(await printed(), first, 'the password is right again');

  const password_hash = await hashPassword('another password');
  await deps.db.transaction().execute((trx) => resetPassword(trx, { user_id, password_hash }));
  const reset = await printed();
  assert.ok(!reset.includes(password));
  assert.ok(reset.includes(`Log in    ${email}  with the password that you have set\n`));
});

test('of two first starts at once with folders of their own, only the password that works is printed', async (context) => {
  const { deps, depsIn, printed } = await demoService(context);
  const folders = [temporaryDirectory(), temporaryDirectory()];
  const banners = await Promise.all(folders.map((data_dir) => printed(depsIn(data_dir))));
  // A start that already sees the user of the other one makes no login, and prints none.
  const made = folders.map((data_dir) => existsSync(join(data_dir, 'demo-login')));
  assert.ok(made.includes(true));
  for (const [index, data_dir] of folders.entries()) {
    if (!made[index]) {
      assert.doesNotMatch(banners[index] ?? '', /Log in/);
      continue;
    }
    const { email, password } = JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8'));
    const works = await login(deps, { email, password, ip: '127.0.0.1' }).then(
      () => true,
      () => false,
    );
    assert.equal(banners[index]?.includes(password), works);
  }
});

test('no first user gets an ADMIN_PASSWORD that is easy to guess, and a user who has one is left alone', async (context) => {
  const world = await startInProcess();
  context.after(() => world.close());
  const admin = { email: 'admin@example.com', password: 'password123' };
  const deps = { ...world.deps, config: { ...world.deps.config, admin } };
  await ensureFirstUser(deps);
  await deps.pool.query('truncate users cascade');
  await assert.rejects(ensureFirstUser(deps), {
    message: 'ADMIN_PASSWORD is one of the most common passwords: choose another one.',
  });
  assert.deepEqual((await deps.pool.query('select 1 from users')).rows, []);
});
