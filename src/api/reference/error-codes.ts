/**
 * Which errors each operation can answer. The guard and the reading of requests answer most of them: these follow from the
 * route. The rest is in the `errors` of its config. /openapi.json says both, and the tests of `test/spec/` fail for an answer
 * that it does not say (test/support/declared-errors.ts).
 */
import type { Access } from '../../auth/callers/authenticate.ts';
import { ROLES, type RoleGroup, rolesOf } from '../../auth/teams/roles.ts';
import { type ErrorCode, STATUS_OF_CODE } from '../../lib/errors.ts';

type ErrorAnswer = { code: ErrorCode; status: number };

/** A code, or a code with a status that is not its own. */
export type OwnError = ErrorCode | ErrorAnswer;

/** `asks`: whether it asks anybody for a second factor. */
type DeclaredRoute = {
  operation: string;
  url: string;
  is_change: boolean;
  access: Access;
  roles?: RoleGroup | undefined;
  asks: boolean;
  awaits_outcome?: boolean | undefined;
  makes?: object | undefined;
  errors?: readonly OwnError[] | undefined;
};

const OF_MAKING = [
  'idempotency_key_invalid',
  'idempotency_key_mismatch',
  'idempotency_key_in_flight',
  'idempotency_answer_lost',
] as const satisfies ErrorCode[];

/** They answer whatever Host the check of a proxy sends. */
const OF_HEALTH = new Set(['healthz', 'readyz']);

/** Returns every error that the operation can answer, without repeats, sorted by status and code. */
export function errorsOf(route: DeclaredRoute): ErrorAnswer[] {
  const own = route.errors ?? [];
  const codes = own.filter((error) => typeof error === 'string');
  const all = new Set([...codesOfRequest(route), ...codesOfGuard(route), ...codes]);
  return [
    ...[...all].map((code) => ({ code, status: STATUS_OF_CODE[code] })),
    ...own.filter((error) => typeof error !== 'string'),
  ].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

function codesOfRequest({ operation, url, is_change, makes }: DeclaredRoute): ErrorCode[] {
  const codes: ErrorCode[] = ['invalid_request', 'internal_error'];
  if (!OF_HEALTH.has(operation)) codes.push('misdirected_request');
  if (operation !== 'healthz') codes.push('service_stopping');
  if (url.startsWith('/v1/')) codes.push('database_unavailable');
  if (url.includes(':')) codes.push('not_found');
  if (is_change) codes.push('invalid_json', 'body_too_large', 'unsupported_media_type');
  if (makes) codes.push(...OF_MAKING);
  return codes;
}

function codesOfGuard({ access, roles, asks, awaits_outcome }: DeclaredRoute): ErrorCode[] {
  if (access === 'public') return [];
  const codes: ErrorCode[] = ['unauthenticated', 'address_not_allowed', 'rate_limited'];
  codes.push(access === 'key' ? 'scope_missing' : 'login_required');
  if (roles && rolesOf(roles).length < ROLES.length) codes.push('role_missing');
  if (access === 'person') codes.push('person_required');
  if (asks) codes.push('second_factor_required');
  if (awaits_outcome) codes.push('too_many_waiting');
  return codes;
}
