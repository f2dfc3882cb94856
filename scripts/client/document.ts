/** The document of the API, as the generator reads it. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientMethod, GIVEN_HEADERS } from '../client-method.ts';

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
  'x-client': ClientMethod;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
  /** Absent where no login is needed. */
  'x-roles'?: string[];
};
export type Document = {
  webhooks: Record<string, { post: { description: string; requestBody: Required<Content> } }>;
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

export const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

export const document: Document = read('docs/openapi.json');

export type Placed = { path: string; method: string; operation: Operation };
export const operations: Placed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
for (const { operation } of operations) {
  const { operationId, 'x-client': client, responses } = operation;
  assert.equal('csv' in client, 'text/csv' in (responses[200]?.content ?? {}), `csv of ${operationId}`);
}

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
export function headerNames({ 'x-client': client, parameters = [] }: Operation): string[] {
  const sent = parameters.filter(
    (parameter) => parameter.in === 'header' && GIVEN_HEADERS.includes(parameter.name),
  );
  const found = sent.map(({ name }) => name.replaceAll('-', '_'));
  return client.csv ? [...found, 'accept'] : found;
}

/** Parameters that go into the query; a POST has them beside the members of its body. */
export function queryNames({ parameters = [], requestBody }: Operation): string[] {
  const in_body = partsOf(requestBody).flatMap(({ properties = {} }) => Object.keys(properties));
  return parameters
    .filter((parameter) => parameter.in === 'query' && !in_body.includes(parameter.name))
    .map(({ name }) => name);
}
