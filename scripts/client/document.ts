/** The document of the API and the names of its operations in the clients, as the generator reads them. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  pattern?: string;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
};
export type Content = { content?: Record<string, { schema: Schema }> };
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
};
export type Document = {
  webhooks: Record<string, { post: { description: string; requestBody: Required<Content> } }>;
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

export const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

export const document: Document = read('docs/openapi.json');
/** clients/operations.json, for every client. */
export const names: {
  methods: Record<string, string>;
  csv: Record<string, string>;
  headers: string[];
  repeatable: string[];
  time_limits_seconds: Record<string, number>;
} = read('clients/operations.json');

export type Placed = { path: string; method: string; operation: Operation };
export const operations: Placed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
assert.deepEqual(
  Object.keys(names.methods).sort(),
  operations.map(({ operation }) => operation.operationId).sort(),
  'clients/operations.json must name every operation of docs/openapi.json, and no other',
);

for (const [id, answers] of operations.map(
  ({ operation }) => [operation.operationId, operation.responses] as const,
))
  assert.equal(
    id in names.csv,
    'text/csv' in (answers[200]?.content ?? {}),
    `${id} in csv of clients/operations.json`,
  );

export function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
}

/** The schema of a JSON body, and those that it is one of. */
export function partsOf(body: Content | undefined): Schema[] {
  const { schemas } = document.components;
  const schema = resolve(body?.content?.['application/json']?.schema ?? {}, schemas);
  return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((part) => resolve(part, schemas));
}

/** Members of what a caller gives that become headers; `accept` asks for a CSV. */
export function headerNames({ operationId, parameters = [] }: Operation): string[] {
  const sent = parameters.filter(
    (parameter) => parameter.in === 'header' && names.headers.includes(parameter.name),
  );
  const found = sent.map(({ name }) => name.replaceAll('-', '_'));
  return operationId in names.csv ? [...found, 'accept'] : found;
}

/** Parameters that go into the query; a POST has them beside the members of its body. */
export function queryNames({ parameters = [], requestBody }: Operation): string[] {
  const in_body = partsOf(requestBody).flatMap(({ properties = {} }) => Object.keys(properties));
  return parameters
    .filter((parameter) => parameter.in === 'query' && !in_body.includes(parameter.name))
    .map(({ name }) => name);
}
