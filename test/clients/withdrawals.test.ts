/** Withdrawals with the TypeScript client on the real service: keys, outcomes, doubts and deadlines. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  ConflictError,
  NotKnownYetError,
  newIdempotencyKey,
  TellerClient,
  TellerConnectionError,
  TellerUnreachableError,
  type Withdrawal,
} from '../../clients/typescript/src/index.ts';
import { startRunningService } from '../support/running-service.ts';
import { readCases } from './cases.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

const world = await startRunningService();
after(() => world.stop());
const base_url = world.service.url;
const owner = new TellerClient({ base_url, token: world.token });
const wallet = await world.newWallet();
const payee = await world.newWallet();

describe('withdrawals', () => {
  const order = { destination: payee.account, amount_stroops: 10_000_000n };
  /** Longer than a first try takes on a busy machine. */
  const deadline_ms = 3_000;
  const waitBriefly = (client: TellerClient, idempotency_key: string) =>
    client.withdrawals.withdrawAndWait(wallet.id, { ...order, idempotency_key }, { deadline_ms });

  it('the same call with the same key gives the same withdrawal, also from another process', async () => {
    const idempotency_key = newIdempotencyKey();
    const first = await owner.withdrawals.withdraw(wallet.id, { ...order, idempotency_key });
    const other = new TellerClient({ base_url, token: world.token });
    assert.deepEqual(
      await other.withdrawals.withdrawAndWait(wallet.id, { ...order, idempotency_key }),
      first,
    );
  });

  it('another order with the same key is refused', async () => {
    const idempotency_key = newIdempotencyKey();
    await owner.withdrawals.withdraw(wallet.id, { ...order, idempotency_key });
    const changed = { ...order, amount_stroops: 2n, idempotency_key };
    await assert.rejects(owner.withdrawals.withdraw(wallet.id, changed), (error) => {
      assert.ok(error instanceof ConflictError);
      assert.equal(error.code, 'idempotency_key_mismatch');
      return true;
    });
  });

  it('what the network refuses is an outcome and no error', async () => {
    const whole = { destination: payee.account, amount_stroops: 9_223_372_036_854_775_807n };
    const lost = await owner.withdrawals.withdrawAndWait(wallet.id, {
      ...whole,
      idempotency_key: newIdempotencyKey(),
    });
    assert.equal(lost.status, 'failed');
    assert.equal(typeof lost.failure?.code, 'string');
  });

  it('at the deadline of the caller the outcome is not known yet, and the key is there', async () => {
    const proxy = await startCuttingProxy(base_url, Array(100).fill('cut_request'));
    const client = new TellerClient({ base_url: proxy.url, token: world.token });
    const idempotency_key = newIdempotencyKey();
    const waiting = waitBriefly(client, idempotency_key);
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof NotKnownYetError);
      assert.equal(error.idempotency_key, idempotency_key);
      assert.equal(error.withdrawal, null);
      assert.ok(error.cause instanceof TellerConnectionError, 'the last try says why');
      assert.ok(error.message.includes(error.cause.message), error.message);
      return true;
    });
    await proxy.close();
  });

  it('at the deadline of the caller a withdrawal that awaits approvals says so', async () => {
    const idempotency_key = newIdempotencyKey();
    const awaiting = {
      id: 'wd_1',
      wallet_id: wallet.id,
      status: 'awaiting_approval',
      idempotency_key,
      approval_expires_at: '2026-03-02T09:00:00.000Z',
    };
    const answer = async () => Response.json({ data: awaiting }, { status: 202 });
    const client = new TellerClient({ base_url, token: world.token, fetch: answer });
    const waiting = waitBriefly(client, idempotency_key);
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof NotKnownYetError);
      assert.equal(error.withdrawal?.status, 'awaiting_approval');
      assert.match(error.message, /awaits approvals until 2026-03-02T09:00:00/);
      return true;
    });
  });

  it('where nobody listens, a client without an answer so far ends at once and says why; one with answers tries again', async () => {
    const proxy = await startCuttingProxy(base_url, []);
    const [known, unknown] = [1, 2].map(() => new TellerClient({ base_url: proxy.url, token: world.token }));
    await known?.auth.me();
    await proxy.close();
    const ordered = (client: TellerClient | undefined) =>
      client?.withdrawals.withdrawAndWait(
        wallet.id,
        { ...order, idempotency_key: newIdempotencyKey() },
        { deadline_ms: client === known ? deadline_ms : 600_000 },
      ) ?? Promise.reject();
    await assert.rejects(ordered(unknown), (error) => {
      assert.ok(error instanceof TellerUnreachableError && error.is_lasting);
      assert.match(error.message, /Nothing was sent to http:.*ECONNREFUSED/);
      return true;
    });
    await assert.rejects(ordered(known), (error) => {
      assert.ok(error instanceof NotKnownYetError);
      assert.ok(error.cause instanceof TellerUnreachableError && !error.cause.is_lasting);
      return true;
    });
  });

  it('an error that holds a withdrawal can be written as JSON, for a log', () => {
    const data = { id: 'wd_1', amount_stroops: 9_007_199_254_740_993n } as Withdrawal;
    const error = new NotKnownYetError('not yet', data, { cause: new RangeError('enough') });
    assert.deepEqual(JSON.parse(JSON.stringify({ error })), {
      error: {
        name: 'NotKnownYetError',
        message: 'not yet',
        idempotency_key: null,
        withdrawal: { id: 'wd_1', amount_stroops: '9007199254740993' },
        cause: { name: 'RangeError', message: 'enough' },
      },
    });
  });

  it('a caller ends a call with a signal, and gets the reason of it', async () => {
    const proxy = await startCuttingProxy(base_url, Array(100).fill('close'));
    const client = new TellerClient({ base_url: proxy.url, token: world.token });
    const signal = AbortSignal.abort(new RangeError('enough'));
    const ended = client.withdrawals.withdrawAndWait(
      wallet.id,
      { ...order, idempotency_key: newIdempotencyKey() },
      { signal },
    );
    await assert.rejects(ended, new RangeError('enough'));
    assert.equal(proxy.connections(), 0);
    await proxy.close();
  });

  it('what is no answer about the withdrawal is a doubt: a fault of the service, a redirect, the page of a proxy', async () => {
    const headers = { 'content-type': 'application/json' };
    const fault = '{"statusCode":500,"message":"m","error":{"code":"internal_error","request_id":"r"}}';
    for (const answer of [
      { status: 500, headers, body: fault },
      { status: 302, headers: { location: '/' }, body: '' },
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      { status: 201, headers, body: '{"statusCode":201,"message":"m","data":{}}' },
      { status: 201, headers, body: '{"statusCode":201,"message":"m","data":null}' },
    ]) {
      const proxy = await startCuttingProxy(base_url, [{ answer }]);
      const client = new TellerClient({ base_url: proxy.url, token: world.token });
      const idempotency_key = newIdempotencyKey();
      await assert.rejects(
        client.withdrawals.withdrawAndWait(wallet.id, { ...order, idempotency_key }),
        (error) => error instanceof NotKnownYetError && error.idempotency_key === idempotency_key,
      );
      await proxy.close();
    }
  });

  it('a withdrawal that is pending is awaited by its id, at the service', async () => {
    const idempotency_key = newIdempotencyKey();
    const prefer = 'respond-async';
    const { id } = await owner.withdrawals.withdraw(wallet.id, { ...order, idempotency_key, prefer });
    const proxy = await startCuttingProxy(base_url, [{ answer: pending(id) }, 'cut_request']);
    const client = new TellerClient({ base_url: proxy.url, token: world.token });
    const outcome = await client.withdrawals.withdrawAndWait(wallet.id, { ...order, idempotency_key });
    assert.deepEqual([outcome.id, outcome.status], [id, 'confirmed']);
    const asked = proxy.sent().match(/(POST|GET) \/\S*/g);
    const read = `GET /v1/wallets/${wallet.id}/withdrawals/${id}?wait_seconds=20`;
    assert.deepEqual(asked, [`POST /v1/wallets/${wallet.id}/withdraw`, read, read]);
    await proxy.close();
  });

  it('a withdrawal that was shown and is not found is asked for by its key', async () => {
    const proxy = await startCuttingProxy(base_url, [{ answer: pending('wd_x') }]);
    const client = new TellerClient({ base_url: proxy.url, token: world.token });
    const idempotency_key = newIdempotencyKey();
    const outcome = await client.withdrawals.withdrawAndWait(wallet.id, { ...order, idempotency_key });
    assert.deepEqual([outcome.idempotency_key, outcome.status], [idempotency_key, 'confirmed']);
    await proxy.close();
  });

  it('a key that would change on its way is never sent', async () => {
    const { bad } = readCases<{ rules: { keys: { bad: string[] } } }>('retries').rules.keys;
    for (const idempotency_key of [...bad, undefined as never, 7 as never]) {
      const paying = owner.withdrawals.withdraw(wallet.id, { ...order, idempotency_key });
      await assert.rejects(
        paying,
        idempotency_key === undefined ? { code: 'idempotency_key_missing' } : TypeError,
      );
    }
  });

  it('any other key arrives as it was given', async () => {
    const { good } = readCases<{ rules: { keys: { good: string[] } } }>('retries').rules.keys;
    for (const key of good) {
      const idempotency_key = key.length < 200 ? `${newIdempotencyKey()} ${key}` : key;
      const made = await owner.withdrawals.withdraw(wallet.id, { ...order, idempotency_key });
      assert.equal(made.idempotency_key, idempotency_key);
    }
  });

  it('an id that would lead to another operation is never sent', async () => {
    for (const id of ['', '.', '..']) await assert.rejects(owner.withdrawals.get(wallet.id, id), TypeError);
    await assert.rejects(owner.withdrawals.get(wallet.id, '../withdrawals'), { code: 'not_found' });
  });
});

/** What the service answers when it cannot prove the outcome in time. */
function pending(id: string) {
  const error = { code: 'outcome_pending', request_id: 'r' };
  const body = { statusCode: 504, message: 'm', error, data: { id, status: 'pending' } };
  return { status: 504, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
