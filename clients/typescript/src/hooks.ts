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

/**
 * A hook decides nothing, and nobody waits for one that is an async function. What a hook throws is dropped and logged: a payment
 * does not depend on it.
 */
export type Hooks = {
  onRequest?: (request: SentRequest) => unknown;
  onResponse?: (response: ReceivedResponse) => unknown;
  onRetry?: (retry: Retry) => unknown;
};

/** For example `console`. Requests are `debug`, retries `warn`. */
export type Logger = { debug(message: string): void; warn(message: string): void };

/** Makes one set of hooks of all, with the lines of the log. Nothing that a hook or the logger throws gets out. */
export function allHooks(given: (Hooks | undefined)[], logger: Logger | undefined): Required<Hooks> {
  const write = (level: keyof Logger, line: string): void =>
    attempt(
      () => logger?.[level](line),
      () => undefined,
    );
  const isThrown = (error: unknown): void => write('warn', `A hook has thrown: ${error}`);
  const callEach = (call: (hooks: Hooks) => unknown): void => {
    for (const hooks of given) if (hooks) attempt(() => call(hooks), isThrown);
  };
  return {
    onRequest: (request) => callEach((hooks) => hooks.onRequest?.(request)),
    onResponse(response) {
      const { request, status, request_id, duration_ms } = response;
      const id = request_id ?? 'without id';
      write('debug', `${nameOf(request)}: ${status} in ${duration_ms} ms (request ${id})`);
      callEach((hooks) => hooks.onResponse?.(response));
    },
    onRetry(retry) {
      const { request, error, tries, pause_ms } = retry;
      const pause = `Again in ${Math.round(pause_ms)} ms.`;
      write('warn', `${nameOf(request)}: try ${tries} failed: ${error.message} ${pause}`);
      callEach((hooks) => hooks.onRetry?.(retry));
    },
  };
}

/** Also of an async function: a rejection that nobody handles would end the program. */
function attempt(work: () => unknown, onError: (error: unknown) => void): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(onError);
  } catch (error) {
    onError(error);
  }
}

const nameOf = ({ method, path }: SentRequest): string => `${method} ${path}`;
