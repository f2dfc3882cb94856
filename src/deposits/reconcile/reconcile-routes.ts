import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id, StroopsOrZero, Time } from '../../http/schemas.ts';
import { bookedSum } from './compare-books.ts';
import { REASONS } from './difference-reasons.ts';
import { createFreshReconciliation } from './fresh-reconciliation.ts';
import type { Reconciliation } from './reconcile-store.ts';

/** A sum can be larger than any balance, and negative. */
const Sum = z.bigint();

const ReconciliationItem = z
  .object({
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    opening_stroops: Sum,
    deposits_stroops: Sum,
    withdrawals_stroops: Sum,
    adjustments_stroops: Sum.meta({
      description: 'What others took from the wallet, for example by a clawback',
    }),
    fees_stroops: Sum,
    expected_stroops: Sum,
    balance_stroops: StroopsOrZero,
    difference_stroops: Sum.meta({ description: 'The balance on the ledger minus the expected balance' }),
    agreed_ledger: z.int().nullable().meta({ description: 'The last ledger without a difference' }),
    may_explain: z.array(
      z.object({ stellar_tx_hash: z.string().nullable(), ledger: z.int(), reason: z.enum(REASONS) }),
    ),
  })
  .meta({ id: 'ReconciliationItem' });

const ReconciliationResource = z
  .object({
    agrees: z.boolean(),
    ledger: z.int().meta({ description: 'The closed ledger at which books and balances were compared' }),
    checked_at: Time.meta({
      description: 'Time of the comparison. It is older than a minute only if no comparison is possible now',
    }),
    items: z.array(ReconciliationItem),
  })
  .meta({ id: 'Reconciliation' });

export function reconcileRoutes(app: HttpApp, deps: Deps): void {
  const reconciliationOf = createFreshReconciliation(deps);

  app.get(
    '/v1/wallets/:id/reconciliation',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: ['network_unavailable', 'ledger_not_caught_up'],
        client: 'wallets.reconciliation',
      },
      schema: {
        operationId: 'getReconciliation',
        tags: ['deposits'],
        summary: 'Read reconciliation',
        description:
          'Compares the books (deposits minus withdrawals, adjustments and fees) with the account’s balances on the ledger.',
        params: z.object({ id: Id }),
        response: { 200: envelopeSchema(ReconciliationResource) },
      },
    },
    async (request, reply) =>
      reply.code(200).send(envelope(200, showReconciliation(await reconciliationOf(request.wallet)))),
  );
}

/** Shows the rows of one comparison. Rows of different ledgers never count as agreeing. */
function showReconciliation(rows: Reconciliation[]): z.input<typeof ReconciliationResource> {
  const ledger = Math.max(...rows.map((row) => row.ledger));
  const checked_ms = Math.min(...rows.map(({ checked_at }) => checked_at.getTime()));
  return {
    agrees: rows.every((row) => row.difference_stroops === 0n && row.ledger === ledger),
    ledger,
    checked_at: new Date(checked_ms).toISOString(),
    items: rows.map(showItem),
  };
}

function showItem(row: Reconciliation): z.input<typeof ReconciliationItem> {
  const { opening_stroops, deposits_stroops, withdrawals_stroops, adjustments_stroops, fees_stroops } = row;
  return {
    asset_code: row.asset_code,
    asset_issuer: row.asset_issuer || null,
    opening_stroops,
    deposits_stroops,
    withdrawals_stroops,
    adjustments_stroops,
    fees_stroops,
    expected_stroops: opening_stroops + bookedSum(row),
    balance_stroops: row.balance_stroops,
    difference_stroops: row.difference_stroops,
    agreed_ledger: row.agreed_ledger,
    may_explain: row.may_explain ?? [],
  };
}
