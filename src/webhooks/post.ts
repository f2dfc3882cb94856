/**
 * One POST to a receiver that may be slow, broken or hostile. The only outgoing HTTP of this slice: no redirects, no
 * proxy, no decompression, and a connection only to an address that was checked when it was made.
 */
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Clock } from '../lib/clock.ts';
import { checkUrl, type Exemptions, isAllowedAddress, isExemptHost, isPublicAddress } from './public-url.ts';
import type { Resolve } from './resolve.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** From resolving the name to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const SHOWN_MAX_BYTES = 1024;

export type PostResult =
  | { status_code: number; retry_after: string | null; response_body: string | null }
  /** No answer, and why. */
  | { error: string }
  /** Given up by `signal`: the request may have arrived. */
  | { abandoned: true };

export type Poster = {
  post(
    request: { url: string; headers: Record<string, string>; body: Buffer },
    signal: AbortSignal,
  ): Promise<PostResult>;
  close(): Promise<void>;
};

/** The address is not one to connect to; the text is shown in the delivery log and does not tell the address. */
class RefusedAddress extends Error {}

/** `show_exempt_answers`: keep what exempted hosts answer; else it is read and dropped, for it could be private. */
export function createPoster(options: {
  exemptions: Exemptions;
  show_exempt_answers: boolean;
  resolve: Resolve;
  clock: Clock;
}): Poster {
  const { exemptions, clock } = options;
  /** Origins that lie in an exempted block: their names do not show it. */
  const exemptOrigins = new Set<string>();
  const agent = new Agent({
    connect: checkedConnector(exemptions, options.resolve, exemptOrigins),
    allowH2: false,
    headersTimeout: 0, // one deadline holds for the whole attempt
    bodyTimeout: 0,
  });

  async function exchange(
    url: URL,
    request: { headers: Record<string, string>; body: Buffer },
    signal: AbortSignal,
  ): Promise<PostResult> {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal,
    });
    const head = await readHead(answer.body);
    const exempt = isExemptHost(url, exemptions) || exemptOrigins.has(url.origin);
    const retry_after = answer.headers['retry-after'];
    return {
      status_code: answer.statusCode,
      retry_after: typeof retry_after === 'string' ? retry_after : null,
      response_body: exempt && !options.show_exempt_answers ? null : textOf(head),
    };
  }

  return {
    async post(request, signal) {
      const checked = checkUrl(request.url, exemptions);
      if ('refused' in checked) return { error: `not sent: the url ${checked.refused}` };
      const late = new AbortController();
      const finished = new AbortController();
      clock.sleep(ATTEMPT_TIMEOUT_MS, finished.signal).then(() => late.abort());
      try {
        return await exchange(checked.url, request, AbortSignal.any([signal, late.signal]));
      } catch (error) {
        if (signal.aborted) return { abandoned: true };
        if (late.signal.aborted) return { error: `no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s` };
        return { error: describe(error as Error) };
      } finally {
        finished.abort();
      }
    },
    close: () => agent.destroy(),
  };
}

/**
 * Connects to checked addresses only, which defeats a name that resolves anew: the lookup of the connection itself is
 * checked, all its answers, and the peer again once connected.
 */
function checkedConnector(exemptions: Exemptions, resolve: Resolve, exemptOrigins: Set<string>) {
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
  const settings = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, rejectUnauthorized: true };
  const connectChecked = buildConnector({ ...settings, lookup });
  const connectExempt = buildConnector(settings); // by the system's own lookup: the operator vouches for the name

  const connector: buildConnector.connector = (target, done) => {
    const url = urlOf(target);
    if (isExemptHost(url, exemptions)) return connectExempt(target, done);
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
      if (!isPublicAddress(peer)) exemptOrigins.add(url.origin);
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

/**
 * The beginning of the answer. What comes after 64 KiB is never read: the connection is closed instead. The status
 * line was the receiver's answer; when the rest breaks off or is too slow, what came is kept for the log.
 */
async function readHead(body: AsyncIterable<Buffer> & NodeJS.EventEmitter): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let kept_bytes = 0;
  let read_bytes = 0;
  body.on('error', () => {}); // closing it early is an error event too, and nobody else listens
  try {
    for await (const chunk of body) {
      if (kept_bytes < SHOWN_MAX_BYTES) chunks.push(chunk);
      kept_bytes += chunk.length;
      read_bytes += chunk.length;
      if (read_bytes >= ANSWER_MAX_BYTES) break;
    }
  } catch {
    // see above
  }
  return Buffer.concat(chunks).subarray(0, SHOWN_MAX_BYTES);
}

/** As text that PostgreSQL can hold: valid UTF-8, a character cut at the end left out, no NUL. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}

const ERROR_TEXTS: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: `could not connect within ${CONNECT_TIMEOUT_MS / 1000} s`,
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name has no address',
  HTTPParserError: 'the answer is not HTTP',
  EPIPE: 'the connection was closed before an answer came',
};

/** For the delivery log: a cause that the receiver's owner can act on. An error's own text may name inner addresses. */
function describe(error: Error & { code?: string }): string {
  if (error instanceof RefusedAddress) return error.message;
  const code = error.code ?? error.name;
  return ERROR_TEXTS[code] ?? `the request failed (${code})`;
}
