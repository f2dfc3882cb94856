/** The audit log says who changed what. The operations are those of /openapi.json. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import type { Answer } from '../support/api.ts';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { addApp, challengeOf, codeOf, prove } from '../support/factors.ts';
import { newIssuer } from '../support/issuers.ts';
import { haveOwnPassword } from '../support/own-password.ts';
import { startReceiver } from '../support/receiver.ts';
import { assertError, startRunningService, unique } from '../support/running-service.ts';

const PASSWORD = 'a long enough secret';

const world = await startRunningService({
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  POLICY_DELAY_SECONDS: '3600',
  LOG_LEVEL: 'info',
});
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await world.stop();
});
const { api, token } = world;
const stranger = await world.newUser();
const issuer = await newIssuer(world.ledger);
const payer = await world.ledger.fund();
const wallet = await world.newWallet();
const base = `/v1/wallets/${wallet.id}`;
const me = (await api('GET', '/v1/auth/me', { token })).body.data;

async function done(answer: Promise<Answer>): Promise<any> {
  const { status, text, body } = await answer;
  assert.ok(status < 300, text);
  return body.data;
}

const post = (path: string, body: unknown = {}, by = token) => done(api('POST', path, { token: by, body }));
const remove = (path: string, by = token) => done(api('DELETE', path, { token: by }));

async function logIn(email: string, password = PASSWORD): Promise<string> {
  return (await done(api('POST', '/v1/auth/login', { body: { email, password } }))).token;
}

async function newMember(role = 'viewer', wallet_ids: string[] | null = null) {
  const email = `${unique('member')}@example.com`;
  const body = { email, name: 'Member', password: PASSWORD, role, wallet_ids };
  const { user_id } = await post('/v1/team/members', body);
  await haveOwnPassword(world, email);
  return { email, user_id, token: await logIn(email) };
}

const newAddress = () => post(`${base}/addresses`, {}, wallet.api_key);
const newEndpoint = async () => (await post(`${base}/webhooks`, { url: receiver.url }, wallet.api_key)).id;
const invite = () =>
  post('/v1/team/invitations', { email: `${unique('guest')}@example.com`, role: 'viewer' });

async function newUnattributed(): Promise<string> {
  const { hash } = await world.ledger.pay(payer, wallet.account, 5n);
  return (await world.depositsOf(wallet, hash))[0].id;
}

/** A wallet that asks for one approval, and a member who may give it. */
async function newGuarded(kind = 'withdrawals') {
  const guarded = await world.newWallet();
  const { token: approver } = await newMember('approver');
  const approvals = { required: 1, for: [kind], without_factor: true };
  await done(api('PATCH', `/v1/wallets/${guarded.id}/policy`, { token, body: { approvals } }));
  return { guarded, approver };
}

async function newRequest() {
  const { guarded, approver } = await newGuarded();
  const body = { destination: payer.publicKey(), amount_stroops: 1n };
  const { id, order_hash } = await done(world.withdraw(guarded, body));
  return { path: `/v1/wallets/${guarded.id}/withdrawals/${id}`, order_hash, approver };
}

/** Its path. */
async function newPayout({ id }: { id: string }, count = 1, destination = payer.publicKey()) {
  const rows = Array.from({ length: count }, (_, index) => ({
    idempotency_key: unique('row'),
    destination,
    amount_stroops: BigInt(index + 1),
  }));
  const path = `/v1/wallets/${id}/payouts`;
  const made = await post(path, { name: 'Payout', rows });
  return `${path}/${made.id}`;
}

async function newPayoutRequest() {
  const { guarded, approver } = await newGuarded();
  const path = await newPayout(guarded);
  const { order_hash } = await post(`${path}/start`);
  return { path, order_hash, approver };
}

async function newAccessRequest() {
  const { guarded, approver } = await newGuarded('api_keys');
  const body = { name: 'named', scopes: ['read'] };
  const { id, order_hash } = await post(`/v1/wallets/${guarded.id}/api-keys`, body);
  return { path: `/v1/team/access-changes/${id}`, order_hash, approver };
}

async function newPolicyRequest() {
  const { guarded, approver } = await newGuarded();
  const path = `/v1/wallets/${guarded.id}/policy`;
  const body = { approvals: { required: 0 } };
  const { pending } = await done(api('PATCH', path, { token, body }));
  return { path: `${path}/pending/${pending[0].id}`, order_hash: pending[0].order_hash, approver };
}

const withdraw = async () => {
  const answer = await world.withdraw(wallet, { destination: payer.publicKey(), amount_stroops: 1n });
  return done(Promise.resolve(answer));
};

/** The entries of the team after `seq`, oldest first. */
async function entriesAfter(seq: bigint): Promise<any[]> {
  const { items } = await done(api('GET', '/v1/audit?limit=200', { token }));
  return items.filter((item: any) => item.seq > seq).reverse();
}

const lastSeq = async (): Promise<bigint> =>
  (await done(api('GET', '/v1/audit?limit=1', { token }))).items[0]?.seq ?? 0n;

const auditor = await newMember('auditor');

const newServiceUser = (role = 'operator') =>
  post('/v1/team/service-users', { name: unique('program'), role });
const exchange = ({ client_id, client_secret }: { client_id: string; client_secret: string }) =>
  done(
    api('POST', '/v1/auth/token', { body: { grant_type: 'client_credentials', client_id, client_secret } }),
  );
const newPayee = () =>
  post('/v1/team/payees', { name: unique('payee'), destination: Keypair.random().publicKey() });
const newNamedKey = (scopes = ['read']) => post(`${base}/api-keys`, { name: unique('key'), scopes });

/** By operation: a call that changes something. It gives the actions that it must have written, in their order. */
const CHANGES: Record<string, () => Promise<() => Promise<string[]>>> = {
  login: async () => async () => {
    await logIn(auditor.email);
    return ['login.succeeded'];
  },
  logout: async () => {
    const login = await logIn(auditor.email);
    return async () => {
      await post('/v1/auth/logout', {}, login);
      return ['session.ended'];
    };
  },
  endSession: async () => {
    const member = await newMember();
    await logIn(member.email);
    const { items } = await done(api('GET', '/v1/auth/sessions', { token: member.token }));
    return async () => {
      await remove(`/v1/auth/sessions/${items[0].id}`, member.token);
      return ['session.ended'];
    };
  },
  endOtherSessions: async () => {
    const member = await newMember();
    for (let count = 0; count < 2; count++) await logIn(member.email);
    return async () => {
      await remove('/v1/auth/sessions', member.token);
      return ['session.ended'];
    };
  },
  renewToken: async () => {
    const member = await newMember();
    return async () => {
      await post('/v1/auth/token/renew', {}, member.token);
      return ['session.renewed'];
    };
  },
  changePassword: async () => {
    const member = await newMember();
    return async () => {
      const body = { current_password: PASSWORD, new_password: 'another long secret' };
      await post('/v1/auth/password', body, member.token);
      return ['password.changed'];
    };
  },
  proveSecondFactor: async () => {
    const member = await newMember();
    const app = await addApp(world, { token: member.token, password: PASSWORD });
    const { challenge } = await challengeOf(world, { email: member.email, password: PASSWORD });
    return async () => {
      await done(prove(world, { challenge, totp: codeOf(app.secret) }));
      return ['second_factor.used', 'login.succeeded'];
    };
  },
  stepUp: async () => {
    const member = await newMember();
    const app = await addApp(world, { token: member.token, password: PASSWORD });
    return async () => {
      await post('/v1/auth/step-up', { totp: codeOf(app.secret) }, member.token);
      return ['second_factor.used'];
    };
  },
  confirmTotp: async () => {
    const member = await newMember();
    const begin = { name: 'Phone', current_password: PASSWORD };
    const { id, secret } = await post('/v1/auth/factors/totp', begin, member.token);
    return async () => {
      await post(`/v1/auth/factors/totp/${id}/confirm`, { code: codeOf(secret) }, member.token);
      return ['factor.added'];
    };
  },
  renameFactor: async () => {
    const member = await newMember();
    const { id } = await addApp(world, { token: member.token, password: PASSWORD });
    return async () => {
      const body = { name: 'Other phone' };
      await done(api('PATCH', `/v1/auth/factors/${id}`, { token: member.token, body }));
      return ['factor.renamed'];
    };
  },
  replaceRecoveryCodes: async () => {
    const member = await newMember();
    await addApp(world, { token: member.token, password: PASSWORD });
    return async () => {
      await post('/v1/auth/factors/recovery-codes', {}, member.token);
      return ['recovery_codes.replaced'];
    };
  },
  removeFactor: async () => {
    const member = await newMember();
    const { id } = await addApp(world, { token: member.token, password: PASSWORD });
    return async () => {
      await remove(`/v1/auth/factors/${id}`, member.token);
      return ['factor.removed'];
    };
  },
  acceptInvitation: async () => {
    const invitation = await invite();
    return async () => {
      const body = { token: invitation.token, password: PASSWORD, name: 'Guest' };
      await done(api('POST', '/v1/auth/invitations/accept', { body }));
      return ['member.added', 'login.succeeded'];
    };
  },
  changeTeam: async () => async () => {
    await done(api('PATCH', '/v1/team', { token, body: { name: 'Company' } }));
    return ['team.renamed'];
  },
  addMember: async () => async () => {
    const body = { email: `${unique('m')}@example.com`, name: 'M', password: PASSWORD, role: 'viewer' };
    await post('/v1/team/members', body);
    return ['member.added'];
  },
  changeMember: async () => {
    const { user_id } = await newMember();
    return async () => {
      await done(api('PATCH', `/v1/team/members/${user_id}`, { token, body: { role: 'operator' } }));
      return ['member.changed'];
    };
  },
  removeMember: async () => {
    const { user_id } = await newMember();
    return async () => {
      await remove(`/v1/team/members/${user_id}`);
      return ['member.removed'];
    };
  },
  createInvitation: async () => async () => {
    await invite();
    return ['invitation.created'];
  },
  revokeInvitation: async () => {
    const { id } = await invite();
    return async () => {
      await remove(`/v1/team/invitations/${id}`);
      return ['invitation.revoked'];
    };
  },
  replaceAlerts: async () => async () => {
    await done(api('PUT', '/v1/team/alerts', { token, body: { url: receiver.url } }));
    return ['team.alerts_changed'];
  },
  rotateAlertSecret: async () => {
    await done(api('PUT', '/v1/team/alerts', { token, body: { url: receiver.url } }));
    return async () => {
      await post('/v1/team/alerts/rotate-secret');
      return ['team.alerts_changed'];
    };
  },
  createServiceUser: async () => async () => {
    await newServiceUser();
    return ['service_user.created'];
  },
  changeServiceUser: async () => {
    const { id } = await newServiceUser();
    return async () => {
      const body = { role: 'developer', enabled: false };
      await done(api('PATCH', `/v1/team/service-users/${id}`, { token, body }));
      return ['service_user.changed', 'service_user.disabled'];
    };
  },
  removeServiceUser: async () => {
    const { id } = await newServiceUser();
    return async () => {
      await remove(`/v1/team/service-users/${id}`);
      return ['service_user.removed'];
    };
  },
  addServiceUserSecret: async () => {
    const { id } = await newServiceUser();
    return async () => {
      await post(`/v1/team/service-users/${id}/secrets`);
      return ['service_user.secret_added'];
    };
  },
  retireServiceUserSecret: async () => {
    const { id, secrets } = await newServiceUser();
    return async () => {
      await remove(`/v1/team/service-users/${id}/secrets/${secrets[0].id}`);
      return ['service_user.secret_retired'];
    };
  },
  getServiceToken: async () => {
    const made = await newServiceUser();
    return async () => {
      await exchange(made);
      return ['service_user.token_given'];
    };
  },
  createPayee: async () => async () => {
    await newPayee();
    return ['payee.created'];
  },
  changePayee: async () => {
    const { id } = await newPayee();
    return async () => {
      await done(api('PATCH', `/v1/team/payees/${id}`, { token, body: { note: 'Noted' } }));
      return ['payee.changed'];
    };
  },
  deletePayee: async () => {
    const { id } = await newPayee();
    return async () => {
      await remove(`/v1/team/payees/${id}`);
      return ['payee.deleted'];
    };
  },
  createApiKey: async () => async () => {
    await newNamedKey();
    return ['api_key.created'];
  },
  deleteApiKey: async () => {
    const { id } = await newNamedKey();
    return async () => {
      await remove(`${base}/api-keys/${id}`);
      return ['api_key.deleted'];
    };
  },
  createWallet: async () => async () => {
    await world.newWallet();
    return ['wallet.created'];
  },
  changeWallet: async () => async () => {
    await done(api('PATCH', base, { token, body: { name: 'Renamed' } }));
    return ['wallet.changed'];
  },
  regenerateApiKey: async () => {
    const other = await world.newWallet();
    return async () => {
      await post(`/v1/wallets/${other.id}/api-key/regenerate`);
      return ['api_key.regenerated'];
    };
  },
  createDepositAddress: async () => async () => {
    await newAddress();
    return ['address.created'];
  },
  changeDepositAddress: async () => {
    const { id } = await newAddress();
    return async () => {
      await done(api('PATCH', `${base}/addresses/${id}`, { token, body: { label: 'Another' } }));
      return ['address.changed'];
    };
  },
  replaceDepositMinimums: async () => async () => {
    await done(api('PUT', `${base}/deposit-minimums`, { token, body: { items: [{ amount_stroops: 5n }] } }));
    await done(api('PUT', `${base}/deposit-minimums`, { token, body: { items: [] } }));
    return ['deposit_minimums.changed', 'deposit_minimums.changed'];
  },
  assignDeposit: async () => {
    const [deposit_id, address] = [await newUnattributed(), await newAddress()];
    return async () => {
      await post(`${base}/deposits/${deposit_id}/assign`, { address_id: address.id });
      return ['deposit.assigned'];
    };
  },
  refundDeposit: async () => {
    const deposit_id = await newUnattributed();
    return async () => {
      await post(`${base}/deposits/${deposit_id}/refund`);
      return ['withdrawal.requested'];
    };
  },
  createWithdrawal: async () => async () => {
    await withdraw();
    return ['withdrawal.requested'];
  },
  addAsset: async () => async () => {
    await post(`${base}/assets`, issuer.fields);
    return ['asset.added'];
  },
  removeAsset: async () => async () => {
    const { asset_code, asset_issuer } = issuer.fields;
    await remove(`${base}/assets/${asset_code}:${asset_issuer}`);
    return ['asset.removed'];
  },
  replacePolicy: async () => async () => {
    await done(api('PUT', `${base}/policy`, { token, body: { max_withdrawal_stroops: 1_000_000_000n } }));
    return ['policy.changed'];
  },
  changePolicy: async () => async () => {
    await done(api('PATCH', `${base}/policy`, { token, body: { max_withdrawal_stroops: 2_000_000_000n } }));
    return ['policy.changed'];
  },
  revokePolicyChange: async () => {
    const { pending } = await done(api('GET', `${base}/policy`, { token }));
    return async () => {
      await remove(`${base}/policy/pending/${pending[0].id}`);
      return ['policy.change_revoked'];
    };
  },
  approveWithdrawal: async () => {
    const { path, order_hash, approver } = await newRequest();
    return async () => {
      await post(`${path}/approve`, { order_hash }, approver);
      return ['withdrawal.approved'];
    };
  },
  rejectWithdrawal: async () => {
    const { path, order_hash, approver } = await newRequest();
    return async () => {
      await post(`${path}/reject`, { order_hash }, approver);
      return ['withdrawal.rejected'];
    };
  },
  createPayout: async () => async () => {
    await newPayout(wallet);
    return ['payout.created'];
  },
  startPayout: async () => {
    const path = await newPayout(wallet);
    return async () => {
      await post(`${path}/start`);
      return ['payout.started'];
    };
  },
  pausePayout: async () => {
    const path = await newPayout(wallet, 500);
    await post(`${path}/start`);
    return async () => {
      await post(`${path}/pause`);
      return ['payout.paused'];
    };
  },
  resumePayout: async () => {
    const path = await newPayout(wallet, 500);
    await post(`${path}/start`);
    await post(`${path}/pause`);
    return async () => {
      await post(`${path}/resume`);
      return ['payout.resumed'];
    };
  },
  cancelPayout: async () => {
    const path = await newPayout(wallet);
    return async () => {
      await post(`${path}/cancel`);
      return ['payout.cancelled'];
    };
  },
  retryPayout: async () => {
    const path = await newPayout(wallet, 1, Keypair.random().publicKey());
    await post(`${path}/start`);
    await eventually('its end', async () => (await done(api('GET', path, { token }))).status === 'completed');
    return async () => {
      await post(`${path}/retry-failed`);
      return ['payout.created'];
    };
  },
  approvePayout: async () => {
    const { path, order_hash, approver } = await newPayoutRequest();
    return async () => {
      await post(`${path}/approve`, { order_hash }, approver);
      return ['payout.approved'];
    };
  },
  rejectPayout: async () => {
    const { path, order_hash, approver } = await newPayoutRequest();
    return async () => {
      await post(`${path}/reject`, { order_hash }, approver);
      return ['payout.rejected'];
    };
  },
  approveAccessChange: async () => {
    const { path, order_hash, approver } = await newAccessRequest();
    return async () => {
      await post(`${path}/approve`, { order_hash }, approver);
      return ['access_change.approved'];
    };
  },
  rejectAccessChange: async () => {
    const { path, order_hash, approver } = await newAccessRequest();
    return async () => {
      await post(`${path}/reject`, { order_hash }, approver);
      return ['access_change.rejected'];
    };
  },
  approvePolicyChange: async () => {
    const { path, order_hash, approver } = await newPolicyRequest();
    return async () => {
      await post(`${path}/approve`, { order_hash }, approver);
      return ['policy.change_approved'];
    };
  },
  rejectPolicyChange: async () => {
    const { path, order_hash, approver } = await newPolicyRequest();
    return async () => {
      await post(`${path}/reject`, { order_hash }, approver);
      return ['policy.change_rejected'];
    };
  },
  registerWebhook: async () => async () => {
    await newEndpoint();
    return ['endpoint.registered'];
  },
  updateWebhook: async () => {
    const id = await newEndpoint();
    return async () => {
      await done(api('PATCH', `${base}/webhooks/${id}`, { token, body: { description: 'New' } }));
      return ['endpoint.changed'];
    };
  },
  deleteWebhook: async () => {
    const id = await newEndpoint();
    return async () => {
      await remove(`${base}/webhooks/${id}`);
      return ['endpoint.deleted'];
    };
  },
  rotateWebhookSecret: async () => {
    const id = await newEndpoint();
    return async () => {
      await post(`${base}/webhooks/${id}/rotate-secret`);
      return ['endpoint.secret_rotated'];
    };
  },
  testWebhook: async () => {
    const id = await newEndpoint();
    return async () => {
      await post(`${base}/webhooks/${id}/test`, { event: 'ping' });
      return ['endpoint.tested'];
    };
  },
  examineWebhook: async () => {
    const id = await newEndpoint();
    return async () => {
      await post(`${base}/webhooks/${id}/exam`);
      return ['endpoint.examined'];
    };
  },
  redeliverWebhook: async () => {
    const id = await newEndpoint();
    const delivery = await post(`${base}/webhooks/${id}/test`, { event: 'ping' });
    return async () => {
      await post(`${base}/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
      return ['delivery.repeated'];
    };
  },
  replayWebhook: async () => {
    const id = await newEndpoint();
    await post(`${base}/webhooks/${id}/test`, { event: 'ping' });
    return async () => {
      const body = { since: '2020-01-01T00:00:00Z', include_delivered: true };
      await post(`${base}/webhooks/${id}/replay`, body);
      return ['deliveries.replayed'];
    };
  },
};

/** They change nothing that belongs to the service. */
const CHANGE_NOTHING = [
  'previewWithdrawal',
  'readInvitation',
  'payOnSandbox',
  // Nothing counts before the answer of the app or the passkey.
  'beginTotp',
  'beginPasskey',
  'beginPasskeyStepUp',
];
/** It needs a browser: test/browser/second-factors.test.ts. */
const ELSEWHERE = ['addPasskey'];

describe('every operation that changes something', () => {
  it('is in this test', async () => {
    const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
    const names = Object.values<any>(document.paths)
      .flatMap((methods) => Object.entries<any>(methods))
      .flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId]));
    assert.deepEqual(names.sort(), [...Object.keys(CHANGES), ...CHANGE_NOTHING, ...ELSEWHERE].sort());
  });

  for (const [operation, prepare] of Object.entries(CHANGES)) {
    it(`${operation} writes who did it, from where`, async () => {
      const change = await prepare();
      const before = await lastSeq();
      const actions = await change();
      // What the service does of itself, like the claims of a payout, may come at any time.
      const entries = (await entriesAfter(before)).filter(({ actor }) => actor.kind !== 'service');
      assert.deepEqual(
        entries.map(({ action }) => action),
        actions,
      );
      for (const { actor, ip, hash } of entries) {
        assert.match(ip, /127\.0\.0\.1$/);
        assert.match(hash, /^[0-9a-f]{64}$/);
        assert.ok(['user', 'api_key', 'service_user'].includes(actor.kind) && actor.id);
      }
    });
  }

  // The service writes the claims of payouts by itself: below, the entries after a moment are those of the test alone.
  after(() =>
    eventually('no payout goes on', async () => {
      const going = await world.query(
        `select from payouts where status = 'running' or status = 'paused' and not exists (
           select from payout_rows where payout_id = payouts.id and status = 'waiting')`,
      );
      return going.length === 0;
    }),
  );

  it('writes no secret', async () => {
    const rows = await world.query('select entry from audit_log');
    const text = JSON.stringify(rows);
    assert.ok(rows.length > 50);
    for (const secret of [
      PASSWORD,
      'another long secret',
      wallet.api_key,
      token,
      'svc_sk_',
      'svc_secret_',
      'whsec_',
      'argon2',
    ])
      assert.ok(!text.includes(secret), secret);
  });
});

describe('an entry', () => {
  it('tells user, session, target, and what was before and after, with exact amounts', async () => {
    await withdraw();
    const [entry] = (await done(api('GET', '/v1/audit?action=withdrawal.requested', { token }))).items;
    assert.deepEqual(entry.actor, { kind: 'user', id: me.id, name: me.email });
    assert.match(entry.session_id, /^ses_/);
    assert.equal(entry.wallet_id, wallet.id);
    assert.equal(entry.after.amount_stroops, 1n);
    assert.equal(entry.after.destination, payer.publicKey());
    const { status } = await api('GET', `${base}/withdrawals/${entry.target.id}`, { token });
    assert.equal(status, 200);
    await done(api('PATCH', base, { token, body: { name: 'Other' } }));
    const [changed] = await entriesAfter((await lastSeq()) - 1n);
    assert.equal(changed.before.name, 'Renamed');
    assert.equal(changed.after.name, 'Other');
  });

  it('is a line of the log of the service too, with every amount exact', async () => {
    const exact = 9_007_199_254_740_993n; // a double would round it
    const other = await world.newWallet();
    const body = { max_withdrawal_stroops: exact };
    await done(api('PUT', `/v1/wallets/${other.id}/policy`, { token, body }));
    const [row] = await world.query(
      "select entry from audit_log where action = 'policy.changed' and wallet_id = $1",
      [other.id],
    );
    assert.ok(row.entry.includes(`:${exact}`), row.entry);
    const members = row.entry.slice(1, -1);
    await eventually('the line', async () => world.service.output().includes(`${members}},"msg":"audit"}`));
  });

  it('names the API key where a program acts', async () => {
    const address = await newAddress();
    const { items } = await done(api('GET', `/v1/audit?target_id=${address.id}`, { token }));
    const { id } = await done(api('GET', `${base}/api-key`, { token }));
    assert.deepEqual(items[0].actor, { kind: 'api_key', id, name: null });
  });

  it('is not there for a change that was refused, nor for a repeated one', async () => {
    const key = unique('key');
    const body = { destination: payer.publicKey(), amount_stroops: 1n };
    assert.equal((await world.withdraw(wallet, body, { key })).status, 201);
    const before = await lastSeq();
    assert.equal((await world.withdraw(wallet, body, { key })).status, 409);
    const large = { ...body, amount_stroops: 5_000_000_000n };
    assertError(await world.withdraw(wallet, large), 422, 'policy_amount_limit');
    assert.deepEqual(await entriesAfter(before), []);
  });
});

describe('failures and refusals', () => {
  it('a wrong password is written to the log of the team, an unknown e-mail to that of the service without it', async () => {
    const { email, user_id } = await newMember();
    const before = await lastSeq();
    const refused = { email, password: 'not the password' };
    assertError(await api('POST', '/v1/auth/login', { body: refused }), 401, 'wrong_credentials');
    const [entry] = await entriesAfter(before);
    assert.equal(entry.action, 'login.failed');
    assert.equal(entry.actor.kind, 'stranger');
    assert.equal(entry.target.id, user_id);
    const unknown = { email: 'nobody-at-all@example.com', password: 'not the password' };
    assertError(await api('POST', '/v1/auth/login', { body: unknown }), 401, 'wrong_credentials');
    const rows = await world.query("select entry from audit_log where chain = 'service' order by seq desc");
    assert.equal(JSON.parse(rows[0].entry).action, 'login.failed');
    assert.ok(rows.every((row) => !row.entry.includes('nobody-at-all')));
  });

  it('a wrong current password is written', async () => {
    const member = await newMember();
    const before = await lastSeq();
    const body = { current_password: 'not the password', new_password: 'another long secret' };
    assert.equal((await api('POST', '/v1/auth/password', { token: member.token, body })).status, 401);
    assert.equal((await entriesAfter(before))[0].action, 'password.refused');
  });

  it('a scope that is missing, a program where a person is needed, and a credential from another address are written', async () => {
    const key = await newNamedKey();
    const made = await newServiceUser('developer');
    const { token: program } = await exchange(made);
    const before = await lastSeq();
    const named = await api('POST', `${base}/addresses`, { token: key.api_key, body: {} });
    assertError(named, 403, 'scope_missing');
    assertError(
      await api('POST', `${base}/api-key/regenerate`, { token: program, body: {} }),
      403,
      'person_required',
    );
    await done(
      api('PATCH', `/v1/team/service-users/${made.id}`, { token, body: { allowed_ips: ['203.0.113.1'] } }),
    );
    assertError(await api('GET', '/v1/team', { token: program }), 403, 'address_not_allowed');
    const refused = (await entriesAfter(before)).filter(({ action }) => action === 'right.refused');
    assert.deepEqual(
      refused.map(({ actor, target, after: told }) => [actor.kind, actor.id, target.id, told.code]),
      [
        ['api_key', key.id, 'createDepositAddress', 'scope_missing'],
        ['service_user', made.id, 'regenerateApiKey', 'person_required'],
        ['service_user', made.id, 'getTeam', 'address_not_allowed'],
      ],
    );
  });

  it('a refused role and an API key where a login is needed are written, once a minute for each operation', async () => {
    const { token: viewer, user_id } = await newMember();
    const before = await lastSeq();
    for (let i = 0; i < 5; i++) {
      assertError(await api('PATCH', base, { token: viewer, body: { name: 'x' } }), 403, 'role_missing');
      assertError(await world.withdraw(wallet, {}, { token: wallet.api_key }), 401, 'login_required');
      assertError(await world.withdraw(wallet, {}, { token: 'svc_sk_test_nobody' }), 401, 'login_required');
    }
    const entries = await entriesAfter(before);
    assert.deepEqual(
      entries.map(({ action, actor, target, after: told }) => [action, actor.id, target.id, told.code]),
      [
        ['right.refused', user_id, 'changeWallet', 'role_missing'],
        [
          'right.refused',
          (await done(api('GET', `${base}/api-key`, { token }))).id,
          'createWithdrawal',
          'login_required',
        ],
      ],
    );
  });
});

describe('a role that an operation refuses by what it finds', () => {
  it('is written like one that the operation never takes: managing an owner, and the team’s second factors', async () => {
    const admin = await newMember('admin');
    const viewer = await newMember();
    const owner = { email: `${unique('o')}@example.com`, name: 'O', password: PASSWORD, role: 'owner' };
    const { user_id: other_owner } = await post('/v1/team/members', owner);
    const before = await lastSeq();
    const as = (method: string, path: string, body: object, by = admin.token) =>
      api(method, path, { token: by, body });
    const guest = { email: `${unique('g')}@example.com`, role: 'owner' };
    for (let twice = 0; twice < 2; twice++)
      for (const answer of [
        await as('POST', '/v1/team/members', { ...owner, email: guest.email }),
        await as('PATCH', `/v1/team/members/${other_owner}`, { role: 'viewer' }),
        await as('DELETE', `/v1/team/members/${other_owner}`, {}),
        await as('POST', '/v1/team/invitations', guest),
        await as('PATCH', '/v1/team', { second_factor_required: true }),
        await as('DELETE', `/v1/team/members/${other_owner}`, {}, viewer.token),
      ])
        assertError(answer, 403, 'role_missing');
    assert.deepEqual(
      (await entriesAfter(before)).map(({ action, actor, target, after: told }) => [
        action,
        actor.id,
        target.id,
        told.code,
      ]),
      [
        ...['addMember', 'changeMember', 'removeMember', 'createInvitation', 'changeTeam'].map(
          (operation) => ['right.refused', admin.user_id, operation, 'role_missing'],
        ),
        ['right.refused', viewer.user_id, 'removeMember', 'role_missing'],
      ],
    );
  });
});

describe('GET /v1/audit', () => {
  it('403 for every role but owner, admin and auditor; another team sees nothing of it', async () => {
    for (const role of ['operator', 'approver', 'developer', 'viewer'])
      assertError(
        await api('GET', '/v1/audit', { token: (await newMember(role)).token }),
        403,
        'role_missing',
      );
    assert.ok((await done(api('GET', '/v1/audit', { token: auditor.token }))).items.length > 20);
    const { items } = await done(api('GET', '/v1/audit', { token: stranger.token }));
    assert.ok(items.every((item: any) => item.actor.id === stranger.id || item.target.id === stranger.id));
  });

  it('an auditor who is limited to some wallets sees the entries of these', async () => {
    const other = await world.newWallet();
    await post(`/v1/wallets/${other.id}/addresses`, {}, other.api_key);
    const limited = await newMember('auditor', [other.id]);
    const { items } = await done(api('GET', '/v1/audit', { token: limited.token }));
    assert.deepEqual(
      items.map(({ action }: any) => action),
      ['address.created', 'wallet.created'],
    );
  });

  it('gives every entry once over its pages, newest first, without a gap', async () => {
    const seqs: bigint[] = [];
    let cursor = '';
    do {
      const page = await done(api('GET', `/v1/audit?limit=7${cursor && `&cursor=${cursor}`}`, { token }));
      seqs.push(...page.items.map(({ seq }: any) => seq));
      cursor = page.next_cursor ?? '';
    } while (cursor);
    assert.equal(seqs.at(-1), 1n);
    for (const [index, seq] of seqs.entries()) assert.equal(seq, (seqs[0] ?? 0n) - BigInt(index));
  });

  it('filters by number, actor, action, target, wallet and time', async () => {
    const of = async (query: string) =>
      (await done(api('GET', `/v1/audit?limit=200&${query}`, { token }))).items;
    assert.ok((await of('action=member.added')).every((item: any) => item.action === 'member.added'));
    assert.ok((await of(`actor_id=${wallet.id}`)).every((item: any) => item.actor.kind === 'api_key'));
    assert.ok((await of(`wallet_id=${wallet.id}`)).every((item: any) => item.wallet_id === wallet.id));
    const [newest, next] = await of('');
    assert.deepEqual(await of(`seq=${next.seq}`), [next]);
    assert.deepEqual(
      (await of(`since=${newest.at}`)).map(({ id }: any) => id),
      (await of('')).filter(({ at }: any) => at >= newest.at).map(({ id }: any) => id),
    );
    assert.ok((await of(`until=${next.at}`)).every((item: any) => item.at < next.at));
    const ends_before_it_begins = 'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z';
    const wrong = ['action=no.such', 'since=yesterday', 'cursor=abc', 'no_such=1', 'format=xml'];
    for (const query of [...wrong, ends_before_it_begins])
      assertError(await api('GET', `/v1/audit?${query}`, { token }), 400, 'invalid_request');
  });

  it('gives CSV with every entry, and no formula for a spreadsheet', async () => {
    await done(api('PATCH', '/v1/team', { token, body: { name: '=1+1,"x"' } }));
    const entries = await world.query('select from audit_log where chain = $1', [me.id]);
    const url = `${world.service.url}/v1/audit?format=csv`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
    const [head, newest, ...more] = (await response.text()).trimEnd().split('\r\n');
    assert.match(head ?? '', /^seq,id,at,actor_kind,/);
    assert.equal(more.length + 1, entries.length);
    assert.match(newest ?? '', /,team\.renamed,team,/);
    assert.ok(newest?.includes(String.raw`"{""name"":""=1+1,\""x\""""}"`), newest);
    assert.equal((await fetch(url)).status, 401);
  });
});

describe('teller audit verify', () => {
  const verify = (...args: string[]) => teller(['audit', 'verify', ...args], world.environment);

  it('says that the log is whole, with the heads', async () => {
    const { code, output } = await verify();
    assert.equal(code, 0, output);
    assert.match(output, /The audit log is whole: \d+ entries in \d+ chains/);
    assert.match(output, new RegExp(`^${me.id}:\\d+:[0-9a-f]{64}$`, 'm'));
  });

  it('names a row that somebody changed, and compares heads that were kept', async () => {
    const kept = (await verify()).output.match(new RegExp(`^${me.id}:.*$`, 'm'))?.[0] ?? '';
    assert.equal((await verify('--since', kept)).code, 0);
    const swap = 'update audit_log set entry = replace(entry, $2, $3) where chain = $1 and seq = 3';
    await world.query('alter table audit_log disable trigger audit_log_append_only');
    await world.query(swap, [me.id, '127.0.0.1', '127.0.0.2']);
    const changed = await verify();
    assert.equal(changed.code, 1);
    assert.match(changed.output, new RegExp(`^${me.id}: entry 3 was changed or inserted`, 'm'));
    await world.query(swap, [me.id, '127.0.0.2', '127.0.0.1']);
    await world.query('alter table audit_log enable trigger audit_log_append_only');
    assert.equal((await verify('--since', kept)).code, 0);
    const wrong = await verify('--since', `${kept.slice(0, -1)}${kept.endsWith('0') ? '1' : '0'}`);
    assert.equal(wrong.code, 1);
    assert.match(wrong.output, /is not the one whose hash was kept/);
    assert.notEqual((await verify('--since', 'nonsense')).code, 0);
  });

  it('the database refuses to change, remove and empty', async () => {
    for (const statement of [
      "update audit_log set entry = '{}'",
      'delete from audit_log',
      'truncate audit_log',
    ])
      await assert.rejects(world.query(statement), /append-only/);
  });
});
