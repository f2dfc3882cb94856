/** What /metrics tells after requests, logins, a deposit and withdrawals whose number is known. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { sampleOf, samplesOf } from '../support/metrics-text.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  assertError,
  type RunningService,
  startRunningService,
  unique,
  type Wallet,
} from '../support/running-service.ts';

let world: RunningService;
let receiver: Receiver;
let wallet: Wallet;
before(async () => {
  world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  receiver = await startReceiver();
  wallet = await world.newWallet();
  const registered = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
    token: wallet.api_key,
    body: { url: receiver.url },
  });
  assert.equal(registered.status, 201, registered.text);
});
after(async () => {
  await receiver.close();
  await world.stop();
});

type Labels = Record<string, string>;
type Growth = (name: string, labels?: Labels) => number;

/** How much each sample has grown since `earlier`; samples that did not exist began at 0. */
async function growthSince(earlier: string): Promise<Growth> {
  const later = await world.service.metrics();
  return (name, labels = {}) => (sampleOf(later, name, labels) || 0) - (sampleOf(earlier, name, labels) || 0);
}

/** How much each sample has grown during `work`. Only for samples that the answer to a request waits for. */
async function grown(work: () => Promise<unknown>): Promise<Growth> {
  const earlier = await world.service.metrics();
  await work();
  return growthSince(earlier);
}

/**
 * Asserts how much samples have grown since `earlier`. Waits until each has grown so much: samples of a commit follow the
 * commit, each at its own time, and neither the caller nor another sample waits for them.
 */
async function assertGrown(earlier: string, expected: [name: string, labels: Labels, by: number][]) {
  let growth = await growthSince(earlier);
  await eventually(`growth of ${expected.map(([name, , by]) => `${name} by ${by}`).join(', ')}`, async () => {
    growth = await growthSince(earlier);
    return expected.every(([name, labels, by]) => growth(name, labels) >= by);
  });
  for (const [name, labels, by] of expected) assert.equal(growth(name, labels), by, name);
  return growth;
}

describe('requests', () => {
  it('are counted by method, pattern of the path, status and error code, and timed once each', async () => {
    const route = '/v1/wallets/:id/balances';
    const path = `/v1/wallets/${wallet.id}/balances`;
    const growth = await grown(async () => {
      for (const token of [wallet.api_key, wallet.api_key, 'svc_sk_test_wrong'])
        await world.api('GET', path, { token });
    });
    assert.equal(growth('teller_http_requests_total', { route, status: '200', code: '' }), 2);
    assert.equal(growth('teller_http_requests_total', { route, status: '401' }), 1);
    const timed = 'teller_http_request_duration_seconds';
    assert.equal(growth(`${timed}_count`, { method: 'GET', route, status_class: '2xx' }), 2);
    assert.equal(growth(`${timed}_count`, { method: 'GET', route, status_class: '4xx' }), 1);
    assert.ok(growth(`${timed}_sum`, { route }) > 0);
    assert.equal(growth(`${timed}_bucket`, { route, le: '+Inf' }), 3);
  });

  it('to paths that no operation has share one route', async () => {
    const growth = await grown(async () => {
      for (let path = 0; path < 5; path++) await world.api('GET', `/v1/${unique('nothing')}`);
    });
    assert.equal(growth('teller_http_requests_total', { route: 'unknown', status: '404' }), 5);
    assert.ok(!(await world.service.metrics()).includes('nothing-'));
  });

  it('whose client goes away are no answers and no errors', async () => {
    const route = '/v1/wallets/:id/events';
    const path = `/v1/wallets/${wallet.id}/events?wait_seconds=20`;
    const earlier = await world.service.metrics();
    const asked = world.api('GET', path, { token: wallet.api_key, timeout_ms: 200 });
    await assert.rejects(asked, { name: 'TimeoutError' });
    await assertGrown(earlier, [['teller_http_requests_aborted_total', { route, method: 'GET' }, 1]]);
    const text = await world.service.metrics();
    assert.ok(Number.isNaN(sampleOf(text, 'teller_http_requests_total', { route })));
  });
});

it('logins and their failures are counted by the actions of the audit log', async () => {
  const { email, password } = await world.newUser();
  const growth = await grown(async () => {
    assertError(
      await world.api('POST', '/v1/auth/login', { body: { email, password: 'wrong' } }),
      401,
      'wrong_credentials',
    );
    await world.api('POST', '/v1/auth/login', { body: { email, password } });
  });
  assert.equal(growth('teller_audit_entries_total', { action: 'login.failed' }), 1);
  assert.equal(growth('teller_audit_entries_total', { action: 'login.succeeded' }), 1);
});

it('a deposit is timed to its commit and to its first acknowledgement, and an attempt of a delivery once', async () => {
  const earlier = await world.service.metrics();
  const address = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, {
    token: wallet.api_key,
    body: {},
  });
  receiver.answer(500);
  const payer = await world.ledger.fund();
  await world.ledger.pay(payer, address.body.data.address, 1234567n);
  await receiver.received(1);
  receiver.answer(200);
  const [endpoint] = await world.query('select id from webhook_endpoints');
  const [delivery] = await world.query('select id from webhook_deliveries');
  const path = `/v1/wallets/${wallet.id}/webhooks/${endpoint.id}/deliveries/${delivery.id}/redeliver`;
  await eventually('the redelivery', async () => {
    const { status } = await world.api('POST', path, { token: wallet.api_key });
    return status < 300;
  });
  const growth = await assertGrown(earlier, [
    ['teller_deposits_total', { attributed: 'true' }, 1],
    ['teller_deposit_told_seconds_count', {}, 1],
    ['teller_deposit_acknowledged_seconds_count', {}, 1],
    ['teller_deliveries_total', { outcome: 'delivered' }, 1],
    ['teller_delivery_attempt_seconds_count', { result: 'refused' }, 1],
    ['teller_delivery_attempt_seconds_count', { result: 'acknowledged' }, 1],
  ]);
  assert.ok(growth('teller_deposit_acknowledged_seconds_sum') < 3600, 'seconds of our clock');
  // The wallet's own funding is one too, and may be committed before this test or in it.
  await eventually('the time to the commit', async () => {
    return (await growthSince(earlier))('teller_deposit_commit_seconds_count') >= 1;
  });
});

it('withdrawals are timed to their proof, and their fees and failures are counted once', async () => {
  const destination = (await world.ledger.fund()).publicKey();
  const earlier = await world.service.metrics();
  for (const amount_stroops of [70n, 80n]) {
    const answer = await world.withdraw(wallet, { destination, amount_stroops });
    assert.equal(answer.body.data.status, 'confirmed', answer.text);
  }
  const { body } = await world.withdraw(wallet, { destination, amount_stroops: 2n ** 63n - 1n });
  assert.equal(body.data.status, 'failed');
  const [{ fees }] = await world.query('select sum(fee_charged_stroops)::text as fees from withdrawals');
  const growth = await assertGrown(earlier, [
    ['teller_withdrawal_outcomes_total', { outcome: 'confirmed' }, 2],
    ['teller_withdrawal_outcomes_total', { outcome: 'failed' }, 1],
    ['teller_withdrawal_failures_total', { reason: 'op_line_full' }, 1],
    ['teller_withdrawal_proof_seconds_count', {}, 2],
    ['teller_withdrawal_tx_source_wait_seconds_count', {}, 3],
    ['teller_withdrawal_fees_stroops_total', { paid_by: 'wallet' }, Number(fees)],
    ['teller_audit_entries_total', { action: 'withdrawal.requested' }, 3],
  ]);
  assert.ok(growth('teller_withdrawal_proof_seconds_sum') > 0);
});

it('what is open is read from the database when somebody asks, at most every five seconds', async () => {
  const began = Date.now() / 1000;
  // Until then the figures may be of a moment in which the delivery of the test before was due.
  const one = await eventually('figures that are read now', async () => {
    const text = await world.service.metrics();
    return sampleOf(text, 'teller_database_read_timestamp_seconds') > began && text;
  });
  for (const state of ['awaiting_approval', 'queued', 'assigned', 'signed'])
    assert.equal(sampleOf(one, 'teller_withdrawals_open', { state }), 0, state);
  assert.equal(sampleOf(one, 'teller_payouts_open', { state: 'running' }), 0);
  const read_at = sampleOf(one, 'teller_database_read_timestamp_seconds');
  assert.ok(Math.abs(Date.now() / 1000 - read_at) < 60);
  assert.equal(sampleOf(one, 'teller_delivery_due_age_seconds'), 0);
});

it('the process tells of its loops, its leadership, its connections and its event loop', async () => {
  await eventually('every loop', async () => {
    const text = await world.service.metrics();
    const loops = samplesOf(text).filter(({ name }) => name === 'teller_loop_success_timestamp_seconds');
    const names = new Set(loops.map(({ labels }) => labels.loop));
    return ['ingester', 'deliverer', 'withdrawals ingest', 'reconciler'].every((name) => names.has(name));
  });
  const text = await world.service.metrics();
  assert.equal(sampleOf(text, 'teller_leads', { work: 'deposits' }), 1);
  assert.ok(sampleOf(text, 'teller_database_connections', { pool: 'money' }) >= 1);
  assert.equal(sampleOf(text, 'teller_build_info'), 1);
  assert.ok(sampleOf(text, 'nodejs_eventloop_lag_p99_seconds') > 0);
});

it('no label names a wallet, a team, a person, an address or a secret', async () => {
  const allowed = /^[a-z0-9_ .:/*%+-]{0,80}$/i;
  for (const { name, labels } of samplesOf(await world.service.metrics())) {
    for (const [label, value] of Object.entries(labels)) {
      assert.match(value, allowed, `${name} ${label}`);
      assert.doesNotMatch(
        value,
        /\b(wal|usr|ses|dlv|whe|evt|wd|req)_[0-9a-z]{10}|@|\b[GMC][A-Z2-7]{50}/,
        name,
      );
    }
  }
});
