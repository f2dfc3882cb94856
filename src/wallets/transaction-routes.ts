import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { errorsOf } from '../http/operation.ts';
import {
  decodeCursor,
  Flag,
  Id,
  Instant,
  ListQuery,
  MemoId,
  pageOf,
  Search,
  Stroops,
  StroopsOrZero,
  Time,
} from '../http/schemas.ts';
import { dailyStatistics } from './statistics.ts';
import { listTransactions, type Transaction } from './transactions.ts';

const TransactionResource = z
  .object({
    type: z.enum(['deposit', 'withdrawal']),
    id: Id,
    status: z.enum(['pending', 'confirmed', 'failed']),
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    amount_stroops: Stroops,
    fee_stroops: StroopsOrZero.nullable().meta({
      description:
        'The fee that the wallet paid for a withdrawal; null until it is known, and null for deposits',
    }),
    counterparty: z.string(),
    address_label: z.string().nullable().meta({ description: 'Label of the deposit address' }),
    stellar_tx_hash: z.string().nullable(),
    memo_id: MemoId.nullable(),
    memo_text: z
      .string()
      .nullable()
      .meta({ description: 'Memo of the transaction if it is a text; always null for withdrawals' }),
    created_at: Time,
  })
  .meta({ id: 'Transaction' });

const TransactionsQuery = ListQuery.extend({
  type: z.enum(['deposit', 'withdrawal']).optional(),
  status: z.enum(['pending', 'confirmed', 'failed']).optional(),
  attributed: Flag.optional().meta({
    description: 'Deposits only: whether the deposit belongs to a deposit address',
  }),
  since: Instant.optional().meta({ description: 'Created at this time or later' }),
  until: Instant.optional().meta({ description: 'Created before this time' }),
  search: Search.optional().meta({
    description:
      'The beginning of a transaction hash (inner or outer), an address, an account, a memo or an id; or a part of the label or metadata of the deposit address',
  }),
});

/** A sum may exceed the largest amount of one payment. */
const Sum = z.bigint().min(0n);

const DayOfWallet = z
  .object({
    date: z.iso.date().meta({ description: 'Day in UTC; days without transactions are included' }),
    deposits_count: z.int(),
    deposits_stroops: Sum,
    withdrawals_count: z.int(),
    withdrawals_stroops: Sum,
    fees_stroops: Sum.meta({ description: 'Includes the fees of withdrawals that failed in the ledger' }),
  })
  .meta({
    id: 'DayOfWallet',
    description: 'Confirmed amounts of the native asset, by the day of creation',
  });

const StatisticsQuery = z.strictObject({
  days: z
    .string()
    .regex(/^[0-9]{1,3}$/, 'must be an integer from 1 to 366')
    .transform(Number)
    .refine((days) => days >= 1 && days <= 366, 'must be an integer from 1 to 366')
    .default(30),
});

const WalletParams = z.object({ id: Id });

export function transactionRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/transactions',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listTransactions',
        tags: ['wallets'],
        summary: 'List transactions',
        description: 'Deposits and withdrawals of the wallet in one list, newest first.',
        params: WalletParams,
        querystring: TransactionsQuery,
        response: { 200: envelopeSchema(200, pageSchema(TransactionResource)), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      const page = { limit: limit + 1, before: decodeCursor(null, cursor) };
      const rows = await listTransactions(deps.db, request.wallet, filter, page);
      return reply.code(200).send(
        envelope(
          200,
          pageOf(rows, limit, (row) => row.sort_key, showTransaction),
        ),
      );
    },
  );

  app.get(
    '/v1/wallets/:id/statistics',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getStatistics',
        tags: ['wallets'],
        summary: 'Get daily statistics',
        description: 'Confirmed deposits, withdrawals and fees of the wallet for each day.',
        params: WalletParams,
        querystring: StatisticsQuery,
        response: {
          200: envelopeSchema(200, z.object({ days: z.array(DayOfWallet) })),
          ...errorsOf(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const span = { days: request.query.days, now: deps.clock.now() };
      const days = await dailyStatistics(deps.db, request.wallet.id, span);
      return reply.code(200).send(envelope(200, { days }));
    },
  );
}

function showTransaction({ sort_key: _, ...row }: Transaction) {
  return { ...row, created_at: row.created_at.toISOString() };
}
