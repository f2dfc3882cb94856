/**
 * POSTs to one receiver, which may be slow, broken or hostile. The only outgoing HTTP of this slice: no redirects, no
 * proxy, no decompression, and a connection only to an address that was checked when it was made.
 */
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import {
  checkUrl,
  type Exemptions,
  isAllowedAddress,
  isExemptHost,
  isPublicAddress,
} from '../endpoints/public-url.ts';
import type { Resolve } from '../endpoints/resolve.ts';
import { ANSWER_MAX_BYTES, type Answer, createDeadlines, Exchange, limitAnswers } from './exchange.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** From resolving the name to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

export type PostResult =
  | { status_code: number; retry_after: string | null; response_body: string | null }
  /** No answer, and why. */
  | { error: string }
  /** Given up by `close`: the request may have arrived. */
  | { abandoned: true };

export type Poster = {
  post(request: { url: string; headers: Record<string, string>; body: Buffer }): Promise<PostResult>;
  /** Connections end, and what is under way is given up. */
  close(): Promise<void>;
};

/** What is used of undici's pool of connections to one origin. */
type Connections = {
  dispatch: Dispatcher['dispatch'];
  close(): Promise<void>;
  destroy(): Promise<void>;
};
/** A simulation, which has no sockets, gives connections of its own. */
export type OpenPool = (origin: string, settings: Pool.Options) => Connections;

/** The address is not one to connect to; the text is shown in the delivery log and does not tell the address. */
class RefusedAddress extends Error {}

/** Where the last request went; its connections are kept alive for the next one. */
type Target = { text: string; url: URL; pool: Connections; isExempt(): boolean };

/**
 * One for each endpoint: its connections are its own, so that one that hangs takes none of another on the same host.
 * `show_exempt_answers`: keep what exempted hosts answer; else it is read and dropped, for it could be private.
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

  function targetOf(text: string): Target | { refused: string } {
    if (target?.text === text) return target;
    const checked = checkUrl(text, exemptions);
    if ('refused' in checked) return checked;
    target?.pool.close().catch(() => undefined); // when its last request is done; there is nobody to tell
    target = targetAt(checked.url, text);
    return target;
  }

  function targetAt(url: URL, text: string): Target {
    const in_block = new Set<string>();
    const pool = open_pool(url.origin, {
      connect: checkedConnector(exemptions, options.resolve, in_block),
      allowH2: false,
      headersTimeout: 0, // one deadline holds for the whole attempt
      bodyTimeout: 0,
      // Never reached: one limit holds for the whole answer. Undici's own makes an error with its stack for every header
      // beyond it that one read brings: thousands, which hold up all other deliveries for 0.2 s.
      maxHeaderSize: 2 * ANSWER_MAX_BYTES,
    });
    return { text, url, pool, isExempt: () => isExemptHost(url, exemptions) || in_block.size > 0 };
  }

  function resultOf(answer: Answer, { isExempt }: Target): PostResult {
    if ('abandoned' in answer) return answer;
    if ('late' in answer) return { error: `no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s` };
    if ('error' in answer) return { error: describe(answer.error) };
    const { status_code, retry_after, head } = answer;
    const response_body = isExempt() && !options.show_exempt_answers ? null : textOf(head);
    return { status_code, retry_after, response_body };
  }

  return {
    async post({ url, headers, body }) {
      const to = targetOf(url);
      if ('refused' in to) return { error: `not sent: the url ${to.refused}` };
      const exchange = new Exchange();
      underWay.add(exchange);
      deadlines.add(exchange);
      const path = to.url.pathname + to.url.search;
      to.pool.dispatch({ path, method: 'POST', headers, body }, exchange);
      const answer = await exchange.answer;
      deadlines.delete(exchange);
      underWay.delete(exchange);
      return resultOf(answer, to);
    },
    async close() {
      for (const exchange of underWay) exchange.end({ abandoned: true });
      deadlines.stop();
      await target?.pool.destroy();
    },
  };
}

/**
 * Connects to checked addresses only, which defeats a name that resolves anew: the lookup of the connection itself is
 * checked, all its answers, and the peer again once connected.
 */
function checkedConnector(exemptions: Exemptions, resolve: Resolve, in_block: Set<string>) {
  const lookup: LookupFunction = (hostname, { all }, done) => {
    const answer = (error: Error | null, addresses: { address: string; family: number }[]) => {
      if (all) done(error, addresses);
      else done(error, addresses[0]?.address ?? '', addresses[0]?.family);
    };
    resolve(hostname).then(
      (addresses) => {
        const refusal = refusalOf(addresses, exemptions);
        answer(refusal, refusal ? [] : addresses.map((address) => ({ address, family: isIP(address) })));
      },
      (error: Error) => answer(error, []),
    );
  };
  const settings = {
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamilyAttemptTimeout: 2_000,
    allowH2: false,
    rejectUnauthorized: true,
  };
  const connectChecked = buildConnector({ ...settings, lookup });
  const connectExempt = buildConnector(settings); // by the system's own lookup: the operator vouches for the name

  const connector: buildConnector.connector = (target, done) => {
    const url = urlOf(target);
    if (isExemptHost(url, exemptions)) {
      return connectExempt(target, (...[error, socket]) => {
        if (!socket) return done(error, null);
        limitAnswers(socket);
        done(null, socket);
      });
    }
    // An address in the URL is connected to without a lookup.
    const refusal = isIP(target.hostname) === 0 ? null : refusalOf([target.hostname], exemptions);
    if (refusal) return done(refusal, null);
    connectChecked(target, (error, socket) => {
      if (!socket) return done(error, null);
      const peer = socket.remoteAddress ?? '';
      const refused = refusalOf([peer], exemptions);
      if (refused) {
        socket.destroy();
        return done(refused, null);
      }
      if (!isPublicAddress(peer)) in_block.add(peer);
      limitAnswers(socket);
      done(null, socket);
    });
  };
  return connector;
}

function refusalOf(addresses: string[], exemptions: Exemptions): RefusedAddress | null {
  if (addresses.length === 0) return new RefusedAddress('the host name has no address');
  const allowed = addresses.every((address) => isAllowedAddress(address, exemptions));
  return allowed ? null : new RefusedAddress('not sent: the host has an address that is not public');
}

function urlOf({ protocol, hostname, port }: buildConnector.Options): URL {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return new URL(`${protocol}//${host}${port ? `:${port}` : ''}`);
}

/** As text that PostgreSQL can hold: valid UTF-8, a character cut at the end left out, no NUL. */
function textOf(bytes: Buffer): string {
  if (bytes.length === 0) return '';
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}

const ERROR_TEXTS: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: `could not connect within ${CONNECT_TIMEOUT_MS / 1000} s`,
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not HTTP',
  UNASKED_CONTINUE: 'the answer began with 100 Continue, for which nobody had asked',
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

/** For the delivery log: a cause that the receiver's owner can act on. An error's own text may name inner addresses. */
function describe(error: Error & { code?: string }): string {
  if (error instanceof RefusedAddress) return error.message;
  // Undici ends the connection on 100, alone of all informational answers, and says no more than this.
  const code = error.message === 'bad response' ? 'UNASKED_CONTINUE' : (error.code ?? error.name);
  return ERROR_TEXTS[code] ?? `the request failed (${code})`;
}
