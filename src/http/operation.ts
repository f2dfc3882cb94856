import { ErrorEnvelope } from './envelope.ts';

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 504;

/** Declares the error responses of an operation for the OpenAPI document. */
export function errorsOf<S extends ErrorStatus>(...statuses: S[]): Record<S, typeof ErrorEnvelope> {
  return Object.fromEntries(statuses.map((status) => [status, ErrorEnvelope])) as Record<
    S,
    typeof ErrorEnvelope
  >;
}
