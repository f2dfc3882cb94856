import { StringDecoder } from 'node:string_decoder';
import { Agent, request } from 'undici';

export type HttpRequest = {
  url: string;
  method: 'GET' | 'POST';
  /** `type`: the content type. */
  body?: { type: string; text: string };
  timeout_ms: number;
  /** A longer answer is refused: a node must not fill our memory. */
  max_bytes: number;
};

export type HttpResponse = { status: number; text: string };

/**
 * Sends HTTP requests to sources. The sources themselves use no socket and no timer, so a simulation can replace the
 * network here. `send` rejects when there is no answer, and with AnswerTooLarge when the answer is too long.
 */
export type Transport = {
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
};

export class AnswerTooLarge extends Error {}

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS = 32;

/** Makes a transport by HTTP over keep-alive connections. */
export function httpTransport(): Transport {
  const dispatcher = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, connections: CONNECTIONS });
  return {
    async send({ url, method, body, timeout_ms, max_bytes }) {
      // Not AbortSignal.timeout: its timer keeps running after the answer, and creates an unused error.
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(new Error('timeout')), timeout_ms);
      try {
        const response = await request(url, {
          method,
          dispatcher,
          signal: patience.signal,
          ...(body && { body: body.text, headers: { 'content-type': body.type } }),
        });
        return { status: response.statusCode, text: await readText(response.body, max_bytes) };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => dispatcher.close(),
  };
}

async function readText(body: AsyncIterable<Buffer>, max_bytes: number): Promise<string> {
  // Decoded chunk by chunk: joining an answer of many megabytes first would copy it.
  const decoder = new StringDecoder('utf8');
  let text = '';
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > max_bytes) throw new AnswerTooLarge(`an answer of more than ${max_bytes} bytes`);
    text += decoder.write(chunk);
  }
  return text + decoder.end();
}
