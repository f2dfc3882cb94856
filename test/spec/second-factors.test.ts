/** A second factor at a login: authenticator apps (TOTP) and recovery codes. Passkeys: test/browser/passkeys.test.ts. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { addApp, challengeOf, codeOf, forgetSteps, makeStale, prove, wrongCode } from '../support/factors.ts';
import { assertError, joinService, type User } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());

let user: User;
beforeEach(async () => {
  user = await world.newUser();
});

const logIn = ({ email, password }: User = user) =>
  world.api('POST', '/v1/auth/login', { body: { email, password } });
const me = (token: string) => world.api('GET', '/v1/auth/me', { token });
const factorsOf = async (token: string) => (await world.api('GET', '/v1/auth/factors', { token })).body.data;
/** The log of everything that the user has done, oldest first. */
const actionsOf = async ({ id }: User) =>
  (
    await world.query(
      'select action from audit_log where actor_id = $1 or target_id = $1 order by chain, seq',
      [id],
    )
  ).map(({ action }) => action);
const sessionsOf = async ({ id }: User) =>
  Number((await world.query('select count(*) as n from sessions where user_id = $1', [id]))[0].n);
const setFailures = (failures: number) =>
  world.query('update users set factor_failures = $2 where id = $1', [user.id, failures]);
const failuresOf = async () =>
  (await world.query('select factor_failures from users where id = $1', [user.id]))[0].factor_failures;

describe('a user without a second factor', () => {
  it('logs in as before, and has no factor in the list', async () => {
    const answer = await logIn();
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.body.data).sort(), ['token', 'user']);
    const { factors, recovery_codes_left, required_by_team, stopped } = await factorsOf(user.token);
    assert.deepEqual([factors, recovery_codes_left, required_by_team, stopped], [[], 0n, false, false]);
  });
});

describe('adding an authenticator app', () => {
  const begin = (body: object) => world.api('POST', '/v1/auth/factors/totp', { token: user.token, body });
  const confirm = (id: string, code: string, token = user.token) =>
    world.api('POST', `/v1/auth/factors/totp/${id}/confirm`, { token, body: { code } });

  it('the first factor needs the password again: a stolen session gets none', async () => {
    const missing = await begin({ name: 'Phone' });
    assert.equal(assertError(missing, 400, 'invalid_request')[0]?.path, '/current_password');
    assertError(await begin({ name: 'Phone', current_password: 'wrong' }), 401, 'wrong_credentials');
    const options = (body: object) =>
      world.api('POST', '/v1/auth/factors/passkeys/options', { token: user.token, body });
    assertError(await options({}), 400, 'invalid_request');
    assertError(await options({ current_password: 'wrong' }), 401, 'wrong_credentials');
    assert.equal((await world.query('select 1 from second_factors where user_id = $1', [user.id])).length, 0);
  });

  it('is for the session that began it, for five codes and ten minutes: else a stolen session could guess one', async () => {
    const begun = async () =>
      (await begin({ name: 'Phone', current_password: user.password })).body.data as {
        id: string;
        secret: string;
      };
    const first = await begun();
    const other = (await logIn()).body.data.token;
    assertError(await confirm(first.id, codeOf(first.secret), other), 404, 'not_found');
    for (let n = 0; n < 5; n++) assertError(await confirm(first.id, wrongCode(first.secret)), 400);
    assertError(await confirm(first.id, codeOf(first.secret)), 404, 'not_found');
    const late = await begun();
    await world.query(
      "update second_factors set created_at = created_at - interval '601 seconds' where id = $1",
      [late.id],
    );
    assertError(await confirm(late.id, codeOf(late.secret)), 404, 'not_found');
    assert.equal((await logIn()).status, 200, 'no factor was added');
  });

  it('counts once a code was right; until then logins need no factor', async () => {
    const { id, secret, uri } = (await begin({ name: 'Phone', current_password: user.password })).body.data;
    assert.match(
      uri,
      /^otpauth:\/\/totp\/Stellar%20Teller:user-.*%40example.com\?issuer=Stellar%20Teller&secret=/,
    );
    assert.equal(assertError(await confirm(id, wrongCode(secret)), 400)[0]?.path, '/code');
    assert.equal((await logIn()).status, 200);
    const confirmed = await confirm(id, codeOf(secret));
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal(confirmed.body.data.recovery_codes.length, 10);
    assertError(await logIn(), 401, 'second_factor_required');
    assertError(await confirm(id, codeOf(secret)), 404, 'not_found');
    const { factors, recovery_codes_left } = await factorsOf(user.token);
    assert.deepEqual(
      factors.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
      [['totp', 'Phone']],
    );
    assert.equal(recovery_codes_left, 10n);
  });

  it('the code that confirms is used: it does not log in', async () => {
    const { id, secret } = (await begin({ name: 'Phone', current_password: user.password })).body.data;
    const code = codeOf(secret);
    await confirm(id, code);
    const { challenge } = await challengeOf(world, user);
    assertError(await prove(world, { challenge, totp: code }), 401, 'second_factor_wrong');
  });

  it('ends the other sessions of the user and keeps this one', async () => {
    const other = (await logIn()).body.data.token;
    await addApp(world, user);
    assertError(await me(other), 401, 'unauthenticated');
    assert.equal((await me(user.token)).status, 200);
  });

  it('another user cannot confirm it, rename it or remove it', async () => {
    const { id, secret } = (await begin({ name: 'Phone', current_password: user.password })).body.data;
    const stranger = await world.newUser();
    assertError(await confirm(id, codeOf(secret), stranger.token), 404, 'not_found');
    await confirm(id, codeOf(secret));
    const path = `/v1/auth/factors/${id}`;
    const rename = { token: stranger.token, body: { name: 'Mine' } };
    assertError(await world.api('PATCH', path, rename), 404, 'not_found');
    assertError(await world.api('DELETE', path, { token: stranger.token }), 404, 'not_found');
  });

  it('a user has two apps at most, and neither secret nor codes are in the database or the log', async () => {
    const first = await addApp(world, user);
    const second = await addApp(world, user, 'Tablet');
    assert.equal(second.recovery_codes, null);
    assertError(await begin({ name: 'Third' }), 422, 'too_many_factors');
    const tables = ['second_factors', 'recovery_codes', 'audit_log'];
    const rows = await Promise.all(tables.map((table) => world.query(`select * from ${table}`)));
    const text = JSON.stringify(rows) + world.service.output();
    for (const secret of [first.secret, second.secret, ...(first.recovery_codes ?? [])]) {
      assert.ok(!text.includes(secret));
      assert.ok(!text.includes(Buffer.from(secret).toString('hex')));
    }
  });
});

describe('a login with an authenticator app', () => {
  it('opens no session before the code; then answers like a login without a factor', async () => {
    const { secret } = await addApp(world, user);
    const before = await sessionsOf(user);
    const { challenge, methods, passkey_options } = await challengeOf(world, user);
    assert.deepEqual([methods, passkey_options], [['totp', 'recovery_code'], null]);
    assert.equal(await sessionsOf(user), before);
    const answer = await prove(world, { challenge, totp: codeOf(secret) });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.body.data).sort(), ['token', 'user']);
    assert.equal(answer.body.data.user.id, user.id);
    assert.match(answer.headers.get('set-cookie') ?? '', /teller-device=/);
    assert.equal((await me(answer.body.data.token)).status, 200);
  });

  it('takes a code once, also when ten come at once', async () => {
    const { secret } = await addApp(world, user);
    const challenges = await Promise.all(Array.from({ length: 10 }, () => challengeOf(world, user)));
    const totp = codeOf(secret); // only now: ten logins may take longer than a code is valid
    const answers = await Promise.all(challenges.map(({ challenge }) => prove(world, { challenge, totp })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      assertError(answer, 401, 'second_factor_wrong');
    const { challenge } = await challengeOf(world, user);
    assertError(await prove(world, { challenge, totp }), 401, 'second_factor_wrong');
  });

  it('takes a clock that is one step off, and not two; an older code after a newer one is refused', async () => {
    const { id, secret } = await addApp(world, user);
    const attempt = async (steps: number) => {
      const { challenge } = await challengeOf(world, user);
      return (await prove(world, { challenge, totp: codeOf(secret, steps) })).status;
    };
    assert.deepEqual([await attempt(-3), await attempt(3)], [401, 401]);
    assert.equal(await attempt(1), 200);
    assert.deepEqual([await attempt(0), await attempt(-1)], [401, 401]);
    await forgetSteps(world, id);
    assert.equal(await attempt(0), 200);
  });

  it('takes spaces in a code and digits of any script, and nothing else', async () => {
    const { secret } = await addApp(world, user);
    const code = codeOf(secret);
    const fullWidth = (digits: string) =>
      [...digits].map((digit) => String.fromCharCode(0xff10 + Number(digit))).join('');
    const { challenge } = await challengeOf(world, user);
    for (const totp of [
      '',
      fullWidth(code.slice(1)),
      `+${code.slice(1)}`,
      code.slice(1),
      `${code}0`,
      'abcdef',
    ])
      assertError(await prove(world, { challenge, totp }), 401, 'second_factor_wrong');
    for (const totp of [123456, { code }, [code]])
      assertError(await prove(world, { challenge, totp }), 400, 'invalid_request');
    const spaced = ` ${fullWidth(code.slice(0, 3))}\u3000${code.slice(3)} `;
    assert.equal((await prove(world, { challenge, totp: spaced })).status, 200);
  });

  it('takes exactly one proof', async () => {
    const { secret, recovery_codes } = await addApp(world, user);
    const { challenge } = await challengeOf(world, user);
    const both = { totp: codeOf(secret), recovery_code: recovery_codes?.[0] };
    for (const body of [{}, both])
      assertError(await prove(world, { challenge, ...body }), 400, 'invalid_request');
    assert.equal((await factorsOf(user.token)).recovery_codes_left, 10n);
  });

  it('a factor of another user is not a factor of this one', async () => {
    await addApp(world, user);
    const stranger = await world.newUser();
    const theirs = await addApp(world, stranger);
    const { challenge } = await challengeOf(world, user);
    for (const proof of [{ totp: codeOf(theirs.secret) }, { recovery_code: theirs.recovery_codes?.[0] }])
      assertError(await prove(world, { challenge, ...proof }), 401, 'second_factor_wrong');
    assert.equal((await factorsOf(stranger.token)).recovery_codes_left, 10n);
  });
});

describe('a challenge', () => {
  it('is used once, and is neither known nor valid for another login', async () => {
    const { id, secret } = await addApp(world, user);
    const { challenge } = await challengeOf(world, user);
    assert.equal((await prove(world, { challenge, totp: codeOf(secret) })).status, 200);
    await forgetSteps(world, id);
    for (const used of [challenge, '', 'x'.repeat(43)])
      assertError(await prove(world, { challenge: used, totp: codeOf(secret) }), 401, 'challenge_ended');
    const stored = JSON.stringify(await world.query('select * from factor_challenges'));
    assert.ok(!stored.includes(challenge));
  });

  it('ends after five minutes, after ten failures, and with the password that it came from', async () => {
    const { secret } = await addApp(world, user);
    const old = await challengeOf(world, user);
    await world.query('update factor_challenges set expires_at = now() where user_id = $1', [user.id]);
    const right = { totp: codeOf(secret) };
    assertError(await prove(world, { challenge: old.challenge, ...right }), 401, 'challenge_ended');

    const tried = await challengeOf(world, user);
    for (let i = 0; i < 10; i++)
      assertError(
        await prove(world, { challenge: tried.challenge, totp: wrongCode(secret) }),
        401,
        'second_factor_wrong',
      );
    assertError(await prove(world, { challenge: tried.challenge, ...right }), 401, 'challenge_ended');

    const stale = await challengeOf(world, user);
    const change = { current_password: user.password, new_password: 'another long secret' };
    assert.equal(
      (await world.api('POST', '/v1/auth/password', { token: user.token, body: change })).status,
      200,
    );
    const answer = await prove(world, { challenge: stale.challenge, ...right });
    assertError(answer, 401, 'wrong_credentials');
  });
});

describe('a recovery code', () => {
  it('logs in once, in any letter case and with any separators', async () => {
    const { recovery_codes } = await addApp(world, user);
    const [code = ''] = recovery_codes ?? [];
    const typed = code.toLowerCase().replaceAll('-', ' ');
    const first = await challengeOf(world, user);
    assert.equal((await prove(world, { challenge: first.challenge, recovery_code: typed })).status, 200);
    const again = await challengeOf(world, user);
    assertError(
      await prove(world, { challenge: again.challenge, recovery_code: code }),
      401,
      'second_factor_wrong',
    );
    assert.equal((await factorsOf(user.token)).recovery_codes_left, 9n);
  });

  it('logs in once also when ten come at once', async () => {
    const { recovery_codes } = await addApp(world, user);
    const recovery_code = recovery_codes?.[0];
    const challenges = await Promise.all(Array.from({ length: 10 }, () => challengeOf(world, user)));
    const answers = await Promise.all(
      challenges.map(({ challenge }) => prove(world, { challenge, recovery_code })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)]);
  });

  it('is refused once the codes were replaced', async () => {
    const { recovery_codes } = await addApp(world, user);
    const replaced = await world.api('POST', '/v1/auth/factors/recovery-codes', { token: user.token });
    assert.equal(replaced.status, 201, replaced.text);
    const codes: string[] = replaced.body.data.recovery_codes;
    assert.equal(new Set([...codes, ...(recovery_codes ?? [])]).size, 20);
    for (const code of codes) assert.match(code, /^([A-Z2-7]{5}-){5}[A-Z2-7]$/);
    const { challenge } = await challengeOf(world, user);
    const old = { challenge, recovery_code: recovery_codes?.[0] };
    assertError(await prove(world, old), 401, 'second_factor_wrong');
    assert.equal((await prove(world, { challenge, recovery_code: codes[0] })).status, 200);
  });
});

describe('guessing', () => {
  it('stops for good after 100 failures in a row, also for a right code; however many guess at once', async () => {
    const { secret } = await addApp(world, user);
    await setFailures(90);
    const challenges = await Promise.all(Array.from({ length: 12 }, () => challengeOf(world, user)));
    const guesses = await Promise.all(
      challenges.flatMap(({ challenge }) =>
        [1, 2].map(() => prove(world, { challenge, totp: wrongCode(secret) })),
      ),
    );
    const codes = guesses.map(({ body }) => body.error.code);
    assert.equal(codes.filter((code) => code === 'second_factor_wrong').length, 10);
    assert.equal(codes.filter((code) => code === 'second_factor_stopped').length, 14);
    const { challenge, methods } = await challengeOf(world, user);
    assert.deepEqual(methods, ['recovery_code']);
    const right = await prove(world, { challenge, totp: codeOf(secret) });
    assertError(right, 403, 'second_factor_stopped');
    assert.equal((await factorsOf(user.token)).stopped, true);
    const actions = await actionsOf(user);
    assert.equal(actions.filter((action) => action === 'second_factor.failed').length, 10);
    assert.equal(actions.filter((action) => action === 'second_factor.stopped').length, 1);
  });

  it('a right code before the stop begins the count again', async () => {
    const { secret } = await addApp(world, user);
    await setFailures(99);
    const { challenge } = await challengeOf(world, user);
    assert.equal((await prove(world, { challenge, totp: codeOf(secret) })).status, 200);
    assert.equal(await failuresOf(), 0);
  });

  it('a recovery code opens codes of the app again, and a wrong one does not', async () => {
    const { secret, recovery_codes } = await addApp(world, user);
    await setFailures(100);
    const { challenge } = await challengeOf(world, user);
    assertError(await prove(world, { challenge, recovery_code: 'AAAAA' }), 401, 'second_factor_wrong');
    assertError(await prove(world, { challenge, totp: codeOf(secret) }), 403, 'second_factor_stopped');
    assert.equal((await prove(world, { challenge, recovery_code: recovery_codes?.[0] })).status, 200);
    const next = await challengeOf(world, user);
    assert.equal((await prove(world, { challenge: next.challenge, totp: codeOf(secret) })).status, 200);
  });

  it('failures of the factor do not delay the password, nor the other way round', async () => {
    const { secret } = await addApp(world, user);
    await setFailures(100);
    await challengeOf(world, user);
    for (let i = 0; i < 5; i++)
      assertError(await logIn({ ...user, password: 'wrong' }), 401, 'wrong_credentials');
    assert.equal(await failuresOf(), 100);
    await setFailures(0);
    const { challenge } = await challengeOf(world, user);
    assert.equal((await prove(world, { challenge, totp: codeOf(secret) })).status, 200);
  });
});

describe('the factors of a user', () => {
  const remove = (id: string, token = user.token) => world.api('DELETE', `/v1/auth/factors/${id}`, { token });

  it('can be renamed and removed; without any the login asks for none, and the recovery codes are gone', async () => {
    const first = await addApp(world, user);
    const second = await addApp(world, user, 'Tablet');
    const rename = { token: user.token, body: { name: 'Old phone' } };
    const renamed = await world.api('PATCH', `/v1/auth/factors/${first.id}`, rename);
    assert.equal(renamed.body.data.name, 'Old phone', renamed.text);
    assert.equal((await remove(first.id)).status, 200);
    assertError(await remove(first.id), 404, 'not_found');
    assertError(await logIn(), 401, 'second_factor_required');
    assert.equal((await remove(second.id)).status, 200);
    assert.equal((await logIn()).status, 200);
    assert.equal((await world.query('select 1 from recovery_codes where user_id = $1', [user.id])).length, 0);
    assert.deepEqual((await factorsOf(user.token)).factors, []);
  });

  it('every other session ends when one is removed', async () => {
    const { id, secret } = await addApp(world, user);
    const { challenge } = await challengeOf(world, user);
    const other = (await prove(world, { challenge, totp: codeOf(secret) })).body.data.token;
    assert.equal((await remove(id)).status, 200);
    assertError(await me(other), 401, 'unauthenticated');
  });

  it('a stolen session whose proof is older than ten minutes changes none of them', async () => {
    const { id } = await addApp(world, user);
    await makeStale(world, user.id);
    for (const [method, path, body] of [
      ['DELETE', `/v1/auth/factors/${id}`, {}],
      ['PATCH', `/v1/auth/factors/${id}`, { name: 'X' }],
      ['POST', '/v1/auth/factors/recovery-codes', {}],
      ['POST', '/v1/auth/factors/totp', { name: 'X', current_password: user.password }],
      ['POST', '/v1/auth/factors/passkeys/options', { current_password: user.password }],
      ['POST', '/v1/auth/password', { current_password: user.password, new_password: 'another secret' }],
    ] as const)
      assertError(await world.api(method, path, { token: user.token, body }), 403, 'second_factor_required');
  });

  it('everything about them is in the audit log', async () => {
    const { id, secret, recovery_codes } = await addApp(world, user);
    const { challenge } = await challengeOf(world, user);
    await prove(world, { challenge, totp: wrongCode(secret) });
    await prove(world, { challenge, totp: codeOf(secret) });
    const next = await challengeOf(world, user);
    await prove(world, { challenge: next.challenge, recovery_code: recovery_codes?.[0] });
    await world.api('POST', '/v1/auth/factors/recovery-codes', { token: user.token });
    await world.api('PATCH', `/v1/auth/factors/${id}`, { token: user.token, body: { name: 'X' } });
    await remove(id);
    const actions = (await actionsOf(user)).filter((action) => /factor|recovery/.test(action));
    assert.deepEqual(actions, [
      'factor.added',
      'login.factor_asked',
      'second_factor.failed',
      'second_factor.used',
      'login.factor_asked',
      'recovery_code.used',
      'recovery_codes.replaced',
      'factor.renamed',
      'factor.removed',
    ]);
  });
});

describe('teller user reset-factors', () => {
  const reset = (email: string) => teller(['user', 'reset-factors', email], world.environment);

  it('removes every factor and code, ends every session, opens what was stopped, and is in the audit log', async () => {
    const { secret } = await addApp(world, user);
    await setFailures(100);
    const pending = await challengeOf(world, user);
    const { code, output } = await reset(user.email.toUpperCase());
    assert.equal(code, 0, output);
    assert.match(output, new RegExp(`^Removed: 1 second factor of ${user.email}`));
    assertError(await me(user.token), 401, 'unauthenticated');
    const proof = { challenge: pending.challenge, totp: codeOf(secret) };
    assertError(await prove(world, proof), 401, 'challenge_ended');
    const { body } = await logIn();
    assert.deepEqual((await factorsOf(body.data.token)).factors, []);
    const [entry] = await world.query(
      `select entry::jsonb as entry from audit_log where action = 'factors.reset' and target_id = $1`,
      [user.id],
    );
    assert.equal(entry.entry.actor.kind, 'operator');
    assert.equal(entry.entry.before.factors[0].name, 'Phone');
  });

  it('a password reset by the operator leaves the factors', async () => {
    await addApp(world, user);
    const { output } = await teller(['user', 'reset-password', user.email], world.environment);
    const password = /: (\S+)\n/.exec(output)?.[1] ?? '';
    await challengeOf(world, { email: user.email, password });
  });

  it('refuses an unknown e-mail', async () => {
    const { code, output } = await reset('nobody@example.com');
    assert.equal(code, 1);
    assert.match(output, /There is no user nobody@example.com/);
  });
});

describe('an invitation', () => {
  it('of a user with a second factor is accepted with one: the password alone moves nobody to another team', async () => {
    const { secret } = await addApp(world, user);
    const invited = await world.api('POST', '/v1/team/invitations', {
      token: world.token,
      body: { email: user.email, role: 'viewer' },
    });
    const { token } = invited.body.data;
    const accept = (more: object) =>
      world.api('POST', '/v1/auth/invitations/accept', { body: { token, password: user.password, ...more } });
    const teamOf = async () => (await me(user.token)).body.data.role;
    const first = await accept({});
    assertError(first, 401, 'second_factor_required');
    const { challenge } = first.body.data;
    assertError(await accept({ challenge, totp: wrongCode(secret) }), 401, 'second_factor_wrong');
    const stranger = await world.newUser();
    const theirs = await addApp(world, stranger);
    const other = await challengeOf(world, stranger);
    const mixed = { challenge: other.challenge, totp: codeOf(theirs.secret) };
    assertError(await accept(mixed), 401, 'challenge_ended');
    assert.equal(await teamOf(), 'owner');
    const accepted = await accept({ challenge, totp: codeOf(secret) });
    assert.equal(accepted.status, 200, accepted.text);
    assert.equal((await me(accepted.body.data.token)).body.data.role, 'viewer');
  });
});
