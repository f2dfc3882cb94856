import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startInProcess } from '../../test/support/in-process-service.ts';
import { temporaryDirectory } from '../../test/support/service.ts';
import { changePassword, login } from '../auth/login.ts';
import { banner, type Started } from './banner.ts';
import { ensureFirstUser } from './first-user.ts';

const STARTED: Omit<Started, 'demo_login'> = {
  url: 'http://127.0.0.1:3000',
  network: 'sandbox',
  database: 'PostgreSQL',
  metrics: '',
  warnings: [],
};

test('a start prints the demo password while it is the password, and not once the user has another', async (context) => {
  const world = await startInProcess();
  context.after(() => world.close());
  const data_dir = temporaryDirectory();
  const deps = {
    ...world.deps,
    config: { ...world.deps.config, network: 'sandbox' as const, data_dir, admin: null },
  };
  await deps.pool.query('truncate users cascade');
  const printed = async () => banner({ ...STARTED, demo_login: await ensureFirstUser(deps) });

  const first = await printed();
  const { email, password } = JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8'));
  assert.ok(first.includes(`Log in    ${email}  ${password}\n`));
  assert.equal(await printed(), first, 'the same at the next start');

  const { user } = await login(deps, { email, password, ip: '127.0.0.1' });
  const [session] = (await deps.pool.query('select id from sessions')).rows;
  await changePassword(deps, {
    ...{ user, session_id: session.id },
    ...{ current_password: password, new_password: 'another password' },
  });
  const later = await printed();
  assert.ok(!later.includes(password));
  assert.ok(later.includes(`Log in    ${email}  with the password that you have set\n`));
  assert.ok(later.includes('"password":"YOUR-PASSWORD"'));

  await deps.pool.query(`update users set email = 'someone@example.com'`);
  assert.doesNotMatch(await printed(), /Log in/, 'no login of a user who is not there');
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
