/**
 * Every error of this client. What an error says about a withdrawal:
 *
 * | class | the withdrawal |
 * |---|---|
 * | any ApiError below 500, but for the next row | was not accepted by this call |
 * | ConflictError with `idempotency_key_in_flight` | is under way: call again with the same key |
 * | TellerConnectionError, UnexpectedAnswerError, UnavailableError, ServerError | may have been accepted: call again with the same key |
 * | OutcomePendingError, NotKnownYetError | may still be paid: call again with the same key |
 *
 * Never pay again under another key, except after the first row.
 */
import type { ErrorCode } from './contract.ts';

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
}

/** No answer came: the service may have acted or not. `cause` has the reason. */
export class TellerConnectionError extends TellerError {}

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

/** The service refused. `message` is for a person, `code` for a program. */
export class ApiError extends TellerError {
  readonly status: number;
  readonly code: AnyErrorCode;
  readonly details: ErrorDetail[];
  readonly request_id: string | null;
  readonly data: unknown;
  readonly retry_after_seconds: number | null;

  constructor(message: string, fields: ApiErrorFields) {
    super(message);
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
  /** The withdrawal as it was last seen; null when no answer had it. */
  readonly withdrawal: unknown;

  constructor(message: string, withdrawal: unknown, options?: ErrorOptions) {
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

/** The error of the class that belongs to its status. */
export function apiError(message: string, fields: ApiErrorFields): ApiError {
  return new (CLASSES[fields.status] ?? ApiError)(message, fields);
}
