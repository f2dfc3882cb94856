/** AWS KMS as moto answers: the real form of requests and answers, of wrapped keys and of a wrong context. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/lib/clock.ts';
import { openAwsKms } from '../../src/vault/providers/aws-kms.ts';
import { createAgent, sendRequest } from '../../src/vault/providers/aws-request.ts';
import type { KeyProvider } from '../../src/vault/providers/key-provider.ts';
import { eventually } from '../support/eventually.ts';

const REGION = 'eu-central-1';
const { MOTO_SERVER = '' } = process.env;
const skip = existsSync(MOTO_SERVER) ? false : 'moto is not there (npm run test:providers installs it)';
const CREDENTIALS = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };
const CONTEXT = { id: 'wal_1', public_key: randomBytes(32) };

describe('AWS KMS by moto', { skip }, () => {
  let endpoint: URL;
  let stop: () => Promise<void>;
  let provider: KeyProvider;
  let key_id: string;

  before(async () => {
    process.env.AWS_ACCESS_KEY_ID = CREDENTIALS.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = CREDENTIALS.secretAccessKey;
    const port = await freePort();
    const server = spawn(MOTO_SERVER, ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' });
    stop = async () => {
      server.kill();
      await once(server, 'exit');
    };
    endpoint = new URL(`http://127.0.0.1:${port}`);
    await eventually(
      'moto answers',
      () =>
        fetch(endpoint).then(
          () => true,
          () => null,
        ),
      60_000,
    );
    key_id = (await ask('CreateKey', {})).KeyMetadata.Arn;
    provider = openAwsKms({ key_id, region: REGION, endpoint }, systemClock);
  });
  after(async () => {
    await provider.close();
    await stop();
  });

  async function ask(operation: string, parameters: object): Promise<any> {
    const agent = createAgent({ url: endpoint, region: REGION });
    const into = Buffer.alloc(8192);
    const signal = AbortSignal.timeout(10_000);
    const request = { operation, parameters, credentials: CREDENTIALS, now: new Date(), into, signal };
    const { status_code, body } = await sendRequest({ url: endpoint, region: REGION }, agent, request);
    agent.destroy();
    assert.equal(status_code, 200, body.toString());
    return JSON.parse(body.toString());
  }

  const make = () =>
    provider.makeDataKey(CONTEXT, (data_key, wrapped) => ({ data_key: Buffer.from(data_key), wrapped }));
  const unwrap = (wrapped: Buffer, context = CONTEXT, from = provider) =>
    from.unwrapDataKey(wrapped, context, (data_key) => Buffer.from(data_key));

  it('unwraps what it has wrapped, for the same owner only', async () => {
    const { data_key, wrapped } = await make();
    assert.equal(data_key.length, 32);
    assert.deepEqual(await unwrap(wrapped), data_key);
    await assert.rejects(unwrap(wrapped, { ...CONTEXT, id: 'wal_2' }), { fault: 'refused' });
    await assert.rejects(unwrap(wrapped, { ...CONTEXT, public_key: randomBytes(32) }), { fault: 'refused' });
  });

  it('works by the key id and by an alias', async () => {
    const { data_key, wrapped } = await make();
    await ask('CreateAlias', { AliasName: 'alias/teller', TargetKeyId: key_id });
    for (const named of [key_id.split('/')[1] as string, 'alias/teller']) {
      const other = openAwsKms({ key_id: named, region: REGION, endpoint }, systemClock);
      assert.deepEqual(await unwrap(wrapped, CONTEXT, other), data_key);
      await other.close();
    }
  });

  it('does not find a key that does not exist', async () => {
    const missing = key_id.replace(/.{4}$/, '0000');
    const other = openAwsKms({ key_id: missing, region: REGION, endpoint }, systemClock);
    await assert.rejects(
      other.makeDataKey(CONTEXT, () => null),
      { fault: 'unusable' },
    );
    await other.close();
  });

  it('tells how long a call takes', async () => {
    const { wrapped } = await make();
    const began_ms = performance.now();
    for (let i = 0; i < 50; i++) await unwrap(wrapped);
    console.log(`Decrypt by moto: ${((performance.now() - began_ms) / 50).toFixed(1)} ms`);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
