/**
 * What a route says of its operation in `config`: who may call it, and which errors are its own. The guard reads that, and the
 * OpenAPI document tells it. The start fails when a route leaves something out.
 */
import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Access } from '../auth/callers/authenticate.ts';
import { StepUpError } from '../auth/factors/schema.ts';
import type { StepUp } from '../auth/factors/step-up.ts';
import type { Scope } from '../auth/keys/scopes.ts';
import { type RoleGroup, rolesOf } from '../auth/teams/roles.ts';
import type { OperationExamples } from '../http/document-types.ts';
import { errorEnvelopeWith } from '../http/envelope.ts';
import { keySchema } from '../http/idempotency-key.ts';
import { errorsOf, type OwnError } from './reference/error-codes.ts';

/**
 * What clients know of an operation (`x-client` of the OpenAPI document). Names stay when an operation id changes. `csv`: the
 * method that gives everything of a list. `repeatable`: it is no GET and may be asked for again when no answer came, because
 * the same again acts once; so it is with `makes`, for whose requests clients make keys. `time_limit_seconds`: how long to wait for an
 * answer, where the service may need longer than for others.
 */
type ClientMethod = { method: string; csv?: string; repeatable?: true; time_limit_seconds?: number };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. */
    access?: Access;
    /** The members who may call it, by their roles; absent on public routes. */
    roles?: RoleGroup;
    /** The scopes of API keys, one of which is enough; absent where no API key may call it. */
    scopes?: readonly Scope[];
    /** Whom a route that changes something asks for a second factor; absent where nothing is changed, and on public routes. */
    step_up?: StepUp;
    /** Its own errors, beside those of the guard and of the reading of requests. */
    errors?: readonly OwnError[];
    /**
     * The same request with one Idempotency-Key makes one thing, in one change that is audited. `shown_once`: the members of its
     * data that are null in a repeat, because no secret is kept; their schemas say so (`shownOnce`).
     */
    makes?: { shown_once: readonly string[] };
    /** Its group and method in the clients: `wallets.list`. */
    client?: string | ClientMethod;
    /** Examples that its schemas do not give away. */
    examples?: OperationExamples;
    /** The operation id, from the schema. */
    operation?: string;
  }
}

/** Checks what the route says, and tells it in the OpenAPI document. @throws Error when the route says too little or too much */
export function declareOperation(route: RouteOptions): void {
  const { url, config = {} } = route;
  const schema = (route.schema ?? {}) as {
    operationId?: string;
    headers?: z.ZodObject;
    response?: Responses;
  };
  const { operationId } = schema;
  if (operationId === undefined && !url.startsWith('/v1')) return; // a page
  if (operationId === undefined) throw new Error(`${url} has no operation id`);
  const is_change = route.method !== 'GET' && route.method !== 'HEAD';
  requireWhole(`${route.method} ${url}`, config, is_change);
  const { access = 'public', roles, scopes, step_up, client, examples } = config;
  const asks = step_up !== undefined && step_up !== 'never';
  route.config = { ...config, operation: operationId };
  if (config.makes) {
    schema.headers = z.object({ ...schema.headers?.shape, 'idempotency-key': KeyOfMaking });
    schema.response = { ...schema.response, 409: withMade(schema.response?.[409]) };
  }
  Object.assign(schema, {
    ...(roles && { 'x-roles': rolesOf(roles) }),
    ...(access === 'person' && { 'x-for-people': true }),
    ...(asks && { 'x-step-up': step_up, response: { ...schema.response, 403: StepUpError } }),
    ...(scopes && { 'x-scopes': scopes }),
    'x-client': {
      ...(typeof client === 'string' ? { method: client } : client),
      ...(config.makes && { repeatable: true }),
    },
    ...(examples && { 'x-examples': examples }),
    'x-errors': errorsOf({ ...config, operation: operationId, access, url, is_change, asks }),
  });
}

const KeyOfMaking = keySchema(
  'The same request with the same key makes nothing more for 24 hours, and gets the first answer, with ' +
    '`Idempotency-Replayed: true`. Unique in the team for this operation, in all of its wallets',
).optional();

const Made = z.object({ kind: z.string(), id: z.string().nullable() }).meta({
  id: 'Made',
  description:
    'What the request with this key has made. `id` is null where that has no id of its own, like a signing secret.',
});

const OF_LOST_ANSWER = 'With `idempotency_answer_lost` what the request has made';

type Responses = Record<number, z.ZodType> & { 409?: ReturnType<typeof errorEnvelopeWith> };

/** Returns the schema of a 409 that can tell what was made, beside the data that the route declares. */
function withMade(declared: Responses[409]) {
  const data = declared?.shape.data.unwrap();
  return errorEnvelopeWith(data ? z.xor([data, Made]).meta({ description: OF_LOST_ANSWER }) : Made);
}

type Config = NonNullable<RouteOptions['config']>;

function requireWhole(route: string, config: Config, is_change: boolean): void {
  const { makes, no_store = false } = config;
  if (makes && config.access === 'public')
    throw new Error(`${route}: its config has \`makes\`, but its request is of no team`);
  if (makes && makes.shown_once.length > 0 !== no_store)
    throw new Error(
      `${route}: \`makes.shown_once\` names secrets exactly where \`no_store\` says that there are some`,
    );
  const is_public = config.access === 'public';
  const wanted = {
    access: true,
    errors: true,
    client: true,
    roles: !is_public,
    scopes: config.access === 'key',
    step_up: is_change && !is_public,
  };
  for (const [member, is_wanted] of Object.entries(wanted))
    if ((config[member as keyof typeof wanted] !== undefined) !== is_wanted)
      throw new Error(`${route}: its config must ${is_wanted ? '' : 'not '}have \`${member}\``);
}
