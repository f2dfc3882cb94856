/** What each team may have: wallets, deposit addresses, and requests a minute. Another team never pays for it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertError, startRunningService, startSecond, unique } from '../support/running-service.ts';

const QUOTA = { wallets: 3, addresses: 4, requests: 6 };
const world = await startRunningService({
  TEAM_WALLETS_MAX: `${QUOTA.wallets}`,
  TEAM_ADDRESSES_MAX: `${QUOTA.addresses}`,
});
after(() => world.stop());

const makeWallet = (token: string) =>
  world.api('POST', '/v1/wallets', { token, body: { name: unique('wallet') } });
const makeAddress = (wallet: { id: string }, token: string) =>
  world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token });

describe('wallets', () => {
  it('422 too_many_wallets from the quota on, and nothing is made; other teams go on', async () => {
    const team = await world.newUser();
    for (let n = 0; n < QUOTA.wallets; n++) assert.equal((await makeWallet(team.token)).status, 201);
    const before = await world.countOf('wallets');
    assertError(await makeWallet(team.token), 422, 'too_many_wallets');
    assert.equal(await world.countOf('wallets'), before);
    assert.equal((await makeWallet((await world.newUser()).token)).status, 201);
  });

  it('of many at once no more than the quota are made', async () => {
    const team = await world.newUser();
    const answers = await Promise.all(Array.from({ length: 12 }, () => makeWallet(team.token)));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, QUOTA.wallets);
    for (const answer of answers.filter(({ status }) => status !== 201))
      assertError(answer, 422, 'too_many_wallets');
  });
});

describe('deposit addresses', () => {
  it('of many at once, on two processes and for two wallets of the team, no more than the quota are made', async () => {
    const team = await world.newUser();
    const wallets = [await world.newWallet(team.token), await world.newWallet(team.token)];
    const second = await startSecond(world, { TEAM_ADDRESSES_MAX: `${QUOTA.addresses}` });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const { api } = n % 2 === 0 ? world : second;
        const { id, api_key } = wallets[n % 3 === 0 ? 0 : 1] ?? assert.fail();
        return api('POST', `/v1/wallets/${id}/addresses`, { token: api_key });
      }),
    );
    await second.stop();
    assert.equal(answers.filter(({ status }) => status === 201).length, QUOTA.addresses);
    for (const answer of answers.filter(({ status }) => status !== 201))
      assertError(answer, 422, 'too_many_addresses');
    const rows = await world.query('select id from deposit_addresses where wallet_id = any($1)', [
      wallets.map(({ id }) => id),
    ]);
    assert.equal(rows.length, QUOTA.addresses, 'and no others are in the database');
  });

  it('another team is not concerned', async () => {
    const team = await world.newUser();
    const wallet = await world.newWallet(team.token);
    assert.equal((await makeAddress(wallet, team.token)).status, 201);
  });
});

describe('invitations', () => {
  const invite = (email: string, token: string) =>
    world.api('POST', '/v1/team/invitations', { token, body: { email, role: 'viewer' } });
  const revoke = (id: string, token: string) => world.api('DELETE', `/v1/team/invitations/${id}`, { token });

  it('422 too_many_invitations for the fourth of one e-mail, in any spelling; one that is revoked counts for a day', async () => {
    const { token } = await world.newUser();
    const email = `${unique('guest')}@example.com`;
    const made = [];
    for (const spelling of [email, email.toUpperCase(), ` ${email}`])
      made.push(await invite(spelling, token));
    for (const { status, body } of made) {
      assert.equal(status, 201);
      assert.equal((await revoke(body.data.id, token)).status, 200);
    }
    assertError(await invite(email, token), 422, 'too_many_invitations');
    assert.equal((await invite(email, (await world.newUser()).token)).status, 201, 'of another team');
    await world.query(
      `update team_invitations set created_at = created_at - interval '25 hours' where id = $1`,
      [made[0]?.body.data.id],
    );
    assert.equal((await invite(email, token)).status, 201);
  });

  it('of many at once a team makes 50, whether it revokes or accepts them; an open one counts after a day too', async () => {
    const { token, id } = await world.newUser();
    const email = () => `${unique('guest')}@example.com`;
    const answers = await Promise.all(Array.from({ length: 56 }, () => invite(email(), token)));
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
    assert.equal(made.length, 50);
    for (const answer of answers.filter(({ status }) => status !== 201))
      assertError(answer, 422, 'too_many_invitations');
    const accepted = { token: made[0].token, password: 'a long enough secret', name: 'Guest' };
    assert.equal((await world.api('POST', '/v1/auth/invitations/accept', { body: accepted })).status, 200);
    assert.equal((await revoke(made[1].id, token)).status, 200);
    assertError(await invite(email(), token), 422, 'too_many_invitations');
    await world.query(
      `update team_invitations set created_at = created_at - interval '25 hours' where team_id = $1`,
      [id],
    );
    // The accepted and the revoked one count no more.
    assert.equal((await invite(email(), token)).status, 201);
    assert.equal((await invite(email(), token)).status, 201);
    assertError(await invite(email(), token), 422, 'too_many_invitations');
  });
});

describe('new members', () => {
  const add = (email: string, token: string) => {
    const body = { email, name: 'Guest', password: unique('a long enough secret'), role: 'viewer' };
    return world.api('POST', '/v1/team/members', { token, body });
  };

  it('422 too_many_invitations for the fourth with one e-mail, in any spelling, although each was removed', async () => {
    const { token } = await world.newUser();
    const email = `${unique('guest')}@example.com`;
    for (const spelling of [email, email.toUpperCase(), ` ${email}`]) {
      const { status, body } = await add(spelling, token);
      assert.equal(status, 201);
      await world.api('DELETE', `/v1/team/members/${body.data.user_id}`, { token });
    }
    assertError(await add(email, token), 422, 'too_many_invitations');
    assert.equal((await add(email, (await world.newUser()).token)).status, 201, 'of another team');
  });

  it('of many at once a team adds as many as make 50 in 24 hours', async () => {
    const { token, id } = await world.newUser();
    assert.equal((await add(`${unique('guest')}@example.com`, token)).status, 201);
    await world.query(
      `insert into users (id, email, email_folded, name, password_hash)
       select 'usr_' || lpad(n::text, 26, '0'), n || '@x.example', n || '@x.example', 'N', 'x' from generate_series(1, 46) n`,
    );
    await world.query(
      `update team_members set team_id = $1 where user_id = any (select id from users where email like '%@x.example')`,
      [id],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => add(`${unique('guest')}@example.com`, token)),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    for (const answer of answers.filter(({ status }) => status !== 201))
      assertError(answer, 422, 'too_many_invitations');
    await world.query(
      `update team_members set joined_at = joined_at - interval '25 hours' where team_id = $1`,
      [id],
    );
    assert.equal((await add(`${unique('guest')}@example.com`, token)).status, 201);
  });
});

describe('requests a minute', () => {
  let limited: Awaited<ReturnType<typeof startSecond>>;
  before(async () => {
    limited = await startSecond(world, { TEAM_REQUESTS_PER_MINUTE: `${QUOTA.requests}` });
  });
  after(() => limited?.stop());

  it('every answer to a credential tells the quota and what is left; above it 429 with Retry-After', async () => {
    const team = await world.newUser();
    const wallet = await world.newWallet(team.token);
    const policy = `"team";q=${QUOTA.requests};w=60`;
    for (let left = QUOTA.requests - 1; left >= 0; left--) {
      // A login and an API key of the team share the quota, and refused requests count too.
      const [path, token, status] = [
        ['/v1/auth/me', team.token, 200],
        [`/v1/wallets/${wallet.id}`, wallet.api_key, 200],
        ['/v1/wallets/wal_none', wallet.api_key, 404],
      ][left % 3] as [string, string, number];
      const { headers, status: answered, text } = await limited.api('GET', path, { token });
      assert.equal(answered, status, text);
      assert.equal(headers.get('ratelimit-policy'), policy);
      const [, r, t] = /^"team";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
      assert.equal(Number(r), left);
      assert.ok(Number(t) > 0 && Number(t) <= 60);
    }
    for (const token of [team.token, wallet.api_key]) {
      const refused = await limited.api('GET', `/v1/wallets/${wallet.id}`, { token });
      assertError(refused, 429, 'rate_limited');
      const [, t] = /;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '') ?? [];
      assert.equal(refused.headers.get('retry-after'), t);
      assert.equal(refused.headers.get('ratelimit-policy'), policy);
    }
    const other = await world.newUser();
    assert.equal((await limited.api('GET', '/v1/auth/me', { token: other.token })).status, 200);
    assert.equal((await limited.api('GET', '/v1/service')).headers.get('ratelimit'), null);
  });

  it('a withdrawal above the quota takes no key', async () => {
    const team = await world.newUser();
    const wallet = await world.newWallet(team.token);
    for (let n = 0; n < QUOTA.requests; n++)
      assert.equal((await limited.api('GET', '/v1/auth/me', { token: team.token })).status, 200);
    const answer = await limited.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
      token: team.token,
      headers: { 'idempotency-key': unique('key') },
      body: { destination: wallet.account, amount_stroops: 1n },
    });
    assertError(answer, 429, 'rate_limited');
    assert.equal(
      (await world.query('select id from withdrawals where wallet_id = $1', [wallet.id])).length,
      0,
    );
  });

  it('an exchange for a token is a request of the team; a wrong secret does not count', async () => {
    const team = await world.newUser();
    const made = await world.api('POST', '/v1/team/service-users', {
      token: team.token,
      body: { name: 'backend', role: 'operator' },
    });
    const { id, client_secret } = made.body.data;
    const exchange = (secret: string) =>
      limited.api('POST', '/v1/auth/token', {
        body: { grant_type: 'client_credentials', client_id: id, client_secret: secret },
      });
    const given = async () =>
      (await world.query('select id from service_user_tokens where service_user_id = $1', [id])).length;
    for (let left = QUOTA.requests - 1; left >= 0; left--) {
      for (let n = 0; n < 2; n++) {
        const refused = await exchange('wrong');
        assertError(refused, 401, 'invalid_client');
        assert.equal(refused.headers.get('ratelimit'), null);
      }
      const answer = await exchange(client_secret);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('ratelimit-policy'), `"team";q=${QUOTA.requests};w=60`);
      assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"team";r=${left};t=`));
    }
    const above = await exchange(client_secret);
    assertError(above, 429, 'rate_limited');
    assert.ok(Number(above.headers.get('retry-after')) > 0);
    assert.equal(await given(), QUOTA.requests, 'no token was made');
    const form = await limited.api('POST', '/v1/auth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret })}`,
    });
    assert.deepEqual([form.status, form.body.error], [429, 'rate_limited']);
    assertError(await limited.api('GET', '/v1/auth/me', { token: team.token }), 429, 'rate_limited');
    assertError(await exchange('wrong'), 401, 'invalid_client');
  });
});
