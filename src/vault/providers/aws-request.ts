/**
 * One signed request to AWS KMS. The answer is read into locked memory, and what Node has received is wiped, because the
 * answer has a data key. AWS's own client makes strings of it, and left six times as many copies on the heap.
 */
import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { SignatureV4 } from '@smithy/signature-v4';
import { KeyProviderError } from './key-provider.ts';

/** A KMS answer has about 600 bytes. */
export const ANSWER_BYTES = 8192;

export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
/** `body`: a part of the locked memory that the caller has given. */
export type Answer = { status_code: number; error_type: string | null; body: Buffer };

type Endpoint = { url: URL; region: string };

/** Keeps connections open: a handshake would cost more than the request. */
export function createAgent({ url }: Endpoint): http.Agent {
  return url.protocol === 'https:'
    ? new https.Agent({ keepAlive: true })
    : new http.Agent({ keepAlive: true });
}

/**
 * Sends `parameters` to the operation. @throws KeyProviderError `away` when no whole answer comes before `signal` aborts
 */
export async function sendRequest(
  endpoint: Endpoint,
  agent: http.Agent,
  {
    operation,
    parameters,
    credentials,
    now,
    into,
    signal,
  }: {
    operation: string;
    parameters: object;
    credentials: Credentials;
    now: Date;
    /** Locked memory for the answer. */
    into: Buffer;
    signal: AbortSignal;
  },
): Promise<Answer> {
  const { url, region } = endpoint;
  const body = JSON.stringify(parameters);
  const signer = new SignatureV4({ service: 'kms', region, credentials, sha256: Sha256 });
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: '/',
      headers: {
        host: url.host,
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `TrentService.${operation}`,
      },
      body,
    },
    { signingDate: now },
  );
  return exchange(url, { agent, signal, method: 'POST', headers: signed.headers }, body, into);
}

function exchange(url: URL, options: http.RequestOptions, body: string, into: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new KeyProviderError('away', reasonOf(error), { cause: error }));
    const { request } = url.protocol === 'https:' ? https : http;
    const sent = request(url, options, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        const room = into.subarray(length);
        length += chunk.copy(room);
        const fits = chunk.length <= room.length;
        chunk.fill(0);
        if (!fits) response.destroy(new Error('the answer is too long'));
      });
      response.on('error', fail);
      response.on('end', () => {
        if (!response.complete) return fail(new Error('the answer broke off'));
        const type = response.headers['x-amzn-errortype'];
        resolve({
          status_code: response.statusCode ?? 0,
          error_type: typeof type === 'string' ? type : null,
          body: into.subarray(0, length),
        });
      });
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

function reasonOf(error: Error & { code?: string }): string {
  if (error.name === 'AbortError') return 'it does not answer in time';
  return error.code ?? error.message;
}

/** SHA-256, and HMAC where there is a secret, in the shape that the signer wants. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash is made for each use');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
