/** The examples of /openapi.json work: each request is pasted as it is, with the ids and secrets of this world in it. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, forgetSteps } from '../support/factors.ts';
import { whileOutcomesWait } from '../support/held-outcomes.ts';
import { haveOwnPassword } from '../support/own-password.ts';
import { startRunningService, type User, unique } from '../support/running-service.ts';

type Operation = {
  method: string;
  path: string;
  parameters: any[];
  security: object[];
  requestBody?: any;
  responses: any;
};

const world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: 'example.com', POLICY_DELAY_SECONDS: '0' });
after(() => world.stop());

/** What cannot be pasted here, and why. */
const EXCEPT: Record<string, string> = {
  addPasskey: 'a passkey answers to one challenge only',
  beginPasskeyStepUp: 'the user must have a passkey',
  examineWebhook: 'it needs a receiver: test/spec/receiver-exam.test.ts has some',
  retryPayout: 'a row must have failed: test/spec/payouts.test.ts has one',
  getAdjustment: 'an issuer takes something back: test/spec/adjustments.test.ts reads one',
};

let operations: Map<string, Operation>;
let owner: User;
const tried = new Set<string>();

before(async () => {
  const { text } = await world.api('GET', '/openapi.json');
  operations = new Map(
    Object.entries<any>(JSON.parse(text).paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, { operationId, parameters = [], ...more }]) => [
        operationId,
        { method: method.toUpperCase(), path, parameters, ...more },
      ]),
    ),
  );
  owner = await world.newUser();
});

type Given = { ids?: Record<string, string>; token?: string; change?: object; status?: number };

/** `change`: what of the body is of this world. Gives the data of the answer. */
async function paste(name: string, { ids = {}, token = owner.token, change = {}, status }: Given = {}) {
  const { method, path, parameters, security, requestBody, responses } =
    operations.get(name) ?? assert.fail(name);
  const url = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? assert.fail(`${name} needs ${id}`));
  const examples = (place: string): Record<string, string> => {
    const given = parameters.filter((each) => each.in === place && each.example !== undefined);
    return Object.fromEntries(given.map((each) => [each.name, `${each.example}`]));
  };
  const query = new URLSearchParams(examples('query')).toString();
  const headers = examples('header');
  const body = requestBody && { ...requestBody.content['application/json'].example, ...change };
  const options = { ...(security.length > 0 && { token }), headers, ...(body && { body }) };
  const answer = await world.api(method, query ? `${url}?${query}` : url, options);
  const expected = status ?? Number(Object.keys(responses).find((each) => each.startsWith('2')));
  assert.equal(answer.status, expected, `${name}: ${answer.text}`);
  const { example } = responses[expected].content['application/json'];
  assertAlike(answer.body, fromJson(JSON.stringify(example)), name);
  tried.add(name);
  return answer.body.data;
}

/** Members whose form depends on what they are about. */
const FREE = new Set([
  'metadata',
  'before',
  'after',
  'change',
  'headers',
  'request_headers',
  'passkey_options',
  'body',
]);
/** Members that some answers lack. */
const OPTIONAL = new Set(['y', 'token', 'details']);

/** The same members of the same types; null may stand for any value, and a list may be empty. */
function assertAlike(actual: any, example: any, at: string): void {
  if (actual === null || example === null) return;
  assert.equal(Array.isArray(actual), Array.isArray(example), at);
  if (Array.isArray(actual)) {
    if (actual.length > 0 && example.length > 0) assertAlike(actual[0], example[0], `${at}[0]`);
    return;
  }
  assert.equal(typeof actual, typeof example, `${at}: ${actual} and ${example}`);
  if (typeof actual !== 'object') return;
  const names = (value: object) =>
    Object.keys(value)
      .filter((name) => !OPTIONAL.has(name))
      .sort();
  assert.deepEqual(names(actual), names(example), at);
  for (const name of names(actual))
    if (!FREE.has(name)) assertAlike(actual[name], example[name], `${at}.${name}`);
}

const PASSWORD = 'a long enough secret';

async function member(role: string): Promise<{ user_id: string; token: string; email: string }> {
  const email = `${unique('member')}@example.com`;
  const { user_id } = await paste('addMember', { change: { email, password: PASSWORD, role } });
  await haveOwnPassword(world, email);
  const { token } = await paste('login', { change: { email, password: PASSWORD } });
  return { user_id, token, email };
}

it('service, wallets and their keys', async () => {
  for (const name of ['healthz', 'readyz', 'getService']) await paste(name);
  const { id } = await paste('createWallet');
  const ids = { id };
  for (const name of [
    'listWallets',
    'getWallet',
    'changeWallet',
    'listBalances',
    'listTransactions',
    'searchWallets',
    'getStatistics',
  ])
    await paste(name, { ids });
  await paste('getWalletHealth', { ids });
  await paste('regenerateApiKey', { ids });
  await paste('getApiKey', { ids });
  const key = await paste('createApiKey', { ids });
  await paste('listApiKeys', { ids });
  await paste('deleteApiKey', { ids: { ...ids, key_id: key.id } });
});

it('deposits', async () => {
  const { id, account } = await world.newWallet(owner.token);
  const ids: Record<string, string> = { id };
  const address = await paste('createDepositAddress', { ids });
  await paste('listDepositAddresses', { ids });
  await paste('getDepositAddress', { ids: { ...ids, address_id: address.id } });
  await paste('changeDepositAddress', { ids: { ...ids, address_id: address.id } });
  const pay = (change: object) => paste('payOnSandbox', { change: { destination: account, ...change } });
  const paid = [await pay({ memo_id: address.memo_id }), await pay({}), await pay({})];
  const deposits = await eventually('the deposits', async () => {
    const { body } = await world.api('GET', `/v1/wallets/${id}/deposits`, { token: owner.token });
    const found = body.data.items.filter(({ kind }: any) => kind === 'payment');
    return found.length === paid.length ? found : null;
  });
  const unattributed = deposits.filter((each: any) => !each.attributed).map((each: any) => each.id);
  const attributed = deposits.find((each: any) => each.attributed).id;
  await paste('listDeposits', { ids });
  await paste('getDeposit', { ids: { ...ids, deposit_id: attributed } });
  await paste('listDepositDeliveries', { ids: { ...ids, deposit_id: attributed } });
  await paste('assignDeposit', {
    ids: { ...ids, deposit_id: unattributed[0] },
    change: { address_id: address.id },
  });
  await paste('refundDeposit', { ids: { ...ids, deposit_id: unattributed[1] } });
  await paste('getDepositMinimums', { ids });
  await paste('replaceDepositMinimums', { ids });
  await paste('explainTransaction', { ids: { ...ids, tx_hash: paid[0].stellar_tx_hash } });
  await eventually('books of a ledger that is read', async () => {
    const path = `/v1/wallets/${id}/reconciliation`;
    return (await world.api('GET', path, { token: owner.token })).status === 200;
  });
  await paste('getReconciliation', { ids });
});

it('withdrawals, assets and policies', async () => {
  const { id } = await world.newWallet(owner.token);
  const ids = { id };
  await paste('previewWithdrawal', { ids });
  const { id: withdrawal_id } = await paste('createWithdrawal', { ids });
  await paste('getWithdrawal', { ids: { ...ids, withdrawal_id } });
  await paste('listWithdrawals', { ids });
  const [{ asset_code, asset_issuer }] = (await paste('getService')).test_assets;
  await paste('addAsset', { ids, change: { asset_code, asset_issuer }, status: 201 });
  const asset = `${asset_code}:${asset_issuer}`;
  await paste('listAssets', { ids });
  await paste('getAsset', { ids: { ...ids, asset } });
  await paste('removeAsset', { ids: { ...ids, asset } });
  await paste('replacePolicy', { ids });
  await paste('changePolicy', { ids });
  await paste('getPolicy', { ids });
});

it('payouts', async () => {
  const { id } = await world.newWallet(owner.token);
  const create = async () => {
    const rows = [
      { idempotency_key: unique('row'), destination: (await world.newWallet()).account, amount_stroops: 5n },
    ];
    return {
      id,
      payout_id: (await paste('createPayout', { ids: { id }, change: { rows }, status: 201 })).id,
    };
  };
  await paste('cancelPayout', { ids: await create() });
  const ids = await create();
  // On its own it may be completed before the next call.
  await whileOutcomesWait(world, async () => {
    for (const name of ['startPayout', 'pausePayout', 'resumePayout']) await paste(name, { ids });
  });
  for (const name of ['listPayouts', 'getPayout', 'listPayoutRows']) await paste(name, { ids });
  const csv = operations.get('createPayout')?.requestBody.content['text/csv'];
  assert.equal(csv.schema.type, 'string');
  const sent = await world.api('POST', `/v1/wallets/${id}/payouts?name=Salaries`, {
    token: owner.token,
    headers: { 'content-type': 'text/csv' },
    body: csv.example,
  });
  assert.equal(sent.status, 201, sent.text);
  const result = await fetch(`${world.service.url}/v1/wallets/${id}/payouts/${sent.body.data.id}/rows`, {
    headers: { accept: 'text/csv', authorization: `Bearer ${owner.token}` },
  });
  const [header] = (await result.text()).split('\r\n');
  const { example } = operations.get('listPayoutRows')?.responses['200'].content['text/csv'] ?? {};
  assert.equal(example.split('\r\n')[0], header);
});

it('webhooks and events', async () => {
  const { id } = await world.newWallet(owner.token);
  const { id: webhook_id } = await paste('registerWebhook', { ids: { id } });
  const ids = { id, webhook_id };
  await paste('listWebhooks', { ids });
  await paste('getWebhook', { ids });
  await paste('getWebhookStatistics', { ids });
  await paste('updateWebhook', { ids });
  await paste('rotateWebhookSecret', { ids });
  const { id: delivery_id } = await paste('testWebhook', { ids });
  await paste('listWebhookDeliveries', { ids });
  await paste('getWebhookDelivery', { ids: { ...ids, delivery_id } });
  await paste('redeliverWebhook', { ids: { ...ids, delivery_id } });
  await paste('replayWebhook', { ids });
  await paste('listEvents', { ids });
  await paste('deleteWebhook', { ids });
});

it('people, service users and the audit log', async () => {
  for (const name of ['getMe', 'getTeam', 'changeTeam', 'getAlerts', 'replaceAlerts']) await paste(name);
  const url = 'https://example.com/alerts';
  await paste('replaceAlerts', { change: { url } });
  await paste('rotateAlertSecret');
  const { user_id } = await member('viewer');
  await paste('listMembers');
  await paste('changeMember', { ids: { user_id } });
  await paste('removeMember', { ids: { user_id } });
  const invite = () => paste('createInvitation', { change: { email: `${unique('guest')}@example.com` } });
  const invitation = await invite();
  await paste('listInvitations');
  await paste('revokeInvitation', { ids: { invitation_id: invitation.id } });
  const { token } = await invite();
  await paste('readInvitation', { change: { token } });
  await paste('acceptInvitation', { change: { token, password: PASSWORD } });
  const { id: service_user_id, client_secret } = await paste('createServiceUser');
  const ids = { service_user_id };
  await paste('listServiceUsers');
  await paste('getServiceUser', { ids });
  await paste('changeServiceUser', { ids });
  await paste('getServiceToken', { change: { client_id: service_user_id, client_secret } });
  await paste('addServiceUserSecret', { ids });
  const { secrets } = await paste('getServiceUser', { ids });
  await paste('retireServiceUserSecret', { ids: { ...ids, secret_id: secrets[0].id } });
  await paste('removeServiceUser', { ids });
  const { id: payee_id } = await paste('createPayee');
  await paste('listPayees');
  await paste('getPayee', { ids: { payee_id } });
  await paste('changePayee', { ids: { payee_id } });
  await paste('deletePayee', { ids: { payee_id } });
  await paste('listAuditEntries');
});

it('logins, sessions and second factors', async () => {
  const user = await world.newUser();
  const { email } = user;
  const again = async (password = user.password) =>
    (await paste('login', { change: { email, password } })).token;
  let token = await again();
  const sessions = (await paste('listSessions', { token })).items;
  const { id: session_id } = sessions.find(({ current }: any) => !current);
  await paste('getSession', { token, ids: { session_id } });
  await paste('endSession', { token, ids: { session_id } });
  await paste('endOtherSessions', { token });
  token = (await paste('renewToken', { token })).token;
  const password = 'quiet harbour lantern 77';
  await paste('changePassword', { token, change: { current_password: user.password } });
  await paste('beginPasskey', { token, change: { current_password: password } });
  const { id: factor_id, secret } = await paste('beginTotp', {
    token,
    change: { current_password: password },
  });
  await paste('confirmTotp', { token, ids: { factor_id }, change: { code: codeOf(secret) } });
  const fresh = async () => {
    await forgetSteps(world, factor_id);
    return codeOf(secret);
  };
  await paste('stepUp', { token, change: { totp: await fresh() } });
  await paste('getFactors', { token });
  await paste('renameFactor', { token, ids: { factor_id } });
  await paste('replaceRecoveryCodes', { token });
  const asked = await world.api('POST', '/v1/auth/login', { body: { email, password } });
  const { challenge } = asked.body.data;
  await paste('proveSecondFactor', { change: { challenge, totp: await fresh() } });
  await paste('removeFactor', { token, ids: { factor_id } });
  await paste('logout', { token });
});

it('approvals', async () => {
  const { id } = await world.newWallet(owner.token);
  const approver = await member('approver');
  await member('approver');
  await world.api('PATCH', `/v1/wallets/${id}/policy`, {
    token: owner.token,
    body: {
      approvals: {
        required: 1,
        for: ['withdrawals', 'policies', 'api_keys'],
        above: [],
        without_factor: true,
      },
    },
  });
  const decide = async (name: string, ids: Record<string, string>, order_hash: string) =>
    paste(name, { ids: { id, ...ids }, token: approver.token, change: { order_hash } });
  for (const name of ['approveWithdrawal', 'rejectWithdrawal']) {
    const asked = await world.api('POST', `/v1/wallets/${id}/withdraw`, {
      token: owner.token,
      headers: { 'idempotency-key': unique('key') },
      body: { destination: (await world.newWallet()).account, amount_stroops: 10_000_000n },
    });
    assert.equal(asked.status, 202, asked.text);
    const { id: withdrawal_id, order_hash } = asked.body.data;
    await paste('previewApproval', { ids: { id, withdrawal_id }, token: approver.token });
    await paste('listApprovals', { token: approver.token });
    await decide(name, { withdrawal_id }, order_hash);
    await paste('listDecidedApprovals', { token: approver.token });
  }
  for (const name of ['approvePayout', 'rejectPayout']) {
    const body = {
      name,
      rows: [
        {
          idempotency_key: unique('row'),
          destination: (await world.newWallet()).account,
          amount_stroops: 5n,
        },
      ],
    };
    const path = `/v1/wallets/${id}/payouts`;
    const { id: payout_id } = (await world.api('POST', path, { token: owner.token, body })).body.data;
    const asked = await world.api('POST', `${path}/${payout_id}/start`, { token: owner.token });
    await decide(name, { payout_id }, asked.body.data.order_hash);
  }
  for (const name of ['approveAccessChange', 'rejectAccessChange']) {
    const { id: access_change_id, order_hash } = await paste('createApiKey', {
      ids: { id },
      change: { name },
      status: 202,
    });
    await paste('getAccessChange', { ids: { access_change_id } });
    await decide(name, { access_change_id }, order_hash);
  }
  for (const name of ['approvePolicyChange', 'rejectPolicyChange', 'revokePolicyChange']) {
    const limit = (amount: bigint) =>
      world.api('PATCH', `/v1/wallets/${id}/policy`, {
        token: owner.token,
        body: { max_withdrawal_stroops: amount },
      });
    await limit(1_000_000n);
    const { pending } = (await limit(2_000_000n)).body.data;
    const { id: change_id, order_hash } = pending[0];
    if (name === 'revokePolicyChange') await paste(name, { ids: { id, change_id } });
    else await decide(name, { change_id }, order_hash);
  }
});

it('no operation is left out', () => {
  const left = [...operations.keys()].filter((name) => !tried.has(name) && !(name in EXCEPT));
  assert.deepEqual(left, []);
});
