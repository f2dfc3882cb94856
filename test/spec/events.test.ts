/** Events by number, and what a receiver does with them: it sees what it missed and fetches it. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newSigningSecret } from '../../src/outgoing/sign.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type Launched, launch } from '../support/launch.ts';
import { seededRandom } from '../support/random.ts';
import { rawCall } from '../support/raw-http.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import {
  assertError,
  type RunningService,
  startRunningService,
  type Wallet,
} from '../support/running-service.ts';
import { temporaryDirectory } from '../support/service.ts';

let world: RunningService;
const started: Launched[] = [];
before(async () => {
  world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600' });
});
after(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await world.stop();
});

/** A deposit that is only to be paid: what is slow about it comes before. Gives the hash of its transaction. */
async function prepareDeposit(wallet: Wallet): Promise<() => Promise<string>> {
  const token = wallet.api_key;
  const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token });
  const payer = await world.ledger.fund();
  return async () => (await world.ledger.pay(payer, body.data.address, 5n)).hash;
}

const deposit = async (wallet: Wallet): Promise<string> => (await prepareDeposit(wallet))();

const events = (wallet: Wallet, query = '') =>
  world.api('GET', `/v1/wallets/${wallet.id}/events${query}`, { token: wallet.api_key });

async function register(wallet: Wallet, url: string): Promise<{ id: string; signing_secret: string }> {
  const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
    token: wallet.api_key,
    body: { url },
  });
  return body.data;
}

/** A program of ours beside the service. */
function run(args: string[], env: Record<string, string>): Launched {
  const launched = launch(args, env);
  started.push(launched);
  return launched;
}

describe('the events of a wallet', () => {
  it('a request that waits is answered when the deposit comes, with the body of a webhook', async () => {
    const [wallet, quiet] = [await world.newWallet(), await world.newWallet()];
    const [pay, payQuiet] = [await prepareDeposit(wallet), await prepareDeposit(quiet)];
    const answered: string[] = [];
    // It began first: were both left to wait until their time is over, it would be answered first.
    const beside = events(quiet, '?after=0&wait_seconds=30').finally(() => answered.push('quiet'));
    const waiting = events(wallet, '?after=0&wait_seconds=30').finally(() => answered.push('deposit'));
    const hash = await pay();
    const { status, body } = await waiting;
    assert.deepEqual(answered, ['deposit'], 'it was not left to wait until its time was over');
    assert.equal(status, 200);
    const [event] = body.data.items;
    assert.equal(event.sequence, 1n);
    assert.equal(JSON.parse(event.body).data.stellar_tx_hash, hash);
    assert.equal(body.data.next_after, 1n);
    await payQuiet();
    assert.equal((await beside).status, 200);
  });

  it('of an endpoint are signed with its secret, over the exact text', async () => {
    const wallet = await world.newWallet();
    const receiver = await startReceiver();
    const endpoint = await register(wallet, receiver.url);
    await deposit(wallet);
    await receiver.received(1);
    const [event] = (await events(wallet, `?webhook_id=${endpoint.id}`)).body.data.items;
    const [sent] = receiver.requests;
    assert.equal(event.body, `${sent?.body}`);
    assert.equal(event.id, sent?.headers['webhook-id']);
    assert.equal(`${event.sequence}`, sent?.headers['webhook-sequence']);
    const expected = createHmac('sha256', endpoint.signing_secret).update(event.body).digest('hex');
    assert.equal(event.headers['X-Svc-Signature'], expected);
    await receiver.close();
  });

  it('a number that was never given out is 422 sequence_unknown', async () => {
    const wallet = await world.newWallet();
    assertError(await events(wallet, '?after=1'), 422, 'sequence_unknown');
  });

  it('while a request waits, the service stops as quickly as ever, and answers it', async () => {
    const other = await startRunningService();
    const wallet = await other.newWallet();
    const path = `/v1/wallets/${wallet.id}/events?wait_seconds=30`;
    const waiting = other.api('GET', path, { token: wallet.api_key });
    await eventually('it waits', async () => {
      const listening = await other.query(
        "select from pg_stat_activity where query = 'listen webhook_due' and datname = current_database()",
      );
      return listening.length === 2; // the deliverer, and whoever looks for those who wait
    });
    // Left to wait for its 30 s, it would be cut off without an answer at the end of the grace for requests in flight.
    const [{ status, body }] = await Promise.all([waiting, other.stop()]);
    assert.equal(status, 200);
    assert.deepEqual(body.data.items, []);
  });
});

describe('examples/receiver.mjs', () => {
  it('goes on whatever is sent to it: a signature of other characters, half a request', async () => {
    const port = await freePort(seededRandom(`hostile ${process.pid}`));
    const env = { DATABASE: ':memory:' };
    const { child, output } = run(['examples/receiver.mjs', newSigningSecret(), `${port}`], env);
    await eventually('it listens', () => output().includes('listening'));
    const url = `http://127.0.0.1:${port}`;
    const headers = { 'X-Svc-Signature': 'é'.repeat(64) };
    assert.equal((await rawCall(url, 'POST', '/', { headers, body: '{}' })).status, 401);
    const half = connect(port, '127.0.0.1');
    half.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{}');
    await once(half, 'ready');
    assert.equal((await rawCall(url, 'POST', '/', { body: '{}' })).status, 401);
    half.resetAndDestroy();
    await once(half, 'close');
    assert.equal((await rawCall(url, 'POST', '/', { body: '{}' })).status, 401);
    assert.equal(child.exitCode, null);
  });

  it('fetches what came while it was off, sees a gap, and handles each event once', async () => {
    const wallet = await world.newWallet();
    const port = await freePort(seededRandom(`receiver ${process.pid}`));
    const url = `http://127.0.0.1:${port}/hook`;
    const { id, signing_secret } = await register(wallet, url);
    const failed = (count: number) =>
      eventually(`${count} have failed`, async () => {
        const sql = 'select from webhook_deliveries where endpoint_id = $1 and schedule_step = 1';
        return (await world.query(sql, [id])).length === count;
      });
    const hashes = [await deposit(wallet), await deposit(wallet)];
    await failed(2);
    const env = {
      API_URL: world.service.url,
      API_KEY: wallet.api_key,
      WALLET: wallet.id,
      WEBHOOK: id,
      DATABASE: join(temporaryDirectory(), 'receiver.sqlite'),
    };
    const { output } = run(['examples/receiver.mjs', signing_secret, `${port}`], env);
    const handled = () => eventually('all of them', () => hashes.every((hash) => output().includes(hash)));
    await handled();

    // Somebody sends one of them again, with a number that no signature covers: nothing is credited or skipped by it.
    const [first] = (await events(wallet, `?webhook_id=${id}`)).body.data.items;
    const altered = { headers: { ...first.headers, 'webhook-sequence': '1000' }, body: first.body };
    assert.equal((await rawCall(url, 'POST', '/hook', altered)).status, 200);

    // One does not get there, the next one does: the receiver runs all the while.
    const sendTo = (to: string) =>
      world.query('update webhook_endpoints set url = $2 where id = $1', [id, to]);
    await sendTo('http://127.0.0.1:1/');
    hashes.push(await deposit(wallet));
    await failed(3);
    await sendTo(url);
    hashes.push(await deposit(wallet));
    await handled();

    const body = { since: new Date(0).toISOString(), include_delivered: true };
    const path = `/v1/wallets/${wallet.id}/webhooks/${id}/replay`;
    const answer = await world.api('POST', path, { token: wallet.api_key, body });
    assert.deepEqual(answer.body.data, { count: 4n });
    await eventually('all are delivered', async () => {
      const sql = "select from webhook_deliveries where endpoint_id = $1 and status = 'delivered'";
      return (await world.query(sql, [id])).length === 4;
    });
    for (const hash of hashes) assert.equal(output().split(hash).length, 2, 'handled once');
    assert.ok(!output().includes('refused'));
  });
});

describe('teller listen', () => {
  const listen = (wallet: Wallet, receiver_url: string, more: string[] = []) =>
    run(['bin/teller.js', 'listen', '--forward-to', receiver_url, '--wallet', wallet.id, ...more], {
      API_URL: world.service.url,
      API_KEY: wallet.api_key,
    });

  it('brings events to a local receiver as webhooks come, signed with the secret that it shows', async () => {
    const wallet = await world.newWallet();
    const receiver = await startReceiver();
    const { child, output } = listen(wallet, `${receiver.url}/hook`);
    await eventually('it waits', () => output().includes('after event 0'));
    const hash = await deposit(wallet);
    await receiver.received(1);
    const { body, headers, path, method } = receiver.requests[0] as Received;
    assert.equal(`${method} ${path}`, 'POST /hook');
    const [event] = (await events(wallet)).body.data.items;
    assert.equal(`${body}`, event.body);
    assert.ok(body.includes(hash));
    assert.equal(headers['webhook-id'], event.id);
    assert.equal(headers['webhook-sequence'], '1');
    assert.equal(headers['content-type'], 'application/json');
    const secret = /whsec_\S+/.exec(output())?.[0] ?? '';
    assert.equal(headers['x-svc-signature'], createHmac('sha256', secret).update(body).digest('hex'));
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = `${event.id}.${headers['webhook-timestamp']}.${body}`;
    assert.equal(
      headers['webhook-signature'],
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    await eventually('its line', () => /#1 deposit\.created evt_\S+ → 200/.test(output()));
    child.kill('SIGINT');
    await eventually('its end', () => output().includes('--after 1'));
    assert.ok(!output().includes(wallet.api_key));
    await receiver.close();
  });

  it('that ends because its key was regenerated says where to go on', async () => {
    const wallet = await world.newWallet();
    const receiver = await startReceiver();
    const { ended, output } = listen(wallet, receiver.url);
    await eventually('it waits', () => output().includes('after event 0'));
    await deposit(wallet);
    await eventually('its line', () => output().includes('→ 200'));
    await world.api('POST', `/v1/wallets/${wallet.id}/api-key/regenerate`, { token: world.token });
    await deposit({ ...wallet, api_key: world.token });
    const code = await ended;
    await receiver.close();
    assert.equal(code, 1);
    assert.match(output(), /The API key is not valid/);
    assert.match(output(), /--after 1$/m);
  });

  it('keeps on while the receiver is away, and goes on after the number that it is given', async () => {
    const wallet = await world.newWallet();
    for (const _ of [1, 2, 3]) await deposit(wallet);
    await eventually('three events', async () => (await events(wallet)).body.data.items.length === 3);
    const receiver = await startReceiver((response, { headers }) => {
      if (receiver.requests.length === 1) response.destroy();
      else response.writeHead(headers['webhook-sequence'] === '2' ? 500 : 200).end();
    });
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const secret_file = join(temporaryDirectory(), 'secret');
    writeFileSync(secret_file, `${secret}\n`);
    const { output } = listen(wallet, receiver.url, ['--after', '1', '--secret-file', secret_file]);
    await receiver.received(3);
    for (const { headers, body } of receiver.requests)
      assert.equal(headers['x-svc-signature'], createHmac('sha256', secret).update(body).digest('hex'));
    assert.ok(!output().includes(secret), 'it is not shown again');
    assert.deepEqual(
      receiver.requests.map(({ headers }) => headers['webhook-sequence']),
      ['2', '2', '3'],
      'what was not answered is posted again, what was answered is not',
    );
    await eventually('both lines', () => /#2 .* → 500/.test(output()) && /#3 .* → 200/.test(output()));
    await receiver.close();
  });

  it('ends with the reason when the API refuses it', async () => {
    const wallet = await world.newWallet();
    const refused = listen({ ...wallet, api_key: 'svc_sk_test_wrong' }, 'http://127.0.0.1:9/');
    assert.deepEqual(await once(refused.child, 'close'), [1, null]);
    assert.match(refused.output(), /not valid/);
  });

  it('ends with the reason when nothing can be posted to the URL', async () => {
    const wallet = await world.newWallet();
    const refused = listen(wallet, 'http://user:password@127.0.0.1:9/');
    assert.deepEqual(await once(refused.child, 'close'), [1, null]);
    assert.match(refused.output(), /must not contain a user name or password/);
  });
});
