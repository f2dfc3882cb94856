import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, errorEnvelopeWith } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { ISSUER } from '../../http/sample-values.ts';
import { Id, IssuedAssetText, readAsset } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import type { AssetFields } from '../../stellar/asset.ts';
import type { EngineParts } from '../request/wait-for-outcome.ts';
import { AssetBody, AssetResource, showAsset } from './asset-schema.ts';
import { findAsset, type IssuedFields, listAssets } from './assets.ts';
import { addAsset, removeAsset } from './change-asset.ts';

const WalletParams = z.object({ id: Id });
const AssetParams = WalletParams.extend({ asset: IssuedAssetText });
const TRUST_LINE_ERRORS = [
  'asset_in_use',
  'wallet_unfunded',
  'policy_frozen',
  'asset_change_failed',
  'treasury_budget_spent',
  'treasury_unfunded',
  'network_unavailable',
  'outcome_pending',
] as const;

export function assetRoutes(app: HttpApp, deps: Deps, parts: EngineParts): void {
  readRoutes(app, deps);
  addRoute(app, deps, parts);
  removeRoute(app, deps, parts);
}

function readRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/assets',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: ['network_unavailable'],
        client: 'assets.list',
      },
      schema: {
        operationId: 'listAssets',
        tags: ['assets'],
        summary: 'List assets',
        description:
          'The issued assets of the wallet, by code. The native asset needs no trust line and is not among them.',
        params: WalletParams,
        response: {
          200: envelopeSchema(z.object({ items: z.array(AssetResource) })),
        },
      },
    },
    async (request, reply) => {
      const items = (await listAssets(deps, request.wallet)).map(showAsset);
      return reply.code(200).send(envelope(200, { items }));
    },
  );

  app.get(
    '/v1/wallets/:id/assets/:asset',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: ['network_unavailable'],
        client: 'assets.get',
      },
      schema: {
        operationId: 'getAsset',
        tags: ['assets'],
        summary: 'Get asset',
        description:
          'An asset and what its issuer can do, before it is added too: its status is `absent` then.',
        params: AssetParams,
        response: { 200: envelopeSchema(AssetResource) },
      },
    },
    async (request, reply) => {
      const asset = await findAsset(deps, request.wallet, requireIssued(request.params.asset, 'asset'));
      return reply.code(200).send(envelope(200, showAsset(asset)));
    },
  );
}

function addRoute(app: HttpApp, deps: Deps, parts: EngineParts): void {
  app.post(
    '/v1/wallets/:id/assets',
    {
      config: {
        access: 'login',
        roles: 'owners',
        step_up: 'always',
        awaits_outcome: true,
        errors: TRUST_LINE_ERRORS,
        client: { method: 'assets.add', repeatable: true, time_limit_seconds: 150 },
        examples: { body: { asset_code: 'USDC', asset_issuer: ISSUER } },
      },
      schema: {
        operationId: 'addAsset',
        tags: ['assets'],
        summary: 'Add asset',
        description:
          'Makes a trust line, so that the wallet can hold the asset; answers when the ledger has it. 200: the wallet had the asset. ' +
          '504 `outcome_pending`: the change continues without the request; ask again, it is made once.',
        params: WalletParams,
        body: AssetBody,
        response: {
          200: envelopeSchema(AssetResource),
          201: envelopeSchema(AssetResource),
          422: errorEnvelopeWith(AssetResource),
          504: errorEnvelopeWith(AssetResource),
        },
      },
    },
    async (request, reply) => {
      const { asset, made } = await addAsset(
        deps,
        parts,
        request,
        requireIssued(readAsset(request.body), '/asset_code'),
      );
      if (made) return reply.code(201).send(envelope(201, showAsset(asset)));
      return reply.code(200).send(envelope(200, showAsset(asset)));
    },
  );
}

function removeRoute(app: HttpApp, deps: Deps, parts: EngineParts): void {
  app.delete(
    '/v1/wallets/:id/assets/:asset',
    {
      config: {
        access: 'login',
        roles: 'owners',
        step_up: 'always',
        awaits_outcome: true,
        errors: [...TRUST_LINE_ERRORS, 'asset_not_empty'],
        client: { method: 'assets.remove', time_limit_seconds: 150 },
      },
      schema: {
        operationId: 'removeAsset',
        tags: ['assets'],
        summary: 'Remove asset',
        description:
          'Removes the trust line of an asset that the wallet holds nothing of; answers when the ledger has done it.',
        params: AssetParams,
        response: {
          200: envelopeSchema(AssetResource),
          422: errorEnvelopeWith(AssetResource),
          504: errorEnvelopeWith(AssetResource),
        },
      },
    },
    async (request, reply) => {
      const removed = await removeAsset(deps, parts, request, requireIssued(request.params.asset, 'asset'));
      return reply.code(200).send(envelope(200, showAsset(removed)));
    },
  );
}

/** @throws AppError `invalid_request` for the native asset, which every account holds without a trust line */
function requireIssued({ asset_code, asset_issuer }: AssetFields, path: string): IssuedFields {
  if (asset_issuer !== null) return { asset_code, asset_issuer };
  throw new AppError('invalid_request', 'The native asset needs no trust line.', {
    details: [{ path, message: 'must be an issued asset' }],
  });
}
