/**
 * Writes dashboard/src/api/contract.ts from docs/openapi.json, or with --check says whether it is up to date.
 * openapi-typescript writes the types. Here is decided which integers are bigint, and checked that exact-json.ts agrees.
 */
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { EXACT_NAME } from '../dashboard/src/api/exact-json.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
};
type Operation = {
  operationId: string;
  parameters?: { name: string; schema: Schema }[];
  responses: Record<string, unknown>;
  /** Absent where no login is needed. */
  'x-roles'?: string[];
};
type Document = {
  webhooks?: unknown;
  components: { schemas: Record<string, Schema>; responses?: unknown };
  paths: Record<string, Record<string, Operation>>;
};

const root = join(import.meta.dirname, '..');
const FILE = join(root, 'dashboard', 'src', 'api', 'contract.ts');
const document: Document = forDashboard(JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')));

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
// Errors have one shape, which client.ts reads. The session sends the authorization.
for (const { operation } of operations) {
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
  );
  operation.parameters = operation.parameters?.filter(({ name }) => !/^authorization$/i.test(name)) ?? [];
  // A query is text in the end, so an integer may be given as text.
  for (const { schema } of operation.parameters)
    if (schema.type === 'integer') schema.type = ['integer', 'string'];
}
checkNames(document);

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());
const types = await openapiTS(document as unknown as OpenAPI3, {
  silent: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // A field with a default may be left out of a request.
  defaultNonNullable: false,
  transform: (object) => {
    const schema = object as Schema;
    if (!isBeyondNumbers(schema)) return undefined;
    return typesOf(schema).includes('null') ? ts.factory.createUnionTypeNode([BIGINT, NULL]) : BIGINT;
  },
});
const UNUSED = new Set(['paths', 'webhooks', '$defs']);
const used = types.filter(
  (node) =>
    !((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && UNUSED.has(node.name.text)),
);

const text = `// Written by scripts/contract.ts from docs/openapi.json.
${astToString(used)}
/** Method and path of each operation. */
export const OPERATIONS = {
${operations.map(({ method, path, operation }) => `    ${operation.operationId}: ["${method}", "${path}"],`).join('\n')}
} as const satisfies Record<keyof operations, readonly [method: string, path: string]>;
/** Roles that may call each operation, of those that need a login. */
export const ROLES_OF = {
${operations
  .filter(({ operation }) => operation['x-roles'])
  .map(({ operation }) => `    ${operation.operationId}: ${JSON.stringify(operation['x-roles'])},`)
  .join('\n')}
} as const satisfies Partial<Record<keyof operations, readonly Role[]>>;
`;

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('dashboard/src/api/contract.ts differs from docs/openapi.json: run "npm run openapi".');
  process.exitCode = 1;
}

/** Other readers have examples, headers and webhooks. */
function forDashboard({ webhooks: _, components, paths, ...rest }: Document): Document {
  const without = (name: string, value: unknown) =>
    ['example', 'examples', 'headers'].includes(name) ? undefined : value;
  const schemas = reachedFrom([paths, components.responses], components.schemas);
  return { ...rest, components: { schemas }, paths: JSON.parse(JSON.stringify(paths, without)) };
}

/** The schemas that references in `node` lead to. */
function reachedFrom(node: unknown, schemas: Record<string, Schema>, reached: Record<string, Schema> = {}) {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const schema = schemas[name];
    if (!schema || name in reached) continue;
    reached[name] = schema;
    reachedFrom(schema, schemas, reached);
  }
  return reached;
}

function typesOf({ type }: Schema): unknown[] {
  return [type].flat();
}

/** The document gives no other integers a format of 64 bits. */
function isBeyondNumbers({ format = '' }: Schema): boolean {
  return format === 'int64' || format === 'uint64';
}

/** exact-json.ts reads the members with these names as bigint and no other. */
function checkNames(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { properties } = node as { properties?: Record<string, Schema> };
  for (const [name, schema] of Object.entries(properties ?? {}))
    assert.equal(EXACT_NAME.test(name), holdsBigint(schema), `${name} is read wrongly by exact-json.ts`);
  for (const child of Object.values(node)) checkNames(child);
}

function holdsBigint(schema: Schema): boolean {
  const { $ref, anyOf = [], oneOf = [], items } = schema;
  if ($ref) return holdsBigint(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  assert(!items || !holdsBigint(items), 'exact-json.ts reads no bigints in an array');
  return isBeyondNumbers(schema) || [...anyOf, ...oneOf].some(holdsBigint);
}
