import { z } from 'zod';
import type { PageRequest } from '../db/newest-first.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { errorsOf } from '../http/operation.ts';
import { Flag, Id, ListQuery, Metadata, readPage, Search } from '../http/schemas.ts';
import { requireRow } from '../wallets/access.ts';
import { createAddress } from './addresses/addresses.ts';
import { explainRoute } from './explain/explain-routes.ts';
import { inboxRoute } from './inbox/inbox-routes.ts';
import { AddressResource, AddressWithReceived, DepositResource, showAddress, showDeposit } from './schema.ts';
import {
  type DepositAddress,
  findAddress,
  findDeposit,
  listAddresses,
  listDeposits,
  receivedBy,
} from './store.ts';

const AddressBody = z.strictObject({
  label: z.string().trim().max(200).optional(),
  metadata: Metadata.optional(),
});
const DepositsQuery = ListQuery.extend({
  attributed: Flag.optional(),
  address_id: Id.regex(/^[0-9a-z_]+$/, 'must be an id').optional(),
});
const AddressesQuery = ListQuery.extend({
  search: Search.optional().meta({
    description: 'The beginning of an id, an M… address or a memo id; or a part of the label or metadata',
  }),
});
const WalletParams = z.object({ id: Id });

export function depositRoutes(app: HttpApp, deps: Deps): void {
  addressRoutes(app, deps);
  creditRoutes(app, deps);
  inboxRoute(app, deps);
  explainRoute(app, deps);
}

function addressRoutes(app: HttpApp, deps: Deps): void {
  const show = (address: DepositAddress) => showAddress(address, deps.config.passphrase);
  app.post(
    '/v1/wallets/:id/addresses',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'createDepositAddress',
        tags: ['deposits'],
        summary: 'Create a deposit address for one of your customers',
        params: WalletParams,
        body: AddressBody,
        response: { 201: envelopeSchema(201, AddressResource), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { label, metadata } = request.body;
      const order = { wallet_id: request.wallet.id, label: label || null, metadata: metadata?.text ?? null };
      return reply.code(201).send(envelope(201, show(await createAddress(deps, order))));
    },
  );

  app.get(
    '/v1/wallets/:id/addresses',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listDepositAddresses',
        tags: ['deposits'],
        summary: 'The wallet’s deposit addresses',
        params: WalletParams,
        querystring: AddressesQuery,
        response: { 200: envelopeSchema(200, pageSchema(AddressResource)), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { search } = request.query;
      const list = (page: PageRequest) => listAddresses(deps.db, request.wallet, { search }, page);
      return reply.code(200).send(envelope(200, await readPage(request.query, 'adr', list, show)));
    },
  );

  app.get(
    '/v1/wallets/:id/addresses/:address_id',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getDepositAddress',
        tags: ['deposits'],
        summary: 'Read a deposit address',
        params: WalletParams.extend({ address_id: Id }),
        response: { 200: envelopeSchema(200, AddressWithReceived), ...errorsOf(401, 404) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findAddress(deps.db, request.wallet.id, id);
      const address = await requireRow('deposit address', request.params.address_id, find);
      const received = await receivedBy(deps.db, address.id);
      return reply.code(200).send(envelope(200, { ...show(address), received }));
    },
  );
}

function creditRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/deposits',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listDeposits',
        tags: ['deposits'],
        summary: 'Everything that was paid into the wallet',
        params: WalletParams,
        querystring: DepositsQuery,
        response: { 200: envelopeSchema(200, pageSchema(DepositResource)), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { attributed, address_id } = request.query;
      const filter = { attributed, address_id };
      const list = (page: PageRequest) => listDeposits(deps.db, request.wallet.id, filter, page);
      return reply.code(200).send(envelope(200, await readPage(request.query, 'dep', list, showDeposit)));
    },
  );

  app.get(
    '/v1/wallets/:id/deposits/:deposit_id',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getDeposit',
        tags: ['deposits'],
        summary: 'Read a deposit',
        params: WalletParams.extend({ deposit_id: Id }),
        response: { 200: envelopeSchema(200, DepositResource), ...errorsOf(401, 404) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findDeposit(deps.db, request.wallet.id, id);
      const deposit = await requireRow('deposit', request.params.deposit_id, find);
      return reply.code(200).send(envelope(200, showDeposit(deposit)));
    },
  );
}
