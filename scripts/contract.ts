/**
 * Writes dashboard/src/api/contract.ts from docs/openapi.json, or with --check says whether it is up to date: what the
 * dashboard believes of the API is what the API says of itself.
 */
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: (string | number)[];
  const?: string | number | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  maximum?: number;
  description?: string;
};
type Body = { content: { 'application/json': { schema: Schema } } };
type Operation = {
  operationId: string;
  summary: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: Body;
  responses: Record<string, Partial<Body>>;
};
type Document = {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

const root = join(import.meta.dirname, '..');
const FILE = join(root, 'dashboard', 'src', 'api', 'contract.ts');
const document: Document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));

/** Given back exactly as it came, so nothing is known of it. */
const FREE_FORM = new Set(['Metadata', 'WebhookEventBody']);

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return union(options.map(typeOf));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'integer':
      // A schema for numbers always has this bound, one for bigints may have none.
      return schema.maximum !== undefined && schema.maximum <= Number.MAX_SAFE_INTEGER ? 'number' : 'bigint';
    case 'array':
      return `${parenthesized(typeOf(schema.items ?? {}))}[]`;
    case 'object':
      return objectOf(schema);
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ');
}

function parenthesized(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema);
    checkExactness(name, type);
    const comment = schema.description ? `/** ${schema.description} */\n` : '';
    return `${comment}${name}${required.includes(name) ? '' : '?'}: ${type};`;
  });
  return `{\n${indented(members.join('\n'))}\n}`;
}

/** exact-json.ts reads these names as bigint and no other. */
function checkExactness(name: string, type: string): void {
  const exact = /(^|_)(stroops|memo_id|sequence)$|^next_after$/.test(name);
  const is_bigint = /\b(bigint|Stroops|MemoId)\b/.test(type);
  assert.equal(
    exact,
    is_bigint,
    `${name}: ${type} is not read as what it is, see dashboard/src/api/exact-json.ts`,
  );
}

function operationOf(method: string, path: string, operation: Operation): string {
  const fields = (place: string) =>
    (operation.parameters ?? [])
      .filter(({ name, in: where }) => where === place && !/^authorization$/i.test(name))
      .map(
        ({ name, required, schema }) => `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
      );
  const group = (name: string, place: string) => {
    const found = fields(place);
    return found.length === 0 ? [] : [`${name}: { ${found.join('; ')} };`];
  };
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const answer = success?.[1].content?.['application/json'].schema.properties?.data;
  const body = operation.requestBody?.content['application/json'].schema;
  const parts = [
    ...group('path', 'path'),
    ...group('query', 'query'),
    ...group('headers', 'header'),
    ...(body?.properties && Object.keys(body.properties).length > 0 ? [`body: ${typeOf(body)};`] : []),
    `data: ${answer ? typeOf(answer) : 'unknown'};`,
  ];
  const comment = `/** ${method.toUpperCase()} ${path}: ${operation.summary} */`;
  return `${comment}\n${operation.operationId}: {\n${indented(parts.join('\n'))}\n};`;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
  const comment = schema.description ? `/** ${schema.description} */\n` : '';
  return `${comment}export type ${name} = ${FREE_FORM.has(name) ? 'Record<string, unknown>' : typeOf(schema)};`;
});
const text = `// Written by scripts/contract.ts from docs/openapi.json.

${schemas.join('\n\n')}

export type Operations = {
${indented(operations.map(({ method, path, operation }) => operationOf(method, path, operation)).join('\n'))}
};

export const OPERATIONS = {
${operations.map(({ method, path, operation }) => `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],`).join('\n')}
} as const satisfies Record<keyof Operations, readonly [method: string, path: string]>;
`;

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('dashboard/src/api/contract.ts differs from docs/openapi.json: run "npm run openapi".');
  process.exitCode = 1;
}
