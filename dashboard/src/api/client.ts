/** The API client, typed by the OpenAPI document. */
import { isActive } from './activity.ts';
import { type FactorMethod, type Me, OPERATIONS } from './contract.ts';
import { parseExact, stringifyExact } from './exact-json.ts';
import type { DataOf, Given, OperationId } from './operations.ts';
import { ROLES_OF } from './roles-of.ts';
import { session } from './session.ts';
import { askForFactor } from './step-up.ts';

type Detail = { path: string; message: string };

/** An error of the API, with its message. `code` is one of the API's, or `unreachable`, or `unreadable`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Detail[];
  readonly request_id: string | null;
  /** A 409 or 504 of a withdrawal has the withdrawal here. */
  readonly data: unknown;

  constructor(response: {
    status: number;
    code: string;
    message: string;
    details?: Detail[] | undefined;
    request_id?: string | undefined;
    data?: unknown;
  }) {
    super(response.message);
    this.status = response.status;
    this.code = response.code;
    this.details = response.details ?? [];
    this.request_id = response.request_id ?? null;
    this.data = response.data;
  }

  /** The problem of a field of the body, such as `amount_stroops`. */
  fieldMessage(field: string): string | null {
    return this.details.find(({ path }) => path === `/${field}` || path === field)?.message ?? null;
  }
}

/** Other members must approve the request first. Nothing was changed: the same request does it once it is approved. */
export class AwaitsApproval extends ApiError {
  constructor() {
    super({
      status: 202,
      code: 'awaits_approval',
      message:
        'Other members must approve this first. Nothing was changed yet. You can carry it out on the page of approvals once they have approved it.',
    });
  }
}

/** Whether a failed request may have taken effect: no response, a proxy's response, or one that does not say. */
export function mayHaveTakenEffect(error: Error | null): boolean {
  if (!(error instanceof ApiError)) return error !== null;
  if (error instanceof AwaitsApproval) return false;
  return error.code === 'unreadable' || error.status < 400 || (error.status >= 500 && error.status !== 503);
}

/** Whether the API says that this user has no such resource. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether nothing of the service answered: no response at all, or only a proxy's that stands before it. */
export function isUnreachable(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'unreachable' || isOfProxy(error));
}

const isOfProxy = ({ code, status }: ApiError) => code === 'unreadable' && status >= 502 && status <= 504;

const SESSION_ENDED = {
  status: 401,
  code: 'unauthenticated',
  message: 'Your session has ended. Sign in and try again.',
};

/** `Given` for any operation. */
type GivenToAny = {
  query?: object;
  headers?: object;
  body?: object;
  signal?: AbortSignal;
} & Record<string, string>;

/**
 * A read without an answer for so long ends as unreachable: otherwise its page would wait for ever without a word. Only
 * reads have a signal. Everything else waits: it may have taken effect.
 */
const READ_PATIENCE_MS = 30_000;

/** What is wrong with the answer of a person, not with the session. */
const WRONG_ANSWERS = new Set(['wrong_credentials', 'second_factor_wrong', 'challenge_ended']);

/**
 * `api('getDeposit', { id, deposit_id })` returns the response's `data`. A 401 expires the session; session-gate.tsx
 * then asks for the password. A 403 for want of a second factor opens shell/step-up-gate.tsx; then the same request, with the
 * same Idempotency-Key, is sent once more. @throws ApiError
 */
export async function api<Id extends OperationId>(id: Id, given: Given<Id>): Promise<DataOf<Id>> {
  try {
    return await ofSession(id, given);
  } catch (error) {
    const methods = id === 'stepUp' ? [] : methodsOfStepUp(error);
    if (methods.length > 0 && (await askForFactor(methods))) return ofSession(id, given);
    throw error;
  }
}

/** Empty for any other error, and for a user who must add a second factor first. */
function methodsOfStepUp(error: unknown): FactorMethod[] {
  if (!(error instanceof ApiError) || error.status !== 403 || error.code !== 'second_factor_required')
    return [];
  return (error.data as { methods?: FactorMethod[] } | undefined)?.methods ?? [];
}

async function ofSession<Id extends OperationId>(id: Id, given: Given<Id>): Promise<DataOf<Id>> {
  const current = session.current();
  // Until the user signs in, the response would be 401.
  if (id in ROLES_OF && (!current || current.expired)) throw new ApiError(SESSION_ENDED);
  return ask(id, given).catch((error) => {
    const refused = error instanceof ApiError && error.status === 401 && !WRONG_ANSWERS.has(error.code);
    if (refused && current && id in ROLES_OF) session.expire(current);
    throw error;
  });
}

/** Whose session this browser has, whatever the tab knows; null without one. @throws ApiError */
export async function askWhoIsSignedIn(): Promise<Me | null> {
  try {
    return await ask('getMe', {}, null);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** `user_id`: the service refuses when the browser's session is another user's. Null: it may be anybody's. */
async function ask<Id extends OperationId>(
  id: Id,
  given: Given<Id>,
  user_id: string | null = session.current()?.user.id ?? null,
): Promise<DataOf<Id>> {
  const { method, path: template } = OPERATIONS[id];
  const { query, headers, body, signal, ...path } = given as GivenToAny;
  const url = template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''));
  const response = await send(`${url}${queryText(query)}`, {
    method,
    headers: {
      'Teller-Browser': isActive() ? 'active' : 'idle',
      ...(user_id === null ? {} : { 'Teller-User': user_id }),
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
      ...(headers as Record<string, string> | undefined),
    },
    ...(method === 'GET' ? {} : { body: stringifyExact(body ?? {}) }),
    ...(signal ? { signal: AbortSignal.any([signal, AbortSignal.timeout(READ_PATIENCE_MS)]) } : {}),
  });
  const text = await response.text().catch((cause) => unreachable(cause));
  const read = readEnvelope(text);
  if (response.status === 202 && isAccessChange(read?.data)) throw new AwaitsApproval();
  if (response.ok && read) return read.data as DataOf<Id>;
  throw new ApiError({
    status: response.status,
    code: read?.error?.code ?? 'unreadable',
    message: read?.message ?? `The service responded with status ${response.status}.`,
    details: read?.error?.details,
    request_id: read?.error?.request_id,
    data: read?.data,
  });
}

function isAccessChange(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'change' in data && 'order_hash' in data;
}

type Envelope = {
  message: string;
  data?: unknown;
  error?: { code: string; details?: Detail[]; request_id?: string };
};

function readEnvelope(text: string): Envelope | null {
  try {
    return parseExact(text) as Envelope;
  } catch {
    return null; // for example a proxy's error page
  }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (isCancelled(init.signal)) throw error;
    return unreachable(error);
  }
}

/** By the caller, not by time. */
function isCancelled(signal?: AbortSignal | null): boolean {
  return signal?.aborted === true && (signal.reason as Error).name !== 'TimeoutError';
}

function unreachable(_cause: unknown): never {
  throw new ApiError({ status: 0, code: 'unreachable', message: 'The service cannot be reached.' });
}

/** Returns the query of a URL with `?`, or an empty text. What is undefined or empty is left out. */
export function queryText(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
}
