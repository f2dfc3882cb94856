/** A deposit and its event, killed at each step: one deposit, one event, delivered at least once with the same bytes. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, suite, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import {
  type ControlledService,
  type Lock,
  STEP_TIMEOUT_MS,
  startControlledService,
  type Wallet,
} from './controlled-service.ts';
import { decodeLedger } from './decoded-ledger.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
type Endpoint = { id: string; signing_secret: string };

const WEBHOOK_LEASE_MS = 60_000;
const AMOUNT = 12_345_678n;

let stage: ControlledService;
let receiver: Receiver;
let payer: Keypair;
let wallet: Wallet;
let endpoint: Endpoint;

before(async () => {
  receiver = await startReceiver();
  stage = await startControlledService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  payer = await stage.ledger.fund();
  wallet = await stage.newWallet();
  const options = { token: wallet.api_key, body: { url: receiver.url } };
  endpoint = (await stage.api('POST', `/v1/wallets/${wallet.id}/webhooks`, options)).body.data;
});
afterEach(() => stage?.clear());
after(async () => {
  await stage?.stop();
  await receiver?.close();
});

async function newAddress(): Promise<{ id: string; address: string }> {
  const options = { token: wallet.api_key, body: { metadata: { customer: '42' } } };
  return (await stage.api('POST', `/v1/wallets/${wallet.id}/addresses`, options)).body.data;
}

const depositsAt = (address_id: string) =>
  stage.query('select * from deposits where address_id = $1', [address_id]);

const deliveriesOf = (address_id: string) =>
  stage.query(
    `select delivery.*, event.body from webhook_deliveries delivery join webhook_events event on event.id = event_id
      where convert_from(event.body, 'utf8') like $1`,
    [`%${address_id}%`],
  );

const receivedFor = (address_id: string) =>
  receiver.requests.filter(({ body }) => body.toString().includes(address_id));

/** The end of every story here: nothing is lost, nothing doubled, nothing forged. */
async function assertToldOnce(address_id: string, hash: string): Promise<void> {
  await eventually(
    'the acknowledgement',
    async () => (await deliveriesOf(address_id))[0]?.status === 'delivered',
  );
  const deposits = await depositsAt(address_id);
  const deliveries = await deliveriesOf(address_id);
  assert.equal(deposits.length, 1, 'one deposit');
  assert.equal(deposits[0].stellar_tx_hash, hash);
  assert.equal(deposits[0].amount_stroops, `${AMOUNT}`);
  assert.equal(deliveries.length, 1, 'one delivery');
  const received = receivedFor(address_id);
  assert.ok(received.length >= 1);
  for (const { body, headers } of received) {
    assert.deepEqual(body, deliveries[0].body, 'the stored bytes');
    assert.equal(headers['webhook-id'], deliveries[0].event_id);
    const expected = createHmac('sha256', endpoint.signing_secret).update(body).digest('hex');
    assert.equal(headers['x-svc-signature'], expected);
  }
  const told = fromJson(received[0]?.body.toString() ?? '') as any;
  assert.equal(told.data.id, deposits[0].id);
}

type Step = {
  name: string;
  /** Brings the service to the step and keeps it there. `pay` pays: not before all is in its way, or it is too quick. */
  reach(pay: () => void): Promise<Lock | null>;
};

/** `exclusive` lets others read. The ingester's transaction writes these in this order. */
const INGEST_STEPS: Step[] = [
  {
    name: 'before it has read the ledger',
    async reach(pay) {
      const held = stage.proxy.hold('getLedgers', 'request');
      pay();
      await held;
      return null;
    },
  },
  {
    name: 'with the ledger in its hand',
    async reach(pay) {
      const held = stage.proxy.hold('getLedgers', 'answer', (_call, { result }) =>
        result.ledgers.some((ledger: any) => decodeLedger(ledger).transactions.length > 0),
      );
      pay();
      await held;
      return null;
    },
  },
  { name: 'before its cursor moves', reach: blockedAt('deposit_cursor', 'update deposit_cursor') },
  { name: 'before the deposit is inserted', reach: blockedAt('deposits', 'insert into deposits') },
  { name: 'between deposit and event', reach: blockedAt('webhook_events', 'insert into webhook_events') },
  {
    name: 'between event and delivery',
    reach: blockedAt('webhook_deliveries', 'insert into webhook_deliveries'),
  },
];

function blockedAt(table: string, statement: string): Step['reach'] {
  return async (pay) => {
    const lock = await stage.lock(`lock table ${table} in exclusive mode`);
    pay();
    await stage.blocked(statement);
    return lock;
  };
}

suite('the ingester', () => {
  for (const { name, reach } of INGEST_STEPS) {
    test(`killed ${name} leaves nothing half done, and the next one records the deposit once`, {
      timeout: STEP_TIMEOUT_MS,
    }, async () => {
      const { id, address } = await newAddress();
      const paid = Promise.withResolvers<Awaited<ReturnType<typeof stage.ledger.pay>>>();
      const lock = await reach(() => paid.resolve(stage.ledger.pay(payer, address, AMOUNT)));
      const { hash, ledger } = await paid.promise;
      await stage.kill();
      await stage.endSessions();
      await lock?.release();
      const [cursor] = await stage.query('select ledger from deposit_cursor');
      assert.deepEqual(await depositsAt(id), []);
      assert.deepEqual(await deliveriesOf(id), []);
      assert.ok(cursor.ledger < ledger, 'the cursor has not passed the ledger');
      await stage.restart();
      await assertToldOnce(id, hash);
    });
  }
});

type SendStep = {
  name: string;
  /** Arms it; the promise resolves when the step is reached. */
  reach(): Promise<Lock | null>;
};

/** The receiver answers 200 when the lock is there. */
async function acknowledgedBehind(lock_statement: string, blocked: string): Promise<Lock> {
  const response = await new Promise<ServerResponse>((resolve) => receiver.answer(resolve));
  const lock = await stage.lock(lock_statement);
  response.writeHead(200).end();
  await stage.blocked(blocked);
  return lock;
}

const SEND_STEPS: SendStep[] = [
  {
    name: 'while the receiver takes its time',
    async reach() {
      await new Promise<void>((resolve) => receiver.answer(() => resolve()));
      return null;
    },
  },
  {
    name: 'after the receiver has acknowledged, before that is recorded',
    reach: () =>
      acknowledgedBehind(
        `select * from webhook_deliveries where status = 'pending' for no key update`,
        'with outcome',
      ),
  },
  {
    name: 'in the middle of recording the attempt',
    reach: () =>
      acknowledgedBehind(
        // The same attempt, not committed: by then the statement has written the delivery, and waits for this.
        `insert into webhook_attempts (delivery_id, number, started_at, duration_ms)
           select id, attempts, now(), 0 from webhook_deliveries where leased_until is not null`,
        'with outcome',
      ),
  },
];

suite('the deliverer', () => {
  for (const { name, reach } of SEND_STEPS) {
    test(`killed ${name} sends the event again when its lease ends`, {
      timeout: STEP_TIMEOUT_MS,
    }, async () => {
      const { id, address } = await newAddress();
      const reached = reach();
      const before_ms = Date.now();
      const { hash } = await stage.ledger.pay(payer, address, AMOUNT);
      const lock = await reached;
      await eventually('the request', () => receivedFor(id).length === 1);
      await stage.kill();
      await stage.endSessions();
      await lock?.release();
      receiver.answer(200);

      // The lease is a minute: what is shown is that the row is due again within it; then that time is taken away.
      const [left] = await deliveriesOf(id);
      const due_ms = left.leased_until.getTime();
      const due_in_ms = due_ms - Date.now(); // below 0 when a slow machine reads the row after its lease
      assert.equal(left.status, 'pending');
      assert.equal(left.attempts, 1);
      assert.ok(due_ms > before_ms && due_in_ms <= WEBHOOK_LEASE_MS, `due in ${due_in_ms} ms`);
      await stage.restart();
      await stage.endLeases();

      await assertToldOnce(id, hash);
      assert.equal(receivedFor(id).length, 2, 'twice, the same');
      const attempts = await stage.query(
        'select number, status_code, error from webhook_attempts where delivery_id = $1 order by number',
        [left.id],
      );
      assert.equal(attempts.length, 2, 'the attempt that nobody recorded is in the log');
      assert.match(attempts[0].error, /stopped before it recorded/);
      assert.equal(attempts[1].status_code, 200);
    });
  }

  test('killed before it has claimed the event sends it at the next start', {
    timeout: STEP_TIMEOUT_MS,
  }, async () => {
    const { id, address } = await newAddress();
    // A claim logs what nobody recorded, so this stops claims and nothing else.
    const lock = await stage.lock('lock table webhook_attempts in share mode');
    const { hash } = await stage.ledger.pay(payer, address, AMOUNT);
    await eventually('the delivery', async () => (await deliveriesOf(id)).length === 1);
    await stage.blocked('with recursive');
    await stage.kill();
    await stage.endSessions();
    await lock.release();
    assert.equal((await deliveriesOf(id))[0].attempts, 0);
    assert.equal(receivedFor(id).length, 0);
    await stage.restart();
    await assertToldOnce(id, hash);
    assert.equal(receivedFor(id).length, 1);
  });
});
