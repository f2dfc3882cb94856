import { Keypair, StrKey } from '@stellar/stellar-sdk/base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Friendbot } from '../friendbot.ts';
import { hashOf } from '../network.ts';
import type { StellarNode } from '../node.ts';
import { signedPayment } from './payment.ts';
import { Refusal } from './refusal.ts';
import { explainResult } from './result-explanations.ts';

const MAX_STROOPS = 2n ** 63n - 1n;
const MAX_ID = 2n ** 64n - 1n;

const fundBody = z.strictObject({
  address: z.string().refine(StrKey.isValidEd25519PublicKey, 'This is not a G… address.').optional(),
});

const payBody = z.strictObject({
  secret: z.string().refine(StrKey.isValidEd25519SecretSeed, 'This is not an S… secret key.'),
  destination: z
    .string()
    .refine(
      (text) => StrKey.isValidEd25519PublicKey(text) || StrKey.isValidMed25519PublicKey(text),
      'The destination is not a G… or M… address.',
    ),
  amount: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,7})?$/, 'The amount must be a number like 25 or 0.5, with at most 7 decimals.')
    .transform(toStroops)
    .refine(
      (stroops) => stroops > 0n && stroops <= MAX_STROOPS,
      'The amount must be above 0 and below 922337203685.',
    ),
  memo_id: z
    .string()
    .regex(/^\d{1,20}$/, 'The memo id must be a whole number.')
    .transform(BigInt)
    .refine((id) => id <= MAX_ID, `The memo id must not be above ${MAX_ID}.`)
    .optional(),
});

/** The two actions of the page: create an account, and pay. All other routes only read. */
export function fundAndPayRoutes(
  routes: FastifyInstance,
  { node, friendbot }: { node: StellarNode; friendbot: Friendbot },
): void {
  routes.addHook('onRequest', async (request) => refuseForeignOrigin(request));

  /**
   * Without an address, creates a key pair and returns its secret. The page stores the secret; the network does
   * not.
   */
  routes.post('/fund', async (request) => {
    const { address } = bodyOf(request, fundBody);
    const made = address === undefined ? Keypair.random() : undefined;
    const outcome = await friendbot.fund(address ?? made?.publicKey() ?? '');
    if (outcome === 'stopped') throw new Refusal(503, 'stopping', 'The network is stopping.');
    if (outcome === 'failed')
      throw new Refusal(503, 'failed', 'The root account cannot create accounts any more.');
    if (outcome === 'already_exists') {
      throw new Refusal(
        409,
        'already_exists',
        'This account exists already. Send a payment to give it more.',
      );
    }
    const { hash, ledger } = outcome;
    return { address: address ?? made?.publicKey(), secret: made?.secret() ?? null, hash, ledger };
  });

  routes.post('/pay', async (request, reply) => {
    const order = bodyOf(request, payBody);
    const submission = node.submit(signedPayment(node, order));
    const hash = hashOf(submission);
    if (submission.status === 'TRY_AGAIN_LATER') {
      const words =
        'The account has a transaction waiting for the next ledger. Try again when it has closed.';
      throw new Refusal(409, 'TRY_AGAIN_LATER', words);
    }
    if (submission.error_result_xdr !== null) {
      const { transaction, operations } = explainResult(submission.error_result_xdr);
      const [operation] = operations;
      const code = operation?.code ?? transaction.code;
      const words = operation === undefined ? transaction.words : `Refused: ${operation.words}.`;
      throw new Refusal(422, code, words);
    }
    return reply.code(202).send({ hash, status: submission.status });
  });
}

/**
 * A page of another origin must not start a payment. Browsers send a preflight request before such JSON, and the
 * sandbox answers none. The Origin header is checked as well, in case a preflight is ever answered.
 */
function refuseForeignOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refusal(403, 'foreign_origin', 'Only the sandbox’s own page may do this.');
  }
}

function bodyOf<T>({ body }: FastifyRequest, schema: z.ZodType<T>): T {
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
