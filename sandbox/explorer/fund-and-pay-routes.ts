import { Keypair, StrKey } from '@stellar/stellar-sdk/base';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Friendbot } from '../friendbot.ts';
import { accountAddress, amount, bodyOf, memoId, refuseForeignOrigin } from '../http/json-body.ts';
import { hashOf } from '../network.ts';
import type { StellarNode } from '../node.ts';
import { signedPayment } from './payment.ts';
import { Refusal } from './refusal.ts';
import { explainResult } from './result-explanations.ts';

const fundBody = z.strictObject({
  address: z.string().refine(StrKey.isValidEd25519PublicKey, 'This is not a G… address.').optional(),
});

const payBody = z.strictObject({
  secret: z.string().refine(StrKey.isValidEd25519SecretSeed, 'This is not an S… secret key.'),
  destination: accountAddress,
  amount,
  memo_id: memoId.optional(),
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
