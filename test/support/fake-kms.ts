/**
 * AWS KMS as far as the service uses it: a key, and another one to move the alias to, in this process, over HTTP on the loopback address. It says what real KMS
 * says of a disabled key, of missing rights and of too many requests, which moto does not.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fault =
  | { error: string; status_code?: number }
  /** A proxy answers in its place. */
  | 'html'
  | 'cut'
  | 'reset'
  | 'hang'
  /** JSON without a key. */
  | 'empty';

export type FakeKms = {
  url: string;
  key_id: string;
  /** Names the key, until it is moved. */
  alias: string;
  /** The alias names the other key from now on, or this one again. */
  moveAlias(to: 'other key' | 'this key'): void;
  /** Called once the next call is answered. */
  onCall(work: () => void): void;
  /** The settings of a service that uses it. */
  env: Record<string, string>;
  /** Calls since the start: `GenerateDataKey` or `Decrypt`. */
  calls: { operation: string; context: Record<string, string> }[];
  /** Every data key that it has given out. */
  data_keys: Buffer[];
  /** Sets the fault of every call from now on; null ends it. `times`: only for so many calls; `after`: after so many that succeed. */
  fail(fault: Fault | null, times?: number, after?: number): void;
  /** Milliseconds before each answer. */
  delay(ms: number): void;
  /** Credentials with this access key are accepted only; others are `UnrecognizedClientException`. */
  accept(access_key: string): void;
  /** Answers a request that another server has taken. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
};

type Parameters = { KeyId: string; CiphertextBlob?: string; EncryptionContext: Record<string, string> };

/** `keep`: whether it remembers the data keys, which then are in the memory of this process. */
export async function startFakeKms({ keep = false, region = 'eu-central-1' } = {}): Promise<FakeKms> {
  const [this_key, other_key] = [newKey(region), newKey(region)];
  const { arn: key_id } = this_key;
  const fake = {
    fault: null as Fault | null,
    times: Number.POSITIVE_INFINITY,
    after: 0,
    delay_ms: 0,
    access_key: 'AKIATEST',
    alias_of: this_key,
    on_call: null as (() => void) | null,
  };
  const calls: FakeKms['calls'] = [];
  const data_keys: Buffer[] = [];

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const operation = `${request.headers['x-amz-target']}`.replace('TrentService.', '');
    const parameters: Parameters = JSON.parse(Buffer.concat(chunks).toString());
    calls.push({ operation, context: parameters.EncryptionContext });
    if (fake.delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, fake.delay_ms));
    const fault = fake.after-- <= 0 && fake.times-- > 0 ? fake.fault : null;
    if (fault !== null) return failWith(fault, request, response);
    const refusal = refusalOf(request, parameters);
    if (refusal) return failWith({ error: refusal }, request, response);
    const answered = operation === 'Decrypt' ? decrypt(parameters) : generate(parameters);
    fake.on_call?.();
    fake.on_call = null;
    send(response, 200, answered);
  }

  function refusalOf({ headers }: IncomingMessage, { KeyId }: Parameters): string | null {
    const [, access_key, , signed_region] =
      /Credential=([^/]+)\/([^/]+)\/([^/]+)\/kms\//.exec(`${headers.authorization}`) ?? [];
    if (access_key !== fake.access_key) return 'UnrecognizedClientException';
    if (signed_region !== region) return 'InvalidSignatureException';
    return keyOf(KeyId) ? null : 'NotFoundException';
  }

  function keyOf(name: string): FakeKey | undefined {
    return name === ALIAS ? fake.alias_of : [this_key, other_key].find(({ arn }) => arn === name);
  }

  function generate({ KeyId, EncryptionContext }: Parameters) {
    const { arn, key } = keyOf(KeyId) as FakeKey;
    const data_key = randomBytes(32);
    if (keep) data_keys.push(data_key);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aadOf(EncryptionContext));
    const ciphertext = Buffer.concat([cipher.update(data_key), cipher.final()]);
    const blob = Buffer.concat([iv, ciphertext, cipher.getAuthTag()]);
    return {
      CiphertextBlob: blob.toString('base64'),
      KeyId: arn,
      Plaintext: data_key.toString('base64'),
    };
  }

  function decrypt({ KeyId, CiphertextBlob = '', EncryptionContext }: Parameters) {
    const blob = Buffer.from(CiphertextBlob, 'base64');
    if (blob.length === 0)
      return { __type: 'ValidationException', message: 'length greater than or equal to 1' };
    const named = keyOf(KeyId);
    for (const { arn, key } of [this_key, other_key]) {
      const plain = openBlob(key, blob, EncryptionContext);
      if (!plain) continue;
      if (arn !== named?.arn) return { __type: 'IncorrectKeyException', message: null };
      return { KeyId: arn, Plaintext: plain.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
    }
    return { __type: 'InvalidCiphertextException', message: null };
  }

  const env = {
    KEY_PROVIDER: 'aws-kms',
    AWS_KMS_KEY_ID: key_id,
    AWS_ENDPOINT_URL_KMS: url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  return {
    url,
    key_id,
    alias: ALIAS,
    moveAlias(to) {
      fake.alias_of = to === 'this key' ? this_key : other_key;
    },
    onCall(work) {
      fake.on_call = work;
    },
    env,
    calls,
    data_keys,
    fail(fault, times = Number.POSITIVE_INFINITY, after = 0) {
      Object.assign(fake, { fault, times, after });
    },
    delay(ms) {
      fake.delay_ms = ms;
    },
    accept(access_key) {
      fake.access_key = access_key;
    },
    handle: (request, response) => void answer(request, response),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const ALIAS = 'alias/teller';
type FakeKey = { arn: string; key: Buffer };

function newKey(region: string): FakeKey {
  const arn = `arn:aws:kms:${region}:111122223333:key/${randomBytes(8).toString('hex')}`;
  return { arn, key: randomBytes(32) };
}

function openBlob(key: Buffer, blob: Buffer, context: Record<string, string>): Buffer | null {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12)).setAAD(aadOf(context));
    cipher.setAuthTag(blob.subarray(-16));
    return Buffer.concat([cipher.update(blob.subarray(12, -16)), cipher.final()]);
  } catch {
    return null;
  }
}

/** The order of the fields does not count, as in KMS. */
function aadOf(context: Record<string, string>): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(context).sort()));
}

function failWith(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  if (fault === 'hang') return;
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (fault === 'cut') {
    response.writeHead(200, { 'content-length': 500 });
    response.write('{"CiphertextBlob":"AA');
    setTimeout(() => request.socket.destroy(), 5);
    return;
  }
  if (fault === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
    return;
  }
  if (fault === 'empty') send(response, 200, {});
  else send(response, fault.status_code ?? 400, { __type: fault.error, message: 'as the test says' });
}

function send(response: ServerResponse, status_code: number, body: object): void {
  const status = '__type' in body && status_code === 200 ? 400 : status_code;
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
