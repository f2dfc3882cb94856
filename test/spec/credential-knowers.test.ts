/** Who knows a credential of a program: they never approve what they could have asked for, and a team never runs short of others. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { tellerBeside as teller } from '../support/commands.ts';
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
