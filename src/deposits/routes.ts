import { z } from 'zod';
import type { PageRequest } from '../db/newest-first.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { createdBetween, Flag, Id, ListQuery, readPage } from '../http/schemas.ts';
import { requireRow } from '../wallets/access.ts';
import { addressRoutes } from './addresses/address-routes.ts';
import { explainRoute } from './explain/explain-routes.ts';
import { inboxRoute } from './inbox/inbox-routes.ts';
import { minimumRoutes } from './minimums/minimum-routes.ts';
import { findAdjustment } from './recorded/adjustment-store.ts';
import {
  AdjustmentResource,
  DepositResource,
  showAdjustment,
  showDeposit,
} from './recorded/deposit-schema.ts';
import { findDeposit, listDeposits } from './recorded/deposit-store.ts';

const DepositsQuery = ListQuery.extend({
  attributed: Flag.optional(),
  address_id: Id.regex(/^[0-9a-z_]+$/, 'must be an id').optional(),
  ...createdBetween,
});
const WalletParams = z.object({ id: Id });

export function depositRoutes(app: HttpApp, deps: Deps): void {
  addressRoutes(app, deps);
  creditRoutes(app, deps);
  adjustmentRoute(app, deps);
  inboxRoute(app, deps);
  minimumRoutes(app, deps);
  explainRoute(app, deps);
}

function creditRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/deposits',
    {
      config: { access: 'key', roles: 'everyone', scopes: ['read'], errors: [], client: 'deposits.list' },
      schema: {
        operationId: 'listDeposits',
        tags: ['deposits'],
        summary: 'List deposits',
        description: 'Lists every payment into the wallet, newest first.',
        params: WalletParams,
        querystring: DepositsQuery,
        response: { 200: envelopeSchema(pageSchema(DepositResource)) },
      },
    },
    async (request, reply) => {
      const { attributed, address_id } = request.query;
      const filter = { attributed, address_id };
      const list = (page: PageRequest) =>
        deps.readInTurn(request.team_id, (db) => listDeposits(db, request.wallet.id, filter, page));
      return reply.code(200).send(envelope(200, await readPage(request.query, 'dep', list, showDeposit)));
    },
  );

  app.get(
    '/v1/wallets/:id/deposits/:deposit_id',
    {
      config: { access: 'key', roles: 'everyone', scopes: ['read'], errors: [], client: 'deposits.get' },
      schema: {
        operationId: 'getDeposit',
        tags: ['deposits'],
        summary: 'Read deposit',
        description: 'One deposit, as its event shows it.',
        params: WalletParams.extend({ deposit_id: Id }),
        response: { 200: envelopeSchema(DepositResource) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findDeposit(deps.reads, request.wallet.id, id);
      const deposit = await requireRow('deposit', request.params.deposit_id, find);
      return reply.code(200).send(envelope(200, showDeposit(deposit)));
    },
  );
}

function adjustmentRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/adjustments/:adjustment_id',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: [],
        client: 'deposits.get_adjustment',
      },
      schema: {
        operationId: 'getAdjustment',
        tags: ['deposits'],
        summary: 'Read adjustment',
        description:
          'What others did to the wallet without paying it: they took an amount of it (a clawback), or changed what a ' +
          'trust line may do. The list of transactions has them all.',
        params: WalletParams.extend({ adjustment_id: Id }),
        response: { 200: envelopeSchema(AdjustmentResource) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findAdjustment(deps.reads, request.wallet.id, id);
      const adjustment = await requireRow('adjustment', request.params.adjustment_id, find);
      return reply.code(200).send(envelope(200, showAdjustment(adjustment)));
    },
  );
}
