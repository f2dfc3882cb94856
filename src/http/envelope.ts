import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';

/** The success envelope: `statusCode` equals the HTTP status, `message` is its reason phrase. */
export function envelope<S extends number, T>(statusCode: S, data: T) {
  return { statusCode, message: STATUS_CODES[statusCode] ?? '', data };
}

export function envelopeSchema<T extends z.ZodType>(statusCode: number, data: T) {
  return z.object({ statusCode: z.literal(statusCode), message: z.string(), data });
}

export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

const ErrorBody = z.object({
  code: z.enum(ERROR_CODES),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
});

export const ErrorEnvelope = z
  .object({ statusCode: z.int(), message: z.string(), error: ErrorBody })
  .meta({ id: 'Error' });

/** An error with the resource that it concerns: 409 and 504 of a withdrawal. */
export function errorEnvelopeWith<T extends z.ZodType>(data: T) {
  return z.object({ ...ErrorEnvelope.shape, data: data.optional() });
}
