/** Sends requests: the credential, a time limit for each try, and the tries after the first one. */
import {
  type Answered,
  type Asked,
  askedBy,
  type HttpAnswer,
  isUnanswered,
  mayAskAgain,
  outcomeOf,
  provesOnlyItself,
  readAnswer,
  retryAfterOf,
} from './answers.ts';
import { OPERATIONS, type OperationId } from './contract.ts';
import { readText } from './csv.ts';
import {
  NotKnownYetError,
  TellerConnectionError,
  TellerError,
  TellerTimeoutError,
  TellerUnreachableError,
} from './errors.ts';
import { stringifyExact } from './exact-json.ts';
import { allHooks, type Hooks, type Logger, type SentRequest } from './hooks.ts';
import { endedBy, MAX_TIMER_MS, pause, pauseMs } from './retries.ts';
import { isLastingAlways, reasonOf, whyUnreachable } from './unreachable.ts';
import { VERSION } from './version.ts';

const USER_AGENT = `stellar-teller-client/${VERSION} (TypeScript)`;

/** How long a call waits for a key in flight, in limits of a try. After a crash the service keeps the key for less. */
const IN_FLIGHT_TIMES = 2;

/** Of one call. */
export type CallOptions = {
  /** Ends the call; it rejects with the reason of the signal. A withdrawal may have been accepted all the same. */
  signal?: AbortSignal | undefined;
  /** For each try, beside what the service waits by itself (`wait_seconds`). */
  timeout_ms?: number;
  /** In place of that of the client. */
  max_retries?: number;
  /** Beside those of the client. `onResponse` gives the headers of the answer. */
  hooks?: Hooks;
};

/** Members of the body of a POST, PUT or PATCH, else of the query, but for the headers that OPERATIONS names. */
export type Input = Record<string, unknown>;

export type Send = (
  operation: OperationId,
  path: Record<string, string>,
  input?: Input,
  options?: CallOptions,
) => Promise<Answered>;

/** Where the header `authorization` comes from. */
export type Credential = {
  /** Null: none is sent. */
  authorization(): Promise<string | null>;
  /** The service has refused this value. True if another one may be had. */
  refused(authorization: string): boolean;
};

export type TransportOptions = {
  base_url: string;
  fetch: typeof fetch;
  max_retries: number;
  /** For each try of an operation that has no limit of its own. */
  timeout_ms: number;
  hooks?: Hooks | undefined;
  logger?: Logger | undefined;
};

type Request = {
  url: URL;
  method: string;
  headers: Headers;
  body: string | undefined;
  repeatable: boolean;
  makes: boolean;
  timeout_ms: number;
  idempotency_key: string | null;
  asked: Asked;
  hooks: Required<Hooks>;
  shown: SentRequest;
};

/** Of each error the request that it ended, for a caller who sends it again by itself. */
const requestOf = new WeakMap<TellerError, Request>();

/** Tells the hooks that a caller who waits for an outcome sends the request of this error again. */
export function noteRetry(error: TellerError, tries: number, pause_ms: number): void {
  const request = requestOf.get(error);
  request?.hooks.onRetry({ request: request.shown, error, tries, pause_ms });
}

export class Transport {
  readonly #options: TransportOptions;
  /** Somebody has answered before, so a connection that is refused now may mean a service that starts again. */
  #has_answered = false;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * @throws TellerError of the kind that errors.ts says; the reason of `signal`; TypeError for arguments that cannot be
   *   written.
   */
  async send(
    credential: Credential,
    operation: OperationId,
    path: Record<string, string>,
    input: Input = {},
    options: CallOptions = {},
  ): Promise<Answered> {
    const request = this.#requestOf(operation, path, input, options);
    const { max_retries = this.#options.max_retries } = options;
    let unanswered = false;
    let renewed = false;
    /** Tries that only wait for the answer of an earlier one. */
    let waits = 0;
    let waits_until: number | null = null;
    for (let tries = 1; ; tries++) {
      const authorization = await endedBy(() => credential.authorization(), options.signal).catch((error) => {
        throw unanswered ? withDoubt(error, request) : error;
      });
      const tried = await this.#try(request, authorization, options.signal);
      if (!(tried instanceof TellerError)) return tried;
      if (!renewed && isRefused(tried) && authorization !== null && credential.refused(authorization)) {
        renewed = true; // nothing was done, and the next token is a new one
        continue;
      }
      if (max_retries > 0 && request.makes && isInFlight(tried)) {
        waits_until ??= performance.now() + request.timeout_ms * IN_FLIGHT_TIMES;
        if (performance.now() < waits_until) waits++;
      }
      const wait_ms = tries - waits > max_retries ? null : waitAfter(tried, request.repeatable, tries);
      if (wait_ms === null) throw unanswered ? withDoubt(tried, request) : tried;
      unanswered ||= isUnanswered(tried);
      request.hooks.onRetry({ request: request.shown, error: tried, tries, pause_ms: wait_ms });
      await pause(wait_ms, options.signal);
    }
  }

  /** One try. Whatever is no answer of the service is a value, so that the loop decides about all of them. */
  async #try(
    request: Request,
    authorization: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Answered | TellerError> {
    try {
      return readAnswer(await this.#exchange(request, authorization, signal), request.asked);
    } catch (error) {
      if (!(error instanceof TellerError)) throw error;
      error.idempotency_key = request.idempotency_key;
      requestOf.set(error, request);
      return error;
    }
  }

  #requestOf(id: OperationId, path: Record<string, string>, input: Input, options: CallOptions): Request {
    const {
      method,
      path: template,
      headers: in_headers,
      query,
      repeatable,
      makes = false,
      timeout_ms: limit_ms,
    } = OPERATIONS[id];
    const filled = template.replace(/\{(\w+)\}/g, (_: string, name: string) => segment(name, path[name]));
    const url = new URL(this.#options.base_url.replace(/\/+$/, '') + filled);
    const timeout_ms = options.timeout_ms ?? limit_ms ?? this.#options.timeout_ms;
    if (!(timeout_ms > 0)) throw new TypeError('timeout_ms must be a number above 0');
    const headers = new Headers({ accept: 'application/json', 'user-agent': USER_AGENT });
    const body: Input = {};
    for (const [name, value] of Object.entries(input)) {
      const is_header = in_headers.includes(name);
      if (method !== 'GET' && !is_header && !query.includes(name)) body[name] = value;
      else if (value === undefined || value === null) continue;
      else if (is_header) headers.set(name.replaceAll('_', '-'), headerOf(name, value));
      else url.searchParams.set(name, textOf(value));
    }
    const has_body = Object.keys(body).length > 0;
    if (has_body) headers.set('content-type', 'application/json');
    // One for the call, kept over its tries: a try after a lost answer makes nothing twice.
    if (makes && !headers.has('idempotency-key'))
      headers.set('idempotency-key', `auto_${crypto.randomUUID()}`);
    const idempotency_key = headers.get('idempotency-key');
    return {
      url,
      method,
      headers,
      body: has_body ? stringifyExact(body) : undefined,
      repeatable,
      makes,
      timeout_ms: timeout_ms + Number(input.wait_seconds ?? 0) * 1_000,
      idempotency_key,
      asked: askedBy(template, path, idempotency_key),
      hooks: allHooks([this.#options.hooks, options.hooks], this.#options.logger),
      shown: { method, path: url.pathname + url.search, idempotency_key },
    };
  }

  async #exchange(
    request: Request,
    authorization: string | null,
    signal: AbortSignal | undefined,
  ): Promise<HttpAnswer> {
    signal?.throwIfAborted();
    const { url, method, body, timeout_ms } = request;
    const headers = new Headers(request.headers);
    if (authorization !== null) headers.set('authorization', authorization);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), Math.min(timeout_ms, MAX_TIMER_MS));
    request.hooks.onRequest(request.shown);
    const began_ms = Date.now();
    try {
      const answer = await this.#options.fetch(url, {
        method,
        headers,
        redirect: 'manual', // else the credential would go where somebody else says
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
        ...(body !== undefined && { body }),
      });
      this.#has_answered = true;
      const { status } = answer;
      request.hooks.onResponse({
        request: request.shown,
        status,
        headers: answer.headers,
        request_id: answer.headers.get('x-request-id'),
        duration_ms: Date.now() - began_ms,
      });
      if (answer.body && isAskedForCsv(request, answer))
        return {
          status,
          headers: answer.headers,
          bytes: new Uint8Array(),
          csv: readText(answer.body, timeout_ms, signal),
        };
      return { status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.signal.aborted)
        throw new TellerTimeoutError(`No answer in ${timeout_ms} ms.`, { cause: error });
      throw this.#connectionError(url.origin, error);
    } finally {
      clearTimeout(timer); // a CSV has a limit for each part from here on
    }
  }

  #connectionError(origin: string, cause: unknown): TellerConnectionError {
    const why = whyUnreachable(cause);
    if (why === null)
      return new TellerConnectionError(`No answer from ${origin}: ${reasonOf(cause)}.`, { cause });
    const is_lasting = isLastingAlways(why) || !this.#has_answered;
    return new TellerUnreachableError(`Nothing was sent to ${origin}: ${reasonOf(cause)}.`, {
      cause,
      is_lasting,
    });
  }
}

function isAskedForCsv({ headers }: Request, answer: Response): boolean {
  const type = answer.headers.get('content-type') ?? '';
  return headers.get('accept') === 'text/csv' && answer.ok && /^text\/csv\b/i.test(type);
}

/** @throws TypeError for a number that may have been rounded before it came here */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyExact(value);
}

/** @throws TypeError for an invalid key */
function headerOf(name: string, value: unknown): string {
  return name === 'idempotency_key' ? checkedKey(value) : String(value);
}

/** A space at either end would be taken off on the way, and two keys of the caller would be one. */
function checkedKey(key: unknown): string {
  if (typeof key === 'string' && /^[!-~]([ -~]{0,253}[!-~])?$/.test(key)) return key;
  throw new TypeError(
    'an idempotency key is 1 to 255 printable ASCII characters without a space at either end',
  );
}

/** An empty segment, `.` or `..` would lead to another operation. */
function segment(name: string, value: string | undefined): string {
  if (!value || value === '.' || value === '..') throw new TypeError(`${name} must be an id`);
  return encodeURIComponent(value);
}

function waitAfter(error: TellerError, repeatable: boolean, tries: number): number | null {
  if (!mayAskAgain(error, repeatable)) return null;
  return pauseMs(tries, retryAfterOf(error), Math.random());
}

/** Returns whether the request with this key is under way, or a crash has ended it. */
function isInFlight(error: TellerError): boolean {
  return outcomeOf(error).code === 'idempotency_key_in_flight';
}

/** The credential is no valid one (any more). */
function isRefused(error: TellerError): boolean {
  return outcomeOf(error).code === 'unauthenticated';
}

/** Makes a doubt of what says nothing about an earlier try without an answer. Any other error stays as it is. */
function withDoubt(error: unknown, { idempotency_key }: Request): unknown {
  if (idempotency_key === null || !(error instanceof TellerError) || !provesOnlyItself(error)) return error;
  const doubt = new NotKnownYetError(
    `An earlier try had no answer and may have been accepted; the last one: ${error.message}`,
    null,
    { cause: error },
  );
  doubt.idempotency_key = idempotency_key;
  return doubt;
}
