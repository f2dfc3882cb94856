/** What a program may see of its requests, for logs, metrics and the headers of an answer. */
import type { TellerError } from './errors.ts';

/** Without headers and body: a token is a secret. */
export type SentRequest = {
  method: string;
  /** With the query. */
  path: string;
  idempotency_key: string | null;
};
/** `headers` has the limits of the team (`ratelimit`, `ratelimit-policy`). `request_id` names the request in the log of the service. */
export type ReceivedResponse = {
  request: SentRequest;
  status: number;
  headers: Headers;
  request_id: string | null;
  duration_ms: number;
};
/** The request is sent again after `pause_ms`. `tries`: how often it was sent. */
export type Retry = { request: SentRequest; error: TellerError; tries: number; pause_ms: number };

/** A hook decides nothing. What it throws is dropped and logged: a payment does not depend on it. */
export type Hooks = {
  onRequest?: (request: SentRequest) => void;
  onResponse?: (response: ReceivedResponse) => void;
  onRetry?: (retry: Retry) => void;
};

/** For example `console`. Requests are `debug`, retries `warn`. */
export type Logger = { debug(message: string): void; warn(message: string): void };

/** Makes one set of hooks of all, with the lines of the log. */
export function allHooks(given: (Hooks | undefined)[], logger: Logger | undefined): Required<Hooks> {
  const callEach = (call: (hooks: Hooks) => void): void => {
    for (const hooks of given)
      try {
        if (hooks) call(hooks);
      } catch (error) {
        logger?.warn(`A hook has thrown: ${error}`);
      }
  };
  return {
    onRequest: (request) => callEach((hooks) => hooks.onRequest?.(request)),
    onResponse(response) {
      const { request, status, request_id, duration_ms } = response;
      logger?.debug(
        `${nameOf(request)}: ${status} in ${duration_ms} ms (request ${request_id ?? 'without id'})`,
      );
      callEach((hooks) => hooks.onResponse?.(response));
    },
    onRetry(retry) {
      const { request, error, tries, pause_ms } = retry;
      logger?.warn(
        `${nameOf(request)}: try ${tries} failed: ${error.message} Again in ${Math.round(pause_ms)} ms.`,
      );
      callEach((hooks) => hooks.onRetry?.(retry));
    },
  };
}

const nameOf = ({ method, path }: SentRequest): string => `${method} ${path}`;
