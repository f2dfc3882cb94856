import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { ERROR_CODES } from '../lib/errors.ts';

/** Puts data into the success envelope: `statusCode` equals the HTTP status, `message` is its reason phrase. */
export function envelope<S extends number, T>(statusCode: S, data: T) {
  return { statusCode, message: STATUS_CODES[statusCode] ?? '', data };
}

/**
 * Returns the schema of a success. Its `statusCode` is no constant: generators would make one more type of each answer for each
 * status.
 */
export function envelopeSchema<T extends z.ZodType>(data: T) {
  return z.object({ statusCode: z.int(), message: z.string(), data });
}

export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

const ErrorCode = z.enum(ERROR_CODES).meta({
  id: 'ErrorCode',
  description: 'What is wrong, for programs; a later version may answer more codes.',
});

const ErrorDetail = z
  .object({
    path: z.string().meta({
      description: 'A JSON pointer into the body, or the name of a header or query parameter',
    }),
    message: z.string(),
  })
  .meta({ id: 'ErrorDetail', description: 'A field that is at fault.' });

const ErrorBody = z
  .object({
    code: ErrorCode,
    details: z.array(ErrorDetail).optional(),
    request_id: z.string().meta({ description: 'Also the header `X-Request-Id`; the log has it' }),
  })
  .meta({ id: 'ErrorBody' });

export const ErrorEnvelope = z
  .object({ statusCode: z.int(), message: z.string(), error: ErrorBody })
  .meta({ id: 'Error' });

/** Returns the schema of an error with the resource that it concerns: 409 and 504 of a withdrawal. */
export function errorEnvelopeWith<T extends z.ZodType>(data: T) {
  return z.object({ ...ErrorEnvelope.shape, data: data.optional() });
}
