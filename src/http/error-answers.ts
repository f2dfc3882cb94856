/** The errors of an operation in the OpenAPI document. */
import type { ErrorAnswer, Operation, Responses, Schema } from './document-types.ts';
import { resolve } from './named-schemas.ts';

export const ERROR: Schema = { $ref: '#/components/schemas/Error' };

/**
 * Declares one answer for each status, with its codes as an enum beside the reference to the schema. Generators of clients
 * read the reference alone, and make one type for all errors; validators read the enum as well.
 * @throws Error when the route declares a status of errors and no code of it is known
 */
export function declareErrors(
  { operationId, responses }: Operation,
  errors: ErrorAnswer[],
  schemas: Record<string, Schema>,
): void {
  const byStatus = Map.groupBy(errors, ({ status }) => String(status));
  const isError = (schema: Schema) => resolve(schema, schemas).properties?.error?.$ref !== undefined;
  for (const [status, { content }] of Object.entries(responses)) {
    const { schema } = content?.['application/json'] ?? {};
    if (Number(status) >= 400 && schema && isError(schema) && !byStatus.has(status))
      throw new Error(`${operationId} answers ${status}, and its errors have no code of it`);
  }
  for (const [status, answers] of byStatus) {
    const codes = answers.map(({ code }) => code);
    const declared = responses[status]?.content?.['application/json']?.schema ?? ERROR;
    const examples = answers.map((answer) => [
      answer.code,
      { $ref: `#/components/examples/${exampleName(answer)}` },
    ]);
    const narrowed = withCodes(isError(declared) ? declared : ERROR, codes);
    // The checks of /readyz, and errors as OAuth says, are there beside our own errors.
    const schema = isError(declared) ? narrowed : { oneOf: [declared, narrowed] };
    const media = { schema, examples: Object.fromEntries(examples) };
    responses[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': media },
    };
  }
}

export function exampleName({ code, status }: ErrorAnswer): string {
  return `${code}-${status}`;
}

/** Beyond that, a name would tell nothing. */
const MOST_CODES_IN_A_NAME = 3;

/**
 * Replaces answers of errors in the operations by references, and returns these answers by names that their codes make: most
 * operations have the same ones. An answer with more than MOST_CODES_IN_A_NAME codes stays where it is.
 */
export function shareAnswers(operations: Operation[]): Responses {
  const shared: Responses = {};
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const { examples } = response.content?.['application/json'] ?? {};
      const codes = Object.keys(examples ?? {});
      const { $ref } = response.content?.['application/json']?.schema ?? {};
      if (!$ref || codes.length === 0 || codes.length > MOST_CODES_IN_A_NAME) continue;
      const data = $ref === ERROR.$ref ? '' : `As${$ref.split('/').at(-1)}`;
      const counted = 'RateLimit' in (response.headers ?? {}) ? 'Counted' : '';
      const name = `${counted}${codes.map(pascal).join('Or')}${status}${data}`;
      shared[name] = response;
      responses[status] = { $ref: `#/components/responses/${name}` } as unknown as typeof response;
    }
  }
  return shared;
}

function pascal(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function withCodes(schema: Schema, codes: string[]): Schema {
  const error = { $ref: '#/components/schemas/ErrorBody', properties: { code: { enum: codes } } };
  return { ...schema, properties: { error } };
}
