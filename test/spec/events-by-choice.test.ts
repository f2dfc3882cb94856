/** Section 8 of the contract: an endpoint gets the types of events that it chose, each in the transaction of what it tells. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { EVENT_TYPES } from '../../src/webhooks/store/event-types.ts';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newIssuer, REQUIRED } from '../support/issuers.ts';
import { haveOwnPassword } from '../support/own-password.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { assertFault, joinService, unique, type Wallet } from '../support/running-service.ts';

const world = await joinService('undelayed');
after(() => world.stop());

type Endpoint = { id: string; signing_secret: string; events: string[]; receiver: Receiver };

async function endpoint(wallet: Wallet, events?: string[]): Promise<Endpoint> {
  const receiver = await startReceiver();
  after(() => receiver.close());
  const body = { url: receiver.url, ...(events ? { events } : {}) };
  const made = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token: wallet.api_key, body });
  assert.equal(made.status, 201, made.text);
  return { ...made.body.data, receiver };
}

const typeOf = ({ body }: Received): string => (fromJson(`${body}`) as any).event;
const dataOf = ({ body }: Received): any => (fromJson(`${body}`) as any).data;
/** The types that came, once there are `count`. */
async function came({ receiver }: Endpoint, count: number): Promise<Received[]> {
  await eventually(`${count} events`, () => receiver.requests.length >= count);
  assert.equal(receiver.requests.length, count);
  return receiver.requests;
}
const get = async (wallet: Wallet, path: string) => {
  const answer = await world.api('GET', `/v1/wallets/${wallet.id}/${path}`, { token: world.token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};
const eventsOf = async (wallet: Wallet): Promise<any[]> => (await get(wallet, 'events')).items;
const payee = async () => (await world.ledger.fund()).publicKey();

describe('the choice', () => {
  let wallet: Wallet;
  before(async () => {
    wallet = await world.newWallet();
  });
  const register = (events: unknown) =>
    world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
      token: wallet.api_key,
      body: { url: 'http://127.0.0.1:9/', events },
    });

  it('is deposit.created alone when nobody chooses, and is shown', async () => {
    for (const events of [undefined, null]) {
      const { status, body } = await register(events);
      assert.equal(status, 201);
      assert.deepEqual(body.data.events, ['deposit.created']);
      assert.deepEqual((await get(wallet, `webhooks/${body.data.id}`)).events, ['deposit.created']);
    }
  });

  it('is made at registration, and changed by PATCH alone or with other fields', async () => {
    const { body } = await register([...EVENT_TYPES]);
    assert.deepEqual(body.data.events, [...EVENT_TYPES]);
    const path = `/v1/wallets/${wallet.id}/webhooks/${body.data.id}`;
    const patch = (change: object) => world.api('PATCH', path, { token: world.token, body: change });
    const changed = await patch({ events: ['withdrawal.failed'] });
    const { signing_secret: _, ...shown } = body.data;
    assert.deepEqual(changed.body.data, { ...shown, events: ['withdrawal.failed'] });
    assert.deepEqual((await patch({ description: 'b' })).body.data.events, ['withdrawal.failed']);
  });

  it('400 for none, a doubled or an unknown type, a test event, and what is no list', async () => {
    for (const events of [[], ['deposit.created', 'deposit.created'], 'deposit.created', {}, [1]])
      assert.equal((await register(events)).status, 400, JSON.stringify(events));
    assertFault(await register([]), '/events');
    for (const name of ['ping', 'deposit.test', 'deposit.*', 'deposit.created.test'])
      assert.equal((await register([name])).status, 400, name);
  });

  it('is an entry of the audit log, with what it was before', async () => {
    const { body } = await register(['withdrawal.confirmed']);
    const path = `/v1/wallets/${wallet.id}/webhooks/${body.data.id}`;
    await world.api('PATCH', path, { token: world.token, body: { events: ['asset.changed'] } });
    const audit = await world.api('GET', '/v1/audit?limit=1', { token: world.token });
    const [entry] = audit.body.data.items;
    assert.equal(entry.action, 'endpoint.changed');
    assert.deepEqual(entry.before.events, ['withdrawal.confirmed']);
    assert.deepEqual(entry.after.events, ['asset.changed']);
  });
});

describe('the events of withdrawals', () => {
  it('tell each outcome once, as GET shows it, in numbers without a gap, and verify like any other', async () => {
    const wallet = await world.newWallet();
    const chosen = await endpoint(wallet, ['withdrawal.confirmed', 'withdrawal.failed']);
    const before_choice = await endpoint(wallet);
    const destination = await payee();
    const paid = await world.withdraw(wallet, { destination, amount_stroops: 1234567n });
    const unpaid = await world.withdraw(wallet, { destination, amount_stroops: 2n ** 63n - 1n });
    assert.deepEqual([paid.body.data.status, unpaid.body.data.status], ['confirmed', 'failed']);
    const [first, second] = await came(chosen, 2);
    assert.ok(first && second);
    for (const [request, made] of [
      [first, paid],
      [second, unpaid],
    ] as const) {
      const { data } = made.body;
      assert.equal(typeOf(request), `withdrawal.${data.status}`);
      assert.deepEqual(dataOf(request), data);
      assert.deepEqual(data, await get(wallet, `withdrawals/${data.id}`));
      const signature = createHmac('sha256', chosen.signing_secret).update(request.body).digest('hex');
      assert.equal(request.headers['x-svc-signature'], signature);
    }
    assert.deepEqual(
      [first, second].map(({ headers }) => headers['webhook-sequence']),
      ['1', '2'],
    );
    const listed = await eventsOf(wallet);
    assert.deepEqual(
      listed.map(({ sequence, body }) => [sequence, body]),
      [
        [1n, `${first.body}`],
        [2n, `${second.body}`],
      ],
    );
    assert.equal(before_choice.receiver.requests.length, 0);
  });

  it('are not even recorded for a wallet whose endpoints chose others, and count from the choice on', async () => {
    const wallet = await world.newWallet();
    const one = await endpoint(wallet);
    const destination = await payee();
    await world.withdraw(wallet, { destination, amount_stroops: 1n });
    assert.deepEqual(await eventsOf(wallet), []);
    const path = `/v1/wallets/${wallet.id}/webhooks/${one.id}`;
    await world.api('PATCH', path, { token: world.token, body: { events: ['withdrawal.confirmed'] } });
    const later = await world.withdraw(wallet, { destination, amount_stroops: 2n });
    const [request] = await came(one, 1);
    assert.ok(request);
    assert.equal(dataOf(request).id, later.body.data.id);
    await world.api('PATCH', path, { token: world.token, body: { events: ['deposit.created'] } });
    await world.withdraw(wallet, { destination, amount_stroops: 3n });
    assert.equal((await eventsOf(wallet)).length, 1);
  });

  it('tell what awaits approvals, then its rejection or its outcome', async () => {
    const wallet = await world.newWallet();
    const email = `${unique('approver')}@example.com`;
    const body = { email, name: 'A', password: 'a long enough secret', role: 'approver' };
    await world.api('POST', '/v1/team/members', { token: world.token, body });
    await haveOwnPassword(world, email);
    const signed_in = await world.api('POST', '/v1/auth/login', { body: { email, password: body.password } });
    const approver = signed_in.body.data.token;
    const rule = { required: 1, for: ['withdrawals'], above: [{ amount_stroops: 1n }], without_factor: true };
    const policy = { token: world.token, body: { approvals: rule } };
    const set = await world.api('PATCH', `/v1/wallets/${wallet.id}/policy`, policy);
    assert.equal(set.status, 200, set.text);
    const types = ['withdrawal.awaiting_approval', 'withdrawal.failed', 'withdrawal.confirmed'];
    const one = await endpoint(wallet, types);
    const destination = await payee();
    const asked = async () => (await world.withdraw(wallet, { destination, amount_stroops: 5n })).body.data;
    const decide = (verb: string, { id, order_hash }: any) =>
      world.api('POST', `/v1/wallets/${wallet.id}/withdrawals/${id}/${verb}`, {
        token: approver,
        body: { order_hash },
      });
    const [rejected, approved] = [await asked(), await asked()];
    assert.equal((await decide('reject', rejected)).status, 200);
    assert.equal((await decide('approve', approved)).status, 200);
    const requests = await came(one, 4);
    const seen = requests.map((request) => `${typeOf(request)} ${dataOf(request).id}`).sort();
    assert.deepEqual(
      seen,
      [
        `withdrawal.awaiting_approval ${rejected.id}`,
        `withdrawal.awaiting_approval ${approved.id}`,
        `withdrawal.failed ${rejected.id}`,
        `withdrawal.confirmed ${approved.id}`,
      ].sort(),
    );
    const told = (type: string, id: string) =>
      dataOf(requests.find((request) => typeOf(request) === type && dataOf(request).id === id) as Received);
    assert.deepEqual(told('withdrawal.awaiting_approval', rejected.id), rejected);
    assert.equal(told('withdrawal.failed', rejected.id).failure.code, 'rejected');
    assert.deepEqual(told('withdrawal.failed', rejected.id), await get(wallet, `withdrawals/${rejected.id}`));
  });
});

describe('the events of deposits', () => {
  it('deposit.unattributed tells a deposit without an address; once assigned, deposit.created tells it as ever', async () => {
    const wallet = await world.newWallet();
    const one = await endpoint(wallet, ['deposit.unattributed']);
    const as_ever = await endpoint(wallet);
    const { hash } = await world.ledger.pay(await world.ledger.fund(), wallet.account, 77n);
    const [deposit] = await world.depositsOf(wallet, hash);
    // The wallet's own funding is such a deposit too.
    const request = await eventually('its event', () =>
      one.receiver.requests.find(({ body }) => body.includes(hash)),
    );
    assert.equal(typeOf(request), 'deposit.unattributed');
    assert.deepEqual(dataOf(request), deposit);
    assert.equal(deposit.attributed, false);
    const made = { token: wallet.api_key, body: {} };
    const address = (await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, made)).body.data;
    const assigned = await world.api('POST', `/v1/wallets/${wallet.id}/deposits/${deposit.id}/assign`, {
      token: world.token,
      body: { address_id: address.id },
    });
    assert.equal(assigned.status, 200, assigned.text);
    const [created] = await came(as_ever, 1);
    assert.ok(created);
    assert.equal(typeOf(created), 'deposit.created');
    assert.deepEqual(dataOf(created), assigned.body.data);
    assert.ok(one.receiver.requests.every((each) => typeOf(each) === 'deposit.unattributed'));
  });
});

describe('asset.changed', () => {
  it('tells the asset as its GET shows it, after what the team did to the trust line and after what its issuer did', async () => {
    const wallet = await world.newWallet();
    const one = await endpoint(wallet, ['asset.changed']);
    const issuer = await newIssuer(world.ledger, 'AUTH', REQUIRED);
    const { asset_code, asset_issuer } = issuer.fields;
    const token = world.token;
    const path = `/v1/wallets/${wallet.id}/assets`;
    const shown = () => get(wallet, `assets/${asset_code}:${asset_issuer}`);
    const tells = async (count: number, status: string) => {
      const request = (await came(one, count))[count - 1] as Received;
      assert.equal(typeOf(request), 'asset.changed');
      assert.deepEqual(dataOf(request), await shown());
      assert.equal(dataOf(request).status, status);
    };
    const added = await world.api('POST', path, { token, body: issuer.fields });
    assert.equal(added.status, 201, added.text);
    await tells(1, 'unauthorized');
    await issuer.authorize(wallet.account, 'full');
    await tells(2, 'active');
    await issuer.authorize(wallet.account, 'none');
    await tells(3, 'unauthorized');
    const removed = await world.api('DELETE', `${path}/${asset_code}:${asset_issuer}`, { token });
    assert.equal(removed.status, 200, removed.text);
    await tells(4, 'absent');
  });
});

describe('POST …/test', () => {
  it('sends a test event of each type, whatever the endpoint chose, and none under the name of a real one', async () => {
    const wallet = await world.newWallet();
    const one = await endpoint(wallet, ['payout.completed']);
    const path = `/v1/wallets/${wallet.id}/webhooks/${one.id}/test`;
    const send = (event: string) => world.api('POST', path, { token: wallet.api_key, body: { event } });
    const names = ['ping', 'deposit.test', ...EVENT_TYPES.map((type) => `${type}.test`)];
    for (const name of names) assert.equal((await send(name)).status, 202, name);
    for (const type of EVENT_TYPES) assert.equal((await send(type)).status, 400, type);
    const requests = await came(one, names.length);
    assert.deepEqual(requests.map(typeOf).sort(), names.toSorted());
    for (const request of requests.filter(({ body }) => !body.includes('"ping"')))
      assert.match(`${request.body}`, /_sample|SAMPLE/);
    await eventually('all are acknowledged', async () => {
      const { items } = await get(wallet, `webhooks/${one.id}/deliveries`);
      return items.every(({ status }: any) => status === 'delivered');
    });
  });
});
