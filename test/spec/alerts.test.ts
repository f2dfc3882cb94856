/** Alerts by webhook and by mail: which alerts a team and its members get, and who may change that. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Answer, fromJson } from '../support/api.ts';
import { tellerBeside as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { newIssuer } from '../support/issuers.ts';
import { headerOf, type ReceivedMail, startMailServer, textOf } from '../support/mail-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { assertError, assertFault, startRunningService, unique } from '../support/running-service.ts';

const PASSWORD = 'a long enough secret';
const MAIL_FROM = 'teller@example.com';
const PUBLIC_URL = 'https://teller.example.com';

const server = await startMailServer();
const receiver = await startReceiver();
const world = await startRunningService({
  SMTP_URL: server.url,
  MAIL_FROM,
  PUBLIC_URL,
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  POLICY_DELAY_SECONDS: '3600',
});
after(async () => {
  await world.stop();
  await receiver.close();
  await server.close();
});
const { api, token } = world;
const issuer = await newIssuer(world.ledger);
const payer = await world.ledger.fund();
const wallet = await world.newWallet();
const me = (await api('GET', '/v1/auth/me', { token })).body.data;
const hook = `${receiver.url}/alerts`;

async function done(answer: Promise<Answer>): Promise<any> {
  const { status, text, body } = await answer;
  assert.ok(status < 300, text);
  return body.data;
}

const post = (path: string, body: unknown = {}, by = token) => done(api('POST', path, { token: by, body }));
const put = (body: unknown, by = token) => api('PUT', '/v1/team/alerts', { token: by, body });
const read = (by = token) => done(api('GET', '/v1/team/alerts', { token: by }));
const onWallet = (path: string) => `/v1/wallets/${wallet.id}${path}`;
const newEndpoint = () => post(onWallet('/webhooks'), { url: `${receiver.url}/events` });
const policy = (body: unknown) => done(api('PUT', onWallet('/policy'), { token, body }));
const logIn = (email: string, password = PASSWORD) =>
  api('POST', '/v1/auth/login', { body: { email, password } });
const withdraw = (body: object) =>
  done(world.withdraw(wallet, { destination: payer.publicKey(), ...body }) as Promise<Answer>);

async function newMember(role = 'viewer') {
  const email = `${unique('member')}@example.com`;
  const member = await post('/v1/team/members', { email, name: 'Member', password: PASSWORD, role });
  return { email, user_id: member.user_id, token: (await done(logIn(email))).token };
}

const alertsAt = () =>
  receiver.requests
    .filter(({ path }) => path === '/alerts')
    .map((request) => ({ request, alert: fromJson(request.body.toString()) as any }));

/** The id of the newest entry of the log with this action. */
async function newestEntry(action: string): Promise<string> {
  const { items } = await done(api('GET', `/v1/audit?action=${action}&limit=1`, { token }));
  return items[0].id;
}

/** The alert of this action whose entry is the newest of the log, as soon as it has come. */
const alertOf = async (action: string) => alertOfEntry(await newestEntry(action));

async function alertOfEntry(id: string | undefined): Promise<any> {
  for (;;) {
    const found = alertsAt().find(({ alert }) => alert.data.id === id);
    if (found) return found.alert.data;
    await receiver.received(receiver.requests.length + 1);
  }
}

async function mailWith(to: string, text: string): Promise<ReceivedMail> {
  for (;;) {
    const found = server.to(to).find((mail) => textOf(mail).includes(text));
    if (found) return found;
    await server.received(server.mails.length + 1);
  }
}

let secret: string;
async function hearEverything(): Promise<void> {
  const settings = await read();
  if (settings.url === hook && settings.kinds === null) return;
  const answer = await done(put({ url: hook, large_payments: [{ amount_stroops: 50n }] }));
  secret = answer.signing_secret ?? secret;
}
beforeEach(hearEverything);

async function startPayout(amounts: bigint[]) {
  const rows = amounts.map((amount_stroops) => ({
    idempotency_key: unique('row'),
    destination: payer.publicKey(),
    amount_stroops,
  }));
  const { id } = await post(onWallet('/payouts'), { name: 'May', rows });
  return post(onWallet(`/payouts/${id}/start`));
}

/** By action: a call that makes an alert of this kind. */
const CALLS: Record<string, { kind: string; call: () => Promise<unknown> }> = {
  'login.succeeded': { kind: 'new_device', call: async () => done(logIn((await newMember()).email)) },
  'password.changed': {
    kind: 'password_changed',
    call: async () => {
      const member = await newMember();
      const body = { current_password: PASSWORD, new_password: 'another long secret' };
      await post('/v1/auth/password', body, member.token);
    },
  },
  'password.reset': {
    kind: 'password_changed',
    call: async () => {
      const { code, output } = await teller(
        ['user', 'reset-password', (await newMember()).email],
        world.environment,
      );
      assert.equal(code, 0, output);
    },
  },
  'member.added': { kind: 'member_changed', call: () => newMember() },
  'member.changed': {
    kind: 'member_changed',
    call: async () => {
      const { user_id } = await newMember();
      await done(api('PATCH', `/v1/team/members/${user_id}`, { token, body: { role: 'operator' } }));
    },
  },
  'member.removed': {
    kind: 'member_changed',
    call: async () => done(api('DELETE', `/v1/team/members/${(await newMember()).user_id}`, { token })),
  },
  'invitation.created': {
    kind: 'invitation_created',
    call: () => post('/v1/team/invitations', { email: `${unique('guest')}@example.com`, role: 'viewer' }),
  },
  'api_key.regenerated': {
    kind: 'api_key_made',
    call: async () => post(`/v1/wallets/${(await world.newWallet()).id}/api-key/regenerate`),
  },
  'endpoint.registered': { kind: 'endpoint_changed', call: newEndpoint },
  'endpoint.changed': {
    kind: 'endpoint_changed',
    call: async () => {
      const { id } = await newEndpoint();
      await done(
        api('PATCH', onWallet(`/webhooks/${id}`), { token, body: { url: `${receiver.url}/other` } }),
      );
    },
  },
  'endpoint.secret_rotated': {
    kind: 'signing_secret_rotated',
    call: async () => post(onWallet(`/webhooks/${(await newEndpoint()).id}/rotate-secret`)),
  },
  'policy.changed': {
    kind: 'policy_loosened',
    call: async () => {
      await policy({ max_withdrawal_stroops: 1_000n });
      await policy({ max_withdrawal_stroops: 2_000n });
    },
  },
  'withdrawal.requested': { kind: 'large_payment', call: () => withdraw({ amount_stroops: 51n }) },
  'payout.started': { kind: 'large_payment', call: () => startPayout([26n, 27n]) },
  'wallet.frozen': {
    kind: 'wallet_frozen',
    call: async () => {
      const other = await world.newWallet();
      const { code, output } = await teller(['wallet', 'freeze', other.id], world.environment);
      assert.equal(code, 0, output);
    },
  },
  'user.disabled': {
    kind: 'member_changed',
    call: async () => {
      const { code, output } = await teller(
        ['user', 'disable', (await newMember()).email],
        world.environment,
      );
      assert.equal(code, 0, output);
    },
  },
  'wallet.created': { kind: 'api_key_made', call: () => world.newWallet() },
  'service_user.created': {
    kind: 'member_changed',
    call: () => post('/v1/team/service-users', { name: 'Payouts', role: 'operator' }),
  },
  'service_user.secret_added': {
    kind: 'api_key_made',
    call: async () => {
      const { id } = await post('/v1/team/service-users', { name: 'Payouts', role: 'operator' });
      await post(`/v1/team/service-users/${id}/secrets`);
    },
  },
  'team.alerts_changed': {
    kind: 'alerts_changed',
    call: () => done(put({ url: hook, large_payments: [{ amount_stroops: 50n }] })),
  },
};

describe('an alert', () => {
  /** By action: the entry of its call. All calls come first, so that their alerts are sent in a few rounds. */
  const entries = new Map<string, string>();
  before(async () => {
    await hearEverything();
    for (const [action, { call }] of Object.entries(CALLS)) {
      await call();
      entries.set(action, await newestEntry(action));
    }
  });
  for (const [action, { kind }] of Object.entries(CALLS)) {
    it(`${kind} follows ${action}`, async () => {
      const alert = await alertOfEntry(entries.get(action));
      assert.equal(alert.kind, kind);
      assert.match(alert.message, /^\S.*[.]$/);
      assert.doesNotMatch(alert.message, /unknown|undefined|null/);
    });
  }

  it('has the entry as GET /v1/audit shows it, and a signature that the secret proves', async () => {
    await newEndpoint();
    const { kind: _, message: __, ...entry } = await alertOf('endpoint.registered');
    const { items } = await done(api('GET', '/v1/audit?action=endpoint.registered&limit=1', { token }));
    assert.deepEqual(entry, items[0]);
    const found = alertsAt().find(({ alert }) => alert.data.id === entry.id);
    assert(found);
    const { headers, body } = found.request;
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    assert.equal(headers['webhook-id'], entry.id);
  });

  it('does not follow a tighter policy, a small payment, or another description', async () => {
    const seen = alertsAt().length;
    await policy({ max_withdrawal_stroops: 900n });
    await withdraw({ amount_stroops: 50n });
    const { id } = await newEndpoint();
    await done(api('PATCH', onWallet(`/webhooks/${id}`), { token, body: { description: 'Shop' } }));
    await done(api('PATCH', '/v1/team', { token, body: { name: 'Company' } }));
    await post('/v1/team/invitations', { email: `${unique('guest')}@example.com`, role: 'viewer' });
    await alertOf('invitation.created'); // the entries before it have been read
    const kinds = alertsAt()
      .slice(seen)
      .map(({ alert }) => alert.data.kind);
    assert.deepEqual(kinds.sort(), ['endpoint_changed', 'invitation_created']);
  });

  it('tells a payout by its sum, and not row by row', async () => {
    const seen = alertsAt().length;
    await startPayout([20n, 21n]);
    const large = await startPayout([60n, 61n]);
    const path = onWallet(`/payouts/${large.id}`);
    await eventually(
      'its rows are paid',
      async () => (await done(api('GET', path, { token }))).status === 'completed',
    );
    await newEndpoint();
    await alertOf('endpoint.registered'); // the entries before it have been read
    const told = alertsAt().slice(seen);
    assert.deepEqual(
      told.map(({ alert }) => alert.data.action),
      ['payout.started', 'endpoint.registered'],
    );
    assert.match(told[0]?.alert.data.message, /started the payout "May" of .*: 0.0000121 XLM[.]$/);
  });

  it('follows another value in the query of an endpoint, and neither it nor the audit log has the value', async () => {
    const { host } = new URL(receiver.url);
    const url = (secret: string) => `http://${host}/events?token=${secret}`;
    const { id, url: kept } = await post(onWallet('/webhooks'), { url: url('hush-one') });
    assert.equal(kept, url('hush-one'), 'who may read endpoints reads it');
    await done(api('PATCH', onWallet(`/webhooks/${id}`), { token, body: { url: url('hush-two') } }));
    const { message, before, after: changed } = await alertOf('endpoint.changed');
    const shown = `http://${host}/events?token=…`;
    assert.deepEqual([before.url, changed.url, changed.url_changed], [shown, shown, true]);
    assert.ok(message.includes(`from ${shown} to ${shown}`), message);
    await post(onWallet(`/webhooks/${id}/rotate-secret`));
    await done(api('DELETE', onWallet(`/webhooks/${id}`), { token }));
    await done(put({ url: `${hook}?token=hush-three`, large_payments: [{ amount_stroops: 50n }] }));
    await post('/v1/team/alerts/rotate-secret');
    const rows = await world.query("select entry from audit_log where entry like '%hush-%'");
    assert.deepEqual(rows, []);
  });

  it('has no secret', async () => {
    const texts = [
      ...receiver.requests.map(({ body }) => body.toString()),
      ...server.mails.filter((mail) => !textOf(mail).includes('/invitation#')).map(textOf),
    ].join();
    for (const text of [
      PASSWORD,
      'another long secret',
      'svc_sk_',
      'whsec_',
      token,
      'argon2',
      'hush-',
      '/invitation#',
    ])
      assert.ok(!texts.includes(text), text);
  });
});

describe('a sign-in', () => {
  it('at a known device, and the first one ever, makes no alert', async () => {
    const email = `${unique('member')}@example.com`;
    await post('/v1/team/members', { email, name: 'Member', password: PASSWORD, role: 'viewer' });
    const first = await logIn(email);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const body = { email, password: PASSWORD };
    const again = await api('POST', '/v1/auth/login', { body, headers: { cookie } });
    assert.equal(again.status, 200);
    await done(logIn(email)); // without the cookie
    const mail = await mailWith(email, 'signed in at a device that was not known');
    assert.equal(headerOf(mail, 'Subject'), 'Stellar Teller: sign-in at a new device');
    assert.match(textOf(mail), new RegExp(`${PUBLIC_URL}/account`));
    const told = server.to(email).filter((each) => textOf(each).includes('signed in'));
    assert.equal(told.length, 1);
  });
});

describe('a mail', () => {
  it('goes to the user whose password was reset, and to the owner', async () => {
    const { email } = await newMember();
    const { code } = await teller(['user', 'reset-password', email], world.environment);
    assert.equal(code, 0);
    const mail = await mailWith(email, 'new password');
    assert.match(textOf(mail), /^The operator of the service \(/);
    assert.match(textOf(mail), /When: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    await mailWith(me.email, textOf(mail).split('\n')[0] ?? '');
  });

  it('takes the link of an invitation to the invited address, who can accept it; the inviter never sees it', async () => {
    const email = `${unique('guest')}@example.com`;
    const invitation = await post('/v1/team/invitations', { email, role: 'viewer' });
    assert.equal(invitation.mailed, true);
    const text = textOf(await mailWith(email, '/invitation#'));
    const link = /https:\S+/.exec(text)?.[0] ?? '';
    assert.ok(link.startsWith(`${PUBLIC_URL}/invitation#`), link);
    assert.deepEqual([invitation.token, invitation.path], [null, null]);
    const body = { token: link.split('#')[1], password: PASSWORD, name: 'Guest' };
    const accepted = await api('POST', '/v1/auth/invitations/accept', { body });
    assert.equal(accepted.status, 200, accepted.text);
    const known = 'select known_to from known_passwords where user_id = $1';
    assert.deepEqual(await world.query(known, [accepted.body.data.user_id]), []);
  });

  it('goes to one address once an hour, whichever team invites; otherwise the inviter gets the link', async () => {
    const email = `${unique('guest')}@example.com`;
    const other = await world.newUser();
    const invite = (to: string, by = token) =>
      post('/v1/team/invitations', { email: to, role: 'viewer' }, by);
    assert.equal((await invite(email)).mailed, true);
    for (const invitation of [await invite(email.toUpperCase()), await invite(email, other.token)]) {
      assert.equal(invitation.mailed, false);
      assert.match(invitation.path, /^\/invitation#/);
    }
    await world.query(`update invitation_mails set mailed_at = mailed_at - interval '1 hour'`);
    assert.equal((await invite(email, other.token)).mailed, true);
    assert.equal(server.to(email).length, 2);
    const at_once = `${unique('guest')}@example.com`;
    const answers = await Promise.all([invite(at_once), invite(at_once, other.token), invite(at_once)]);
    assert.deepEqual(answers.map(({ mailed }) => mailed).sort(), [false, false, true]);
  });

  it('with an invitation has no link but the one to the service, whatever the team is called', async () => {
    const { token: by } = await world.newUser();
    const email = `${unique('guest')}@example.com`;
    await done(api('PATCH', '/v1/team', { token: by, body: { name: 'Claim 5 XLM at evil.example' } }));
    assert.equal((await post('/v1/team/invitations', { email, role: 'viewer' }, by)).mailed, true);
    const text = textOf(await mailWith(email, '/invitation#'));
    assert.doesNotMatch(text, /evil|Claim/);
    assert.match(text, / invites you to a team of a Stellar Teller/);
  });

  it('that the server refuses does not fail the invitation', async () => {
    server.answer = 'refuse';
    const body = { email: `${unique('guest')}@example.com`, role: 'viewer' };
    const invitation = await post('/v1/team/invitations', body);
    server.answer = 'take';
    assert.equal(invitation.mailed, false);
    assert.match(invitation.path, /^\/invitation#/);
  });
});

describe('/v1/team/alerts', () => {
  it('tells nothing set at first', async () => {
    const other = await world.newUser();
    assert.deepEqual(await read(other.token), {
      url: null,
      disabled_reason: null,
      failing_since: null,
      last_failure: null,
      kinds: null,
      large_payments: [],
      mails: true,
    });
  });

  it('shows a secret for a new URL only; another one after a rotation', async () => {
    const same = await done(put({ url: hook, large_payments: [{ amount_stroops: 50n }] }));
    assert.equal(same.signing_secret, null);
    const rotated = await post('/v1/team/alerts/rotate-secret');
    assert.match(rotated.signing_secret, /^whsec_/);
    assert.notEqual(rotated.signing_secret, secret);
    secret = rotated.signing_secret;
    const other = await world.newUser();
    assertError(
      await api('POST', '/v1/team/alerts/rotate-secret', { token: other.token, body: {} }),
      404,
      'not_found',
    );
  });

  it('keeps kinds and amounts as they were given, exactly', async () => {
    const { token: other } = await world.newUser();
    const { asset_code, asset_issuer } = issuer.fields;
    const largest = 2n ** 63n - 1n;
    const large_payments = [
      { asset_code, asset_issuer, amount_stroops: largest },
      { asset_code: 'native', asset_issuer: null, amount_stroops: 1n },
    ];
    const kinds = ['large_payment', 'new_device'];
    const answer = await put({ kinds, large_payments }, other);
    assert.equal(answer.status, 200, answer.text);
    const shown = await read(other);
    assert.deepEqual(shown.kinds, kinds);
    assert.deepEqual(shown.large_payments, large_payments);
    await done(put({}, other));
    assert.deepEqual((await read(other)).large_payments, []);
  });

  it('400 for an unknown kind, an asset with two amounts, no amount, or a URL that is not public', async () => {
    assertFault(await put({ kinds: ['weather'] }), '/kinds/0');
    const twice = [{ amount_stroops: 1n }, { asset_code: 'native', amount_stroops: 2n }];
    assertFault(await put({ large_payments: twice }), '/large_payments/1');
    assertFault(await put({ large_payments: [{ amount_stroops: 0n }] }), '/large_payments/0/amount_stroops');
    assertFault(
      await put({ large_payments: [{ asset_code: 'USDC', amount_stroops: 1n }] }),
      '/large_payments/0/asset_issuer',
    );
    assertFault(await put({ secret: 'x' }), '/secret');
    for (const url of ['http://10.0.0.1/', 'http://localhost/', 'ftp://example.com/', 'x'])
      assertError(await put({ url }), 400, 'webhook_url_not_public');
    assert.equal((await read()).url, hook, 'a refused change changes nothing');
  });

  it('is read by owner, admin and auditor, and changed by owner and admin', async () => {
    for (const role of ['admin', 'operator', 'approver', 'developer', 'auditor', 'viewer']) {
      const { token: by } = await newMember(role);
      const reads = await api('GET', '/v1/team/alerts', { token: by });
      assert.equal(reads.status, ['admin', 'auditor'].includes(role) ? 200 : 403, role);
      const changes = await put({ url: hook, large_payments: [{ amount_stroops: 50n }] }, by);
      assert.equal(changes.status, role === 'admin' ? 200 : 403, role);
      assert.equal(
        (await api('POST', '/v1/team/alerts/rotate-secret', { token: by, body: {} })).status,
        role === 'admin' ? 200 : 403,
        role,
      );
    }
  });
});
