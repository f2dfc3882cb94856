/**
 * Completes the document that is generated from the routes: names of schemas, errors, headers, examples, words of parameters.
 * So a route says only what is its own.
 */
import { strict as assert } from 'node:assert';
import { STATUS_CODES } from 'node:http';
import { describeMembers } from './describe-members.ts';
import type { Document, Operation, Parameter, Schema } from './document-types.ts';
import { declareErrors, ERROR, exampleName, shareAnswers } from './error-answers.ts';
import { nameSchemas, nullableInBodies, oneForm, resolve, withoutInput } from './named-schemas.ts';
import { createSamples } from './samples.ts';

/** What the routes do not say. */
export type Description = {
  info: { title: string; version: string; description: string; [more: string]: unknown };
  tags: { name: string; description: string }[];
  /** A message for each code. */
  messages: Record<string, string>;
  /** Values of the examples, by the name of a member. */
  samples: Record<string, unknown>;
  /** The requests that receivers get. */
  webhooks: Record<string, { post: Operation }>;
  /** The operation that names the URL to which `webhooks` are sent. */
  registers_webhooks: string;
  /** Words of parameters whose routes say none. */
  parameters: Record<string, string>;
  /** Words of members whose schemas say none: by `Schema.member`, or by the name of the member. */
  members: Record<string, string>;
};

/** Returns the complete document. @throws Error when an operation, or what it declares, does not fit the description */
export function finishDocument({ components, paths, ...rest }: Document, description: Description): object {
  const webhooks = structuredClone(description.webhooks);
  const forms = oneForm(components.schemas, [paths, webhooks, ERROR], open);
  const named = nameSchemas(forms, withOpenAnswers(withoutInput(paths)));
  const answers = new Set<string>();
  for (const operation of each(named.paths)) {
    const { 'x-errors': errors = [] } = operation;
    delete operation['x-errors']; // the answers say it
    if (operation.operationId === description.registers_webhooks) addCallback(operation, webhooks);
    for (const error of errors) answers.add(exampleName(error));
    declareErrors(operation, errors, named.schemas);
    finishOperation(operation, named.schemas, description.parameters);
  }
  const schemas = describeMembers(nullableInBodies(named.schemas, named.paths), description.members);
  const samples = createSamples(schemas, description.samples);
  for (const operation of each(named.paths)) addExamples(operation, samples);
  for (const { post } of Object.values(webhooks)) addExamples(post, samples);
  return {
    ...withoutInput(rest),
    webhooks,
    components: {
      ...components,
      headers: HEADERS,
      responses: sorted(shareAnswers(each(named.paths))),
      examples: errorExamples([...answers].sort(), description.messages),
      schemas: sorted(schemas),
    },
    paths: named.paths,
  };
}

/**
 * Says to which URL events are sent. Generators that drop each schema to which no path leads (oapi-codegen) keep those of the
 * events because of it.
 */
function addCallback(operation: Operation, webhooks: Description['webhooks']): void {
  const bodies = Object.values(webhooks).map(
    ({ post }) => post.requestBody?.content['application/json']?.schema ?? {},
  );
  const [first] = Object.values(webhooks);
  assert(first, 'there are events');
  const post = {
    ...first.post,
    operationId: 'onEvent',
    summary: 'Any event',
    requestBody: { required: true, content: { 'application/json': { schema: { oneOf: bodies } } } },
  };
  operation.callbacks = { event: { '{$request.body#/url}': { post } } };
}

function each(paths: Document['paths']): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Sorts members by name, so that a new operation moves no other schema in the file. */
function sorted<T>(named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withOpenAnswers(paths: Document['paths']): Document['paths'] {
  for (const operation of each(paths)) operation.responses = open(operation.responses);
  return paths;
}

/** Completes the body, parameters and answers of an operation. A body is optional where no field is required. */
function finishOperation(
  operation: Operation,
  schemas: Record<string, Schema>,
  words: Description['parameters'],
): void {
  const { requestBody, parameters = [], responses } = operation;
  if (requestBody)
    requestBody.required = Object.values(requestBody.content).some(
      ({ schema }) => (resolve(schema, schemas).required ?? []).length > 0,
    );
  for (const parameter of parameters) parameter.description ??= words[parameter.name] ?? wordsOfId(parameter);
  for (const [status, response] of Object.entries(responses)) {
    const codes = response.description;
    responses[status] = {
      ...response,
      description: [STATUS_CODES[status], codes === 'Default Response' ? '' : codes]
        .filter(Boolean)
        .join(': '),
      headers: headersOf(operation, status),
    };
  }
}

function wordsOfId({ name }: Parameter): string | undefined {
  return name.endsWith('_id') ? `The id of the ${name.slice(0, -3).replaceAll('_', ' ')}` : undefined;
}

const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request, which the log of the service has',
    schema: { type: 'string' },
  },
  'Teller-Version': { description: 'The version of the service that answered', schema: { type: 'string' } },
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

function headersOf({ security = [] }: Operation, status: string): object {
  const is_counted = security.length > 0 && (status.startsWith('2') || status === '429');
  const names = [
    'X-Request-Id',
    'Teller-Version',
    ...(is_counted ? ['RateLimit-Policy', 'RateLimit'] : []),
    ...(['429', '503', '504'].includes(status) ? ['Retry-After'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function addExamples(operation: Operation, samples: ReturnType<typeof createSamples>): void {
  const { parameters = [], requestBody, responses, 'x-examples': own = {} } = operation;
  delete operation['x-examples'];
  // What need not be sent has no example, so that a request made of the examples works.
  for (const parameter of parameters)
    if (parameter.required || parameter.schema.type === 'integer')
      parameter.example ??= samples.ofParameter(parameter);
  for (const media of Object.values(requestBody?.content ?? {}))
    media.example = own.body ?? samples.ofBody(media.schema);
  for (const [status, { content = {} }] of Object.entries(responses)) {
    for (const media of Object.values(content)) {
      const { schema, examples } = media;
      if (!examples) media.example = samples.ofAnswer(Number(status), schema, own.answers?.[Number(status)]);
    }
  }
  const csv = (example: string) => ({ 'text/csv': { schema: { type: 'string' }, example } });
  if (own.csv_body) Object.assign(requestBody?.content ?? {}, csv(own.csv_body));
  if (own.csv) Object.assign(responses[200]?.content ?? {}, csv(own.csv));
}

/** Makes one example for each code and status. Errors of one code look alike, whatever operation answers them. */
function errorExamples(names: string[], messages: Record<string, string>): object {
  const examples = names.map((name) => {
    const [, code = '', status] = /^(\w+)-(\d{3})$/.exec(name) ?? [];
    const error = { code, request_id: 'req_3f1c7a52-5e0b-4f0a-9d53-0d0e6f3b7c11' };
    return [name, { value: { statusCode: Number(status), message: messages[code], error } }] as const;
  });
  return Object.fromEntries(examples);
}

/** Copies a schema, or what contains schemas, so that further members are allowed. */
function open<T>(schema: T): T {
  const without = (_name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('additionalProperties' in value)) return value;
    const { additionalProperties, ...kept } = value;
    return additionalProperties === false ? kept : value;
  };
  return JSON.parse(JSON.stringify(schema, without));
}
