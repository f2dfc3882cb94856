/**
 * Names the schemas of the document. Generators of clients make one type of each name, and one type of every object without
 * a name. By these rules an operation needs no names of its own:
 *
 * | schema | name |
 * |---|---|
 * | body of `createWallet`; as a form; a body without members | `CreateWalletBody`; `CreateWalletForm`; `EmptyBody` |
 * | `data` with items of `Wallet`, with and without a cursor | `WalletPage`, `WalletList` |
 * | other `data` of `payOnSandbox`; `data` without members | `PayOnSandboxData`; `Empty` |
 * | success with `data` of `Wallet` | `WalletAnswer` |
 * | error with `data` of `Wallet` | `WalletError` |
 *
 * A schema with an id of its own (`.meta({ id })`) keeps the id.
 */
import type { Document, Media, Schema } from './document-types.ts';

type Paths = Document['paths'];

const FORM = 'application/x-www-form-urlencoded';
const PREFIX = '#/components/schemas/';

/**
 * Returns the schemas with those that were inline in `paths`, and the paths with references in their place.
 * @throws Error when two different schemas would have one name
 */
export function nameSchemas(
  schemas: Record<string, Schema>,
  paths: Paths,
): { schemas: Record<string, Schema>; paths: Paths } {
  const named = { ...schemas };
  const add = (name: string, schema: Schema): Schema => {
    const before = named[name];
    if (before && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`Two schemas would be named ${name}: give one of them an id`);
    named[name] = schema;
    return { $ref: PREFIX + name };
  };
  const result = structuredClone(paths);
  for (const operation of Object.values(result).flatMap((methods) => Object.values(methods))) {
    const name = capital(operation.operationId);
    const nameBody = (body: Schema, type: string) =>
      add(isEmpty(body) ? 'EmptyBody' : `${name}${type === FORM ? 'Form' : 'Body'}`, body);
    if (operation.requestBody) replaceInline(operation.requestBody.content, nameBody);
    for (const { content = {} } of Object.values(operation.responses))
      replaceInline(content, (answer) => nameAnswer(answer, name, add));
  }
  return { schemas: named, paths: result };
}

/** Returns the schema that a reference leads to, else the schema itself. An unknown reference leads to an empty schema. */
export function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema)] ?? {});
}

function replaceInline(content: Media, name: (schema: Schema, type: string) => Schema): void {
  for (const [type, media] of Object.entries(content))
    if (isInline(media.schema)) media.schema = name(media.schema, type);
}

type Add = (name: string, schema: Schema) => Schema;

function nameAnswer(answer: Schema, operation: string, add: Add): Schema {
  const { data, error, ...more } = answer.properties ?? {};
  const suffix = error ? 'Error' : 'Answer';
  if (!data) return add(`${operation}${suffix}`, answer);
  const named_data = isInline(data) ? add(dataName(data, operation), data) : data;
  const is_plain = Object.keys(more).every((name) => name === 'statusCode' || name === 'message');
  const named = is_plain && !isOfOperation(named_data) ? nameOf(named_data) : operation;
  return add(`${named}${suffix}`, { ...answer, properties: { ...answer.properties, data: named_data } });
}

function dataName({ properties = {} }: Schema, operation: string): string {
  const { items, next_cursor } = properties;
  const item = items?.items?.$ref;
  if (Object.keys(properties).length === 0) return 'Empty';
  const is_list = Object.keys(properties).every((name) => name === 'items' || name === 'next_cursor');
  if (!item || !is_list) return `${operation}Data`;
  return `${nameOf({ $ref: item })}${next_cursor ? 'Page' : 'List'}`;
}

/** Returns true when a schema has a name of its operation only, or no name, like a union. */
function isOfOperation({ $ref }: Schema): boolean {
  return !$ref || $ref.endsWith('Data');
}

function nameOf({ $ref = '' }: Schema): string {
  return $ref.slice(PREFIX.length);
}

function isInline({ type, $ref }: Schema): boolean {
  return $ref === undefined && type === 'object';
}

function isEmpty({ properties = {} }: Schema): boolean {
  return Object.keys(properties).length === 0;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns the forms of schemas that are used, as `X`: the generator writes each schema twice, `X` as it is in answers and `XInput`
 * as it is in bodies. Answers may get further members later; a body must not have members that are not known.
 * @param paths with references to either form; `open` allows further members
 * @throws Error when a schema is used in answers and in bodies, and the two forms differ
 */
export function oneForm(
  schemas: Record<string, Schema>,
  paths: unknown,
  open: (schema: Schema) => Schema,
): Record<string, Schema> {
  const used = reachedFrom(paths, schemas);
  const result: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (!used.has(name)) continue;
    const plain = isInputForm(name, schemas) ? name.slice(0, -'Input'.length) : name;
    const form = withoutInput(plain === name ? open(schema) : schema);
    const before = result[plain];
    if (before && JSON.stringify(before) !== JSON.stringify(form))
      throw new Error(`${plain} differs between bodies and answers: give each form an id`);
    result[plain] = form;
  }
  return result;
}

/**
 * Returns the schemas with those of bodies changed: members that are not required may be null, because `null` means absent in a body.
 * Strings without a pattern get one that refuses NUL.
 */
export function nullableInBodies(schemas: Record<string, Schema>, paths: Paths): Record<string, Schema> {
  const bodies = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ requestBody }) => requestBody ?? {}),
  );
  const reached = reachedFrom(bodies, schemas);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, reached.has(name) ? orNull(schema) : schema]),
  );
}

function orNull(schema: Schema): Schema {
  const { properties, required = [] } = schema;
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const items = member.items && withoutNul(member.items.properties ? orNull(member.items) : member.items);
    const inner = withoutNul(items ? { ...member, items } : orNull(member));
    return [name, required.includes(name) ? inner : nullable(inner)];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

/**
 * Adds a pattern to a string without a pattern, enum or const: no string of a body may have a NUL, which PostgreSQL stores in no
 * text.
 */
function withoutNul(schema: Schema): Schema {
  const is_free = schema.type === 'string' && ['pattern', 'enum', 'const'].every((each) => !(each in schema));
  return is_free ? { ...schema, pattern: '^[^\\u0000]*$' } : schema;
}

function nullable({ description, default: preset, ...schema }: Schema): Schema {
  const is_plain = typeof schema.type === 'string' && !('enum' in schema) && !('const' in schema);
  const form = is_plain ? { ...schema, type: [schema.type, 'null'] } : { anyOf: [schema, { type: 'null' }] };
  return {
    ...form,
    ...(preset !== undefined && { default: preset }),
    ...(description ? { description } : {}),
  };
}

/** Returns the names of the schemas that references in `node` lead to, at once or through other schemas. */
function reachedFrom(node: unknown, schemas: Record<string, Schema>): Set<string> {
  const reached = new Set<string>();
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (reached.has(name)) continue;
      reached.add(name);
      visit(schemas[name] ?? {});
    }
  };
  visit(node);
  return reached;
}

function isInputForm(name: string, schemas: Record<string, Schema>): boolean {
  return name.endsWith('Input') && name.slice(0, -'Input'.length) in schemas;
}

/** Copies a part of the document. References to the forms of bodies lead to the one form that is kept. */
export function withoutInput<T>(node: T): T {
  return JSON.parse(JSON.stringify(node).replaceAll(/(#\/components\/schemas\/\w+?)Input"/g, '$1"'));
}
