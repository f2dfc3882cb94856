import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { rawNumber } from './exact-json.ts';
import type { HttpApp } from './http-app.ts';

/** zod has no JSON Schema for bigint: it becomes an integer with its whole range. */
const zodToJsonConfig = {
  unrepresentable: 'any' as const,
  override: ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }) => {
    const { def } = (zodSchema as { _zod: { def: { type: string; checks?: BigintCheck[] } } })._zod;
    if (def.type === 'bigint') Object.assign(jsonSchema, integerRange(def.checks ?? []));
    if (def.type === 'custom') Object.assign(jsonSchema, { type: 'object', additionalProperties: true });
  },
};

type BigintCheck = { _zod: { def: { check: string; value?: bigint } } };

/** zod copies its result through JSON, which has no bigint: bounds are marked texts until the document is written. */
const EXACT = 'exact integer ';

function integerRange(checks: BigintCheck[]): Record<string, unknown> {
  const bound = (kind: string) => {
    const value = checks.find((each) => each._zod.def.check === kind)?._zod.def.value;
    return value === undefined ? undefined : EXACT + value;
  };
  return { type: 'integer', minimum: bound('greater_than'), maximum: bound('less_than') };
}

/** Serves an OpenAPI 3.1 document at /openapi.json, with every route that is registered after this call. */
export async function registerOpenApi(app: HttpApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Stellar Teller',
        version: '1',
        description:
          'Wallet payments on the Stellar network. Integers are exact: `amount_stroops` and `memo_id` may exceed 2^53.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        'auth',
        'team',
        'wallets',
        'deposits',
        'withdrawals',
        'payouts',
        'assets',
        'webhooks',
        'service',
      ].map((name) => ({
        name,
      })),
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
  app.get('/openapi.json', { schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').serializer(String).send(openApiText(app)),
  );
}

type Transform = ReturnType<typeof createJsonSchemaTransform>;

const SECURITY = {
  public: [],
  login: [{ login: [] }, { browser: [] }],
  key: [{ api_key: [] }, { login: [] }, { browser: [] }],
};

/** The `security` of an operation, from the `access` of its route. */
function withSecurity(transform: Transform): Transform {
  return (route) => {
    const { access } = (route.route.config ?? {}) as { access?: keyof typeof SECURITY };
    const transformed = transform(route);
    return access
      ? { ...transformed, schema: { ...transformed.schema, security: SECURITY[access] } }
      : transformed;
  };
}

/** The document as JSON text, with bounds as exact integers, also beyond 2^53. */
export function openApiText(app: HttpApp): string {
  const exactly = (_name: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(EXACT) ? rawNumber(value.slice(EXACT.length)) : value;
  return `${JSON.stringify(tidy(app.swagger() as unknown as Document), exactly, 2)}\n`;
}

type Responses = Record<string, { description: string; content?: unknown; headers?: object }>;
type Operation = {
  security?: unknown[];
  responses: Responses;
  requestBody?: { required: boolean; content: Record<string, { schema: { required?: string[] } }> };
};
type Document = {
  components: { schemas: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
};

/**
 * Corrects the generated document. The generator writes every schema twice (`Stroops`, `StroopsInput`), forbids members of
 * responses that may be added later, calls each response "Default Response", and does not know the errors of every body.
 */
function tidy({ components, paths, ...rest }: Document): object {
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).filter(
      ([name]) => !(name.replace(/Input$/, '') in components.schemas && name.endsWith('Input')),
    ),
  );
  const operations = structuredClone(paths);
  for (const operation of Object.values(operations).flatMap((methods) => Object.values(methods))) {
    if (operation.requestBody) tidyBody(operation, operation.requestBody);
    for (const [status, response] of Object.entries(operation.responses)) {
      const headers = operation.security?.length ? headersOf(status) : undefined;
      operation.responses[status] = {
        ...open(response),
        description: STATUS_CODES[status] ?? '',
        ...(headers && { headers }),
      };
    }
  }
  const tidied = {
    ...rest,
    components: { ...components, headers: HEADERS, schemas: open(schemas) },
    paths: operations,
  };
  return JSON.parse(JSON.stringify(tidied).replaceAll(/(#\/components\/schemas\/\w+?)Input"/g, '$1"'));
}

const HEADERS = {
  'RateLimit-Policy': {
    description:
      'The quota of the team: q requests in w seconds, like "team";q=6000;w=60. As in draft-ietf-httpapi-ratelimit-headers-10',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'r requests are left for the next t seconds, like "team";r=5990;t=42. Advice: another process counts for itself',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
};

/** Of a response with this status to a caller whose requests are counted. */
function headersOf(status: string): object | undefined {
  if (!status.startsWith('2') && status !== '429') return undefined;
  const names = Object.keys(HEADERS).filter((name) => status === '429' || name !== 'Retry-After');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A body is optional where no field is required. Every body can be too large, or not JSON. */
function tidyBody(operation: Operation, body: NonNullable<Operation['requestBody']>): void {
  body.required = Object.values(body.content).some(({ schema }) => (schema.required?.length ?? 0) > 0);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  for (const status of ['400', '413', '415']) operation.responses[status] ??= { description: '', content };
}

/** A copy that allows further members. */
function open<T>(schema: T): T {
  const without = (_name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('additionalProperties' in value)) return value;
    const { additionalProperties, ...kept } = value;
    return additionalProperties === false ? kept : value;
  };
  return JSON.parse(JSON.stringify(schema, without));
}
