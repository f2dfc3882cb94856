/** A team owns wallets, and a role says what a member may do. The operations and roles are those of /openapi.json. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { assertError, joinService, unique } from '../support/running-service.ts';

type Operation = { method: string; path: string; name: string; roles: string[] };

const ROLES = ['owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer'];
const PASSWORD = 'a long enough secret';

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const first = await world.newWallet();
const second = await world.newWallet();
const foreign = await world.newWallet(stranger.token);
const operations = await readOperations();

async function readOperations(): Promise<Operation[]> {
  const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { operationId: name, 'x-roles': roles }]) =>
      roles ? [{ method: method.toUpperCase(), path, name, roles }] : [],
    ),
  );
}

async function addMember(role: string, wallet_ids: string[] | null = null, token = world.token) {
  const email = `${unique('member')}@example.com`;
  const body = { email, name: `The ${role}`, password: PASSWORD, role, wallet_ids };
  const answer = await world.api('POST', '/v1/team/members', { token, body });
  assert.equal(answer.status, 201, answer.text);
  return { email, id: answer.body.data.user_id as string, token: await logIn(email) };
}

async function logIn(email: string, password = PASSWORD): Promise<string> {
  const answer = await world.api('POST', '/v1/auth/login', { body: { email, password } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.token;
}

async function invite(body: object, token = world.token) {
  const answer = await world.api('POST', '/v1/team/invitations', { token, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

function read(token: string, cookie?: string) {
  const headers = cookie === undefined ? {} : { cookie };
  return world.api('POST', '/v1/auth/invitations/read', { body: { token }, headers });
}

function accept(token: string, body: object = {}) {
  return world.api('POST', '/v1/auth/invitations/accept', {
    body: { token, password: PASSWORD, name: 'New', ...body },
  });
}

const rowsOf = async (table: string) =>
  Number((await world.query(`select count(*) as rows from ${table}`))[0]?.rows);
const ofWallet = ({ path }: Operation) => path.startsWith('/v1/wallets/{id}');
const pathOf = ({ path }: Operation, wallet_id: string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? wallet_id : `no-${name}`));
const change = (user_id: string, body: object, token = world.token) =>
  world.api('PATCH', `/v1/team/members/${user_id}`, { token, body });
const remove = (user_id: string, token = world.token) =>
  world.api('DELETE', `/v1/team/members/${user_id}`, { token });

/** With a body that no operation takes, so that what is allowed changes nothing. */
async function checkAccess(operation: Operation, { role, token }: { role: string; token: string }) {
  const { method, name, roles } = operation;
  for (const wallet_id of ofWallet(operation) ? [first.id, foreign.id, 'no-wallet'] : ['']) {
    const body = method === 'GET' ? undefined : { no_such_field: 1 };
    const answer = await world.api(method, pathOf(operation, wallet_id), { token, body });
    const told = `${role} ${name} of ${wallet_id}: ${answer.text}`;
    assert.equal(answer.status === 403, !roles.includes(role), told);
    if (answer.status === 403) assertError(answer, 403, 'role_missing');
    else if (ofWallet(operation) && wallet_id !== first.id) assert.equal(answer.status, 404, told);
  }
}

describe('every operation and every role', () => {
  it('403 role_missing exactly where the route says so, on any wallet, and no row is written', async () => {
    assert.ok(operations.length >= 58);
    for (const role of ROLES) {
      const { token } = await addMember(role);
      const rows = await Promise.all(['wallets', 'deposit_addresses', 'withdrawals'].map(rowsOf));
      // Logout ends the token.
      for (const operation of operations.filter(({ name }) => name !== 'logout'))
        await checkAccess(operation, { role, token });
      assert.deepEqual(await Promise.all(['wallets', 'deposit_addresses', 'withdrawals'].map(rowsOf)), rows);
    }
  });

  it('who may withdraw: owner, admin and operator; nobody else', async () => {
    const roles = operations.find(({ name }) => name === 'createWithdrawal')?.roles;
    assert.deepEqual(roles, ['owner', 'admin', 'operator']);
  });
});

describe('a member', () => {
  it('sees the wallets of the team and none of another team', async () => {
    const { token } = await addMember('viewer');
    const { body } = await world.api('GET', '/v1/wallets', { token });
    assert.deepEqual(
      body.data.items.map(({ id }: { id: string }) => id),
      [second.id, first.id],
    );
    const strangers = await world.api('GET', '/v1/wallets', { token: stranger.token });
    assert.equal(strangers.body.data.items.length, 1);
    assertError(
      await world.api('GET', `/v1/wallets/${first.id}`, { token: stranger.token }),
      404,
      'not_found',
    );
  });

  it('who is limited to some wallets gets 404 for the others, and does not see them in the list', async () => {
    const { token } = await addMember('operator', [second.id]);
    const { body } = await world.api('GET', '/v1/wallets', { token });
    assert.deepEqual(
      body.data.items.map(({ id }: { id: string }) => id),
      [second.id],
    );
    assert.equal((await world.api('GET', `/v1/wallets/${second.id}`, { token })).status, 200);
    for (const operation of operations.filter((each) => ofWallet(each) && each.roles.includes('operator'))) {
      const answer = await world.api(operation.method, pathOf(operation, first.id), { token });
      assert.equal(answer.status, 404, `${operation.name}: ${answer.text}`);
    }
  });

  it('GET /v1/auth/me tells the role, the wallets and the team', async () => {
    const { token } = await addMember('operator', [second.id]);
    const { body } = await world.api('GET', '/v1/auth/me', { token });
    const { role, wallet_ids, team } = body.data;
    const { body: shown } = await world.api('GET', '/v1/team', { token });
    assert.deepEqual(
      { role, wallet_ids, team },
      {
        role: 'operator',
        wallet_ids: [second.id],
        team: { name: shown.data.name },
      },
    );
  });

  it('has other rights from the next request on, with the same token', async () => {
    const { id, token } = await addMember('viewer');
    const address = () => world.api('POST', `/v1/wallets/${first.id}/addresses`, { token });
    assertError(await address(), 403, 'role_missing');
    assert.equal((await change(id, { role: 'developer' })).status, 200);
    assert.equal((await address()).status, 201);
    assert.equal((await change(id, { wallet_ids: [second.id] })).status, 200);
    assertError(await address(), 404, 'not_found');
    assert.equal((await change(id, { all_wallets: true })).status, 200);
    assert.equal((await address()).status, 201);
    const both = await change(id, { all_wallets: true, wallet_ids: [first.id] });
    assertError(both, 400, 'invalid_request');
    assert.equal(both.body.error.details[0].path, '/all_wallets');
  });

  it('who is removed is refused at once, cannot log in, and is no member in the list', async () => {
    const { id, email, token } = await addMember('operator');
    assert.equal((await remove(id)).status, 200);
    assertError(await world.api('GET', '/v1/auth/me', { token }), 401, 'unauthenticated');
    const login = await world.api('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
    assertError(login, 401, 'wrong_credentials');
    const { body } = await world.api('GET', '/v1/team/members?limit=200', { token: world.token });
    assert.ok(body.data.items.every((member: { user_id: string }) => member.user_id !== id));
    assertError(await remove(id), 404, 'not_found');
  });

  it('may leave, but removes nobody else unless an owner or admin', async () => {
    const other = await addMember('viewer');
    const member = await addMember('operator');
    assertError(await remove(other.id, member.token), 403, 'role_missing');
    assert.equal((await remove(member.id, member.token)).status, 200);
    assertError(await world.api('GET', '/v1/auth/me', { token: member.token }), 401);
  });

  it('one Idempotency-Key is one withdrawal, whoever of the team asks', async () => {
    const operator = await addMember('operator');
    const sink = await world.ledger.fund();
    const order = { destination: sink.publicKey(), amount_stroops: 7 };
    const withdraw = (token: string, body: object) =>
      world.api('POST', `/v1/wallets/${first.id}/withdraw`, {
        token,
        body,
        headers: { 'idempotency-key': 'of the team' },
      });
    const paid = await withdraw(world.token, order);
    assert.equal(paid.status, 201, paid.text);
    const again = await withdraw(operator.token, order);
    assert.equal(again.status, 409, again.text);
    assert.equal(again.body.data.id, paid.body.data.id);
    assertError(await withdraw(operator.token, { ...order, amount_stroops: 8 }), 409);
  });
});

describe('a request whose body is held back', () => {
  /** Sends all but the last byte of the body; `send` sends that one, and gives the answer. */
  async function holdBack(path: string, token: string, body: object) {
    const { hostname, port } = new URL(world.service.url);
    const socket = connect(Number(port), hostname);
    const text = JSON.stringify(body);
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Idempotency-Key: held back',
      `Content-Length: ${text.length}`,
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, -1)}`);
    // Its headers are read when a later request of another connection is answered with the session still open.
    await world.api('GET', '/v1/auth/me', { token });
    return async (): Promise<string> => {
      socket.write(text.slice(-1));
      let answer = '';
      for await (const part of socket) answer += part;
      return answer;
    };
  }

  it('is refused when its sender was removed before the body came', async () => {
    const payee = (await world.ledger.fund()).publicKey();
    const order = { destination: payee, amount_stroops: 1 };
    const { id, token } = await addMember('admin');
    const send = await Promise.all([
      holdBack(`/v1/wallets/${first.id}/withdraw`, token, order),
      holdBack('/v1/wallets', token, { name: 'x' }),
      holdBack(`/v1/wallets/${first.id}/api-key/regenerate`, token, {}),
    ]);
    const rows = await Promise.all(['wallets', 'withdrawals'].map(rowsOf));
    assert.equal((await remove(id)).status, 200);
    for (const answer of await Promise.all(send.map((each) => each())))
      assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.deepEqual(await Promise.all(['wallets', 'withdrawals'].map(rowsOf)), rows);
  });
});

describe('former members', () => {
  it('are listed apart from the members, each once, until they are back: history keeps their names', async () => {
    const team = await world.newUser();
    const [left, back] = [
      await addMember('viewer', null, team.token),
      await addMember('viewer', null, team.token),
    ];
    for (const { id } of [left, back]) assert.equal((await remove(id, team.token)).status, 200);
    await world.query(
      `insert into team_members (user_id, team_id, role, email_folded)
       select user_id, team_id, role, email_folded from team_members where user_id = $1`,
      [back.id],
    );
    const listed = async (query: string, token = team.token) => {
      const { body } = await world.api('GET', `/v1/team/members${query}`, { token });
      return body.data.items;
    };
    assert.equal((await remove(back.id, team.token)).status, 200);
    assert.deepEqual(
      (await listed('?former=true')).map(({ user_id }: { user_id: string }) => user_id),
      [back.id, left.id],
    );
    await world.query(
      `insert into team_members (user_id, team_id, role, email_folded, joined_at)
       select user_id, team_id, role, email_folded, now() + interval '1 second' from team_members where user_id = $1 limit 1`,
      [back.id],
    );
    const [former, ...more] = await listed('?former=true');
    assert.deepEqual(more, []);
    assert.deepEqual([former.user_id, former.role], [left.id, 'viewer']);
    assert.match(former.left_at, /^20/);
    const members = await listed('');
    assert.deepEqual(
      members.map(({ user_id, left_at }: any) => [user_id === left.id, left_at]),
      [
        [false, null],
        [false, null],
      ],
    );
    assert.deepEqual(await listed('?former=true', (await world.newUser()).token), []);
  });
});

describe('roles given and taken', () => {
  it('an admin makes no owner, changes none and removes none', async () => {
    const owner = await addMember('owner');
    const admin = await addMember('admin');
    const { token } = admin;
    const body = { email: `${unique('x')}@example.com`, name: 'X', password: PASSWORD, role: 'owner' };
    assertError(await world.api('POST', '/v1/team/members', { token, body }), 403, 'role_missing');
    const invitation = { email: `${unique('x')}@example.com`, role: 'owner' };
    assertError(
      await world.api('POST', '/v1/team/invitations', { token, body: invitation }),
      403,
      'role_missing',
    );
    assertError(await change(admin.id, { role: 'owner' }, token), 403, 'role_missing');
    assertError(await change(owner.id, { role: 'viewer' }, token), 403, 'role_missing');
    assertError(await remove(owner.id, token), 403, 'role_missing');
    assert.equal((await change(owner.id, { role: 'viewer' })).status, 200);
  });

  it('the last owner cannot leave or become something else, also when two do it at once', async () => {
    const team = await world.newUser();
    const me = await world.api('GET', '/v1/auth/me', { token: team.token });
    const id = me.body.data.id;
    assertError(await remove(id, team.token), 409, 'last_owner');
    assertError(await change(id, { role: 'viewer' }, team.token), 409, 'last_owner');
    const other = await addMember('owner', null, team.token);
    const answers = await Promise.all([remove(other.id, team.token), remove(id, other.token)]);
    const statuses = answers.map(({ status }) => status).sort();
    assert.equal(statuses[0], 200, answers.map(({ text }) => text).join());
    assert.ok([401, 409].includes(statuses[1] ?? 0), answers.map(({ text }) => text).join());
    const owners = await world.query(
      `select 1 from team_members where left_at is null and role = 'owner' and user_id in ('${id}', '${other.id}')`,
    );
    assert.equal(owners.length, 1);
  });

  it('400 with the path for wallets that are not the team’s, and for limits of an owner or admin', async () => {
    const body = { email: `${unique('y')}@example.com`, name: 'Y', password: PASSWORD, role: 'operator' };
    const add = (more: object) =>
      world.api('POST', '/v1/team/members', { token: world.token, body: { ...body, ...more } });
    const users = await rowsOf('users');
    const wrong: [object, string][] = [
      [{ wallet_ids: ['wal_nobody'] }, '/wallet_ids'],
      [{ wallet_ids: [] }, '/wallet_ids'],
      [{ role: 'admin', wallet_ids: [first.id] }, '/wallet_ids'],
      [{ role: 'king' }, '/role'],
      [{ email: 'nobody' }, '/email'],
      [{ email: 'a\u200db@example.com' }, '/email'],
      [{ name: ' ' }, '/name'],
      [{ password: 'short' }, '/password'],
    ];
    for (const [more, path] of wrong) {
      const answer = await add(more);
      assertError(answer, 400, 'invalid_request');
      assert.equal(answer.body.error.details[0].path, path, answer.text);
    }
    assert.equal(await rowsOf('users'), users);
  });

  it('the e-mail of a member is refused, in any letter case, also when it is added twice at once', async () => {
    const { email } = await addMember('viewer');
    const body = { email: email.toUpperCase(), name: 'Z', password: PASSWORD, role: 'viewer' };
    assertError(
      await world.api('POST', '/v1/team/members', { token: world.token, body }),
      409,
      'already_in_team',
    );
    const twice = { ...body, email: `${unique('twice')}@example.com` };
    const answers = await Promise.all(
      [twice, { ...twice, email: twice.email.toUpperCase(), password: 'another long secret' }].map((each) =>
        world.api('POST', '/v1/team/members', { token: world.token, body: each }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  });

  it('an e-mail is the same address in each of its spellings, where PostgreSQL would fold it otherwise too', async () => {
    const base = unique('');
    const email = `${base}ΝΙΚΟΣ.Σ@Bücher.example`;
    const body = { email: ` ${email.normalize('NFD')} `, name: 'N', password: PASSWORD, role: 'viewer' };
    const add = (more: object = {}) =>
      world.api('POST', '/v1/team/members', { token: world.token, body: { ...body, ...more } });
    const added = await add();
    assert.equal(added.body.data?.email, email, added.text);
    for (const spelling of [`${base}νικος.ς@xn--bcher-kva.example`, ` ${email.toUpperCase()}\u00a0`]) {
      await logIn(spelling);
      assertError(await add({ email: spelling }), 409, 'already_in_team');
    }
    const { token } = await invite({ email: `İ${base}@example.com`, role: 'viewer' });
    assert.equal((await accept(token)).status, 200);
    await logIn(`i\u0307${base}@EXAMPLE.com`);
    for (const other of [`i${base}@example.com`, `ı${base}@example.com`])
      assert.equal((await add({ email: other })).status, 201, other);
  });
});

describe('an invitation', () => {
  it('makes a new user a member once, with its role and wallets; the token is not kept', async () => {
    const email = `${unique('invited')}@example.com`;
    const { token, id } = await invite({ email, role: 'operator', wallet_ids: [first.id] });
    const stored = await world.query(`select * from team_invitations where id = '${id}'`);
    assert.ok(!JSON.stringify(stored).includes(token));
    const answers = await Promise.all([accept(token), accept(token)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
    const login = answers.find(({ status }) => status === 200)?.body.data.token;
    const { body } = await world.api('GET', '/v1/auth/me', { token: login });
    assert.equal(body.data.role, 'operator');
    assert.deepEqual(body.data.wallet_ids, [first.id]);
    assertError(await accept(token), 404, 'not_found');
  });

  it('cannot be accepted after it was revoked or has expired, nor with another token', async () => {
    const revoked = await invite({ email: `${unique('revoked')}@example.com`, role: 'viewer' });
    const path = `/v1/team/invitations/${revoked.id}`;
    assert.equal((await world.api('DELETE', path, { token: world.token })).status, 200);
    const expired = await invite({ email: `${unique('late')}@example.com`, role: 'viewer' });
    await world.query(`update team_invitations set expires_at = now() where id = '${expired.id}'`);
    const users = await rowsOf('users');
    for (const token of [revoked.token, expired.token, `${expired.token}x`, ''])
      assertError(await accept(token), 404, 'not_found');
    assert.equal(await rowsOf('users'), users);
    const { body } = await world.api('GET', '/v1/team/invitations', { token: world.token });
    assert.ok(body.data.items.every(({ id }: { id: string }) => id !== revoked.id && id !== expired.id));
  });

  it('says to who has the link who invites whom to which team, whether it is open, and nothing once it is revoked', async () => {
    const email = `${unique('reader')}@example.com`;
    const { token } = await invite({ email, role: 'operator', wallet_ids: [first.id] });
    const me = (await world.api('GET', '/v1/auth/me', { token: world.token })).body.data;
    const { status, body } = await read(token);
    assert.equal(status, 200);
    const { expires_at, ...shown } = body.data;
    assert.deepEqual(shown, {
      state: 'open',
      team_name: me.team.name,
      inviter_name: me.name,
      inviter_email: me.email,
      email,
      role: 'operator',
      wallets: 1n,
      is_known_device: false,
    });
    assert.ok(new Date(expires_at) > new Date());
    assert.equal((await accept(token)).status, 200);
    assert.equal((await read(token)).body.data.state, 'accepted');

    const late = await invite({ email: `${unique('late')}@example.com`, role: 'viewer' });
    await world.query(`update team_invitations set expires_at = now() where id = '${late.id}'`);
    const expired = (await read(late.token)).body.data;
    assert.deepEqual([expired.state, expired.wallets], ['expired', null]);
    const long_ago = "update team_invitations set expires_at = now() - interval '31 days' where id = $1";
    const forgotten = await invite({ email: `${unique('old')}@example.com`, role: 'viewer' });
    await world.query(long_ago, [forgotten.id]);
    await world.api('DELETE', `/v1/team/invitations/${late.id}`, { token: world.token });
    for (const unknown of [late.token, forgotten.token, `${token}x`, ''])
      assertError(await read(unknown), 404, 'not_found');
  });

  it('knows a user with the e-mail only at a browser where that user has signed in', async () => {
    const { email } = await addMember('viewer', null, (await world.newUser()).token);
    const { token } = await invite({ email, role: 'viewer' });
    const login = await world.api('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    assert.match(cookie, /teller-device=/);
    assert.equal((await read(token)).body.data.is_known_device, false);
    assert.equal((await read(token, cookie)).body.data.is_known_device, true);
    const other = await invite({ email: `${unique('other')}@example.com`, role: 'viewer' });
    assert.equal((await read(other.token, cookie)).body.data.is_known_device, false);
  });

  it('of a member who is removed or loses the right to invite lets nobody in', async () => {
    const admin = await addMember('admin');
    const before = await invite({ email: `${unique('before')}@example.com`, role: 'viewer' }, admin.token);
    await change(admin.id, { role: 'viewer' });
    assertError(await accept(before.token), 404, 'not_found');
    await change(admin.id, { role: 'admin' });
    const after_all = await invite({ email: `${unique('after')}@example.com`, role: 'viewer' }, admin.token);
    await remove(admin.id);
    assertError(await accept(after_all.token), 404, 'not_found');
  });

  it('of an existing user is accepted with their password only, and takes them out of a team of one', async () => {
    const { id, email, token } = await addMember('viewer');
    const new_password = 'one of my own';
    const change_to = { current_password: PASSWORD, new_password };
    assert.equal((await world.api('POST', '/v1/auth/password', { token, body: change_to })).status, 200);
    await remove(id);
    const again = await invite({ email, role: 'auditor' });
    const theirs = { name: undefined, password: new_password };
    const wrong = { ...theirs, password: 'not the password' };
    assertError(await accept(again.token, wrong), 401, 'wrong_credentials');
    assert.equal((await accept(again.token, theirs)).status, 200);
    const { body } = await world.api('GET', '/v1/auth/me', { token: await logIn(email, new_password) });
    assert.deepEqual([body.data.role, body.data.id], ['auditor', id]);
  });

  it('is not accepted with a password that a team has chosen: that team would have an access to the next one', async () => {
    const other = await world.newUser();
    const { id, email } = await addMember('viewer', null, other.token);
    await remove(id, other.token);
    const { token } = await invite({ email, role: 'admin' });
    const refused = await accept(token, { name: undefined });
    assertError(refused, 400, 'invalid_request');
    assert.equal(refused.body.error.details[0].path, '/password');
    assert.equal((await accept(token, { password: 'one of my own' })).status, 200);
    const login = await world.api('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
    assertError(login, 401, 'wrong_credentials');
  });

  it('of a user whose team has wallets is refused, and the user stays where they are', async () => {
    const user = await world.newUser();
    await world.api('POST', '/v1/wallets', { token: user.token, body: { name: 'own' } });
    const { body } = await world.api('GET', '/v1/auth/me', { token: user.token });
    const { token } = await invite({ email: body.data.email, role: 'viewer' });
    const theirs = { name: undefined, password: user.password };
    assertError(await accept(token, theirs), 409, 'already_in_team');
    const still = await world.api('GET', '/v1/auth/me', { token: user.token });
    assert.equal(still.body.data.role, 'owner');
  });

  it('of a member is refused', async () => {
    const { email } = await addMember('viewer');
    const body = { email, role: 'admin' };
    assertError(
      await world.api('POST', '/v1/team/invitations', { token: world.token, body }),
      409,
      'already_in_team',
    );
  });
});

describe('an e-mail that another team knows', () => {
  /** What an answer tells, without what is of this request alone. */
  const told = ({ status, body, headers }: Awaited<ReturnType<typeof accept>>) => ({
    status,
    fields: Object.keys(body.data ?? {}).sort(),
    message: body.message,
    headers: [...headers.keys()].sort(),
  });
  const add = (email: string, password: string, token = world.token) =>
    world.api('POST', '/v1/team/members', { token, body: { email, name: 'N', password, role: 'viewer' } });
  const roleAndTeam = async (token: string) => {
    const { role, team, id } = (await world.api('GET', '/v1/auth/me', { token })).body.data;
    return { role, team: team.name, id };
  };

  it('is added like one that nobody has; each password opens the own team, and none another', async () => {
    const theirs = await world.newUser();
    const [known, unknown] = [
      await add(theirs.email, PASSWORD),
      await add(`${unique('n')}@example.com`, PASSWORD),
    ];
    assert.deepEqual(told(known), told(unknown));
    assert.equal(known.status, 201);
    assert.notEqual(known.body.data.user_id, theirs.id);
    const [own, added] = [await logIn(theirs.email, theirs.password), await logIn(theirs.email, PASSWORD)];
    assert.deepEqual([(await roleAndTeam(own)).id, (await roleAndTeam(own)).role], [theirs.id, 'owner']);
    assert.deepEqual((await roleAndTeam(added)).id, known.body.data.user_id);
    assert.equal((await roleAndTeam(added)).role, 'viewer');
    // What the other team does to its user is nothing to this one.
    assert.equal((await remove(known.body.data.user_id)).status, 200);
    assertError(await world.api('GET', '/v1/auth/me', { token: added }), 401);
    assert.equal((await roleAndTeam(own)).id, theirs.id);
    await logIn(theirs.email, theirs.password);
  });

  it('is invited and accepted like one that nobody has: whoever made the link learns nothing by it', async () => {
    const theirs = await world.newUser();
    const emails = [theirs.email, `${unique('n')}@example.com`];
    const links = await Promise.all(emails.map((email) => invite({ email, role: 'viewer' })));
    const tried = async (body: object) =>
      (await Promise.all(links.map(({ token }) => accept(token, body)))).map(told);
    for (const body of [{ name: undefined }, { password: 'iloveyou' }]) {
      const [known, unknown] = await tried(body);
      assert.deepEqual(known, unknown);
      assert.ok([400, 401].includes(known?.status ?? 0));
    }
    const [known, unknown] = await tried({});
    assert.deepEqual(known, unknown);
    assert.equal(known?.status, 200);
    assert.equal((await roleAndTeam(await logIn(theirs.email, theirs.password))).role, 'owner');
    assert.equal((await roleAndTeam(await logIn(theirs.email))).role, 'viewer');
  });

  it('that a team has added with a password of its choice is free for its owner, who chooses another one', async () => {
    const other = await world.newUser();
    const email = `${unique('victim')}@example.com`;
    assert.equal((await add(email, 'chosen by others', other.token)).status, 201);
    const { token } = await invite({ email, role: 'admin' });
    const same = await accept(token, { password: 'chosen by others' });
    assertError(same, 400, 'invalid_request');
    assert.equal(same.body.error.details[0].path, '/password');
    assert.equal((await accept(token, { password: 'chosen by myself' })).status, 200);
    assert.equal((await roleAndTeam(await logIn(email, 'chosen by myself'))).role, 'admin');
    assert.equal((await roleAndTeam(await logIn(email, 'chosen by others'))).role, 'viewer');
    const change_to = (new_password: string, by: string, current_password: string) =>
      world.api('POST', '/v1/auth/password', { token: by, body: { current_password, new_password } });
    const mine = await logIn(email, 'chosen by myself');
    assertError(await change_to('chosen by others', mine, 'chosen by myself'), 400, 'invalid_request');
    assert.equal((await change_to('chosen again by myself', mine, 'chosen by myself')).status, 200);
    await logIn(email, 'chosen again by myself');
  });

  it('a password of another user with the e-mail can be guessed at a choice no faster than at a login', async () => {
    const theirs = await world.newUser();
    const guessers = await Promise.all(Array.from({ length: 4 }, () => world.newUser()));
    const statuses = [];
    for (let guess = 0; guess < 12; guess++) {
      // As if more had followed at once: the delay after ten is 5 s, in which a busy machine may not ask in time.
      if (guess === 10)
        await world.query(
          "update login_failure_counts set failures = 14, failed_at = now() where key like 'choices:%'",
        );
      const { token = '' } = guessers[Math.floor(guess / 3)] ?? {}; // a team adds one e-mail 3 times a day
      const { status, body } = await add(theirs.email, `guess number ${guess}`, token);
      statuses.push(status);
      if (status === 201) await remove(body.data.user_id, token);
    }
    assert.deepEqual(statuses, [...Array(10).fill(201), 429, 429]);
    await logIn(theirs.email, theirs.password);
  });
});

describe('a team', () => {
  it('is renamed by an owner', async () => {
    const { token } = world;
    assert.equal((await world.api('PATCH', '/v1/team', { token, body: { name: 'Exchange' } })).status, 200);
    assert.equal((await world.api('GET', '/v1/team', { token })).body.data.name, 'Exchange');
  });

  it('of one is what every user has who was invited nowhere', async () => {
    const { token } = await world.newUser();
    const { body } = await world.api('GET', '/v1/team/members', { token });
    assert.deepEqual(
      body.data.items.map(({ role }: { role: string }) => role),
      ['owner'],
    );
  });
});
