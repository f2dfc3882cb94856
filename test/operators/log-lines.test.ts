/**
 * The log at the level `info`: every security event and every money event is in one line, lines of a request have its id, and
 * lines of a withdrawal have the withdrawal's.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  assertError,
  type RunningService,
  startRunningService,
  type Wallet,
} from '../support/running-service.ts';

let world: RunningService;
let receiver: Receiver;
let wallet: Wallet;
before(async () => {
  world = await startRunningService({ LOG_LEVEL: 'info', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  receiver = await startReceiver();
  wallet = await world.newWallet();
});
after(async () => {
  await receiver.close();
  await world.stop();
});

/** The banner and lines that are still being written are no JSON. */
const lines = (): any[] =>
  world.service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
const actions = (action: string) => lines().filter(({ audit }) => audit?.action === action);

/** The lines that `work` has caused, once there is one that `isLast` knows. */
async function during(work: () => Promise<unknown>, isLast: (line: any) => boolean): Promise<any[]> {
  const earlier = lines().length;
  await work();
  return eventually('the line', () => {
    const more = lines().slice(earlier);
    return more.some(isLast) ? more : null;
  });
}

describe('security events', () => {
  it('a failed login, a login and its end are a line each, with the id of the request', async () => {
    const { email, password } = await world.newUser();
    const before_failure = actions('login.failed').length;
    const failed = await world.api('POST', '/v1/auth/login', { body: { email, password: 'wrong' } });
    assertError(failed, 401);
    const { body, headers } = await world.api('POST', '/v1/auth/login', { body: { email, password } });
    await world.api('POST', '/v1/auth/logout', { token: body.data.token });
    await eventually('the end', () => actions('session.ended').length > 0);
    const failures = actions('login.failed');
    assert.equal(failures.length, before_failure + 1);
    assert.equal(failures.at(-1).request_id, failed.headers.get('x-request-id'));
    const opened = lines().filter(({ request_id }) => request_id === headers.get('x-request-id'));
    assert.deepEqual(
      opened.map(({ audit, level }) => [audit.action, level]),
      [['login.succeeded', 30]],
    );
  });
});

describe('money events', () => {
  it('a withdrawal is accepted in one line and confirmed in one, both with its id', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const answer = await world.withdraw(wallet, { destination, amount_stroops: 70n });
    const { id, stellar_tx_hash, fee_stroops } = answer.body.data;
    const own = await eventually('both lines', () => {
      const found = lines().filter(({ withdrawal_id }) => withdrawal_id === id);
      return found.length >= 2 ? found : null;
    });
    assert.equal(own.length, 2);
    const [accepted, confirmed] = own;
    assert.equal(accepted.audit.action, 'withdrawal.requested');
    assert.equal(accepted.request_id, answer.headers.get('x-request-id'));
    assert.equal(confirmed.msg, 'withdrawal confirmed');
    const { stellar_tx_hash: hash, amount_stroops, fee_charged_stroops, wallet_id } = confirmed;
    assert.deepEqual(
      { hash, amount_stroops, fee_charged_stroops, wallet_id },
      {
        hash: stellar_tx_hash,
        amount_stroops: '70',
        fee_charged_stroops: `${fee_stroops}`,
        wallet_id: wallet.id,
      },
    );
  });

  it('withdrawals at once have each the id of their own request', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const amounts = Array.from({ length: 8 }, (_, index) => BigInt(100 + index));
    const answers = await Promise.all(
      amounts.map((amount_stroops) => world.withdraw(wallet, { destination, amount_stroops })),
    );
    for (const { body, headers } of answers) {
      const accepted = lines().filter(
        ({ audit, withdrawal_id }) =>
          audit?.action === 'withdrawal.requested' && withdrawal_id === body.data.id,
      );
      assert.deepEqual(
        accepted.map(({ request_id }) => request_id),
        [headers.get('x-request-id')],
      );
    }
  });

  it('a failed withdrawal is one line with its reason', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const { body } = await world.withdraw(wallet, { destination, amount_stroops: 2n ** 63n - 1n });
    const failed = await eventually('the line', () => {
      const found = lines().filter(
        ({ msg, withdrawal_id }) => msg === 'withdrawal failed' && withdrawal_id === body.data.id,
      );
      return found.length > 0 ? found : null;
    });
    assert.deepEqual(
      failed.map(({ failure_code, level }) => [failure_code, level]),
      [['op_line_full', 30]],
    );
  });

  it('a deposit is one line, without what its customer has attached to the address', async () => {
    const made = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, {
      token: wallet.api_key,
      body: { metadata: { customer: 'Jane Doe' } },
    });
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, made.body.data.address, 1234567n);
    const [deposit] = await world.depositsOf(wallet, hash);
    const told = await eventually('the line', () => {
      const found = lines().filter(({ deposit_id }) => deposit_id === deposit.id);
      return found.length > 0 ? found : null;
    });
    assert.equal(told.length, 1);
    assert.deepEqual([told[0].msg, told[0].amount_stroops], ['deposit recorded', '1234567']);
    assert.ok(told.every((line) => !JSON.stringify(line).includes('Jane')));
  });
});

describe('a client that goes away', () => {
  it('while its request waits or its body comes leaves no line above info', async () => {
    const { id, api_key: token } = await world.newWallet(); // without any event
    const path = `/v1/wallets/${id}`;
    const more = await during(
      async () => {
        const waiting = world.api('GET', `${path}/events?wait_seconds=20`, {
          token,
          timeout_ms: 200,
        });
        await assert.rejects(waiting, { name: 'TimeoutError' });
        await cutBody(`${path}/addresses`, token);
        await world.newWallet();
      },
      ({ audit }) => audit?.action === 'wallet.created',
    );
    assert.deepEqual(
      more.filter(({ level }) => level > 30),
      [],
    );
  });
});

/** Begins a POST, sends half of what it has announced, and closes the connection. */
async function cutBody(path: string, token: string): Promise<void> {
  const leaving = new AbortController();
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(Buffer.from('{"label":'));
      setImmediate(() => leaving.abort());
    },
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = { method: 'POST', headers, body, duplex: 'half', signal: leaving.signal } as RequestInit;
  await assert.rejects(fetch(world.service.url + path, options));
}

it('no line has a password, a login token or an API key', () => {
  const text = world.service.output();
  assert.ok(!text.includes(wallet.api_key));
  assert.ok(!text.includes('correct horse'));
  assert.ok(!text.includes(world.token));
});
