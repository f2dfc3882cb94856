/** Changes of access: where a policy asks for approvals, nobody gives access alone. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { tellerBeside as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { untilBlocked } from '../support/lock-waits.ts';
import { haveOwnPassword } from '../support/own-password.ts';
import { removeAndBringBack } from '../support/removed-and-back.ts';
import { assertError, joinService, unique, type Wallet } from '../support/running-service.ts';

const world = await joinService('undelayed');
after(() => world.stop());

type Member = { id: string; token: string };
const PASSWORD = 'a long enough secret';
const owner = { token: world.token };
const demo_email = (await world.api('GET', '/v1/auth/me', owner)).body.data.email;
let anna: Member;
let bert: Member;
let developer: Member;
let viewer: Member;
before(async () => {
  [anna, bert] = [await newMember('approver'), await newMember('approver')];
  [developer, viewer] = [await newMember('developer'), await newMember('viewer')];
});

async function logIn(email: string): Promise<string> {
  const login = await world.api('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
  assert.equal(login.status, 200, login.text);
  return login.body.data.token;
}
async function newMember(role: string): Promise<Member> {
  const body = memberOf(role);
  const added = await world.api('POST', '/v1/team/members', { token: world.token, body });
  assert.equal(added.status, 201, added.text);
  await haveOwnPassword(world, body.email);
  return { id: added.body.data.user_id, token: await logIn(body.email) };
}

function memberOf(role: string) {
  return { email: `${unique('member')}@example.com`, name: role, password: PASSWORD, role };
}

/** A wallet whose policy asks for one approval. Its rule ends with the test, because it is one for the whole team. */
let wallet: Wallet;
beforeEach(async () => {
  if (wallet) await teller(['wallet', 'clear-approvals', wallet.id], world.environment);
  wallet = await world.newWallet();
});
const rule = async (kind: 'members' | 'api_keys', required = 1, of = wallet, without_factor = true) => {
  const body = { approvals: { required, for: [kind], without_factor } };
  const answer = await world.api('PATCH', `/v1/wallets/${of.id}/policy`, { token: owner.token, body });
  assert.equal(answer.status, 200, answer.text);
};

type Sent = {
  method: 'POST' | 'PATCH';
  path: string;
  body: object;
  by: { token: string };
  headers?: Record<string, string>;
};
const send = ({ method, path, body, by, headers = {} }: Sent) =>
  world.api(method, path, { token: by.token, body, headers });
async function awaiting(call: Sent) {
  const answer = await send(call);
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.body.data.status, 'awaiting_approval');
  return answer.body.data;
}
const decide = (verb: 'approve' | 'reject', asked: any, { token }: { token: string }, body: object = {}) =>
  world.api('POST', `/v1/team/access-changes/${asked.id}/${verb}`, {
    token,
    body: { order_hash: asked.order_hash, ...body },
  });
const approve = (asked: any, by: { token: string }, body?: object) => decide('approve', asked, by, body);
const reject = (asked: any, by: { token: string }, body?: object) => decide('reject', asked, by, body);
async function approved(asked: any, by: { token: string }) {
  const answer = await approve(asked, by);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const inbox = async ({ token }: { token: string }) =>
  (await world.api('GET', '/v1/approvals', { token })).body.data.items.filter(
    ({ kind }: any) => kind === 'access_change',
  );
const decided = async ({ token }: { token: string }) =>
  (await world.api('GET', '/v1/approvals/decided', { token })).body.data.items.filter(
    ({ kind }: any) => kind === 'access_change',
  );
const key = (by: { token: string } = developer, name = 'named'): Sent => {
  const body = { name, scopes: ['read'] };
  return { method: 'POST', path: `/v1/wallets/${wallet.id}/api-keys`, body, by };
};
const keys = async () =>
  (await world.query('select * from api_keys where wallet_id = $1 and name is not null', [wallet.id])).length;

describe('an API key where the policy asks for approvals of API keys', () => {
  it('202: no key is made; after the approval the same request makes it, once', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    const { operation, wallet_id, target_id, change, approvals_required, requested_by } = asked;
    assert.deepEqual(
      { operation, wallet_id, target_id, approvals_required, requested_by },
      {
        operation: 'createApiKey',
        wallet_id: wallet.id,
        target_id: null,
        approvals_required: 1n,
        requested_by: developer.id,
      },
    );
    assert.deepEqual(change, { name: 'named', scopes: ['read'], allowed_ips: null, expires_at: null });
    assert.equal((await awaiting(key())).id, asked.id, 'the same request again is the same request');
    assert.equal(await keys(), 0);
    const decided = await approved(asked, anna);
    assert.equal(decided.status, 'approved');
    assert.equal(await keys(), 0);
    const made = await send(key());
    assert.equal(made.status, 201, made.text);
    assert.match(made.body.data.api_key, /^svc_sk_/);
    assert.equal(await keys(), 1);
    assert.notEqual((await awaiting(key())).id, asked.id, 'an approval is for one key');
  });

  it('an Idempotency-Key stays free while approvals are awaited; then it stands for the one key', async () => {
    await rule('api_keys');
    const keyed = { ...key(), headers: { 'idempotency-key': unique('approved') } };
    const asked = await awaiting(keyed);
    assert.equal((await awaiting(keyed)).id, asked.id);
    await approved(asked, anna);
    const [made, again] = [await send(keyed), await send(keyed)];
    assert.deepEqual([made.status, again.status], [201, 201]);
    assert.deepEqual(again.body.data, { ...made.body.data, api_key: null });
    assert.equal(await keys(), 1);
  });

  it('the approval holds for exactly what was requested, by whom, and in that wallet', async () => {
    await rule('api_keys');
    await approved(await awaiting(key()), anna);
    await awaiting(key(developer, 'another name'));
    await awaiting({ ...key(), body: { name: 'named', scopes: ['read', 'webhooks'] } });
    await awaiting(key(owner));
    assert.equal(await keys(), 0);
  });

  it('a member without a second factor does not decide, unless every policy that asks does without one', async (t) => {
    await rule('members');
    const other = await world.newWallet();
    t.after(() => teller(['wallet', 'clear-approvals', other.id], world.environment));
    await rule('members', 1, other, false);
    const invite = (wallet_ids: string[]) =>
      awaiting({
        method: 'POST',
        path: '/v1/team/invitations',
        by: owner,
        body: { email: `${unique('guest')}@example.com`, role: 'viewer', wallet_ids },
      });
    const [of_both, of_one] = [await invite([wallet.id, other.id]), await invite([wallet.id])];
    for (const refused of [await approve(of_both, anna), await reject(of_both, anna)])
      assertError(refused, 403, 'factor_required');
    const shown = async ({ id }: any) => {
      const item = (await inbox(anna)).find(({ access_change }: any) => access_change.id === id);
      return [item.may_decide, item.factor_required];
    };
    assert.deepEqual(
      [await shown(of_one), await shown(of_both)],
      [
        [true, false],
        [false, true],
      ],
    );
    assert.equal((await approved(of_one, anna)).status, 'approved');
    assert.equal((await reject(of_both, owner)).status, 200, 'its requester takes it back');
  });

  it('the main key too: the old one stays until the approval', async () => {
    await rule('api_keys');
    const path = `/v1/wallets/${wallet.id}/api-key/regenerate`;
    const regenerate: Sent = { method: 'POST', path, body: {}, by: developer };
    const asked = await awaiting(regenerate);
    const alive = () => world.api('GET', `/v1/wallets/${wallet.id}`, { token: wallet.api_key });
    assert.equal((await alive()).status, 200);
    await approved(asked, bert);
    assert.equal((await send(regenerate)).status, 201);
    assertError(await alive(), 401, 'unauthenticated');
  });

  it('a wallet without that rule makes keys at once; so does the deletion of a key', async () => {
    await rule('members');
    const made = await send(key());
    assert.equal(made.status, 201, made.text);
    await rule('api_keys', 1, await world.newWallet());
    assert.equal((await send(key())).status, 201);
  });
});

describe('a decision', () => {
  it('401 for an API key, 403 for other roles, 404 for another team and for a member of other wallets', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    assertError(await approve(asked, { token: wallet.api_key }), 401, 'login_required');
    assertError(await approve(asked, viewer), 403, 'role_missing');
    assertError(await approve(asked, developer), 403, 'role_missing');
    const stranger = await world.newUser();
    assertError(await approve(asked, stranger), 404, 'not_found');
    const read = await world.api('GET', `/v1/team/access-changes/${asked.id}`, { token: stranger.token });
    assertError(read, 404, 'not_found');
    const other = await world.newWallet();
    const body = { ...memberOf('approver'), wallet_ids: [other.id] };
    const added = await world.api('POST', '/v1/team/members', { token: owner.token, body });
    assert.equal(added.status, 201, added.text);
    const limited = { token: await logIn(body.email) };
    assertError(await approve(asked, limited), 404, 'not_found');
    assert.deepEqual(await inbox(limited), []);
  });

  it('403 for the requester, who takes it back by a rejection; 409 for a stale page and a second decision', async () => {
    await rule('api_keys', 2);
    const asked = await awaiting(key(owner));
    assertError(await approve(asked, owner), 403, 'may_not_approve');
    assertError(await approve({ ...asked, order_hash: 'ab'.repeat(32) }, anna), 409, 'order_changed');
    assert.equal((await approved(asked, anna)).status, 'awaiting_approval');
    assertError(await approve(asked, anna), 409, 'already_decided');
    assert.equal((await reject(asked, owner)).status, 200);
    assertError(await approve(asked, bert), 404, 'not_found');
    await awaiting(key(owner));
  });

  it('one rejection ends it; the requester asks again', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    const rejected = await reject(asked, bert, { comment: 'what for?' });
    assert.equal(rejected.body.data.approvals[0].comment, 'what for?', rejected.text);
    assert.notEqual((await awaiting(key())).id, asked.id);
    assert.equal(await keys(), 0);
  });

  it('many approvals at once make one key', async () => {
    await rule('api_keys', 2);
    const asked = await awaiting(key());
    await Promise.all([anna, bert, owner, anna, bert].map((by) => approve(asked, by)));
    const made = await Promise.all(Array.from({ length: 6 }, () => send(key())));
    assert.equal(made.filter(({ status }) => status === 201).length, 1);
    assert.equal(await keys(), 1);
  });

  it('a row that was changed in the database is not approved', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    const change = JSON.stringify({ ...asked.change, scopes: ['read', 'webhooks'] });
    await world.query('update access_changes set change = $1 where id = $2', [change, asked.id]);
    assertError(await approve(asked, anna), 409, 'order_changed');
  });

  it('an approval of a member who has left since is void, and nothing is carried out without it', async () => {
    await rule('api_keys', 2);
    const leaving = await newMember('approver');
    const asked = await awaiting(key());
    await approved(asked, leaving);
    await approved(asked, anna);
    const left = await world.api('DELETE', `/v1/team/members/${leaving.id}`, { token: owner.token });
    assert.equal(left.status, 200, left.text);
    await awaiting(key());
    assert.equal((await approved(asked, bert)).status, 'approved');
    assert.equal((await send(key())).status, 201);
  });

  it('it goes away when its requester is removed, also one that is approved', async () => {
    await rule('api_keys');
    const leaver = await newMember('developer');
    const asked = [await awaiting(key(leaver)), await awaiting(key(leaver, 'another'))];
    await approved(asked[0], anna);
    const left = await world.api('DELETE', `/v1/team/members/${leaver.id}`, { token: owner.token });
    assert.equal(left.status, 200, left.text);
    assert.ok([404, 409].includes((await approve(asked[1], anna)).status));
    await eventually('both are gone', async () => {
      const ids = (await inbox(anna)).map(({ access_change }: any) => access_change.id);
      return asked.some(({ id }) => ids.includes(id)) ? null : true;
    });
    assert.equal(await keys(), 0);
  });

  it('a member who was removed and came back is not the one who asked: the approval is for nothing', async () => {
    await rule('api_keys');
    const returned = await newMember('developer');
    const asked = await awaiting(key(returned));
    await approved(asked, anna);
    await removeAndBringBack(world, returned.id);
    assert.notEqual((await awaiting(key(returned))).id, asked.id);
    assert.equal(await keys(), 0);
  });

  it('nor is it carried out when the row was changed after the approval', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    await approved(asked, anna);
    const change = JSON.stringify({ ...asked.change, scopes: ['read', 'webhooks'] });
    await world.query('update access_changes set change = $1 where id = $2', [change, asked.id]);
    await awaiting({ ...key(), body: { name: 'named', scopes: ['read', 'webhooks'] } });
    assert.equal(await keys(), 0);
  });

  it('who has lost the right while the request waited gets no key', async () => {
    const path = `/v1/wallets/${wallet.id}`;
    const calls: [string, object][] = [
      [`${path}/api-key/regenerate`, {}],
      [`${path}/api-keys`, { name: 'late', scopes: ['read'] }],
    ];
    const lost: [string, string][] = [
      ["role = 'viewer'", 'role_missing'],
      ['left_at = now()', 'unauthenticated'],
    ];
    for (const [called, body] of calls)
      for (const [set, code] of lost) {
        const leaving = await newMember('developer');
        const db = new pg.Client({ connectionString: world.environment.DATABASE_URL });
        await db.connect();
        await db.query('begin');
        await db.query('select id from teams for no key update');
        await db.query(`update team_members set ${set} where user_id = $1`, [leaving.id]);
        const answer = send({ method: 'POST', path: called, body, by: leaving });
        await untilBlocked(world, 1);
        await db.query('commit');
        await db.end();
        assertError(await answer, code === 'unauthenticated' ? 401 : 403, code);
      }
    assert.equal(await keys(), 0);
  });

  it('it is over after 24 hours, and so is an approval that nobody used', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    assert.equal(Date.parse(asked.approval_expires_at) - Date.parse(asked.created_at), 24 * 3_600_000);
    const past = "update access_changes set expires_at = now() - interval '1 second' where id = $1";
    await world.query(past, [asked.id]);
    assertError(await approve(asked, anna), 404, 'not_found');
    const again = await awaiting(key());
    await approved(again, anna);
    await world.query(past, [again.id]);
    await awaiting(key());
    assert.equal(await keys(), 0);
    const outcomes = await eventually('both are over', async () => {
      const ended = (await decided(anna)).filter(({ access_change: { id } }: any) =>
        [asked.id, again.id].includes(id),
      );
      return ended.length === 2 ? ended.map(({ outcome }: any) => outcome) : null;
    });
    assert.deepEqual(outcomes, ['approval_expired', 'approval_expired']);
  });
});

describe('members, invitations and service users where a policy asks for approvals of members', () => {
  const add = (role = 'approver'): Sent => {
    return { method: 'POST', path: '/v1/team/members', body: memberOf(role), by: owner };
  };

  it('an owner adds no approver alone: 202, and no user is made; with the approval the member is there', async () => {
    await rule('members');
    const call = add();
    const asked = await awaiting(call);
    const { email, role } = call.body as ReturnType<typeof memberOf>;
    assert.deepEqual(asked.change, { email, name: role, role, wallet_ids: null });
    assert.doesNotMatch(JSON.stringify(asked.change), /secret/);
    assert.equal((await world.query('select from users where email = $1', [email])).length, 0);
    await approved(asked, anna);
    assert.equal((await send(call)).status, 201);
    const stored = await world.query("select entry from audit_log where entry like '%access_change%'");
    assert.ok(stored.length > 0);
    for (const { entry } of stored) assert.doesNotMatch(entry, /a long enough secret/);
  });

  it('each way to give access awaits approvals: rights, invitations, service users and their secrets', async () => {
    const made = await world.api('POST', '/v1/team/service-users', {
      token: owner.token,
      body: { name: 'backend', role: 'operator' },
    });
    const { id } = made.body.data;
    await rule('members');
    const calls: [string, string, Sent['method'], object][] = [
      ['changeMember', `/v1/team/members/${viewer.id}`, 'PATCH', { role: 'operator' }],
      ['createInvitation', '/v1/team/invitations', 'POST', { email: 'new@example.com', role: 'admin' }],
      ['createServiceUser', '/v1/team/service-users', 'POST', { name: 'second', role: 'operator' }],
      ['changeServiceUser', `/v1/team/service-users/${id}`, 'PATCH', { role: 'admin' }],
      ['addServiceUserSecret', `/v1/team/service-users/${id}/secrets`, 'POST', {}],
    ];
    for (const [operation, path, method, body] of calls) {
      const call = { method, path, body, by: owner };
      const asked = await awaiting(call);
      assert.equal(asked.operation, operation);
      await approved(asked, anna);
      const { status, text } = await send(call);
      assert.ok(status === 200 || status === 201, text);
    }
    const back = {
      method: 'PATCH' as const,
      path: `/v1/team/members/${viewer.id}`,
      body: { role: 'viewer' },
      by: owner,
    };
    await approved(await awaiting(back), bert);
    assert.equal((await send(back)).status, 200);
  });

  it('a secret is approved for the rights of its service user: with others it is another request', async () => {
    await rule('members');
    const other = await world.newWallet();
    await rule('members', 2, other);
    const body = { name: 'backend', role: 'viewer', wallet_ids: [(await world.newWallet()).id] };
    const made = await world.api('POST', '/v1/team/service-users', { token: owner.token, body });
    const path = `/v1/team/service-users/${made.body.data.id}`;
    const widen = (wallet_ids: string[]): Sent => {
      return { method: 'PATCH', path, body: { role: 'operator', wallet_ids }, by: owner };
    };
    const secret: Sent = { method: 'POST', path: `${path}/secrets`, body: {}, by: owner };
    await approved(await awaiting(widen([wallet.id])), anna);
    assert.equal((await send(widen([wallet.id]))).status, 200);
    const asked = await awaiting(secret);
    const change = { name: 'backend', role: 'operator', wallet_ids: [wallet.id], allowed_ips: null };
    assert.deepEqual(asked.change, change);
    await approved(asked, anna);
    const both = await awaiting(widen([wallet.id, other.id]));
    for (const by of [anna, bert]) await approved(both, by);
    assert.equal((await send(widen([wallet.id, other.id]))).status, 200);
    const again = await awaiting(secret);
    assert.notEqual(again.id, asked.id);
    for (const by of [anna, bert]) await approved(again, by);
    assert.equal((await send(secret)).status, 201);
    await reject(asked, owner);
    await teller(['wallet', 'clear-approvals', other.id], world.environment);
  });

  it('what takes access away holds at once: removals, a disabled service user, a revoked invitation', async () => {
    const leaving = await newMember('viewer');
    const { body } = await world.api('POST', '/v1/team/service-users', {
      token: owner.token,
      body: { name: 'backend', role: 'viewer' },
    });
    const program = `/v1/team/service-users/${body.data.id}`;
    await rule('members');
    const off = await world.api('PATCH', program, {
      token: owner.token,
      body: { enabled: false, name: 'off' },
    });
    assert.equal(off.status, 200, off.text);
    const on = { method: 'PATCH' as const, path: program, body: { enabled: true }, by: owner };
    await awaiting(on);
    assert.equal((await world.api('DELETE', program, { token: owner.token })).status, 200);
    const gone = await world.api('DELETE', `/v1/team/members/${leaving.id}`, { token: owner.token });
    assert.equal(gone.status, 200, gone.text);
  });

  it('a member for other wallets needs no approvals; each wallet that asks has its own approvers', async () => {
    const [other, own] = [await world.newWallet(), await world.newWallet()];
    await rule('members');
    const elsewhere = add('operator');
    const limited = { ...elsewhere, body: { ...elsewhere.body, wallet_ids: [other.id] } };
    assert.equal((await send(limited)).status, 201);
    await rule('members', 1, own);
    const only = { ...memberOf('approver'), wallet_ids: [own.id] };
    const asked = await awaiting({ ...add(), body: only });
    await approved(asked, anna);
    const made = await send({ ...add(), body: only });
    assert.equal(made.status, 201, made.text);
    await haveOwnPassword(world, only.email);
    const specialist = { token: await logIn(only.email) };
    const call = add();
    const whole = await awaiting(call);
    // One wallet has its approval now, the other one has not.
    assert.equal((await approved(whole, specialist)).status, 'awaiting_approval');
    await awaiting(call);
    assert.equal((await approved(whole, bert)).status, 'approved');
    assert.equal((await send(call)).status, 201);
    await teller(['wallet', 'clear-approvals', own.id], world.environment);
  });

  it('a team that has lost its approvers: the operator ends the rule, and the request needs none any more', async () => {
    await rule('members');
    const call = add('viewer');
    const asked = await awaiting(call);
    await teller(['wallet', 'clear-approvals', wallet.id], world.environment);
    assertError(await approve(asked, anna), 409, 'not_awaiting_approval');
    assert.equal((await send(call)).status, 201);
    const [{ outcome, access_change }] = await decided(owner);
    assert.deepEqual([access_change.id, outcome, access_change.approvals], [asked.id, 'not_needed', []]);
  });

  it('the operator gives a service user a secret without approvals', async () => {
    await rule('members');
    const { code, output } = await teller(
      ['service-user', 'create', '--team', demo_email, '--name', 'by the operator', '--role', 'viewer'],
      world.environment,
    );
    assert.equal(code, 0, output);
  });
});

describe('the inbox', () => {
  it('shows a change of access to who may decide, and to its requester until it is carried out', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    const find = async (by: { token: string }) =>
      (await inbox(by)).find(({ access_change }: any) => access_change.id === asked.id);
    assert.equal((await find(anna)).may_decide, true);
    assert.equal((await find(developer)).may_decide, false);
    await approved(asked, anna);
    const item = await find(developer);
    assert.equal(item.access_change.status, 'approved');
    assert.equal((await find(bert)).may_decide, false);
    assert.ok((await decided(developer)).every(({ access_change }: any) => access_change.id !== asked.id));
    await send(key());
    assert.equal(await find(developer), undefined);
    const [{ wallet_id, outcome, access_change }] = await decided(developer);
    assert.deepEqual([wallet_id, outcome, access_change.id], [wallet.id, 'approved', asked.id]);
    assert.equal(access_change.approvals[0].user_id, anna.id);
    const other = await awaiting(key());
    await reject(other, bert);
    const [rejected] = await decided(developer);
    assert.deepEqual([rejected.outcome, rejected.access_change.id], ['rejected', other.id]);
  });

  it('has every page', async () => {
    await rule('api_keys');
    const asked: string[] = [];
    for (const name of ['one', 'two', 'three']) asked.unshift((await awaiting(key(developer, name))).id);
    const listed: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/v1/approvals?limit=1${cursor && `&cursor=${cursor}`}`;
      const { body } = await world.api('GET', path, { token: anna.token });
      listed.push(...body.data.items.map(({ access_change }: any) => access_change?.id));
      cursor = body.data.next_cursor;
    }
    assert.deepEqual(
      listed.filter((id) => asked.includes(id)),
      asked,
    );
  });

  it('members and service users: not for roles that read no invitations or service users, nor for other wallets', async () => {
    const other = await world.newWallet();
    const limited = { ...memberOf('approver'), wallet_ids: [other.id] };
    const added = await world.api('POST', '/v1/team/members', { token: owner.token, body: limited });
    assert.equal(added.status, 201, added.text);
    const auditor = await newMember('auditor');
    await rule('members');
    const body = { name: 'hidden', role: 'viewer', wallet_ids: [wallet.id], allowed_ips: ['203.0.113.7'] };
    const asked = await awaiting({ method: 'POST', path: '/v1/team/service-users', body, by: owner });
    const sees = async ({ token }: { token: string }) => {
      const { status } = await world.api('GET', `/v1/team/access-changes/${asked.id}`, { token });
      const listed = (await inbox({ token })).some(({ access_change }: any) => access_change.id === asked.id);
      assert.equal(listed, status === 200);
      return listed;
    };
    const other_member = { token: await logIn(limited.email) };
    for (const by of [owner, anna, auditor]) assert.equal(await sees(by), true);
    for (const by of [viewer, developer, other_member]) assert.equal(await sees(by), false);
    await reject(asked, anna);
    const sawIt = async (by: { token: string }) =>
      (await decided(by)).some(({ access_change }: any) => access_change.id === asked.id);
    for (const by of [owner, anna, auditor]) assert.equal(await sawIt(by), true);
    for (const by of [viewer, developer, other_member]) assert.equal(await sawIt(by), false);
  });

  it('the audit log tells each step', async () => {
    await rule('api_keys');
    const asked = await awaiting(key());
    await approved(asked, anna);
    await send(key());
    const { body } = await world.api('GET', `/v1/audit?target_id=${asked.id}`, { token: owner.token });
    assert.deepEqual(
      body.data.items.map(({ action, actor }: any) => [action, actor.id]),
      [
        ['access_change.carried_out', developer.id],
        ['access_change.approved', anna.id],
        ['access_change.requested', developer.id],
      ],
    );
  });
});
