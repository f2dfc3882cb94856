/** The Idempotency-Key header: of a withdrawal, and of any other request that makes something. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorDetail } from '../lib/errors.ts';

const FORM = /^[\x20-\x7e]{1,255}$/;

export const KEY_DETAILS: ErrorDetail[] = [
  { path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters, given once' },
];

/** Returns the schema of the header for the OpenAPI document. `readIdempotencyKey` checks it, with an error code of its own. */
export function keySchema(description: string) {
  return z.string().meta({ description, pattern: FORM.source, minLength: 1, maxLength: 255 });
}

/** Returns the key; null without the header. @throws AppError `idempotency_key_invalid` */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const [key, ...more] = valuesOf(request.raw.rawHeaders, 'idempotency-key');
  if (key === undefined) return null;
  if (more.length > 0 || !FORM.test(key))
    throw new AppError('idempotency_key_invalid', 'The Idempotency-Key is not valid.', {
      details: KEY_DETAILS,
    });
  return key;
}

/** Returns each value of a header as it was given. Node joins them elsewhere, and a comma may be part of a key. */
function valuesOf(names_and_values: string[], wanted: string): string[] {
  return names_and_values.filter(
    (_, index) => index % 2 === 1 && names_and_values[index - 1]?.toLowerCase() === wanted,
  );
}
