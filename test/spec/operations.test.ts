/** Starting and stopping: what the service promises to whoever runs it. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { openLedger } from '../support/ledger.ts';
import { databaseServer } from '../support/running-service.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

const data_dir = temporaryDirectory();

let service: TestService;
let token: string;
let wallet: { id: string; account: string; api_key: string };
before(async () => {
  service = await startService({ data_dir });
  token = await service.login();
  wallet = await newWallet();
});
after(async () => {
  assert.equal(await service.stop(), 0, service.output());
});

const newWallet = async () => {
  const { body } = await service.api('POST', '/v1/wallets', { token, body: { name: 'w' } });
  return body.data;
};
const get = async (path: string) =>
  (await service.api('GET', `/v1/wallets/${wallet.id}${path}`, { token })).body.data;
const withdraw = (key: string, destination: string, amount_stroops: number) =>
  service.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
    token,
    headers: { 'idempotency-key': key },
    body: { destination, amount_stroops },
  });

/** Sends a request on a connection of its own, and returns this connection once the system has the request. */
async function askWithoutCredential(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const head = [
    `POST /v1/wallets/${wallet.id}/withdraw HTTP/1.1`,
    'Host: localhost',
    'Idempotency-Key: late',
  ];
  const content = ['Content-Type: application/json', 'Content-Length: 2', '', '{}'];
  await new Promise<unknown>((sent) => socket.write([...head, ...content].join('\r\n'), sent));
  return socket;
}

/** On a loaded machine the reading of ledgers may be behind for a moment. */
const ready = () =>
  eventually('the service is ready', async () => {
    const { status, body } = await service.api('GET', '/readyz');
    return status === 200 && body.statusCode === 200n;
  });

describe('a running service', () => {
  it('prints its URL, network, database and the demo login', () => {
    const { email, password } = JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8'));
    for (const said of [service.url, 'sandbox', 'PostgreSQL', email, password, 'curl']) {
      assert.ok(service.output().includes(said), said);
    }
  });

  it('keeps its secrets to its owner: mode 0600', () => {
    for (const name of ['master-key', 'demo-login']) {
      assert.equal(statSync(join(data_dir, name)).mode & 0o777, 0o600, name);
    }
  });

  it('GET /healthz and /readyz answer 200 without a credential', async () => {
    const { status, body } = await service.api('GET', '/healthz');
    assert.deepEqual([status, body.statusCode], [200, 200n]);
    await ready();
  });

  it('GET /openapi.json is OpenAPI 3.1, and the file in docs/ is the same', async () => {
    const { status, body, text } = await service.api('GET', '/openapi.json');
    assert.equal(status, 200);
    assert.match(body.openapi, /^3\.1/);
    const file = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'openapi.json'), 'utf8');
    assert.deepEqual(JSON.parse(text), JSON.parse(file));
  });

  it('a second start on the same DATA_DIR says so and refuses, and the first goes on', async () => {
    const { code, output } = await teller(['serve'], { DATA_DIR: data_dir, PORT: '0', SANDBOX_PORT: '0' });
    assert.notEqual(code, 0);
    assert.ok(output.includes(data_dir), output);
    assert.ok(!/^ +at /m.test(output), `no stack trace: ${output}`);
    await ready();
  });

  it('a port that is taken is named, and the start refused', async () => {
    const { port } = new URL(service.url);
    const { code, output } = await teller(['serve'], {
      DATA_DIR: temporaryDirectory(),
      PORT: port,
      SANDBOX_PORT: '0',
    });
    assert.notEqual(code, 0);
    assert.ok(output.includes(port), output);
    assert.ok(!/^ +at /m.test(output), `no stack trace: ${output}`);
  });
});

describe('configuration', () => {
  it('is checked as a whole, every fault named in one message', async () => {
    const { code, output } = await teller(['serve'], {
      DATA_DIR: temporaryDirectory(),
      PORT: 'many',
      STELLAR_NETWORK: 'moon',
      JWT_TTL_SECONDS: '-1',
      SANDBOX_CLOSE_MS: 'soon',
      MASTER_KEY: 'short',
    });
    assert.notEqual(code, 0);
    for (const name of ['PORT', 'STELLAR_NETWORK', 'JWT_TTL_SECONDS', 'SANDBOX_CLOSE_MS', 'MASTER_KEY']) {
      assert.ok(output.includes(name), `${name} in ${output}`);
    }
  });

  it('DATABASE_URL requires MASTER_KEY', async () => {
    const { code, output } = await teller(['serve'], {
      DATA_DIR: temporaryDirectory(),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });
    assert.notEqual(code, 0);
    assert.ok(output.includes('MASTER_KEY'), output);
  });

  it('another MASTER_KEY than the database’s is refused; a DATABASE_URL of a UNIX socket is understood', async () => {
    const { host, port, password } = databaseServer(data_dir);
    const { code, output } = await teller(['serve'], {
      DATA_DIR: temporaryDirectory(),
      PORT: '0',
      SANDBOX_PORT: '0',
      STELLAR_RPC_URL: service.rpc_url,
      DATABASE_URL: `postgres://postgres:${password}@/postgres?host=${encodeURIComponent(host)}&port=${port}`,
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    assert.notEqual(code, 0);
    assert.match(output, /MASTER_KEY/);
    assert.ok(!/^ +at /m.test(output), `no stack trace: ${output}`);
  });
});

describe('after Ctrl-C', () => {
  it('requests of the first moments get 503 with Retry-After, on connections of their own; none is reset', async () => {
    // These moments are half a second, in which a loaded machine may not ask in time. So the process stands still until the signal
    // and the requests are there.
    process.kill(service.pid, 'SIGSTOP');
    const stopped = service.stop();
    const asked = await Promise.all([1, 2, 3].map(() => askWithoutCredential()));
    process.kill(service.pid, 'SIGCONT');
    const answers = await Promise.all(asked.map(text));
    assert.equal(await stopped, 0);
    // The process may see a request before the signal.
    const refused = answers.filter((answer) => !answer.startsWith('HTTP/1.1 401 '));
    assert.ok(refused.length > 0);
    for (const answer of refused) {
      assert.match(answer, /^HTTP\/1\.1 503 /);
      assert.match(answer, /^retry-after: 1\r$/im);
      assert.match(answer, /^connection: close\r$/im);
      assert.match(answer, /"code":"service_stopping"/);
    }
    service = await startService({ data_dir });
  });

  it('half a request is cut off when the grace is over; one in flight is answered, and its open connection ended before', async () => {
    await service.stop();
    service = await startService({ data_dir, env: { SANDBOX_CLOSE_MS: '1000' } }); // so that it is in flight for a while
    const destination = (await (await openLedger(service.rpc_url)).fund()).publicKey();
    const ended: string[] = [];
    const { port } = new URL(service.url);
    const half = connect(Number(port), '127.0.0.1');
    half.on('error', () => undefined); // however the service ends it
    half.on('close', () => ended.push('half a request'));
    const head = ['POST /v1/auth/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
    half.write([...head, 'Content-Length: 100', '', '{'].join('\r\n'));
    const agent = new Agent({ keepAlive: true });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'stop',
      };
      const asked = request(`${service.url}/v1/wallets/${wallet.id}/withdraw`, {
        method: 'POST',
        agent,
        headers,
      });
      asked.on('socket', (socket) => socket.on('close', () => ended.push('a request in flight')));
      asked.on('response', (response) => resolve(response.resume())).on('error', reject);
      asked.end(JSON.stringify({ destination, amount_stroops: 1 }));
    });
    await eventually(
      'the key is taken',
      async () => (await get('/withdrawals?idempotency_key=stop')).items.length,
    );
    assert.equal(await service.stop(), 0);
    assert.equal((await answered).statusCode, 201);
    await eventually('both connections have ended', () => ended.length === 2);
    assert.deepEqual(ended, ['a request in flight', 'half a request']);
    agent.destroy();
    service = await startService({ data_dir });
  });

  it('everything is stopped, and the next start has users, keys, balances, deposits and the ledger', async () => {
    const payee = (await (await openLedger(service.rpc_url)).fund()).publicKey();
    const { body } = await withdraw('before the stop', payee, 12_345);
    const seen = {
      wallet: await get(''),
      balances: await get('/balances'),
      transactions: await get('/transactions'),
    };
    process.kill(service.pid, 'SIGINT');
    assert.equal(await service.stop(), 0);
    assert.throws(() => process.kill(service.pid, 0), 'the process is gone');
    assert.throws(() => databaseServer(data_dir), 'PostgreSQL has been stopped');

    service = await startService({ data_dir });
    assert.deepEqual(
      { wallet: await get(''), balances: await get('/balances'), transactions: await get('/transactions') },
      seen,
    );
    const ledger = await openLedger(service.rpc_url);
    assert.equal((await ledger.account(payee))?.balance, 100_000_012_345n);
    assert.equal((await ledger.transaction(body.data.stellar_tx_hash)).status, 'SUCCESS');
    const again = await withdraw('before the stop', payee, 12_345);
    assert.equal(again.status, 409);
    assert.deepEqual(again.body.data, body.data);
    assert.equal(
      (await service.api('GET', `/v1/wallets/${wallet.id}`, { token: wallet.api_key })).status,
      200,
    );
  });
});
