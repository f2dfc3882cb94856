/** The public API of a service, for commands that need an API key and nothing else of the service. */
import { Agent } from 'undici';
import { OperatorError } from '../../lib/errors.ts';
import { failureText } from '../../outgoing/post.ts';

export type ApiAnswer = {
  status: number;
  retry_after_seconds: number | null;
  /** Null when the answer is no JSON object. */
  body: { message?: string; data?: unknown; error?: { code: string } } | null;
};

export type ApiRequest = {
  method: 'GET' | 'POST';
  /** From `/v1` on. */
  path: string;
  query?: Record<string, string | number>;
  body?: object;
  signal?: AbortSignal;
};

export type ServiceApi = {
  api_url: string;
  /** Sends a request. `unreachable`: the reason why no answer came. @throws OperatorError when something else than a service answers */
  ask(request: ApiRequest): Promise<ApiAnswer | { unreachable: string }>;
  close(): Promise<void>;
};

/** A refusal of the service; `code` is the one of its answer. */
export class RefusedByService extends OperatorError {
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

export function createServiceApi({ api_url, api_key }: { api_url: string; api_key: string }): ServiceApi {
  const agent = new Agent();
  const { origin, pathname } = new URL(api_url);
  const base = pathname.replace(/\/$/, '');
  return {
    api_url,
    async ask({ method, path, query = {}, body, signal }) {
      try {
        const answer = await agent.request({
          origin,
          path: base + path,
          method,
          query,
          headers: {
            authorization: `Bearer ${api_key}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
          ...(signal && { signal }),
        });
        const retry_after = Number(answer.headers['retry-after']);
        return {
          status: answer.statusCode,
          retry_after_seconds: retry_after > 0 ? retry_after : null,
          body: parsed(await answer.body.text()),
        };
      } catch (error) {
        if ((error as Error).name === 'HTTPParserError')
          throw new OperatorError(
            `${api_url} answers, but not by HTTP. Set API_URL to the address of the service.`,
          );
        return { unreachable: failureText(error as Error) };
      }
    },
    close: () => agent.destroy(),
  };
}

/** Returns the `data` of the answer, whose type the caller knows. @throws OperatorError, RefusedByService with one sentence that says what to change */
export async function requireData<T>(api: ServiceApi, request: ApiRequest): Promise<T> {
  const answer = await api.ask(request);
  if ('unreachable' in answer)
    throw new OperatorError(
      `${api.api_url} cannot be reached: ${answer.unreachable}. Start the service, or set API_URL to its address.`,
    );
  if (answer.status < 300 && answer.body?.data) return answer.body.data as T;
  throw refusalOf(api, answer);
}

/** @throws OperatorError as requireData, and when the key is not one of this wallet */
export async function requireOwnWallet(api: ServiceApi, wallet_id: string): Promise<void> {
  const path = walletPath(wallet_id);
  await requireData(api, { method: 'GET', path }).catch((error) => {
    if (!(error instanceof RefusedByService) || error.code !== 'not_found') throw error;
    throw new OperatorError(
      `The API key is not one of the wallet ${wallet_id}: it belongs to another wallet, or there is no such wallet.`,
    );
  });
}

/** Says why the service refused the request. */
export function refusalOf({ api_url }: ServiceApi, { status, body }: ApiAnswer): OperatorError {
  const code = body?.error?.code;
  if (body?.message === undefined || code === undefined)
    return new OperatorError(
      `${api_url} is not the API of Stellar Teller (status ${status}). Set API_URL to the address of the service.`,
    );
  if (status === 401)
    return new RefusedByService(
      `The API key is not valid at ${api_url}. Set API_KEY to a key of the wallet.`,
      code,
    );
  return new RefusedByService(`${api_url}: ${body.message}`, code);
}

export function walletPath(wallet_id: string, rest = ''): string {
  return `/v1/wallets/${encodeURIComponent(wallet_id)}${rest}`;
}

export function endpointPath(
  { wallet, endpoint }: { wallet: string; endpoint: string },
  rest: string,
): string {
  return walletPath(wallet, `/webhooks/${encodeURIComponent(endpoint)}${rest}`);
}

function parsed(text: string): ApiAnswer['body'] {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null; // for example a web page
  }
}
