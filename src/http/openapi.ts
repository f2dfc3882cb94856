import { strict as assert } from 'node:assert';
import swagger from '@fastify/swagger';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Document } from './document-types.ts';
import { rawNumber } from './exact-json.ts';
import type { HttpApp } from './http-app.ts';
import { type Description, finishDocument } from './openapi-document.ts';

/** zod has no JSON Schema for bigint: it becomes an integer with its whole range. */
const zodToJsonConfig = {
  unrepresentable: 'any' as const,
  override: ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }) => {
    const { def } = (zodSchema as { _zod: { def: { type: string; checks?: BigintCheck[] } } })._zod;
    if (def.type === 'bigint') Object.assign(jsonSchema, integerRange(def.checks ?? [], jsonSchema));
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum; // zod's bounds of every plain integer
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (def.type === 'custom') Object.assign(jsonSchema, { type: 'object', additionalProperties: true });
  },
};

type BigintCheck = { _zod: { def: { check: string; value?: bigint } } };

/** zod copies its result through JSON, which has no bigint: bounds are marked texts until the document is written. */
const EXACT = 'exact integer ';

function integerRange(
  checks: BigintCheck[],
  { description }: { description?: unknown },
): Record<string, unknown> {
  const bound = (kind: string) => checks.find((each) => each._zod.def.check === kind)?._zod.def.value;
  const [minimum, maximum] = [bound('greater_than'), bound('less_than')];
  const exact = (value?: bigint) => (value === undefined ? undefined : EXACT + value);
  const integer = { type: 'integer', minimum: exact(minimum), maximum: exact(maximum) };
  if (maximum !== undefined && maximum <= Number.MAX_SAFE_INTEGER) return integer;
  // In the description too: most readers of the document round larger numbers than 2^53.
  const range = minimum === undefined || maximum === undefined ? [] : [`From ${minimum} to ${maximum}.`];
  const words = typeof description === 'string' && description !== '' ? [description] : [];
  const described = { description: joinSentences([...words, ...range]) || undefined };
  if (maximum === undefined || maximum < 2n ** 63n) return { ...integer, format: 'int64', ...described };
  // ogen compares with `minimum` and `maximum` as int64, which larger numbers are not. It does not read `not`.
  assert(minimum === 0n, 'a uint64 begins at 0');
  const not = { anyOf: [{ maximum: -1 }, { minimum: exact(maximum + 1n) }] };
  return { type: 'integer', format: 'uint64', not, ...described };
}

/** Joins texts with spaces. A text before another one gets a full stop, unless it ends with one or with a colon. */
export function joinSentences(texts: string[]): string {
  return texts
    .map((text, at) => (at < texts.length - 1 && !/[.:]$/.test(text) ? `${text}.` : text))
    .join(' ');
}

/**
 * Serves an OpenAPI 3.1 document at /openapi.json, with every route that is registered after this call. `description`: what
 * the routes themselves do not say.
 */
export async function registerOpenApi(app: HttpApp, description: Description): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: description.info,
      servers: [{ url: '/' }],
      tags: description.tags,
      components: {
        securitySchemes: {
          login: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Token from POST /v1/auth/login, or of a service user from POST /v1/auth/token',
          },
          api_key: { type: 'http', scheme: 'bearer', description: 'A wallet’s API key, svc_sk_…' },
          browser: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-teller-session',
            description:
              'The login token of the dashboard; the name ends with the port (`-3000`) when the address has one. Every method but GET ' +
              'and HEAD needs the header `Teller-Browser` (`active` or `idle`: whether somebody uses the page), and ' +
              '`Sec-Fetch-Site` must not be of another site. `Teller-User`, when sent, must be the id of the user. With ' +
              '`Authorization` the cookie is ignored.',
          },
        },
      },
    },
    transform: withSecurity(createJsonSchemaTransform({ zodToJsonConfig })),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
  });
  // Made once: it takes 40 ms of the event loop, and anybody may ask for it.
  let text: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } as object }, async (_request, reply) => {
    text ??= openApiText(app, description);
    return reply.type('application/json; charset=utf-8').serializer(String).send(text);
  });
}

type Transform = ReturnType<typeof createJsonSchemaTransform>;

const LOGIN = [{ login: [] }, { browser: [] }];
const SECURITY = {
  public: [],
  login: LOGIN,
  person: LOGIN,
  key: [{ api_key: [] }, ...LOGIN],
};

/**
 * Returns `transform` with two more things from the config of the route: the `security` of the operation, and `x-awaits-outcome`
 * where it waits for an outcome.
 */
function withSecurity(transform: Transform): Transform {
  return (route) => {
    const { access, awaits_outcome } = (route.route.config ?? {}) as {
      access?: keyof typeof SECURITY;
      awaits_outcome?: boolean;
    };
    const { schema, url } = transform(route);
    const security = access ? SECURITY[access] : SECURITY.public;
    return { url, schema: { ...schema, security, ...(awaits_outcome && { 'x-awaits-outcome': true }) } };
  };
}

/** Returns the document as JSON text, with bounds as exact integers, also beyond 2^53. */
export function openApiText(app: HttpApp, description: Description): string {
  const exactly = (_name: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(EXACT) ? rawNumber(value.slice(EXACT.length)) : value;
  const document = finishDocument(app.swagger() as unknown as Document, description);
  return `${JSON.stringify(document, exactly, 2)}\n`;
}
