import { z } from 'zod';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { createdBetween, Id, ListQuery, Metadata, readPage, Search } from '../../http/schemas.ts';
import { requireRow } from '../../wallets/access.ts';
import { AddressResource, AddressWithReceived, showAddress } from './address-schema.ts';
import {
  type AddressChange,
  type DepositAddress,
  findAddress,
  listAddresses,
  receivedBy,
  searchAddresses,
} from './address-store.ts';
import { changeAddress } from './change-address.ts';
import { createAddress } from './create-address.ts';

const AddressBody = z.strictObject({
  label: z.string().trim().max(200).optional(),
  metadata: Metadata.optional(),
});
const ChangeBody = AddressBody.extend({
  label: AddressBody.shape.label.meta({ description: 'An empty text removes it' }),
});
const AddressesQuery = ListQuery.extend({
  ...createdBetween,
  search: Search.optional().meta({
    description: 'Beginning of an id, an M… address or a memo id; or part of the label or metadata',
  }),
});
const WalletParams = z.object({ id: Id });
const AddressParams = WalletParams.extend({ address_id: Id });

export function addressRoutes(app: HttpApp, deps: Deps): void {
  changeRoute(app, deps);
  const show = (address: DepositAddress) => showAddress(address, deps.config.passphrase);
  app.post(
    '/v1/wallets/:id/addresses',
    {
      config: {
        access: 'key',
        roles: 'addressers',
        scopes: ['addresses'],
        step_up: 'never',
        errors: ['too_many_addresses'],
        makes: { shown_once: [] },
        client: 'addresses.create',
        examples: { body: { label: 'Customer 4711', metadata: { customer: 4711 } } },
      },
      schema: {
        operationId: 'createDepositAddress',
        tags: ['deposits'],
        summary: 'Create deposit address',
        description: 'Creates an address for one of your customers. Every payment to it is attributed to it.',
        params: WalletParams,
        body: AddressBody,
        response: { 201: envelopeSchema(AddressResource) },
      },
    },
    async (request, reply) => {
      const { label, metadata } = request.body;
      const order = { label: label || null, metadata: metadata?.text ?? null };
      return reply.code(201).send(envelope(201, show(await createAddress(deps, request, order))));
    },
  );

  app.get(
    '/v1/wallets/:id/addresses',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read', 'addresses'],
        errors: ['too_many_waiting', 'search_timed_out'],
        client: 'addresses.list',
      },
      schema: {
        operationId: 'listDepositAddresses',
        tags: ['deposits'],
        summary: 'List deposit addresses',
        description: 'Lists the wallet’s deposit addresses, newest first.',
        params: WalletParams,
        querystring: AddressesQuery,
        response: {
          200: envelopeSchema(pageSchema(AddressResource)),
        },
      },
    },
    async (request, reply) => {
      const { search } = request.query;
      const list = (page: PageRequest) =>
        search === undefined
          ? deps.readInTurn(request.team_id, (db) => listAddresses(db, request.wallet.id, page))
          : deps.search(request.credential, (db) => searchAddresses(db, request.wallet, search, page));
      return reply.code(200).send(envelope(200, await readPage(request.query, 'adr', list, show)));
    },
  );

  app.get(
    '/v1/wallets/:id/addresses/:address_id',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read', 'addresses'],
        errors: [],
        client: 'addresses.get',
      },
      schema: {
        operationId: 'getDepositAddress',
        tags: ['deposits'],
        summary: 'Read deposit address',
        description: 'Reads one address, with the sums of its deposits by asset.',
        params: AddressParams,
        response: { 200: envelopeSchema(AddressWithReceived) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findAddress(deps.reads, request.wallet.id, id);
      const address = await requireRow('deposit address', request.params.address_id, find);
      const received = await receivedBy(deps.reads, address.id);
      return reply.code(200).send(envelope(200, { ...show(address), received }));
    },
  );
}

function changeRoute(app: HttpApp, deps: Deps): void {
  app.patch(
    '/v1/wallets/:id/addresses/:address_id',
    {
      config: {
        access: 'key',
        roles: 'addressers',
        scopes: ['addresses'],
        step_up: 'never',
        errors: [],
        client: 'addresses.change',
        examples: { body: { label: 'Customer 4712' } },
      },
      schema: {
        operationId: 'changeDepositAddress',
        tags: ['deposits'],
        summary: 'Change deposit address',
        description:
          'Changes the label or the metadata, which is replaced as a whole. Deposits that are attributed from now on have the new ' +
          'metadata, and so have their events. Earlier deposits and events keep theirs.',
        params: AddressParams,
        body: ChangeBody,
        response: { 200: envelopeSchema(AddressResource) },
      },
    },
    async (request, reply) => {
      const { label, metadata } = request.body;
      const change: AddressChange = {
        ...(label === undefined ? {} : { label: label || null }),
        ...(metadata === undefined ? {} : { metadata: metadata.text }),
      };
      const apply = (id: string) => changeAddress(deps, request, id, change);
      const address = await requireRow('deposit address', request.params.address_id, apply);
      return reply.code(200).send(envelope(200, showAddress(address, deps.config.passphrase)));
    },
  );
}
