/**
 * Writes the parts of the TypeScript client that follow from docs/openapi.json, or with --check says whether they are up
 * to date: contract.ts has the types and the table of operations, operations.ts a class for each group of methods.
 * clients/operations.json names group and method of each operation, for every client.
 */
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { EXACT_NAME } from '../clients/typescript/src/exact-json.ts';
import { ERROR_CODES } from '../src/errors.ts';

type Schema = {
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
type Content = { content?: Record<string, { schema: Schema }> };
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
};
type Document = {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

const root = join(import.meta.dirname, '..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const document: Document = read('docs/openapi.json');
const names: { methods: Record<string, string>; repeatable: string[]; held: string[] } =
  read('clients/operations.json');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
assert.deepEqual(
  Object.keys(names.methods).sort(),
  operations.map(({ operation }) => operation.operationId).sort(),
  'clients/operations.json must name every operation of docs/openapi.json, and no other',
);

/** Marks in the copy of the document that the types are made of. */
const EXACT = 'exact-integer';
const PLACE = 'place-of-event';
const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());
const LATEST = ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral('latest'));
/** Of a comment. */
const WIDTH = 100;
const FOLDER = join('clients', 'typescript', 'src');
const HEADER = '// Written by scripts/client.ts from docs/openapi.json.';
const written: [file: string, text: string][] = [
  ['contract.ts', await contract()],
  ['operations.ts', classes()],
];
for (const [name, text] of written) {
  const file = join(FOLDER, name);
  if (!process.argv.includes('--check')) writeFileSync(join(root, file), text);
  else if (readFileSync(join(root, file), 'utf8') !== text) {
    console.error(`${file} differs from docs/openapi.json: run "npm run openapi".`);
    process.exitCode = 1;
  }
}

/** Types of everything that is sent and answered, and what the transport must know of each operation. */
async function contract(): Promise<string> {
  const shown = structuredClone(document);
  for (const methods of Object.values(shown.paths))
    for (const operation of Object.values(methods)) keepWhatIsCalled(operation);
  // Errors are classes of their own.
  for (const name of Object.keys(shown.components.schemas))
    if (/Error$|^ErrorCode$|^ErrorBody$|^ErrorDetail$/.test(name)) delete shown.components.schemas[name];
  markIntegers(shown, shown.components.schemas);
  for (const methods of Object.values(shown.paths))
    for (const { requestBody, responses } of Object.values(methods)) {
      addMetadataText(requestBody, false);
      addMetadataText(responses, true);
    }
  for (const [name, schema] of Object.entries(shown.components.schemas))
    addMetadataText(schema, !name.endsWith('Body'));
  const types = await openapiTS(shown as unknown as OpenAPI3, {
    silent: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    transform: (object) => typeOfMarked(object as Schema),
  });
  const unused = new Set(['paths', 'webhooks', '$defs']);
  const used = types.filter(
    (node) =>
      !((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && unused.has(node.name.text)),
  );
  return `${HEADER}
${astToString(used)}
/** Codes of errors of this version; a later one may have more. */
export type ErrorCode = ${ERROR_CODES.map((code) => `'${code}'`).join(' | ')};

export type OperationId = keyof operations;

/** \`repeatable\`: the same again acts once. \`held\`: the answer comes when the outcome is proven. */
export const OPERATIONS: Record<
  OperationId,
  { method: string; path: string; repeatable: boolean; held: boolean }
> = {
${operations.map(({ method, path, operation }) => `    ${operation.operationId}: ${JSON.stringify(traits(operation.operationId, method, path))},`).join('\n')}
};
`;
}

function traits(id: string, method: string, path: string) {
  return {
    method,
    path,
    repeatable: method === 'GET' || names.repeatable.includes(id),
    held: names.held.includes(id),
  };
}

/** Errors, cookies and headers are the transport's business; the form of a body beside JSON is nobody's. */
function keepWhatIsCalled(operation: Operation): void {
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
  );
  operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== 'header') ?? [];
  for (const { schema } of operation.parameters) giveType(schema);
  if (operation.requestBody?.content) {
    const json = operation.requestBody.content['application/json'];
    assert(json, `${operation.operationId} takes no JSON`);
    operation.requestBody.content = { 'application/json': json };
  }
}

/** A query is text; a caller has numbers and booleans. */
function giveType(schema: Schema): void {
  const { enum: values, pattern = '' } = schema;
  if (String(values) === 'true,false') Object.assign(schema, { type: 'boolean', enum: undefined });
  else if (/^\^\[0-9\]\{1,\d\}\$$/.test(pattern)) Object.assign(schema, { type: 'integer' });
  else if (pattern.startsWith('^(latest|')) Object.assign(schema, { format: PLACE });
}

/** A member that exact-json.ts reads as bigint is an integer in the document, and no other has 64 bits. */
function markIntegers(node: unknown, schemas: Record<string, Schema>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, schema] of Object.entries((node as Schema).properties ?? {})) {
    const parts = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((part) =>
      resolve(part, schemas),
    );
    const integers = parts.filter(({ type }) => [type].flat().includes('integer'));
    const exact = EXACT_NAME.test(name);
    assert.ok(!exact || integers.length > 0, `${name} is read wrongly by exact-json.ts`);
    for (const integer of integers) {
      if (exact) integer.format = EXACT;
      else assert.ok(!hasLongFormat(integer), `${name} is read wrongly by exact-json.ts`);
    }
  }
  for (const child of Object.values(node)) markIntegers(child, schemas);
}

function hasLongFormat({ format, maximum = 0 }: Schema): boolean {
  return [EXACT, 'int64', 'uint64'].includes(format ?? '') || maximum > Number.MAX_SAFE_INTEGER;
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
}

function typeOfMarked({ format, type }: Schema): ts.TypeNode | undefined {
  if (format === PLACE) return ts.factory.createUnionTypeNode([LATEST, BIGINT]);
  if (format !== EXACT) return undefined;
  return [type].flat().includes('null') ? ts.factory.createUnionTypeNode([BIGINT, NULL]) : BIGINT;
}

/** Beside `metadata` as values its text, which answers have and requests may have instead. */
function addMetadataText(node: unknown, in_answer: boolean): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Schema;
  if (schema.properties?.metadata) {
    const type = in_answer ? ['string', 'null'] : 'string';
    schema.properties.metadata_text = { type, description: 'The exact text of `metadata`' };
    if (in_answer && schema.required?.includes('metadata')) schema.required.push('metadata_text');
  }
  for (const child of Object.values(node)) addMetadataText(child, in_answer);
}

/** A class for each group, with a method for each operation. */
function classes(): string {
  const groups = Map.groupBy(operations, ({ operation }) => placeOf(operation.operationId).group);
  return `${HEADER}
import { type Body, type Data, Group, type Item, type Query } from './group.ts';
import type { Pages } from './pages.ts';
import type { CallOptions } from './transport.ts';
${[...groups].map(([group, members]) => classOf(group, members)).join('\n')}`;
}

function classOf(group: string, members: typeof operations): string {
  const methods = members.map(({ path, method, operation }) => methodOf(path, method, operation));
  return `export class ${classNameOf(group)} extends Group {
${methods.join('\n\n')}
}
`;
}

function methodOf(path: string, method: string, operation: Operation): string {
  const { operationId: id, summary, description = '', parameters = [], requestBody } = operation;
  const in_path = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const arguments_ = in_path.map((name) => (name === 'id' ? 'wallet_id' : name));
  const takes = (header: string) => parameters.some(({ name }) => name === header);
  const key = takes('idempotency-key') ? ' & { idempotency_key: string }' : '';
  const prefer = takes('prefer') ? ' & { prefer?: string }' : '';
  const is_list = parameters.some(({ name }) => name === 'cursor');
  const has_query = method === 'GET' && parameters.some((parameter) => parameter.in === 'query');
  const takes_body = hasMembers(requestBody);
  const input =
    (has_query && `query: Query<'${id}'> = {}`) ||
    ((takes_body || prefer) &&
      `body: Body<'${id}'>${key}${prefer}${isNeeded(requestBody, key) ? '' : ' = {}'}`);
  const given = input ? input.slice(0, input.indexOf(':')) : '{}';
  const signature = [...arguments_.map((name) => `${name}: string`), input, 'options: CallOptions = {}'];
  const filled = in_path.map((name, index) =>
    name === arguments_[index] ? name : `${name}: ${arguments_[index]}`,
  );
  const result = is_list ? `Pages<Item<'${id}'>>` : `Promise<Data<'${id}'>>`;
  return `${comment(summary, description)}
  ${placeOf(id).method}(${signature.filter(Boolean).join(', ')}): ${result} {
    return this.${is_list ? 'pagesOf' : 'dataOf'}('${id}', {${filled.join(', ')}}, ${given}, options);
  }`;
}

function hasMembers(body: Content | undefined): body is Content {
  return partsOf(body).some(({ properties = {} }) => Object.keys(properties).length > 0);
}

/** A body with nothing that must be there may be left out. */
function isNeeded(body: Content | undefined, key: string): boolean {
  return key !== '' || partsOf(body).some(({ required = [] }) => required.length > 0);
}

function partsOf(body: Content | undefined): Schema[] {
  const { schemas } = document.components;
  const schema = resolve(body?.content?.['application/json']?.schema ?? {}, schemas);
  return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((part) => resolve(part, schemas));
}

function comment(summary: string, description: string): string {
  const lines = [''];
  for (const word of description.replaceAll('*/', '*\\/').split(' ').filter(Boolean)) {
    if (`${lines.at(-1)} ${word}`.length > WIDTH) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  const text = description === '' ? [` ${summary}.`] : [` ${summary}.`, '', ...lines];
  return ['  /**', ...text.map((line) => `   *${line}`), '   */'].join('\n');
}

function placeOf(id: string): { group: string; method: string } {
  const [group = '', method = ''] = (names.methods[id] ?? '').split('.').map(camelCase);
  return { group, method };
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function classNameOf(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Operations`;
}
