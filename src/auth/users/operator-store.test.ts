import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { ACTOR } from '../../../test/support/acting.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { newId } from '../../lib/ids.ts';
import { changePassword, createUser, login } from '../login/login.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { insertSession, listSessions } from '../sessions/session-store.ts';
import { openSession } from '../sessions/sessions.ts';
import { disableUser, enableUser, listUsers, resetPassword } from './operator-store.ts';
import { findUser } from './user-store.ts';

const PASSWORD = 'correct horse';
const PROGRAM = { kind: 'program', device: null, ip: '127.0.0.1', factor_at: null } as const;

let world: InProcessService;
let unusable_hash: string;
before(async () => {
  world = await startInProcess();
  unusable_hash = await hashPassword('what nobody knows');
});
after(() => world.close());

let count = 0;
let user: { id: string; email: string };
beforeEach(async () => {
  const email = `${count++}@example.com`;
  const made = await createUser(world.deps, { email, password: PASSWORD, name: email }, ACTOR);
  user = { id: made?.id ?? assert.fail(), email };
});

const now = () => world.deps.clock.now();
const verified = async () => (await findUser(world.deps.db, user.id)) ?? assert.fail();
const logIn = (password = PASSWORD) => login(world.deps, { email: user.email, password, ip: '127.0.0.1' });
const disable = (db = world.deps.db) =>
  db.transaction().execute((trx) => disableUser(trx, { user_id: user.id, unusable_hash, now: now() }));
const reset = (password_hash: string, db = world.deps.db) =>
  db.transaction().execute((trx) => resetPassword(trx, { user_id: user.id, password_hash }));
const sessions = () => listSessions(world.deps.db, user.id, { now: now() });
const listed = async () =>
  (await listUsers(world.deps.db, now())).find(({ id }) => id === user.id) ?? assert.fail();

/** Whether a statement waits for a lock of another transaction. */
const isWaiting = async () => {
  const { rows } = await world.deps.pool.query(
    'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
  );
  return rows.length > 0;
};

test('a login that has verified the password before the user is disabled opens no session after it', async () => {
  const before_it = await verified();
  assert.equal(await disable(), true);
  assert.equal(await openSession(world.deps, before_it, PROGRAM), null);
  assert.deepEqual(await sessions(), []);
});

test('a login at the moment of the disabling waits for it, and opens no session', async () => {
  const before_it = await verified();
  let opening: Promise<string | null> | undefined;
  await world.deps.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('users')
      .set({
        disabled_at: now(),
        enabled_password_hash: before_it.password_hash,
        password_hash: unusable_hash,
      })
      .where('id', '=', user.id)
      .execute();
    opening = openSession(world.another(), before_it, PROGRAM);
    await eventually('the login waits', isWaiting);
  });
  assert.equal(await opening, null);
  assert.deepEqual(await sessions(), []);
});

for (const [name, change] of [
  ['the disabling', () => disable(world.another().db)],
  ['the reset of the password', () => reset(unusable_hash, world.another().db)],
] as const) {
  test(`${name} waits for a login at the same moment, and ends its session`, async () => {
    const before_it = await verified();
    let changing: Promise<unknown> | undefined;
    const session = {
      ...PROGRAM,
      id: newId('ses', now()),
      created_at: now(),
      expires_at: new Date(now().getTime() + 60_000),
    };
    const opened = await world.deps.db.transaction().execute(async (trx) => {
      const inserted = await insertSession(trx, session, before_it);
      changing = change();
      await eventually('the change waits', isWaiting);
      return inserted;
    });
    assert.ok(opened, 'the login was first');
    await changing;
    assert.deepEqual(await sessions(), []);
  });
}

test('of many logins and disablings at once on several processes no session stays', async () => {
  const processes = [world.deps, world.another(), world.another()];
  for (let round = 0; round < 20; round++) {
    const before_it = await verified();
    const logins = processes.flatMap((deps) =>
      Array.from({ length: 4 }, () => openSession(deps, before_it, PROGRAM)),
    );
    const disablings = processes.map(({ db }) => disable(db));
    await Promise.all(logins);
    const done = await Promise.all(disablings);
    assert.equal(done.filter(Boolean).length, 1, 'one of them disables the user');
    assert.deepEqual(await sessions(), []);
    assert.equal(await enableUser(world.deps.db, user.id), true);
  }
});

test('a password cannot be changed with the one from before the disabling', async () => {
  await logIn();
  const [session] = await sessions();
  const before_it = { ...(await verified()) };
  const changing = changePassword(world.deps, {
    user: before_it,
    session_id: session?.id ?? '',
    team_id: user.id,
    actor: ACTOR,
    current_password: PASSWORD,
    new_password: 'the thief’s password',
  });
  await disable();
  await changing.catch(() => undefined); // whichever was first
  await enableUser(world.deps.db, user.id);
  const answers = await Promise.allSettled([logIn(), logIn('the thief’s password')]);
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.ok(
    (await sessions()).every(({ id }) => id !== session?.id),
    'the session from before is dead either way',
  );
});

test('a disabled user gets the answer of a wrong password; enabled, the password from before is right', async () => {
  await disable();
  assert.equal(await disable(), false, 'disabled already');
  const wrong = { code: 'wrong_credentials', message: 'The e-mail or the password is wrong.' };
  await assert.rejects(logIn(), wrong);
  await assert.rejects(logIn('a wrong one'), wrong);
  assert.equal(await enableUser(world.deps.db, user.id), true);
  assert.equal(await enableUser(world.deps.db, user.id), false, 'enabled already');
  await logIn();
});

test('a password that is reset while the user is disabled is right once the user is enabled, and not before', async () => {
  await disable();
  const password_hash = await hashPassword('a new password');
  const { disabled_at } = await reset(password_hash);
  assert.ok(disabled_at);
  await assert.rejects(logIn('a new password'), { code: 'wrong_credentials' });
  await enableUser(world.deps.db, user.id);
  await assert.rejects(logIn(), { code: 'wrong_credentials' });
  await logIn('a new password');
});

test('the last login is known after its session has ended', async () => {
  assert.equal((await listed()).last_login_at, null);
  await logIn();
  const { last_login_at, sessions: open } = await listed();
  assert.ok(last_login_at);
  assert.equal(open, 1);
  await disable();
  assert.deepEqual((await listed()).last_login_at, last_login_at);
  assert.equal((await listed()).sessions, 0);
});
