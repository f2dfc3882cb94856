import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id } from '../../http/schemas.ts';
import {
  AdjustmentResource,
  DepositResource,
  MemoType,
  showAdjustment,
  showDeposit,
} from '../recorded/deposit-schema.ts';
import { type ExplainedOperation, type Explanation, explain } from './explain.ts';

const TransactionHash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be a transaction hash: 64 hexadecimal digits')
  .transform((hash) => hash.toLowerCase());

const OperationResource = z.object({
  operation_index: z.int(),
  type: z.string().meta({ description: 'As Horizon names it: `payment`, `path_payment_strict_send`, …' }),
  credited: z.boolean().meta({ description: 'Whether it paid the wallet, by the ledger' }),
  reason: z
    .string()
    .meta({ description: 'A stable word: why it credited the wallet or an address, or why not' }),
  message: z.string().meta({ description: 'The same in sentences, for a person' }),
  deposits: z.array(DepositResource),
  adjustments: z.array(AdjustmentResource),
});

const ExplanationResource = z
  .object({
    stellar_tx_hash: z
      .string()
      .meta({ description: 'Of a fee-bump, the outer hash, whichever was asked for' }),
    state: z.enum(['applied', 'failed', 'not_found']),
    ledger: z.int().nullable(),
    read: z.boolean().meta({ description: 'Whether deposits are read up to that ledger' }),
    quarantined: z.boolean(),
    fee_bump: z.boolean().nullable().meta({ description: 'Null when it is not known any more' }),
    memo_type: MemoType,
    memo: z.string().nullable(),
    message: z.string(),
    operations: z.array(OperationResource),
  })
  .meta({ id: 'Explanation' });

export function explainRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/explain/:tx_hash',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: ['network_unavailable'],
        client: 'wallets.explain_transaction',
      },
      schema: {
        operationId: 'explainTransaction',
        tags: ['deposits'],
        summary: 'Explain transaction',
        description:
          'Explains each operation of a transaction: what it did for the wallet, and why it is a deposit or not. Takes ' +
          'the hash of a fee-bump, or of the transaction inside it.',
        params: z.object({ id: Id, tx_hash: TransactionHash }),
        response: { 200: envelopeSchema(ExplanationResource) },
      },
    },
    async (request, reply) => {
      const explanation = await explain(deps, request.wallet, request.params.tx_hash);
      return reply.code(200).send(envelope(200, showExplanation(explanation)));
    },
  );
}

function showExplanation({ memo, operations, ...rest }: Explanation): z.input<typeof ExplanationResource> {
  return { ...rest, memo_type: memo.type, memo: memo.value, operations: operations.map(showOperation) };
}

function showOperation({ deposits, adjustments, ...operation }: ExplainedOperation) {
  return {
    ...operation,
    deposits: deposits.map(showDeposit),
    adjustments: adjustments.map(showAdjustment),
  };
}
