/** Who knows a credential of a program: they never approve what they could have asked for, and a team never runs short of others. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { tellerBeside as teller } from '../support/commands.ts';
import { addApp } from '../support/factors.ts';
import { haveOwnPassword } from '../support/own-password.ts';
import {
  assertError,
  type Member,
  startRunningService,
  unique,
  type Wallet,
} from '../support/running-service.ts';

const PUBLIC_URL = 'https://teller.example.com';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const SERVICE_USERS = '/v1/team/service-users';

const world = await startRunningService({ PUBLIC_URL, POLICY_DELAY_SECONDS: '0' });
after(() => world.stop());

type Program = { id: string; client_secret: string | null; secrets: { id: string }[] };

async function done(method: string, path: string, { token }: { token: string }, body: object = {}) {
  const answer = await world.api(method, path, { token, ...(method !== 'GET' && { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
}

const make = (by: { token: string }, more: object = {}): Promise<Program> =>
  done('POST', SERVICE_USERS, by, { name: unique('program'), role: 'operator', ...more });
const change = ({ id }: Program, by: { token: string }, body: object) =>
  world.api('PATCH', `${SERVICE_USERS}/${id}`, { token: by.token, body });
const addSecret = ({ id }: Program, by: { token: string }) =>
  world.api('POST', `${SERVICE_USERS}/${id}/secrets`, { token: by.token });
const retire = ({ id }: Program, secret_id: string, by: { token: string }) =>
  done('DELETE', `${SERVICE_USERS}/${id}/secrets/${secret_id}`, by);

async function exchange(body: object): Promise<string> {
  const given = await world.api('POST', '/v1/auth/token', {
    body: { grant_type: 'client_credentials', ...body },
  });
  assert.equal(given.status, 200, given.text);
  return given.body.data.token;
}

async function keyPair() {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const tokenFor = async (id: string) =>
    exchange({
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await new SignJWT({ jti: unique('jti') })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuer(id)
        .setSubject(id)
        .setAudience(PUBLIC_URL)
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(privateKey),
    });
  return { public_key: await exportJWK(publicKey), tokenFor };
}

describe('a user who knew a credential of the program when it asked', () => {
  const owner = { token: world.token };
  let wallet: Wallet;
  let payee: string;
  let [anna, carl, dora]: Member[] = [];
  before(async () => {
    wallet = await world.newWallet();
    payee = (await world.ledger.fund()).publicKey();
    [anna, carl, dora] = await Promise.all(
      ['approver', 'admin', 'admin'].map((role) => world.newMember(role, owner.token)),
    );
    const approvals = { required: 1, for: ['withdrawals'], above: [], without_factor: true };
    await done('PATCH', `/v1/wallets/${wallet.id}/policy`, owner, { approvals });
  });

  const who = (member: Member | undefined): Member => member ?? assert.fail('no such member');
  async function ask(token: string) {
    const asked = await world.withdraw(wallet, { destination: payee, amount_stroops: 5n }, { token });
    assert.equal(asked.status, 202, asked.text);
    return asked.body.data;
  }
  const approve = (asked: any, { token }: { token: string }) =>
    world.api('POST', `/v1/wallets/${wallet.id}/withdrawals/${asked.id}/approve`, {
      token,
      body: { order_hash: asked.order_hash },
    });
  async function assertBarred(asked: any, member: Member) {
    const refused = await approve(asked, member);
    assertError(refused, 403, 'may_not_approve');
    assert.match(refused.body.message, /gave it a credential/);
    const { items } = (await world.api('GET', '/v1/approvals', { token: member.token })).body.data;
    const shown = items.find(({ withdrawal }: any) => withdrawal?.id === asked.id);
    assert.equal(shown.may_decide, false);
  }
  async function assertApproved(asked: any, member: Member) {
    const answer = await approve(asked, member);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.status, 'pending');
  }

  it('gives themselves a secret, asks with it, retires it, and approves nothing', async () => {
    const program = await make(who(dora));
    const { id, client_secret } = (await addSecret(program, who(carl))).body.data;
    const asked = await ask(await exchange({ client_id: program.id, client_secret }));
    await retire(program, id, who(carl));
    await assertBarred(asked, who(carl));
    await assertApproved(asked, who(anna));
  });

  it('gives a public key, asks with it, replaces it, and approves nothing', async () => {
    const [own, other] = [await keyPair(), await keyPair()];
    const program = await make(who(carl), { public_keys: [own.public_key] });
    const asked = await ask(await own.tokenFor(program.id));
    const replaced = await change(program, who(dora), { public_keys: [other.public_key] });
    assert.equal(replaced.status, 200, replaced.text);
    await assertBarred(asked, who(carl));
    await assertBarred(asked, who(dora));
    await assertApproved(asked, who(anna));
  });

  it('approves nothing of it after the program is removed, and nobody else does', async () => {
    const program = await make(who(carl));
    const asked = await ask(await exchange({ client_id: program.id, client_secret: program.client_secret }));
    await done('DELETE', `${SERVICE_USERS}/${program.id}`, owner);
    for (const member of [carl, dora])
      assertError(await approve(asked, who(member)), 409, 'not_awaiting_approval');
  });

  it('approves what it asks for later, an hour after their last credential of it has ended', async () => {
    const program = await make(who(carl));
    const [first] = program.secrets;
    const { id, client_secret } = (await addSecret(program, who(carl))).body.data;
    const token = await exchange({ client_id: program.id, client_secret });
    await retire(program, first?.id ?? '', who(dora));
    const an_hour_on = () =>
      world.query(
        `update service_user_credentials set ended_at = ended_at - interval '1 hour' where service_user_id = $1`,
        [program.id],
      );
    await an_hour_on();
    await assertBarred(await ask(token), who(carl)); // the second secret is theirs too
    await retire(program, id, who(dora));
    const key = await keyPair();
    await change(program, who(dora), { public_keys: [key.public_key] });
    await assertBarred(await ask(await key.tokenFor(program.id)), who(carl)); // the hour is not over
    await an_hour_on();
    const asked = await ask(await key.tokenFor(program.id));
    await assertBarred(asked, who(dora));
    await assertApproved(asked, who(carl));
  });

  it('approves nothing that is asked with their public key, whoever gives it again, or to another program', async () => {
    const key = await keyPair();
    const program = await make(who(carl), { public_keys: [key.public_key] });
    const padded = { ...key.public_key, x: `${key.public_key.x}=` }; // the same key, as some libraries write it
    for (const public_keys of [[], [padded]])
      assert.equal((await change(program, who(dora), { public_keys })).status, 200);
    const copy = await make(who(dora), { public_keys: [padded] });
    for (const { id } of [program, copy]) {
      const asked = await ask(await key.tokenFor(id));
      await assertBarred(asked, who(carl));
      await assertBarred(asked, who(dora));
      await assertApproved(asked, who(anna));
    }
  });
});

/** A team of its own, with a wallet that asks for one approval of each withdrawal. */
async function newTeam({ asks = true } = {}) {
  const owner = await world.newUser();
  const admin = await world.newMember('admin', owner.token);
  const wallet = await world.newWallet(owner.token);
  const setPolicy = (approvals: object) =>
    world.api('PATCH', `/v1/wallets/${wallet.id}/policy`, { token: owner.token, body: { approvals } });
  if (asks) {
    const set = await setPolicy({ required: 1, for: ['withdrawals'] });
    assert.equal(set.status, 200, set.text);
  }
  return { owner, admin, wallet, setPolicy };
}

/** Made by the one, with a secret that the other has added. */
async function knownToBoth(one: { token: string }, other: { token: string }, more: object = {}) {
  const program = await make(one, more);
  const added = await addSecret(program, other);
  assert.equal(added.status, 201, added.text);
  return { program, secret_id: added.body.data.id as string };
}

function assertTooFew(answer: Awaited<ReturnType<typeof addSecret>>, program: Program) {
  assertError(answer, 409, 'too_few_approvers');
  assert.ok(answer.body.message.includes(`(${program.id})`), answer.text);
}

describe('409 too_few_approvers, with the name of the program', () => {
  it('for a policy that nobody could approve for the program; not for one about policies only', async () => {
    const { owner, admin, wallet, setPolicy } = await newTeam({ asks: false });
    const { program, secret_id } = await knownToBoth(owner, admin);
    const refused = await setPolicy({ required: 1, for: ['withdrawals'] });
    assertTooFew(refused, program);
    assert.match(refused.body.message, new RegExp(`${wallet.id}.*First add a member`));
    const { body } = await world.api('GET', `/v1/wallets/${wallet.id}/policy`, { token: owner.token });
    assert.equal(body.data.approvals, null);
    assert.equal((await setPolicy({ required: 1, for: ['policies'] })).status, 200);
    assertTooFew(await setPolicy({ required: 1, for: ['policies', 'withdrawals'] }), program);
    await retire(program, secret_id, owner);
    assert.equal((await setPolicy({ required: 1, for: ['policies', 'withdrawals'] })).status, 200);
  });

  it('for a secret or a public key by the last member who knows none; a member who knows one gives the next one', async () => {
    const { owner, admin } = await newTeam();
    const program = await make(owner);
    assertTooFew(await addSecret(program, admin), program);
    const { public_key } = await keyPair();
    assertTooFew(await change(program, admin, { public_keys: [public_key] }), program);
    const { secrets, public_keys } = await done('GET', `${SERVICE_USERS}/${program.id}`, owner);
    assert.deepEqual([secrets.length, public_keys.length], [1, 0]);
    assert.equal((await addSecret(program, owner)).status, 201);
    assert.equal((await change(program, owner, { public_keys: [public_key] })).status, 200);
  });

  it('for a role or wallets with which a program could ask, and for enabling it; the operator may', async () => {
    const { owner, admin } = await newTeam();
    const { id } = await world.newWallet(owner.token);
    const [reader, elsewhere, disabled] = await Promise.all([
      make(owner, { role: 'developer' }),
      make(owner, { wallet_ids: [id] }),
      make(owner),
    ]);
    await done('PATCH', `${SERVICE_USERS}/${disabled.id}`, owner, { enabled: false });
    for (const program of [reader, elsewhere, disabled])
      assert.equal((await addSecret(program, admin)).status, 201);
    assertTooFew(await change(reader, owner, { role: 'operator' }), reader);
    assertTooFew(await change(elsewhere, owner, { all_wallets: true }), elsewhere);
    assertTooFew(await change(disabled, owner, { enabled: true }), disabled);
    for (const program of [reader, elsewhere, disabled])
      assert.equal((await change(program, owner, { name: unique('renamed') })).status, 200);
    const { code, output } = await teller(['service-user', 'enable', disabled.id], world.environment);
    assert.equal(code, 0, output);
    assert.equal((await change(disabled, owner, { name: 'short already' })).status, 200);
  });

  it('for the removal or demotion of the last members who know no credential of it', async () => {
    const { owner, admin } = await newTeam();
    const approver = await world.newMember('approver', owner.token);
    const { program } = await knownToBoth(owner, admin);
    const path = `/v1/team/members/${approver.id}`;
    assertTooFew(await world.api('DELETE', path, { token: owner.token }), program);
    const demoted = await world.api('PATCH', path, { token: owner.token, body: { role: 'viewer' } });
    assertTooFew(demoted, program);
    await done('PATCH', `${SERVICE_USERS}/${program.id}`, owner, { enabled: false });
    await done('DELETE', path, owner);
  });
});

describe('a member who goes', () => {
  it('is answered with the programs that they know a valid credential of, and with an empty list otherwise', async () => {
    const { owner, admin } = await newTeam({ asks: false });
    const viewer = await world.newMember('viewer', owner.token);
    const [first, second, third] = await Promise.all([make(admin), make(admin), make(owner)]);
    await addSecret(second, owner);
    await retire(second, second.secrets[0]?.id ?? '', owner); // their only one
    await addSecret(third, admin);
    await done('PATCH', `${SERVICE_USERS}/${third.id}`, owner, { enabled: false });
    const removed = await done('DELETE', `/v1/team/members/${admin.id}`, owner);
    const listed = await done('GET', SERVICE_USERS, owner);
    const nameOf = (program: Program) => listed.items.find((each: any) => each.id === program.id).name;
    assert.deepEqual(
      removed.service_users,
      [first, third]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((each) => ({ id: each.id, name: nameOf(each) })),
    );
    assert.deepEqual(await done('DELETE', `/v1/team/members/${viewer.id}`, viewer), { service_users: [] });
  });

  it('teller user disable names the same programs', async () => {
    const { owner, admin } = await newTeam({ asks: false });
    const [known, other] = [await make(admin, { name: 'Payouts' }), await make(owner)];
    const { code, output } = await teller(['user', 'disable', admin.email], world.environment);
    assert.equal(code, 0, output);
    assert.ok(output.includes(`The user knows a credential of ${known.id} (Payouts)`), output);
    assert.ok(!output.includes(other.id), output);
  });
});

describe('who chose the first password of a member', () => {
  const PASSWORD = 'a long enough secret';
  const OWN = 'a password of my own';
  type Person = { id: string; email: string; token: string };

  async function logIn(email: string, password: string): Promise<string> {
    const login = await world.api('POST', '/v1/auth/login', { body: { email, password } });
    assert.equal(login.status, 200, login.text);
    return login.body.data.token;
  }
  async function added(by: { token: string }, role: string): Promise<Person> {
    const email = `${unique('member')}@example.com`;
    const body = { email, name: role, password: PASSWORD, role };
    const made = await world.api('POST', '/v1/team/members', { token: by.token, body });
    assert.equal(made.status, 201, made.text);
    return { id: made.body.data.user_id, email, token: await logIn(email, PASSWORD) };
  }
  async function invited(by: { token: string }, role: string): Promise<Person> {
    const email = `${unique('guest')}@example.com`;
    const sent = await world.api('POST', '/v1/team/invitations', { token: by.token, body: { email, role } });
    assert.equal(sent.status, 201, sent.text);
    const accepted = await world.api('POST', '/v1/auth/invitations/accept', {
      body: { token: sent.body.data.token, name: role, password: PASSWORD },
    });
    assert.equal(accepted.status, 200, accepted.text);
    const { user_id: id, token } = accepted.body.data;
    return { id, email, token };
  }
  async function guarded() {
    const wallet = await world.newWallet();
    const approvals = { required: 1, for: ['withdrawals'], above: [], without_factor: true };
    const set = await world.api('PATCH', `/v1/wallets/${wallet.id}/policy`, {
      token: world.token,
      body: { approvals },
    });
    assert.equal(set.status, 200, set.text);
    return wallet;
  }
  async function asked(wallet: Wallet, { token }: { token: string }) {
    const answer = await world.withdraw(
      wallet,
      { destination: wallet.account, amount_stroops: 1n },
      { token },
    );
    assert.equal(answer.status, 202, answer.text);
    return answer.body.data;
  }
  const approve = (wallet: Wallet, { id, order_hash }: any, { token }: { token: string }) =>
    world.api('POST', `/v1/wallets/${wallet.id}/withdrawals/${id}/approve`, { token, body: { order_hash } });
  async function mayDecide({ id }: any, { token }: { token: string }) {
    const { body } = await world.api('GET', '/v1/approvals', { token });
    return body.data.items.find(({ withdrawal }: any) => withdrawal?.id === id).may_decide;
  }

  it('could be that member: neither approves for the other, nor two whose passwords one person knows', async () => {
    const wallet = await guarded();
    const owner = { token: world.token };
    const other = await world.newMember('approver');
    const chosen = await added(owner, 'admin');
    const guest = await invited(owner, 'admin');
    const of_chosen = await added(chosen, 'approver'); // who could be the owner, too
    const known = [chosen, guest, of_chosen];
    for (const asker of [owner, chosen, guest]) {
      const request = await asked(wallet, asker);
      for (const one of [owner, ...known].filter((each) => each !== asker)) {
        assert.equal(await mayDecide(request, one), false);
        const refused = await approve(wallet, request, one);
        assertError(refused, 403, 'may_not_approve');
        assert.match(refused.body.message, /One person could be you and the member who asks/);
      }
      assert.equal(await mayDecide(request, other), true);
      assert.equal((await approve(wallet, request, other)).status, 200);
    }
  });

  it('does not approve what a program asks for whose secret that member was shown, and the other way round', async () => {
    const wallet = await guarded();
    const chosen = await added({ token: world.token }, 'admin');
    for (const [maker, other] of [
      [{ token: world.token }, chosen],
      [chosen, { token: world.token }],
    ] as const) {
      const rights = { name: unique('program'), role: 'operator' };
      const made = await world.api('POST', '/v1/team/service-users', { token: maker.token, body: rights });
      assert.equal(made.status, 201, made.text);
      const { client_id, client_secret } = made.body.data;
      const body = { grant_type: 'client_credentials', client_id, client_secret };
      const { token } = (await world.api('POST', '/v1/auth/token', { body })).body.data;
      assertError(await approve(wallet, await asked(wallet, { token }), other), 403, 'may_not_approve');
    }
  });

  it('knows it until an hour after that member has chosen another one', async () => {
    const wallet = await guarded();
    const owner = { token: world.token };
    const chosen = await added(owner, 'approver');
    const before = await asked(wallet, owner);
    const change = (current_password: string, new_password: string) =>
      world.api('POST', '/v1/auth/password', {
        token: chosen.token,
        body: { current_password, new_password },
      });
    assert.equal((await change(PASSWORD, PASSWORD)).status, 200, 'the same password again');
    const ends = () => world.query('select ended_at from known_passwords where user_id = $1', [chosen.id]);
    assert.equal((await ends())[0].ended_at, null);
    assert.equal((await change(PASSWORD, OWN)).status, 200);
    for (const request of [before, await asked(wallet, owner)])
      assertError(await approve(wallet, request, chosen), 403, 'may_not_approve');
    await world.query(
      `update known_passwords set ended_at = ended_at - interval '1 hour' where user_id = $1`,
      [chosen.id],
    );
    assert.equal((await approve(wallet, await asked(wallet, owner), chosen)).status, 200);
  });

  it('counts as one with that member: 409 too_few_approvers', async () => {
    const { owner, setPolicy } = await newTeam({ asks: false });
    const chosen = await added(owner, 'approver');
    const rule = { required: 2, for: ['policies'] };
    assertError(await setPolicy(rule), 409, 'too_few_approvers');
    await haveOwnPassword(world, chosen.email);
    assert.equal((await setPolicy(rule)).status, 200);
  });

  it('knows it as long as the member has a second factor from before', async () => {
    const chosen = await added({ token: world.token }, 'approver');
    const ended = async () =>
      (await world.query('select ended_at from known_passwords where user_id = $1', [chosen.id]))[0].ended_at;
    const old = await addApp(world, { token: chosen.token, password: PASSWORD });
    await done('POST', '/v1/auth/password', chosen, { current_password: PASSWORD, new_password: OWN });
    await addApp(world, { token: chosen.token, password: OWN }, 'Other');
    assert.equal(await ended(), null);
    await done('DELETE', `/v1/auth/factors/${old.id}`, chosen);
    assert.ok(await ended());
  });
});
