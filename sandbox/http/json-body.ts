/** Bodies of the sandbox's own JSON requests, which the page and the commands send. */
import { StrKey } from '@stellar/stellar-sdk/base';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../explorer/refusal.ts';
import { INT64_MAX } from '../ledger/bytes.ts';

const MAX_ID = 2n ** 64n - 1n;

/** G… or M… address. */
export const accountAddress = z
  .string()
  .refine(
    (text) => StrKey.isValidEd25519PublicKey(text) || StrKey.isValidMed25519PublicKey(text),
    'The destination is not a G… or M… address.',
  );

/** C… address. */
export const contractAddress = z
  .string()
  .refine((text) => StrKey.isValidContract(text), 'The contract is not a C… address.');

/** Units as text, like `25` or `0.5`; gives stroops. */
export const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,7})?$/, 'The amount must be a number like 25 or 0.5, with at most 7 decimals.')
  .transform(toStroops)
  .refine(
    (stroops) => stroops > 0n && stroops <= INT64_MAX,
    'The amount must be above 0 and below 922337203685.',
  );

/** Digits as text; gives 0 … 2^64−1. */
export const memoId = z
  .string()
  .regex(/^\d{1,20}$/, 'The memo id must be a whole number.')
  .transform(BigInt)
  .refine((id) => id <= MAX_ID, `The memo id must not be above ${MAX_ID}.`);

/**
 * A page of another origin must not start a payment. Browsers send a preflight request before such JSON, and the
 * sandbox answers none. The Origin header is checked as well, in case a preflight is ever answered.
 */
export function refuseForeignOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refusal(403, 'foreign_origin', 'Only the sandbox’s own page may do this.');
  }
}

/** @throws Refusal when the body is not JSON, or not as the schema has it */
export function bodyOf<T>({ body }: FastifyRequest, schema: z.ZodType<T>): T {
  if (typeof body !== 'string')
    throw new Refusal(415, 'not_json', 'The content-type must be application/json.');
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw new Refusal(400, 'invalid_json', 'The body is not JSON.');
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success)
    throw new Refusal(400, 'bad_request', parsed.error.issues[0]?.message ?? 'bad request');
  return parsed.data;
}

function toStroops(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(7, '0'));
}
