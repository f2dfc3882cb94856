/**
 * Every error of this client. What an error says about a withdrawal:
 *
 * | class | the withdrawal |
 * |---|---|
 * | any ApiError below 500, but for the next row | was not accepted by this call |
 * | ConflictError with `idempotency_key_in_flight` | is under way: call again with the same key |
 * | TellerUnreachableError | was not sent by this call |
 * | any other TellerConnectionError, UnexpectedAnswerError, UnavailableError, ServerError | may have been accepted: call again with the same key |
 * | OutcomePendingError, NotKnownYetError | may still be paid: call again with the same key |
 *
 * Never pay again under another key, except after the first row.
 */
import type { ErrorCode, Withdrawal } from './contract.ts';
import { plainJson } from './exact-json.ts';

/** `path`: a JSON pointer into the body, or the name of a header or query parameter. */
export type ErrorDetail = { path: string; message: string };

/** A code of this version, or of a later one. */
export type AnyErrorCode = ErrorCode | (string & {});

/** The base of all errors of this client. */
export class TellerError extends Error {
  /** The key of the request, where it has one: the same call with the same key never pays twice. */
  idempotency_key: string | null = null;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** Returns what a log wants to keep. JSON.stringify of the error itself would throw where it holds a bigint. */
  toJSON(): Record<string, unknown> {
    const { name, message, cause } = this;
    const shown = cause instanceof Error ? { name: cause.name, message: cause.message } : undefined;
    return { name, message, ...(plainJson({ ...this }) as object), ...(shown && { cause: shown }) };
  }
}

/** No answer came: the service may have acted or not. `cause` has the reason. */
export class TellerConnectionError extends TellerError {}

/**
 * Nothing was sent: nobody knows the name in `base_url`, nobody listens there, or its certificate is not trusted. `cause` has the
 * reason.
 */
export class TellerUnreachableError extends TellerConnectionError {
  /** Whether another try cannot help: the certificate is wrong, or this client has never had an answer. */
  readonly is_lasting: boolean;

  constructor(message: string, options: ErrorOptions & { is_lasting: boolean }) {
    super(message, options);
    this.is_lasting = options.is_lasting;
  }
}

/** No answer came in time. */
export class TellerTimeoutError extends TellerConnectionError {}

/** An answer that this service does not give: the page of a proxy, a redirect, JSON that is cut. */
export class UnexpectedAnswerError extends TellerError {
  readonly status: number;
  /** The first 1,000 characters of the body. */
  readonly text: string;
  readonly request_id: string | null;

  constructor(message: string, answer: { status: number; text: string; request_id: string | null }) {
    super(message);
    this.status = answer.status;
    this.text = answer.text.slice(0, 1_000);
    this.request_id = answer.request_id;
  }
}

export type ApiErrorFields = {
  status: number;
  code: AnyErrorCode;
  details: ErrorDetail[];
  request_id: string | null;
  /** The resource that the error is about, read exactly; null where there is none. */
  data: unknown;
  retry_after_seconds: number | null;
};

/** The service refused. `reason` is for a person, `code` for a program. `message` has both, and the request id for the log. */
export class ApiError extends TellerError {
  readonly reason: string;
  readonly status: number;
  readonly code: AnyErrorCode;
  readonly details: ErrorDetail[];
  readonly request_id: string | null;
  readonly data: unknown;
  readonly retry_after_seconds: number | null;

  constructor(reason: string, fields: ApiErrorFields) {
    super(sentence(reason, fields));
    this.reason = reason;
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.request_id = fields.request_id;
    this.data = fields.data;
    this.retry_after_seconds = fields.retry_after_seconds;
  }
}

/** 400, 413, 415, 421: the request is wrong. `details` names the fields. */
export class InvalidRequestError extends ApiError {}

/** 401: no credential, one that is not valid any more, or one of the wrong kind. */
export class AuthenticationError extends ApiError {}

/** 403: the credential may not do this. */
export class ForbiddenError extends ApiError {}

/** 404: there is no such thing, or the credential may not know of it. */
export class NotFoundError extends ApiError {}

/** 409: it is against what is there already; `data` may have that. */
export class ConflictError extends ApiError {}

/** 422: well-formed, but not possible now. Nothing was kept, and an idempotency key stays free. */
export class NotPossibleError extends ApiError {}

/** 429: too many requests. */
export class RateLimitedError extends ApiError {}

/** 503: the network or the database cannot be used now. */
export class UnavailableError extends ApiError {}

/** 504: the withdrawal is accepted and not proven yet; `data` is the withdrawal so far. */
export class OutcomePendingError extends ApiError {}

/** 500: a fault of the service. */
export class ServerError extends ApiError {}

/** Whether a withdrawal was or will be paid is not known yet. Ask again with the same key, never with another one. */
export class NotKnownYetError extends TellerError {
  /** The withdrawal as it was last seen; null when no answer had it, and for a call that makes something else. */
  readonly withdrawal: Withdrawal | null;

  constructor(message: string, withdrawal: Withdrawal | null, options?: ErrorOptions) {
    super(message, options);
    this.withdrawal = withdrawal;
  }
}

const CLASSES: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  421: InvalidRequestError,
  422: NotPossibleError,
  429: RateLimitedError,
  500: ServerError,
  503: UnavailableError,
  504: OutcomePendingError,
};

/** Returns the error of the class that belongs to its status. `reason`: what the service says. */
export function apiError(reason: string, fields: ApiErrorFields): ApiError {
  return new (CLASSES[fields.status] ?? ApiError)(reason, fields);
}

function sentence(reason: string, { status, code, details, request_id }: ApiErrorFields): string {
  const faults = details.map(({ path, message }) => ` ${path}: ${message}.`).join('');
  return `${status} ${code}: ${reason}${faults}${request_id === null ? '' : ` (${request_id})`}`;
}
