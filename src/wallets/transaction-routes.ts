import { z } from 'zod';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import {
  AssetText,
  createdBetween,
  decodeCursor,
  Flag,
  Id,
  integerInQuery,
  ListQuery,
  MemoId,
  pageOf,
  requireSpan,
  Search,
  StroopsInQuery,
  StroopsOrZero,
  Time,
} from '../http/schemas.ts';
import { AppError } from '../lib/errors.ts';
import { NATIVE } from '../stellar/asset.ts';
import { ADJUSTMENT_REASONS } from '../stellar/credits/adjustment.ts';
import { dailyStatistics } from './statistics.ts';
import { listTransactions, type Transaction, type TransactionFilter } from './transactions.ts';

const TypeOfTransaction = z.enum(['deposit', 'withdrawal', 'adjustment']);

const TransactionResource = z
  .object({
    type: TypeOfTransaction,
    id: Id,
    status: z.enum(['awaiting_approval', 'pending', 'confirmed', 'failed']),
    reason: z.enum(ADJUSTMENT_REASONS).nullable().meta({
      description: 'What happened to the wallet, for an adjustment; null for the others',
    }),
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    amount_stroops: StroopsOrZero.meta({
      description: '0 for an adjustment that changed what a trust line may do',
    }),
    fee_stroops: StroopsOrZero.nullable().meta({
      description: 'Fee of a withdrawal; null until it is known, and for the others',
    }),
    counterparty: z.string().meta({
      description: 'Who paid or was paid; of an adjustment, the account or contract that did it',
    }),
    address_label: z.string().nullable().meta({ description: 'Label of the paid deposit address' }),
    stellar_tx_hash: z.string().nullable(),
    memo_id: MemoId.nullable(),
    memo_text: z
      .string()
      .nullable()
      .meta({ description: 'The transaction’s memo, if it is a text; null for all but deposits' }),
    reference: z.string().nullable().meta({
      description: 'What you call it, if it is a withdrawal; null for the others',
    }),
    payout_id: Id.nullable().meta({
      description: 'The payout whose row it pays, if it is a withdrawal; null for the others',
    }),
    payout_row: z.int().nullable().meta({ description: 'The number of that row, from 1 on' }),
    below_minimum: z.boolean().meta({
      description: 'Of a deposit: smaller than the wallet’s minimum for its asset, so no event announces it',
    }),
    created_at: Time,
  })
  .meta({ id: 'Transaction' });

const TransactionsQuery = ListQuery.extend({
  type: TypeOfTransaction.optional(),
  status: z.enum(['awaiting_approval', 'pending', 'confirmed', 'failed']).optional(),
  attributed: Flag.optional().meta({
    description: 'Selects deposits that belong to an address, or that do not',
  }),
  ...createdBetween,
  asset: AssetText.optional().meta({ description: 'Of this asset: `native` or `CODE:ISSUER`' }),
  min_amount_stroops: StroopsInQuery.optional().meta({ description: 'Of this amount or more' }),
  max_amount_stroops: StroopsInQuery.optional().meta({ description: 'Of this amount or less' }),
  search: Search.optional().meta({
    description:
      'Beginning of a transaction hash (inner or outer), an address, an account, a memo, an id, an Idempotency-Key or a ' +
      'reference; or an exact amount in units (`16.43`); or part of the label or metadata of the deposit address',
  }),
});

/** A sum can be larger than any single amount. */
const Sum = z.bigint().min(0n);

const DayOfWallet = z
  .object({
    date: z.iso.date().meta({ description: 'In UTC. Days without transactions are included' }),
    deposits_count: z.int(),
    deposits_stroops: Sum,
    own_funds_count: z.int().meta({
      description:
        'How many of these deposits are own funds: without an address and a memo, they made the account, or came from a wallet of ' +
        'the same team',
    }),
    own_funds_stroops: Sum.meta({ description: 'The part of `deposits_stroops` that is own funds' }),
    withdrawals_count: z.int(),
    withdrawals_stroops: Sum,
    adjustments_count: z.int().meta({ description: 'Changes of what a trust line may do are not counted' }),
    adjustments_stroops: Sum.meta({
      description: 'What others took from the wallet, for example by a clawback',
    }),
    fees_stroops: Sum.meta({
      description:
        'Native; 0 for any other asset. Includes fees of withdrawals that failed in the ledger, and of trust lines',
    }),
  })
  .meta({
    id: 'DayOfWallet',
    description:
      'Sums of confirmed deposits, withdrawals and adjustments of one asset, by the day of their creation',
  });

const StatisticsQuery = z.strictObject({
  days: integerInQuery(1, 366).default(30).meta({ description: 'How many days, up to today' }),
  asset: AssetText.default(NATIVE).meta({ description: 'The asset whose amounts are summed' }),
});

const WalletParams = z.object({ id: Id });

export function transactionRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/transactions',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: ['too_many_waiting', 'search_timed_out'],
        client: 'wallets.list_transactions',
      },
      schema: {
        operationId: 'listTransactions',
        tags: ['wallets'],
        summary: 'List transactions',
        description: 'Lists deposits, withdrawals and adjustments together, newest first.',
        params: WalletParams,
        querystring: TransactionsQuery,
        response: {
          200: envelopeSchema(pageSchema(TransactionResource)),
        },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      requireSpan(filter);
      requireAmounts(filter);
      const page = { limit: limit + 1, before: decodeCursor(null, cursor) };
      const list = (db: Db) => listTransactions(db, request.wallet, filter, page);
      const rows = await (isInOrder(filter)
        ? deps.readInTurn(request.team_id, list)
        : deps.search(request.credential, list));
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
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: [],
        client: 'wallets.statistics',
      },
      schema: {
        operationId: 'getStatistics',
        tags: ['wallets'],
        summary: 'Read statistics',
        description: 'Gives the sums of deposits, withdrawals, adjustments and fees per day.',
        params: WalletParams,
        querystring: StatisticsQuery,
        response: {
          200: envelopeSchema(z.object({ days: z.array(DayOfWallet) })),
        },
      },
    },
    async (request, reply) => {
      const { asset, days: count } = request.query;
      const span = { asset, days: count, now: deps.clock.now() };
      const days = await deps.readInTurn(request.team_id, (db) =>
        dailyStatistics(db, request.wallet.id, span),
      );
      return reply.code(200).send(envelope(200, { days }));
    },
  );
}

/** Returns whether the page is found at the end of an index. Else rows may be read until enough are found, as in a search. */
function isInOrder({ search, asset, min_amount_stroops, max_amount_stroops }: TransactionFilter): boolean {
  return [search, asset, min_amount_stroops, max_amount_stroops].every((each) => each === undefined);
}

/** @throws AppError `invalid_request` when no amount can be both */
function requireAmounts({ min_amount_stroops: min, max_amount_stroops: max }: TransactionFilter): void {
  if (min !== undefined && max !== undefined && min > max)
    throw new AppError('invalid_request', '`min_amount_stroops` must not be above `max_amount_stroops`.', {
      details: [{ path: 'min_amount_stroops', message: 'must not be above `max_amount_stroops`' }],
    });
}

function showTransaction({ sort_key: _, ...row }: Transaction) {
  return { ...row, created_at: row.created_at.toISOString() };
}
