/** Section 8 of the contract: `Prefer: respond-async` (RFC 7240) and reads that wait for the outcome. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { haveOwnPassword } from '../support/own-password.ts';
import {
  assertError,
  assertFault,
  startRunningService,
  startSecond,
  unique,
  type Wallet,
} from '../support/running-service.ts';

const world = await startRunningService({ SANDBOX_CLOSE_MS: '1000' });
const second = await startSecond(world);
after(async () => {
  await second.stop();
  await world.stop();
});

let wallet: Wallet;
let destination: string;
before(async () => {
  wallet = await world.newWallet();
  destination = (await world.ledger.fund()).publicKey();
});

const withdraw = (prefer: string | undefined, key = unique('key'), amount_stroops = 5n) =>
  world.withdraw(wallet, { destination, amount_stroops }, { key, ...(prefer && { headers: { prefer } }) });
const read = (id: string, query = '', service = world.service) =>
  service.api('GET', `/v1/wallets/${wallet.id}/withdrawals/${id}${query}`, { token: world.token });

describe('a withdraw request that prefers respond-async', () => {
  it('202 with the pending withdrawal, Location and Preference-Applied; Location shows the outcome later', async () => {
    const { status, headers, body } = await withdraw('respond-async');
    assert.equal(status, 202);
    assert.equal(body.statusCode, 202n);
    assert.equal(body.data.status, 'pending');
    assert.equal(headers.get('preference-applied'), 'respond-async');
    const location = `/v1/wallets/${wallet.id}/withdrawals/${body.data.id}`;
    assert.equal(headers.get('location'), location);
    const settled = await world.api('GET', `${location}?wait_seconds=60`, { token: world.token });
    assert.equal(settled.status, 200);
    assert.equal(settled.body.data.status, 'confirmed');
    assert.equal(settled.headers.get('retry-after'), null);
  });

  it('is read as RFC 7240 says: in a list, in any case, with parameters; other preferences change nothing', async () => {
    assert.equal((await withdraw('foo; bar="respond-async", Respond-Async;x=1')).status, 202);
    for (const prefer of [
      'wait=0',
      'return=minimal',
      'respond-async=yes',
      '"respond-async"',
      'respond-asynchronously',
    ]) {
      const { status, headers } = await withdraw(prefer);
      assert.equal(status, 201, prefer);
      assert.equal(headers.get('preference-applied'), null);
    }
  });

  it('201 when the outcome is proven within wait=N, else 202', async () => {
    const settled = await withdraw('respond-async, wait=40');
    assert.equal(settled.status, 201, settled.text);
    assert.equal(settled.body.data.status, 'confirmed');
    assert.equal(settled.headers.get('location'), null);
    assert.equal((await withdraw('respond-async, wait=0')).status, 202);
  });

  it('takes its key like any other: 409 with its data while it is open and afterwards, and one payment', async () => {
    const key = unique('key');
    const first = await withdraw('respond-async', key);
    assert.equal(first.status, 202);
    const again = await withdraw('respond-async', key);
    assertError(again, 409);
    assert.equal(again.body.data.id, first.body.data.id);
    await read(first.body.data.id, '?wait_seconds=60');
    const later = await withdraw(undefined, key);
    assertError(later, 409, 'idempotency_key_reused');
    assert.equal(later.body.data.status, 'confirmed');
  });

  it('is refused like any other, and the key stays free', async () => {
    const key = unique('key');
    assert.equal((await withdraw('respond-async', key, 0n)).status, 400);
    const options = { token: wallet.api_key, headers: { prefer: 'respond-async' } };
    assertError(await world.withdraw(wallet, { destination, amount_stroops: 5n }, { key, ...options }), 401);
    assert.equal((await withdraw('respond-async', key)).status, 202);
  });

  it('also of a refund', async () => {
    const { hash } = await world.ledger.pay(await world.ledger.fund(), wallet.account, 1234n);
    const [deposit] = await world.depositsOf(wallet, hash);
    const path = `/v1/wallets/${wallet.id}/deposits/${deposit.id}/refund`;
    const prefer = { token: world.token, headers: { prefer: 'respond-async' } };
    const { status, headers, body, text } = await world.api('POST', path, prefer);
    assert.equal(status, 202, text);
    assert.equal(headers.get('preference-applied'), 'respond-async');
    assert.equal(headers.get('location'), `/v1/wallets/${wallet.id}/withdrawals/${body.data.id}`);
    assert.equal((await read(body.data.id, '?wait_seconds=60')).body.data.status, 'confirmed');
  });
});

describe('GET …/withdrawals/:id?wait_seconds', () => {
  it('answers when the outcome is recorded, also on a process that did not take the request', async () => {
    const { body } = await withdraw('respond-async');
    const waiting = [world.service, second].map((service) => read(body.data.id, '?wait_seconds=60', service));
    for (const { status, body } of await Promise.all(waiting)) {
      assert.equal(status, 200);
      assert.equal(body.data.status, 'confirmed');
    }
  });

  it('200 with the unchanged state when the time is over', async () => {
    const rule = {
      required: 1,
      for: ['withdrawals'],
      above: [{ amount_stroops: 1000n }],
      without_factor: true,
    };
    const token = world.token;
    const email = `${unique('approver')}@example.com`;
    const approver = { email, name: 'A', password: 'a long enough secret', role: 'approver' };
    await world.api('POST', '/v1/team/members', { token, body: approver });
    await haveOwnPassword(world, email);
    const set = await world.api('PATCH', `/v1/wallets/${wallet.id}/policy`, {
      token,
      body: { approvals: rule },
    });
    assert.equal(set.status, 200, set.text);
    const { status, headers, body } = await withdraw('respond-async', undefined, 1001n);
    assert.equal(status, 202);
    assert.match(headers.get('location') ?? '', /withdrawals/);
    assert.equal(body.data.status, 'awaiting_approval');
    const began = performance.now();
    const { status: read_status, body: later } = await read(body.data.id, '?wait_seconds=1');
    assert.ok(performance.now() - began >= 950);
    assert.equal(read_status, 200);
    assert.deepEqual(later.data, body.data);
    // What is over the places of one wallet is answered at once, with the state as it is.
    const at_once: string[] = [];
    const many = Array.from({ length: 24 }, async () => {
      const answer = await read(body.data.id, '?wait_seconds=60');
      if (answer.headers.get('retry-after') === '1') at_once.push(answer.body.data.status);
      return answer;
    });
    await eventually('those without a place', () => at_once.length === 4);
    const login = await world.api('POST', '/v1/auth/login', { body: { email, password: approver.password } });
    const rejected = await world.api('POST', `/v1/wallets/${wallet.id}/withdrawals/${body.data.id}/reject`, {
      token: login.body.data.token,
      body: { order_hash: body.data.order_hash },
    });
    assert.equal(rejected.status, 200, rejected.text);
    // The others waited: their answers have the later outcome.
    const reasons = (await Promise.all(many)).map(({ body }) => body.data.failure?.code);
    assert.deepEqual(at_once, Array(4).fill('awaiting_approval'));
    assert.equal(reasons.filter((code) => code === 'rejected').length, 20, `${reasons}`);
  });

  it('400 for another number, 404 for an unknown withdrawal at once', async () => {
    const { body } = await withdraw('respond-async');
    for (const value of ['0', '61', '-1', '1.5', 'soon', ''])
      assertFault(await read(body.data.id, `?wait_seconds=${value}`), 'wait_seconds');
    assertError(await read('wd_00000000000000000000000000', '?wait_seconds=60'), 404);
  });
});
