/** Pure: what an HTTP answer means. */
import {
  ApiError,
  apiError,
  type ErrorDetail,
  RateLimitedError,
  type TellerError,
  TellerUnreachableError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts';
import { parseExact } from './exact-json.ts';
import { mayRepeat, retryAfterSeconds } from './retries.ts';

/** `csv`: in place of the bytes, where a CSV was asked for and comes. */
export type HttpAnswer = {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  csv?: AsyncIterable<string>;
};

/** `data` of the envelope, and the headers that came with it. */
export type Answered = {
  status: number;
  data: Record<string, unknown>;
  headers: Headers;
  csv?: AsyncIterable<string>;
};

/**
 * These say of a request that it was carried out before, and `data` is what it gave: to the caller who lost the first
 * answer, this is the answer.
 */
const DONE_BEFORE: readonly string[] = ['idempotency_key_reused', 'deposit_refunded'];

/** What an answer says of itself, if it says it and is the answer to this request. Null: anything. */
export type Asked = { idempotency_key: string | null; wallet_id: string | null; id: string | null };

const ANYTHING: Asked = { idempotency_key: null, wallet_id: null, id: null };

/** `template`: the path of the operation, with names in braces. `path`: their values. */
export function askedBy(
  template: string,
  path: Record<string, string>,
  idempotency_key: string | null,
): Asked {
  const wallet_id = template.startsWith('/v1/wallets/{id}') ? (path.id ?? null) : null;
  const [, last] = template.match(/\{(\w+)\}$/) ?? [];
  return { idempotency_key, wallet_id, id: last === undefined ? null : (path[last] ?? null) };
}

/**
 * @throws ApiError for what the service refuses, UnexpectedAnswerError for what the service does not say, and for the answer to
 *   another request, which something between client and service may give.
 */
export function readAnswer({ status, headers, bytes, csv }: HttpAnswer, asked: Asked = ANYTHING): Answered {
  if (csv) return { status, data: {}, headers, csv };
  const request_id = headers.get('x-request-id');
  const unreadable = (why: string): UnexpectedAnswerError => {
    const text = new TextDecoder().decode(bytes);
    return new UnexpectedAnswerError(`The answer (${status}) ${why}.`, { status, text, request_id });
  };
  const requireOwn = (data: Record<string, unknown>, names: (keyof Asked)[]): void => {
    for (const name of names) {
      const [came, own] = [data[name], asked[name]];
      if (own !== null && typeof came === 'string' && came !== own)
        throw unreadable(`is another request's answer: its ${name} is ${came}, and ${own} was asked`);
    }
  };
  const body = parsed(bytes);
  if (!isObject(body)) throw unreadable('is no JSON object of the service');
  if (status >= 200 && status < 300) {
    if (!isObject(body.data)) throw unreadable('has no data');
    requireOwn(body.data, ['idempotency_key', 'wallet_id', 'id']);
    return { status, data: body.data, headers };
  }
  const error = errorOf(body, status, headers);
  if (!error) throw unreadable('is no error of the service');
  const { data } = error;
  const is_done = DONE_BEFORE.includes(error.code);
  // The withdrawal that has the key may be of another wallet.
  if (isObject(data)) requireOwn(data, is_done ? ['idempotency_key', 'wallet_id'] : ['idempotency_key']);
  if (is_done && isObject(data)) return { status, data, headers };
  throw error;
}

function errorOf(body: Record<string, unknown>, status: number, headers: Headers): ApiError | null {
  const { error, message, data = null } = body;
  if (!isObject(error) || typeof error.code !== 'string' || typeof message !== 'string') return null;
  return apiError(message, {
    status,
    code: error.code,
    details: Array.isArray(error.details) ? (error.details as ErrorDetail[]) : [],
    request_id: typeof error.request_id === 'string' ? error.request_id : headers.get('x-request-id'),
    data,
    retry_after_seconds: retryAfterSeconds(headers.get('retry-after')),
  });
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The service has answered well, but `data` is not what the operation gives. */
export function unexpected({ status, headers }: Answered, why: string): UnexpectedAnswerError {
  const request_id = headers.get('x-request-id');
  return new UnexpectedAnswerError(`The answer (${status}) ${why}.`, { status, text: '', request_id });
}

/** The seconds of Retry-After that came with an error. */
export function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiError ? error.retry_after_seconds : null;
}

/** What a decision about another try looks at. */
export function outcomeOf(error: unknown): { status: number | null; code: string | null } {
  if (error instanceof ApiError) return { status: error.status, code: error.code };
  return { status: error instanceof UnexpectedAnswerError ? error.status : null, code: null };
}

/** The codes of 503 that say that nothing was begun. `database_unavailable` does not: a commit may have lost its answer. */
const NOTHING_WAS_BEGUN: readonly string[] = [
  'key_journal_unavailable',
  'key_provider_unavailable',
  'ledger_not_caught_up',
  'network_unavailable',
  'search_timed_out',
  'service_stopping',
  'treasury_unfunded',
];

/** Returns whether the service may have carried out what was sent: no answer came, or one that does not say "nothing was begun". */
export function isUnanswered(error: TellerError): boolean {
  if (error instanceof RateLimitedError || error instanceof TellerUnreachableError) return false;
  return !(error instanceof UnavailableError && NOTHING_WAS_BEGUN.includes(error.code));
}

/**
 * Returns whether an error says of its own try that nothing was accepted, and nothing of a try before it that had no answer: a
 * refusal, because a credential may have ended between the two, or the caller may have used up its requests; or a try that was not
 * sent. A 409 is about the key itself, and what is 500 or above says already that the outcome is not known.
 */
export function provesOnlyItself(error: unknown): boolean {
  const was_refused = error instanceof ApiError && error.status < 500 && error.status !== 409;
  return was_refused || error instanceof TellerUnreachableError;
}

/** Returns whether the same request again may help, and acts once. `repeatable`: a second one does nothing more than the first. */
export function mayAskAgain(error: TellerError, repeatable: boolean): boolean {
  const is_lasting = error instanceof TellerUnreachableError && error.is_lasting;
  return !is_lasting && mayRepeat(repeatable, outcomeOf(error));
}
