import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { CUSTOMER, HASH, sampleId } from '../../http/sample-values.ts';
import { encodeCursor, Id, ListQuery, readPage } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { requireRow } from '../../wallets/access.ts';
import { MOST_ROWS } from './payout-csv.ts';
import { resultCsv } from './payout-result.ts';
import { listRows } from './payout-row-store.ts';
import { PayoutResource, PayoutRowResource, RowsQuery, type ShownPayout, showRow } from './payout-schema.ts';
import { findPayout, listPayouts, type Payout } from './payout-store.ts';
import { showPayouts } from './show-payouts.ts';

const WalletParams = z.object({ id: Id });
const Params = WalletParams.extend({ payout_id: Id });

const EXAMPLE_CSV =
  'row,idempotency_key,destination,amount_stroops,asset_code,asset_issuer,memo_id,reference,status,withdrawal_id,stellar_tx_hash,' +
  `failure_code,failure_message\r\n1,salary-4712,${CUSTOMER},25000000,native,,,Mara,confirmed,${sampleId('wd')},${HASH},,\r\n`;

export function payoutReadRoutes(app: HttpApp, deps: Deps): void {
  readRoutes(app, deps);
  rowsRoute(app, deps);
}

/** @throws AppError `not_found` */
export function findOfRequest({ db }: Pick<Deps, 'db'>, wallet_id: string, id: string): Promise<Payout> {
  return requireRow('payout', id, (known) => findPayout(db, wallet_id, known));
}

function readRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/payouts',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'payouts.list' },
      schema: {
        operationId: 'listPayouts',
        tags: ['payouts'],
        summary: 'List payouts',
        description: 'The wallet’s payouts, newest first.',
        params: WalletParams,
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(PayoutResource)) },
      },
    },
    async (request, reply) => {
      const page = await deps.readInTurn(request.team_id, async (db) => {
        const read = await readPage(
          request.query,
          'pay',
          (asked) => listPayouts(db, request.wallet.id, asked),
          (row) => row,
        );
        const of_page = { wallet_id: request.wallet.id, payouts: read.items };
        return { ...read, items: await showPayouts(db, of_page, deps.clock.now()) };
      });
      return reply.code(200).send(envelope(200, page));
    },
  );
  app.get(
    '/v1/wallets/:id/payouts/:payout_id',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'payouts.get' },
      schema: {
        operationId: 'getPayout',
        tags: ['payouts'],
        summary: 'Get payout',
        description: 'One payout as it is now, with its rows counted and summed by status.',
        params: Params,
        response: { 200: envelopeSchema(PayoutResource) },
      },
    },
    async (request, reply) => {
      const payout = await findOfRequest(deps, request.wallet.id, request.params.payout_id);
      const asked = { wallet_id: request.wallet.id, payouts: [payout] };
      const [shown] = await showPayouts(deps.db, asked, deps.clock.now());
      return reply.code(200).send(envelope(200, shown as ShownPayout));
    },
  );
}

function rowsRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/payouts/:payout_id/rows',
    {
      config: {
        access: 'login',
        roles: 'everyone',
        errors: [],
        client: { method: 'payouts.list_rows', csv: 'payouts.rows_csv' },
        examples: { csv: EXAMPLE_CSV },
      },
      schema: {
        operationId: 'listPayoutRows',
        tags: ['payouts'],
        summary: 'List rows of a payout',
        description:
          'The rows in the order of the file. With `Accept: text/csv` all of them as CSV; a field that a spreadsheet would calculate has ' +
          'an apostrophe in front.',
        params: Params,
        querystring: RowsQuery,
        response: { 200: envelopeSchema(pageSchema(PayoutRowResource)) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, status } = request.query;
      const payout = await findOfRequest(deps, request.wallet.id, request.params.payout_id);
      const read = (after: number, count: number) =>
        deps.readInTurn(request.team_id, (db) => listRows(db, payout.id, { status, after, limit: count }));
      if (request.headers.accept?.includes('text/csv'))
        return sendCsv(reply as unknown as FastifyReply, payout, resultCsv(await read(0, MOST_ROWS)));
      const rows = await read(numberIn(cursor), limit + 1);
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      const next_cursor = rows.length > limit && last ? encodeCursor(`${last.number}`) : null;
      return reply.code(200).send(envelope(200, { items: items.map(showRow), next_cursor }));
    },
  );
}

/** Reads the number of the last row of the page before; 0 without a cursor. @throws AppError `invalid_request` */
function numberIn(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString();
  if (/^[1-9][0-9]{0,4}$/.test(text) && encodeCursor(text) === cursor) return Number(text);
  throw new AppError('invalid_request', 'The cursor does not come from this list.', {
    details: [{ path: 'cursor', message: 'is not a cursor of this list' }],
  });
}

function sendCsv(reply: FastifyReply, { id }: Payout, text: string): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${id}.csv"`)
    .serializer(String)
    .send(text);
}
