import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import {
  createdBetween,
  decodeSortKey,
  Id,
  integerInQuery,
  ListQuery,
  Metadata,
  pageOf,
  readPage,
  Search,
} from '../../http/schemas.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { requireRow } from '../../wallets/access.ts';
import { AddressResource, AddressWithReceived, ListedAddress, showAddress } from './address-schema.ts';
import {
  type AddressChange,
  type DepositAddress,
  findAddress,
  listAddresses,
  listByLastDeposit,
  type Received,
  receivedBy,
  searchAddresses,
  withReceived,
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
/** Of 200 addresses at once. */
const RECEIVED_DAYS_MAX = 90;
const AddressesQuery = ListQuery.extend({
  ...createdBetween,
  search: Search.optional().meta({
    description: 'Beginning of an id, an M… address or a memo id; or part of the label or metadata',
  }),
  order: z
    .enum(['created', 'last_deposit'])
    .default('created')
    .meta({
      description:
        'created: newest first. last_deposit: by the last deposit, the newest first, then addresses without a deposit; not with ' +
        '`search`, `since` or `until`',
    }),
  received_days: integerInQuery(1, RECEIVED_DAYS_MAX).optional().meta({
    description: 'Adds what each address has received in so many days of 24 hours, up to now',
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
        description: 'Lists the wallet’s deposit addresses, newest first or by their last deposit.',
        params: WalletParams,
        querystring: AddressesQuery,
        response: {
          200: envelopeSchema(pageSchema(ListedAddress)),
        },
      },
    },
    async (request, reply) => reply.code(200).send(envelope(200, await readAddresses(deps, request))),
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

type AddressesQuery = z.output<typeof AddressesQuery>;
type Caller = Pick<FastifyRequest, 'wallet' | 'team_id' | 'credential'>;

/** Reads a page of addresses in the order that is asked for. */
async function readAddresses(
  deps: Deps,
  { query, wallet, team_id, credential }: Caller & { query: AddressesQuery },
) {
  const { search, limit, cursor, received_days } = query;
  const since =
    received_days === undefined ? undefined : new Date(deps.clock.now().getTime() - received_days * DAY_MS);
  const show = ({ received, ...row }: DepositAddress & { received: Received[] | null }) => {
    return { ...showAddress(row, deps.config.passphrase), received };
  };
  if (query.order === 'last_deposit') {
    requireWholeList(query);
    const page = { limit: limit + 1, before: decodeSortKey(LATEST_ID, cursor) };
    const rows = await deps.readInTurn(team_id, async (db) =>
      withReceived(db, await listByLastDeposit(db, wallet.id, page), since),
    );
    return pageOf(rows, limit, (row) => row.latest_id, show);
  }
  const list = (page: PageRequest) =>
    search === undefined
      ? deps.readInTurn(team_id, async (db) =>
          withReceived(db, await listAddresses(db, wallet.id, page), since),
        )
      : deps.search(credential, async (db) =>
          withReceived(db, await searchAddresses(db, wallet, search, page), since),
        );
  return readPage(query, 'adr', list, show);
}

/** Of a deposit, or of an address without one. */
const LATEST_ID = /^(dep|adr)_[0-9a-z]{26}$/;

/** @throws AppError `invalid_request` for what would leave out addresses: the order has an index for all of them alone */
function requireWholeList(query: AddressesQuery): void {
  for (const path of ['search', 'since', 'until'] as const)
    if (query[path] !== undefined)
      throw new AppError('invalid_request', `\`order=last_deposit\` takes no \`${path}\`.`, {
        details: [{ path, message: 'must be absent with `order=last_deposit`' }],
      });
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
