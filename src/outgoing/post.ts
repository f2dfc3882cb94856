/**
 * Sends requests to one receiver, which may be slow, broken or hostile: without redirects, proxy or decompression. It checks every
 * address at the time of the connect. All outgoing HTTP of the deliverer goes through here.
 */
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../lib/clock.ts';
import { CONNECT_TIMEOUT_MS, checkedConnector, type OnConnect, RefusedAddress } from './checked-connector.ts';
import { ANSWER_MAX_BYTES, type Answer, createDeadlines, Exchange } from './exchange.ts';
import { limitAnswers } from './limit-answers.ts';
import { checkUrl, type Exemptions, isExemptHost } from './public-url.ts';
import type { Resolve } from './resolve-host.ts';

/** From resolving the name to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

export type PostResult =
  | { status_code: number; retry_after: string | null; response_body: string | null }
  /** There was no answer; the text is the reason. */
  | { error: string }
  /** Ended by `close`: the request may have arrived. One after `close` has not. */
  | { abandoned: true };

/** Returns true for a 2xx response: any of them acknowledges what was sent. */
export const isAcknowledged = (status_code: number) => status_code >= 200 && status_code <= 299;

export type Poster = {
  /** Sends a request. A body that is a stream needs a `Content-Length` among the headers. */
  post(request: {
    url: string;
    headers: Record<string, string>;
    body: Buffer | Readable;
  }): Promise<PostResult>;
  /** Asks by GET, with the same checks and limits. */
  get(url: string): Promise<PostResult>;
  /** Closes all connections; requests under way are abandoned, and later ones not sent. */
  close(): Promise<void>;
};

/** The used part of undici's Pool. */
type Connections = {
  dispatch: Dispatcher['dispatch'];
  close(): Promise<void>;
  destroy(): Promise<void>;
};
/** Simulations have no sockets and replace this. */
export type OpenPool = (origin: string, settings: Pool.Options) => Connections;

/** The destination of the last request, with connections that are kept alive for the next one. */
type Target = { text: string; url: URL; pool: Connections; isExempt(): boolean };

/**
 * Creates a poster. Each endpoint has its own: an endpoint that hangs occupies no connection of another one on the same host.
 * `show_exempt_answers`: keep the answers of exempt hosts; otherwise they are dropped, because they could be private.
 */
export function createPoster(options: {
  exemptions: Exemptions;
  show_exempt_answers: boolean;
  resolve: Resolve;
  clock: Clock;
  open_pool?: OpenPool;
}): Poster {
  const { exemptions, open_pool = (origin, settings) => new Pool(origin, settings) } = options;
  const deadlines = createDeadlines(options.clock, ATTEMPT_TIMEOUT_MS);
  const underWay = new Set<Exchange>();
  let target: Target | undefined;
  let is_closed = false;

  function targetOf(text: string): Target | { refused: string } {
    if (target?.text === text) return target;
    const checked = checkUrl(text, exemptions);
    if ('refused' in checked) return checked;
    target?.pool.close().catch(() => undefined); // after its last request; an error of closing matters to nobody
    target = targetAt(checked.url, text);
    return target;
  }

  function targetAt(url: URL, text: string): Target {
    let has_exempt_peer = false;
    const connected: OnConnect = (socket, { is_exempt }) => {
      has_exempt_peer ||= is_exempt;
      limitAnswers(socket, ANSWER_MAX_BYTES);
    };
    const pool = open_pool(url.origin, {
      connect: checkedConnector({ exemptions, resolve: options.resolve, connected }),
      allowH2: false,
      headersTimeout: 0, // the deadline of the attempt covers both
      bodyTimeout: 0,
      // Never reached: limitAnswers covers the whole answer. Undici's own limit builds an error with its stack for every
      // header beyond it: thousands for one read of the socket, which delay all other deliveries by 0.2 s.
      maxHeaderSize: 2 * ANSWER_MAX_BYTES,
    });
    return { text, url, pool, isExempt: () => isExemptHost(url, exemptions) || has_exempt_peer };
  }

  function resultOf(answer: Answer, { isExempt }: Target): PostResult {
    if ('abandoned' in answer) return answer;
    if ('late' in answer) return { error: `no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s` };
    if ('error' in answer) return { error: failureText(answer.error) };
    const { status_code, retry_after, head } = answer;
    const response_body = isExempt() && !options.show_exempt_answers ? null : textOf(head);
    return { status_code, retry_after, response_body };
  }

  async function send(
    url: string,
    request: Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'>,
  ): Promise<PostResult> {
    if (is_closed) return { abandoned: true };
    const to = targetOf(url);
    if ('refused' in to) return { error: `not sent: the url ${to.refused}` };
    const exchange = new Exchange();
    underWay.add(exchange);
    deadlines.add(exchange);
    to.pool.dispatch({ ...request, path: to.url.pathname + to.url.search }, exchange);
    const answer = await exchange.answer;
    deadlines.delete(exchange);
    underWay.delete(exchange);
    return resultOf(answer, to);
  }

  return {
    post: ({ url, headers, body }) => send(url, { method: 'POST', headers, body }),
    get: (url) => send(url, { method: 'GET' }),
    async close() {
      is_closed = true;
      for (const exchange of underWay) exchange.end({ abandoned: true });
      deadlines.stop();
      await target?.pool.destroy();
    },
  };
}

/** Returns a text that PostgreSQL can hold: valid UTF-8 without NUL, and without a character that was cut at the end. */
function textOf(bytes: Buffer): string {
  if (bytes.length === 0) return '';
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}

const ERROR_TEXTS: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: `could not connect within ${CONNECT_TIMEOUT_MS / 1000} s`,
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not HTTP',
  ANSWER_TOO_LONG: 'no answer within 64 KiB',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name has no address',
  HTTPParserError: 'the answer is not HTTP',
  NO_STATUS: 'the answer is not HTTP',
  EPIPE: 'the connection was closed before an answer came',
};

/** Returns a cause that the receiver's owner can act on, as a part of a sentence. The error's own text may name private addresses. */
export function failureText(error: Error & { code?: string }): string {
  if (error instanceof RefusedAddress) return error.message;
  const code = error.code ?? error.name;
  return ERROR_TEXTS[code] ?? `the request failed (${code})`;
}
