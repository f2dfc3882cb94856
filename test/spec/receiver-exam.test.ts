/** The exam of an endpoint by the service, and `teller verify-receiver`. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newSigningSecret } from '../../src/outgoing/sign.ts';
import { tellerStartedOnce } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type Launched, launch, printed } from '../support/launch.ts';
import { seededRandom } from '../support/random.ts';
import { startReceiver } from '../support/receiver.ts';
import { assertError, joinService, startSecond, type Wallet } from '../support/running-service.ts';
import { teller, temporaryDirectory } from '../support/service.ts';

const world = await joinService('receivers');
let wallet: Wallet;
const started: Launched[] = [];
before(async () => {
  wallet = await world.newWallet();
});
after(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await world.stop();
});

async function register(url: string): Promise<{ id: string; signing_secret: string }> {
  const path = `/v1/wallets/${wallet.id}/webhooks`;
  return (await world.api('POST', path, { token: wallet.api_key, body: { url } })).body.data;
}

const at = ({ id }: { id: string }, rest = '') => `/v1/wallets/${wallet.id}/webhooks/${id}${rest}`;
const exam = (endpoint: { id: string }, api = world.api, token = wallet.api_key) =>
  api('POST', at(endpoint, '/exam'), { token });

/** examples/receiver.mjs, with this secret. */
async function startExample(port: number, secret: string): Promise<void> {
  const launched = launch(['examples/receiver.mjs', secret, `${port}`], { DATABASE: ':memory:' });
  started.push(launched);
  await printed(launched, /(listening)/);
}

const portOf = (name: string) => freePort(seededRandom(`${name} ${process.pid}`));

describe('the exam of an endpoint', () => {
  it('is passed by examples/receiver.mjs', async () => {
    const port = await portOf('example');
    const endpoint = await register(`http://127.0.0.1:${port}/hook`);
    await startExample(port, endpoint.signing_secret);
    const { status, body, text } = await exam(endpoint);
    assert.equal(status, 200, text);
    assert.equal(body.data.passed, true, text);
    assert.deepEqual(body.data.unseen, []);
    const passed_at = async () => {
      const read = await world.api('GET', at(endpoint), { token: wallet.api_key });
      return read.body.data.exam_passed_at;
    };
    assert.match(await passed_at(), /Z$/);
    const change = (url: string) => world.api('PATCH', at(endpoint), { token: world.token, body: { url } });
    await change(`http://127.0.0.1:${port}/hook`);
    assert.match(await passed_at(), /Z$/, 'the same receiver');
    await change(`http://127.0.0.1:${port}/other`);
    assert.equal(await passed_at(), null, 'another one has not passed');
  });

  it('is signed with the replaced secrets too, as deliveries are', async () => {
    const receiver = await startReceiver();
    const endpoint = await register(receiver.url);
    await world.api('POST', at(endpoint, '/rotate-secret'), { token: world.token });
    assert.equal((await exam(endpoint)).body.data.passed, false, 'it accepts everything');
    const [first] = receiver.requests;
    assert.equal(`${first?.headers['webhook-signature']}`.split(' ').length, 2);
    assert.equal(first?.headers['webhook-sequence'], '1', 'after the deliveries, of which there are none');
    const read = await world.api('GET', at(endpoint), { token: wallet.api_key });
    assert.equal(read.body.data.exam_passed_at, null);
    await receiver.close();
  });

  it('is no delivery: nothing is in the log, no number is used, and the audit log has one entry', async () => {
    const receiver = await startReceiver();
    const endpoint = await register(receiver.url);
    assert.equal((await exam(endpoint)).status, 200);
    const { body } = await world.api('GET', at(endpoint, '/deliveries'), { token: wallet.api_key });
    assert.deepEqual(body.data.items, []);
    const test = await world.api('POST', at(endpoint, '/test'), { token: wallet.api_key });
    assert.equal(test.body.data.sequence, 1n);
    const sql = "select from audit_log where action = 'endpoint.examined' and target_id = $1";
    assert.equal((await world.query(sql, [endpoint.id])).length, 1);
    await receiver.close();
  });

  it('of a disabled endpoint is 422, and sends nothing', async () => {
    const receiver = await startReceiver();
    const endpoint = await register(receiver.url);
    await world.api('PATCH', at(endpoint), { token: world.token, body: { enabled: false } });
    assertError(await exam(endpoint), 422, 'endpoint_disabled');
    assert.equal(receiver.requests.length, 0);
    await receiver.close();
  });

  it('of another wallet, or of none, is 404', async () => {
    const other = await world.newWallet();
    const endpoint = await register('http://127.0.0.1:1/');
    assertError(await exam(endpoint, world.api, other.api_key), 404, 'not_found');
    assertError(await exam({ id: 'whe_0' }), 404, 'not_found');
  });

  it('reaches no address that deliveries do not reach', async () => {
    const inside = await startReceiver();
    const endpoint = await register('https://hook.example.com/');
    const url = `http://localhost:${inside.port}/`;
    await world.query('update webhook_endpoints set url = $2 where id = $1', [endpoint.id, url]);
    const { body } = await exam(endpoint);
    assert.match(body.data.cases[0].answers[0].error, /names a host that is not public/);
    assert.equal(inside.connections.total, 0);
    await inside.close();
  });

  it('runs once at a time, over all processes; the next one may follow at once', async () => {
    const second = await startSecond(world, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    const held = Promise.withResolvers<void>();
    const receiver = await startReceiver(
      (response) => void held.promise.then(() => response.writeHead(200).end()),
    );
    const endpoint = await register(receiver.url);
    const first = exam(endpoint);
    await receiver.received(1);
    assertError(await exam(endpoint), 409, 'exam_running');
    assertError(await exam(endpoint, second.api), 409, 'exam_running');
    held.resolve();
    assert.equal((await first).status, 200);
    assert.equal((await exam(endpoint, second.api)).status, 200);
    await receiver.close();
    assert.equal(await second.stop(), 0);
  });

  it('that a crash has cut off keeps the next one waiting until its time is over, and no longer', async () => {
    const receiver = await startReceiver();
    const endpoint = await register(receiver.url);
    const leave = (until: string) =>
      world.query(`update webhook_endpoints set examined_until = ${until} where id = $1`, [endpoint.id]);
    await leave("now() + interval '1 minute'");
    assertError(await exam(endpoint), 409, 'exam_running');
    await leave("now() - interval '1 second'");
    assert.equal((await exam(endpoint)).status, 200);
    await receiver.close();
  });

  it('ends when the service stops or its caller leaves, and then the next one may begin', async () => {
    const second = await startSecond(world, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    const receiver = await startReceiver(() => undefined);
    const endpoint = await register(receiver.url);
    const running = exam(endpoint, second.api);
    await receiver.received(1);
    // The receiver never answers: an exam that waited for it would be cut off without an answer, or go on to its next case.
    const [answer, code] = await Promise.all([running, second.stop()]);
    assertError(answer, 503, 'service_stopping');
    assert.equal(code, 0);
    assert.equal(receiver.requests.length, 1, 'no other case follows');

    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${wallet.api_key}`, 'content-type': 'application/json' };
    const url = `${world.service.url}${at(endpoint, '/exam')}`;
    const left = fetch(url, { method: 'POST', body: '{}', headers, signal: leaving.signal });
    await receiver.received(2);
    leaving.abort();
    await assert.rejects(left);
    receiver.answer(401);
    await eventually('the next one begins', async () => (await exam(endpoint)).status === 200);
    await receiver.close();
  });
});

describe('teller verify-receiver', () => {
  const secretFile = (secret: string) => {
    const path = join(temporaryDirectory(), 'secret');
    writeFileSync(path, secret);
    return path;
  };

  it('passes examples/receiver.mjs, without a service', async () => {
    const [port, secret] = [await portOf('command'), newSigningSecret()];
    await startExample(port, secret);
    const url = `http://127.0.0.1:${port}/`;
    const { code, output } = await tellerStartedOnce([
      'verify-receiver',
      '--url',
      url,
      '--secret-file',
      secretFile(secret),
    ]);
    assert.equal(code, 0, output);
    assert.match(output, /passed the exam: all \d+ cases/);
    assert.ok(!output.includes(secret));
  });

  it('ends with code 1 for a receiver that accepts everything, and says what to mend', async () => {
    const receiver = await startReceiver();
    const args = ['verify-receiver', '--url', receiver.url, '--secret-file', secretFile(newSigningSecret())];
    const { code, output } = await tellerStartedOnce(args);
    assert.equal(code, 1);
    assert.match(output, /^failed +wrong_signature +200/m);
    assert.match(output, /answer 401 when they differ/);
    const json = await tellerStartedOnce([...args, '--json']);
    assert.equal(json.code, 1);
    assert.equal(JSON.parse(json.output).passed, false);
    await receiver.close();
  });

  it('shows a new secret and waits until the receiver has it', async () => {
    const receiver = await startReceiver();
    const { output } = await teller(['verify-receiver', '--url', receiver.url], {}, '\n');
    assert.match(output, /Start the receiver with this signing secret, then press Enter: whsec_\S+/);
    assert.ok(receiver.requests.length > 0);
    await receiver.close();
  });

  it('lets the service examine an endpoint, with the same report', async () => {
    const receiver = await startReceiver();
    const endpoint = await register(receiver.url);
    const args = ['verify-receiver', '--wallet', wallet.id, '--endpoint', endpoint.id];
    const env = { API_URL: world.service.url, API_KEY: wallet.api_key };
    const { code, output } = await tellerStartedOnce(args, env);
    assert.equal(code, 1);
    assert.match(output, /^failed +wrong_signature +200/m);
    await receiver.close();
  });

  it('without a receiver says how to name one', async () => {
    const { code, output } = await tellerStartedOnce(['verify-receiver', '--wallet', wallet.id]);
    assert.equal(code, 1);
    assert.match(output, /--url/);
  });
});
