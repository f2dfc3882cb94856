import { z } from 'zod';
import { AwaitsApprovalResponse, showAwaitsApproval } from '../access/changes/access-change-schema.ts';
import { AwaitsApproval } from '../access/changes/access-changes.ts';
import type { EndpointsOfKeys } from '../access/named-keys/key-routes.ts';
import { findMainKey, type MainKey } from '../auth/keys/api-keys.ts';
import type { PageRequest } from '../db/newest-first.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { Id, ListQuery, Name, readPage, StroopsOrZero, shownOnce, Time } from '../http/schemas.ts';
import { requireRow } from './access.ts';
import { readBalances } from './balances.ts';
import { changeWallet, regenerateApiKey } from './change-wallet.ts';
import { createWallet } from './create-wallet.ts';
import { listWallets, type Wallet } from './store.ts';
import { transactionRoutes } from './transaction-routes.ts';

const WalletResource = z
  .object({
    id: Id,
    name: z.string(),
    network: z.enum(['sandbox', 'testnet', 'public']),
    account: z.string().meta({ description: 'The wallet’s Stellar account (G…)' }),
    status: z.enum(['unfunded', 'active']),
    numeric_memo_text: z.boolean().meta({
      description: 'Whether a memo text of digits counts as a memo id; applies to deposits read afterwards',
    }),
    created_at: Time,
  })
  .meta({ id: 'Wallet' });

const NewWallet = WalletResource.extend({ api_key: shownOnce('Its main API key') }).meta({
  id: 'NewWallet',
  description: 'A wallet with its API key.',
});

/** Together, withdrawals that await approvals can exceed any amount. */
const InFlight = z.bigint().min(0n);

const BalanceResource = z
  .object({
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    amount_stroops: StroopsOrZero,
    available_stroops: StroopsOrZero,
    reserved_stroops: StroopsOrZero.meta({
      description:
        'What the network keeps: the reserve of the account and amounts in open offers; all of an asset that the issuer does not ' +
        'let the wallet use',
    }),
    in_flight_stroops: InFlight.meta({
      description:
        'The wallet’s withdrawals without an outcome, those that await approvals too; native: with the fees that contract ' +
        'transfers declare',
    }),
    status: z.enum(['active', 'unauthorized', 'maintain_liabilities']).meta({
      description: 'Whether the issuer lets the wallet take and pay it: as the status of an asset',
    }),
  })
  .meta({ id: 'Balance' });

const ApiKeyResource = z
  .object({
    id: Id.meta({ description: 'Another one after each regeneration' }),
    prefix: z.string(),
    last_four: z.string(),
    created_at: Time,
    last_used_at: Time.nullable(),
  })
  .meta({ id: 'ApiKey' });

const CreateBody = z.strictObject({ name: Name });
const ChangeBody = z.strictObject({
  name: Name.exactOptional(),
  numeric_memo_text: z.boolean().exactOptional(),
});
const WalletParams = z.object({ id: Id });

export function walletRoutes(app: HttpApp, deps: Deps, endpoints: EndpointsOfKeys): void {
  walletRecordRoutes(app, deps);
  balanceRoute(app, deps);
  transactionRoutes(app, deps);
  apiKeyRoutes(app, deps, endpoints);
}

function walletRecordRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/wallets',
    {
      config: {
        access: 'login',
        roles: 'owners',
        step_up: 'always', // with its main key

        awaits_outcome: true,
        no_store: true,
        makes: { shown_once: ['api_key'] },
        errors: ['too_many_wallets', 'key_journal_unavailable', 'key_provider_unavailable'],
        client: 'wallets.create',
      },
      schema: {
        operationId: 'createWallet',
        tags: ['wallets'],
        summary: 'Create wallet',
        description: 'Creates a wallet and its API key. The key is shown only in this response.',
        body: CreateBody,
        response: { 201: envelopeSchema(NewWallet) },
      },
    },
    async (request, reply) => {
      const order = { owner_id: request.login.member.team_id, name: request.body.name };
      const { wallet, api_key } = await createWallet(deps, order, request.actor);
      return reply.code(201).send(envelope(201, { ...showWallet(wallet), api_key }));
    },
  );

  app.get(
    '/v1/wallets',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'wallets.list' },
      schema: {
        operationId: 'listWallets',
        tags: ['wallets'],
        summary: 'List wallets',
        description: 'Lists the wallets that the member may use, newest first.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(WalletResource)) },
      },
    },
    async (request, reply) => {
      const list = (page: PageRequest) =>
        deps.readInTurn(request.team_id, (db) => listWallets(db, request.login.member, page));
      return reply.code(200).send(envelope(200, await readPage(request.query, 'wal', list, showWallet)));
    },
  );

  app.get(
    '/v1/wallets/:id',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read', 'addresses', 'webhooks'],
        errors: [],
        client: 'wallets.get',
      },
      schema: {
        operationId: 'getWallet',
        tags: ['wallets'],
        summary: 'Read wallet',
        description: 'A wallet with its account on the network.',
        params: WalletParams,
        response: { 200: envelopeSchema(WalletResource) },
      },
    },
    async (request, reply) => reply.code(200).send(envelope(200, showWallet(request.wallet))),
  );

  app.patch(
    '/v1/wallets/:id',
    {
      config: { access: 'login', roles: 'owners', step_up: 'never', errors: [], client: 'wallets.change' },
      schema: {
        operationId: 'changeWallet',
        tags: ['wallets'],
        summary: 'Change wallet',
        description: 'Changes the wallet’s name, or whether a memo text of digits counts as a memo id.',
        params: WalletParams,
        body: ChangeBody,
        response: { 200: envelopeSchema(WalletResource) },
      },
    },
    async (request, reply) => {
      const wallet = await changeWallet(deps, request, request.body);
      return reply.code(200).send(envelope(200, showWallet(wallet)));
    },
  );
}

function balanceRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/balances',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: ['network_unavailable'],
        client: 'wallets.balances',
      },
      schema: {
        operationId: 'listBalances',
        tags: ['wallets'],
        summary: 'List balances',
        description:
          'Lists the wallet’s balances on the ledger. `available_stroops` is the part that a withdrawal can use now: the amount ' +
          'less `reserved_stroops` and `in_flight_stroops`, 0 at least.',
        params: WalletParams,
        response: { 200: envelopeSchema(pageSchema(BalanceResource)) },
      },
    },
    async (request, reply) => {
      const items = await readBalances(deps, request.wallet);
      return reply.code(200).send(envelope(200, { items, next_cursor: null }));
    },
  );
}

function apiKeyRoutes(app: HttpApp, deps: Deps, endpoints: EndpointsOfKeys): void {
  app.post(
    '/v1/wallets/:id/api-key/regenerate',
    {
      config: {
        access: 'person',
        roles: 'integrators',
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['api_key'] },
        errors: ['too_many_access_changes'],
        client: 'api_keys.regenerate_main',
      },
      schema: {
        operationId: 'regenerateApiKey',
        tags: ['wallets'],
        summary: 'Regenerate API key',
        description:
          'Replaces the API key. The old key is invalid when this request is answered. `endpoints` are the webhook endpoints ' +
          'that the old key has registered, which go on: a stolen key may have registered one. Disable those that you do not ' +
          'know. 202: the policy asks for approvals of API keys; the old key stays until the same request is sent again after them.',
        params: WalletParams,
        body: z.strictObject({}),
        response: {
          201: envelopeSchema(
            ApiKeyResource.extend({
              api_key: shownOnce('The new API key'),
              endpoints: z.array(endpoints.resource),
            }).meta({
              id: 'RegeneratedApiKey',
            }),
          ),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const minted = await regenerateApiKey(deps, request);
      if (minted instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(minted));
      const { api_key, shown, replaced } = minted;
      const made = replaced === null ? [] : await endpoints.madeBy(request.wallet.id, replaced.id);
      return reply.code(201).send(envelope(201, { api_key, ...showApiKey(shown), endpoints: made }));
    },
  );

  app.get(
    '/v1/wallets/:id/api-key',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'api_keys.get_main' },
      schema: {
        operationId: 'getApiKey',
        tags: ['wallets'],
        summary: 'Read API key',
        description: 'Reads prefix, last four characters and times of the API key, never the key itself.',
        params: WalletParams,
        response: { 200: envelopeSchema(ApiKeyResource) },
      },
    },
    async (request, reply) => {
      const row = await requireRow('API key', request.wallet.id, (id) => findMainKey(deps.reads, id));
      return reply.code(200).send(envelope(200, showApiKey(row)));
    },
  );
}

function showWallet(wallet: Wallet) {
  const { id, name, network, account, status, numeric_memo_text, created_at } = wallet;
  return { id, name, network, account, status, numeric_memo_text, created_at: created_at.toISOString() };
}

function showApiKey(key: MainKey) {
  return {
    id: key.id,
    prefix: key.prefix,
    last_four: key.last_four,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
  };
}
