/** Types of what is sent and answered, for the TypeScript client: openapi-typescript writes them, here integers become bigint. */

import { strict as assert } from 'node:assert';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { EXACT_NAME } from '../../clients/typescript/src/exact-name.ts';
import { ERROR_CODES } from '../../src/lib/errors.ts';
import { mayHaveKey } from '../client-method.ts';
import {
  type Content,
  document,
  headerNames,
  type Operation,
  operations,
  type Placed,
  queryNames,
  resolve,
  type Schema,
} from './document.ts';

/** Marks in the copy of the document that the types are made of. */
const EXACT = 'exact-integer';
const PLACE = 'place-of-event';
const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());
const LATEST = ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral('latest'));

/** Types of everything that is sent and answered, and what the transport must know of each operation. */
export async function contractText(): Promise<string> {
  const { paths, components } = structuredClone(document);
  for (const methods of Object.values(paths))
    for (const operation of Object.values(methods)) keepWhatIsCalled(operation);
  // Errors are classes of their own.
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).filter(([name]) => !/Error(Code|Body|Detail)?$/.test(name)),
  );
  const shown = { openapi: '3.1.1', info: { title: '', version: '' }, paths, components: { schemas } };
  markIntegers(shown, schemas);
  for (const methods of Object.values(paths))
    for (const { requestBody, responses } of Object.values(methods)) {
      addMetadataText(requestBody, false);
      addMetadataText(responses, true);
    }
  for (const [name, schema] of Object.entries(schemas)) addMetadataText(schema, !name.endsWith('Body'));
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
  return `${astToString(used)}
/** \`data\` of each event of this version. A name that ends with \`test\` is of a test event, which looks like a real one: credit nothing. */
export type EventData = {
${Object.keys(document.webhooks).map(memberOfEvent).join('\n')}
};
export const EVENTS: ReadonlySet<string> = new Set<keyof EventData>([
${Object.keys(document.webhooks)
  .map((event) => `    '${event}',`)
  .join('\n')}
]);

/** Codes of errors of this version; a later one may have more. */
export type ErrorCode = ${ERROR_CODES.map((code) => `'${code}'`).join(' | ')};

export type OperationId = keyof operations;

/**
 * \`headers\`: members that are sent as headers. \`query\`: those that a POST sends in its query. \`repeatable\`: the same again acts
 * once. \`makes\`: only with one Idempotency-Key; the client makes it where the caller gives none.
 * \`timeout_ms\`: where the service may need longer than for others.
 */
export const OPERATIONS: Record<
  OperationId,
  {
    method: string;
    path: string;
    headers: string[];
    query: string[];
    repeatable: boolean;
    makes?: true;
    timeout_ms?: number;
  }
> = {
${operations.map((each) => `    ${each.operation.operationId}: ${JSON.stringify(traits(each))},`).join('\n')}
};
`;
}

function memberOfEvent(event: string): string {
  const { $ref = '' } = document.webhooks[event]?.post.requestBody.content['application/json']?.schema ?? {};
  const name = $ref.split('/').at(-1) ?? '';
  assert(document.components.schemas[name], `the body of ${event} has no name`);
  return `    '${event}': ${name}['data'];`;
}

function traits({ path, method, operation }: Placed) {
  const { repeatable = false, time_limit_seconds: seconds } = operation['x-client'];
  return {
    method,
    path,
    headers: headerNames(operation),
    query: method === 'GET' ? [] : queryNames(operation),
    repeatable: method === 'GET' || repeatable,
    ...(mayHaveKey(operation) && { makes: true }),
    ...(seconds !== undefined && { timeout_ms: seconds * 1_000 }),
  };
}

/** Errors, cookies and headers are the transport's business; the form of a body beside JSON is nobody's. */
function keepWhatIsCalled(operation: Operation): void {
  const { operationId, parameters = [], requestBody, responses } = operation;
  operation.responses = Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { content }]) => [status, { description: '', content: onlyJson(content) }]),
  );
  operation.parameters = parameters.filter((parameter) => parameter.in !== 'header');
  for (const { name, schema } of operation.parameters) giveType(name, schema);
  if (!requestBody?.content) return;
  requestBody.content = onlyJson(requestBody.content);
  assert(requestBody.content['application/json'], `${operationId} takes no JSON`);
}

/** Without its examples, which are components that are not shown. */
function onlyJson(content: Content['content'] = {}): NonNullable<Content['content']> {
  const { 'application/json': json } = content;
  return json ? { 'application/json': { schema: json.schema } } : {};
}

/** A query is text; a caller has numbers and booleans. */
function giveType(name: string, schema: Schema): void {
  const { enum: values, pattern = '' } = schema;
  if (String(values) === 'true,false') Object.assign(schema, { type: 'boolean', enum: undefined });
  else if (/^\^\[0-9\]\{1,\d\}\$$/.test(pattern)) Object.assign(schema, { type: 'integer' });
  else if (EXACT_NAME.test(name)) Object.assign(schema, { format: EXACT });
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
