/** What the Python client must know of each operation: its name, parameters and answer, as types of Python. */
import { strict as assert } from 'node:assert';
import { type ClientMethod, GIVEN_HEADERS, mayHaveKey } from '../client-method.ts';
import { pascal, type Schema, type Types } from './types.ts';

type Content = { $ref?: string; content?: Record<string, { schema?: Schema }> };
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type DocumentOperation = {
  operationId: string;
  'x-client': ClientMethod;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  /** Empty: without a credential. */
  security?: unknown[];
};
export type Document = {
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Content> };
  paths: Record<string, Record<string, DocumentOperation>>;
};
export type Argument = {
  name: string;
  wire: string;
  type: string;
  required: boolean;
  in: 'path' | 'query' | 'body' | 'header';
};
export type Operation = {
  id: string;
  /** Names the constant. */
  name: string;
  group: string;
  method: string;
  /** The method that gives everything of the list as CSV, and whether the query says so too. */
  csv: { method: string; has_format: boolean } | null;
  http_method: string;
  path: string;
  about: string;
  args: Argument[];
  /** What is always sent, beside the arguments. Their names are values. */
  fixed: Argument[];
  /** The type of `data`, or of an item of its pages. */
  answer: string;
  /** What the next page is asked for with; null when the answer is not a list. */
  pages: 'cursor' | 'after' | null;
  repeatable: boolean;
  /** Only with one Idempotency-Key, which the client makes where the caller gives none. */
  makes: boolean;
  /** Where the service may need longer than for others. */
  timeout_seconds: number | undefined;
  public: boolean;
  /** Statuses of errors whose answer is `data`, as that of readiness. */
  statuses_with_data: string[];
};

/** Parameters that only a browser or another client sends. `format`: a CSV has a method of its own. */
const NOT_HERE = /^(authorization|teller-browser|accept|format)$/i;

/** What makes of a method another one, which gives another answer: 200 and not 201. */
const PREVIEW: Argument = { name: 'True', wire: 'preview', type: 'bool', required: true, in: 'query' };

/** @throws Error for an operation whose route names no method */
export function readOperations(document: Document, types: Types): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      withPreview(readOperation(path, method.toUpperCase(), operation), operation),
    ),
  );

  /** An operation that can also give a preview is two methods: each has one type of answer. */
  function withPreview(read: Operation, operation: DocumentOperation): Operation[] {
    if (!read.args.some(({ wire, in: where }) => wire === PREVIEW.wire && where === 'query')) return [read];
    const answer = (status: string) => answerOf(operation, read.http_method, status).type;
    const args = read.args.filter(({ wire }) => wire !== PREVIEW.wire);
    const unkeyed = args.filter(({ wire }) => wire !== 'idempotency-key');
    const name = read.id.replace(/^create/, 'preview');
    const about = `Preview of \`${read.method}\`: checks everything and keeps nothing.`;
    return [
      { ...read, args, answer: answer('201') },
      {
        ...read,
        name,
        about,
        method: 'preview',
        args: unkeyed,
        makes: false,
        fixed: [PREVIEW],
        answer: answer('200'),
      },
    ];
  }

  function readOperation(path: string, http_method: string, operation: DocumentOperation): Operation {
    const { operationId: id, 'x-client': client } = operation;
    const [group, method] = client.method.split('.');
    assert(group && method, `${id}: ${client.method} is no group with a method`);
    const body = bodyOf(operation);
    const { type, pages } = answerOf(operation, http_method);
    const given = body ? bodyArguments(id, body) : [];
    const inBody = new Set(given.map(({ name }) => name));
    // Beside a CSV the query has what JSON has in its body.
    const args = [...parametersOf(path, operation).filter(({ name }) => !inBody.has(name)), ...given];
    return {
      id,
      name: id,
      group,
      method,
      http_method,
      path,
      pages,
      csv: csvOf(operation),
      about: [operation.summary, operation.description].filter(Boolean).join('. ').replaceAll('..', '.'),
      args,
      fixed: [],
      answer: type,
      repeatable: http_method === 'GET' || client.repeatable === true,
      makes: mayHaveKey(operation),
      timeout_seconds: client.time_limit_seconds,
      public: (operation.security ?? []).length === 0,
      statuses_with_data: withData(operation),
    };
  }

  function csvOf({ 'x-client': client, parameters = [] }: DocumentOperation): Operation['csv'] {
    const method = client.csv?.split('.')[1];
    const has_format = parameters.some(({ name }) => name === 'format');
    return method ? { method, has_format } : null;
  }

  function parametersOf(path: string, { operationId, parameters = [] }: DocumentOperation): Argument[] {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const rest = parameters.filter((parameter) => parameter.in !== 'path' && !NOT_HERE.test(parameter.name));
    return [
      ...inPath.map((wire): Argument => {
        const name = wire === 'id' ? 'wallet_id' : wire;
        return { name, wire, type: 'str', required: true, in: 'path' };
      }),
      ...rest.map(({ name, in: where, required = false, schema }): Argument => {
        if (where === 'header') {
          const wire = name.toLowerCase();
          assert(GIVEN_HEADERS.includes(wire), `${operationId} has the unknown header ${name}`);
          return { name: wire.replaceAll('-', '_'), wire, type: 'str', required, in: 'header' };
        }
        return {
          name,
          wire: name,
          type: queryType(schema, operationId + pascal(name)),
          required,
          in: 'query',
        };
      }),
    ];
  }

  /** All of a query is text on the wire. The client takes what the text means. */
  function queryType(schema: Schema, name: string): string {
    const { pattern = '', enum: values } = types.resolve(schema);
    if (values?.includes('true')) return 'bool';
    if (pattern.includes('latest')) return 'int | Literal["latest"]';
    if (/^\^\[0-9\]/.test(pattern) && !pattern.includes('a-z')) return 'int';
    return types.of(schema, pascal(name));
  }

  function bodyArguments(id: string, body: Schema): Argument[] {
    const required = new Set(body.required ?? []);
    return Object.entries(body.properties ?? {}).flatMap(([name, schema]) => {
      const type =
        name === 'metadata' ? 'Mapping[str, Any]' : given(types.of(schema, pascal(id) + pascal(name)));
      const argument: Argument = { name, wire: name, type, required: required.has(name), in: 'body' };
      if (name !== 'metadata') return [argument];
      const text: Argument = {
        name: 'metadata_text',
        wire: 'metadata_text',
        type: 'str',
        required: false,
        in: 'body',
      };
      return [argument, text];
    });
  }

  function withData({ responses }: DocumentOperation): string[] {
    const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
    return errors.flatMap(([status, response]) => {
      const schema = schemaOf(response);
      const parts = schema?.anyOf ?? schema?.oneOf ?? (schema ? [schema] : []);
      const isData = parts
        .map((part) => types.resolve(part).properties ?? {})
        .some(({ data, error }) => data && !error);
      return isData ? [status] : [];
    });
  }

  function schemaOf(response: Content): Schema | undefined {
    const named = response.$ref?.split('/').at(-1) ?? '';
    return (document.components.responses?.[named] ?? response).content?.['application/json']?.schema;
  }

  function bodyOf({ requestBody }: DocumentOperation): Schema | undefined {
    const schema = requestBody?.content?.['application/json']?.schema;
    return schema && types.resolve(schema);
  }

  /** `of_status`: what its statuses begin with. */
  function answerOf(
    { operationId, responses }: DocumentOperation,
    http_method: string,
    of_status = '2',
  ): {
    type: string;
    pages: Operation['pages'];
  } {
    const found = Object.entries(responses)
      .filter(([status]) => status.startsWith(of_status))
      .flatMap(([, response]) => schemaOf(response) ?? [])
      .map((schema) => types.resolve(schema).properties?.data)
      .map((data) => data && { data, resolved: types.resolve(data) });
    const name = `${pascal(operationId)}Answer`;
    const [first] = found;
    assert(first, `${operationId} has no answer with data`);
    const { items, next_cursor: _, next_after, ...others } = first.resolved.properties ?? {};
    if (http_method === 'GET' && items?.items && Object.keys(others).length === 0) {
      const item = types.of(items.items, `${pascal(operationId)}Item`);
      return { type: item, pages: next_after ? 'after' : 'cursor' };
    }
    const all = [...new Set(found.flatMap((one) => (one ? [types.of(one.data, name)] : [])))];
    return { type: types.oneOf(all), pages: null };
  }
}

/** A caller may give any sequence, and no list of their own can be changed by the client. */
const given = (type: string): string => type.replaceAll(/\blist\[/g, 'Sequence[');
