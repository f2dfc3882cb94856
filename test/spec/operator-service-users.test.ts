/** What an operator does to service users: `teller service-user …`, beside the running service and without a login. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { assertError, joinService } from '../support/running-service.ts';

const world = await joinService('receivers');
after(() => world.stop());
const wallet = await world.newWallet();
const email = (await world.api('GET', '/v1/auth/me', { token: world.token })).body.data.email;

const operate = (...args: string[]) => teller(['service-user', ...args], world.environment);
async function done(...args: string[]): Promise<string> {
  const { code, output } = await operate(...args);
  assert.equal(code, 0, output);
  return output;
}
async function refused(...args: string[]): Promise<string> {
  const { code, output } = await operate(...args);
  assert.equal(code, 1, output);
  return output;
}

/** The id and the secret that a command has printed. */
function read(output: string): { client_id: string; client_secret: string } {
  const client_id = /svu_[0-9a-z]{26}/.exec(output)?.[0];
  const client_secret = /[Ss]ecret.*: (svc_secret_\w+)/.exec(output)?.[1];
  assert.ok(client_id && client_secret, output);
  return { client_id, client_secret };
}

const create = async (...args: string[]) =>
  read(await done('create', '--team', email, '--name', 'Payouts', '--role', 'operator', ...args));
const exchange = (body: object) =>
  world.api('POST', '/v1/auth/token', { body: { grant_type: 'client_credentials', ...body } });
const me = (token: string) => world.api('GET', '/v1/auth/me', { token });
async function tokenOf(credential: object): Promise<string> {
  const answer = await exchange(credential);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.access_token;
}
const actorsOf = async (id: string) =>
  (await world.query('select entry from audit_log where target_id = $1 order by seq', [id])).map(
    ({ entry }) => {
      const { action, actor } = JSON.parse(entry);
      return `${action} ${actor.kind}`;
    },
  );

describe('teller service-user', () => {
  it('create makes one with its rights, and prints id and secret once; list shows it without the secret', async () => {
    const made = await create('--wallet', wallet.id, '--allow-ip', '127.0.0.0/8', '::1');
    const { body } = await me(await tokenOf(made));
    assert.deepEqual(
      [body.data.id, body.data.role, body.data.wallet_ids],
      [made.client_id, 'operator', [wallet.id]],
    );
    const [text, json] = [await done('list'), await done('list', '--json')];
    assert.match(text, /^ID +NAME +TEAM +ROLE +CREDENTIALS +ADDRESSES +LAST USED +DISABLED\n/);
    const row = JSON.parse(json).find(({ id }: { id: string }) => id === made.client_id);
    assert.deepEqual(row.allowed_ips, ['127.0.0.0/8', '::1']);
    for (const output of [text, json]) assert.ok(!output.includes(made.client_secret));
    assert.deepEqual(await actorsOf(made.client_id), [
      'service_user.created operator',
      'service_user.token_given service_user',
    ]);
  });

  it('disable ends its tokens at once, and no login enables it; enable lets it get tokens again', async () => {
    const made = await create();
    const token = await tokenOf(made);
    assert.match(await done('disable', made.client_id), /^Disabled: svu_\S+ \(Payouts\)/);
    assertError(await me(token), 401, 'unauthenticated');
    assertError(await exchange(made), 401, 'invalid_client');
    const path = `/v1/team/service-users/${made.client_id}`;
    const by_login = (body: object) => world.api('PATCH', path, { token: world.token, body });
    assertError(await by_login({ enabled: true }), 409, 'disabled_by_operator');
    assert.equal((await by_login({ enabled: false })).body.data.disabled_by, 'operator');
    await done('enable', made.client_id);
    assert.equal((await me(await tokenOf(made))).status, 200);
  });

  it('disable holds too where the team has disabled it before', async () => {
    const made = await create();
    const path = `/v1/team/service-users/${made.client_id}`;
    await world.api('PATCH', path, { token: world.token, body: { enabled: false } });
    await done('disable', made.client_id);
    const enabled = await world.api('PATCH', path, { token: world.token, body: { enabled: true } });
    assertError(enabled, 409, 'disabled_by_operator');
  });

  it('rotate keeps the newest secret of before; rotate --now ends all of them with their tokens', async () => {
    const first = await create();
    const next = read(await done('rotate', first.client_id));
    await tokenOf(first);
    const third = read(await done('rotate', first.client_id));
    assertError(await exchange(first), 401, 'invalid_client');
    const tokens = [await tokenOf(next), await tokenOf(third)];
    const last = read(await done('rotate', first.client_id, '--now'));
    for (const token of tokens) assertError(await me(token), 401, 'unauthenticated');
    for (const old of [next, third]) assertError(await exchange(old), 401, 'invalid_client');
    await tokenOf(last);
  });

  it('remove ends it for ever', async () => {
    const made = await create();
    const token = await tokenOf(made);
    await done('remove', made.client_id);
    assertError(await me(token), 401, 'unauthenticated');
    assertError(await exchange(made), 401, 'invalid_client');
    assert.match(await refused('enable', made.client_id), /There is no service user/);
    assert.equal((await actorsOf(made.client_id)).at(-1), 'service_user.token_refused stranger');
  });

  it('disable and remove name the endpoints that it has registered, which go on', async () => {
    const { client_id, client_secret } = read(
      await done('create', '--team', email, '--name', 'Shop', '--role', 'developer'),
    );
    const token = await tokenOf({ client_id, client_secret });
    const body = { url: 'http://127.0.0.1:9/stolen' };
    const made = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token, body });
    assert.equal(made.status, 201, made.text);
    for (const command of ['disable', 'remove'])
      assert.match(
        await done(command, client_id),
        new RegExp(
          `Endpoints that it has registered go on[^]*${made.body.data.id} +${wallet.id} +${body.url}`,
        ),
      );
  });

  it('says in one line what is wrong, and changes nothing', async () => {
    const rows = await world.countOf('service_users');
    const order = ['create', '--team', email, '--name', 'x'];
    const wrong: [string[], RegExp][] = [
      [
        ['create', '--team', 'nobody@example.com', '--name', 'x', '--role', 'viewer'],
        /no user nobody@example/,
      ],
      [[...order, '--role', 'owner'], /Allowed choices are admin/],
      [
        [...order, '--role', 'viewer', '--wallet', 'wal_nobody'],
        /--wallet wal_nobody is no wallet of the team/,
      ],
      [[...order, '--role', 'admin', '--wallet', wallet.id], /--wallet must be absent/],
      [[...order, '--role', 'viewer', '--allow-ip', 'localhost'], /localhost is no address/],
      [['rotate', 'svu_nobody'], /There is no service user svu_nobody/],
    ];
    for (const [args, words] of wrong) assert.match(await refused(...args), words);
    assert.equal(await world.countOf('service_users'), rows);
  });
});
