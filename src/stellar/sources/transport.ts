import { StringDecoder } from 'node:string_decoder';
import { Agent, request } from 'undici';

export type HttpRequest = {
  url: string;
  method: 'GET' | 'POST';
  /** With its content type. */
  body?: { type: string; text: string };
  timeout_ms: number;
  /** A longer answer is given up: a node must not be able to fill our memory. */
  max_bytes: number;
};

export type HttpResponse = { status: number; text: string };

/**
 * How sources are reached. Everything above it knows no socket, timer or clock, so that a simulation can put a network
 * in its own process here. `send` rejects when there is no answer, with AnswerTooLarge when there is too much of one.
 */
export type Transport = {
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
};

export class AnswerTooLarge extends Error {}

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS = 32;

/** HTTP over sockets that are kept open. */
export function httpTransport(): Transport {
  const dispatcher = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, connections: CONNECTIONS });
  return {
    async send({ url, method, body, timeout_ms, max_bytes }) {
      // Not AbortSignal.timeout: its timer goes on after the answer, and builds an error for nobody when it ends.
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
  // As it comes: an answer may be many megabytes, which would be copied together first.
  const decoder = new StringDecoder('utf8');
  let text = '';
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop breaks the connection.
    if (length > max_bytes) throw new AnswerTooLarge(`an answer of more than ${max_bytes} bytes`);
    text += decoder.write(chunk);
  }
  return text + decoder.end();
}
