import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AllowedIps, ShownAllowedIps } from '../../auth/credentials/allowed-ips-schema.ts';
import { findNamedKey, listNamedKeys, type NamedKey } from '../../auth/keys/api-key-store.ts';
import { SCOPES, type Scope } from '../../auth/keys/scopes.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import {
  arrayOf,
  Id,
  IdAndName,
  Instant,
  ListQuery,
  Name,
  readPage,
  shownOnce,
  Time,
} from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { AwaitsApprovalResponse, showAwaitsApproval } from '../changes/access-change-schema.ts';
import { AwaitsApproval } from '../changes/access-changes.ts';
import { createNamedKey, removeNamedKey } from './named-keys.ts';

/** The webhook endpoints that a key has registered, as their own slice shows them. */
export type EndpointsOfKeys = {
  resource: z.ZodType;
  madeBy(wallet_id: string, key_id: string): Promise<unknown[]>;
};

const ScopeName = z.enum(SCOPES).meta({ id: 'Scope' });

const KeyResource = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string(),
    last_four: z.string(),
    scopes: z.array(ScopeName),
    allowed_ips: ShownAllowedIps,
    expires_at: Time.nullable(),
    created_by: IdAndName,
    created_at: Time,
    last_used_at: Time.nullable(),
  })
  .meta({ id: 'NamedApiKey' });

const NewKey = KeyResource.extend({
  api_key: shownOnce('The text of the key'),
}).meta({ id: 'NewNamedApiKey' });

const CreateBody = z.strictObject({
  name: Name,
  scopes: arrayOf(
    z
      .array(ScopeName, 'must be an array of scopes')
      .min(1, 'must name at least one scope')
      .max(SCOPES.length),
  ),
  expires_at: Instant.optional().meta({ description: 'Absent: it does not expire' }),
  allowed_ips: AllowedIps.optional().meta({ description: 'Absent: every address' }),
});

const WalletParams = z.object({ id: Id });
const KeyParams = WalletParams.extend({ key_id: Id });

/**
 * Adds the routes of the named API keys of a wallet. `endpoints` finds the webhook endpoints that a key has made, for the answer to
 * its deletion.
 */
export function keyRoutes(app: HttpApp, deps: Deps, endpoints: EndpointsOfKeys): void {
  listRoute(app, deps);
  createRoute(app, deps);
  deleteRoute(app, deps, endpoints);
}

function listRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/api-keys',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'api_keys.list' },
      schema: {
        operationId: 'listApiKeys',
        tags: ['wallets'],
        summary: 'List named API keys',
        description:
          'Lists the named API keys of the wallet, newest first, expired ones too. The main key is not among them.',
        params: WalletParams,
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(KeyResource)) },
      },
    },
    async (request, reply) => {
      const list = (page: PageRequest) =>
        deps.readInTurn(request.team_id, (db) => listNamedKeys(db, request.wallet.id, page));
      return reply.code(200).send(envelope(200, await readPage(request.query, 'key', list, showKey)));
    },
  );
}

function createRoute(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/wallets/:id/api-keys',
    {
      config: {
        access: 'person',
        roles: 'integrators',
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['api_key'] },
        errors: ['too_many_api_keys', 'too_many_access_changes'],
        client: 'api_keys.create',
        examples: { body: { name: 'Reports', scopes: ['read'] } },
      },
      schema: {
        operationId: 'createApiKey',
        tags: ['wallets'],
        summary: 'Make named API key',
        description:
          'Makes an API key of the wallet beside its main key. The key is shown only here. Two at once let a program change from ' +
          'one to the other without a gap. No API key can withdraw.',
        params: WalletParams,
        body: CreateBody,
        response: {
          201: envelopeSchema(NewKey),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const { name, scopes, expires_at = null, allowed_ips = null } = request.body;
      const order = { wallet_id: request.wallet.id, name, scopes: inOrder(scopes), expires_at, allowed_ips };
      const made = await createNamedKey(deps, byOf(request), order);
      if (made instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(made));
      const { key, api_key } = made;
      return reply.code(201).send(envelope(201, { ...showKey(key), api_key }));
    },
  );
}

function deleteRoute(app: HttpApp, deps: Deps, endpoints: EndpointsOfKeys): void {
  app.delete(
    '/v1/wallets/:id/api-keys/:key_id',
    {
      config: {
        access: 'login',
        roles: 'integrators',
        step_up: 'always',
        errors: [],
        client: 'api_keys.delete',
      },
      schema: {
        operationId: 'deleteApiKey',
        tags: ['wallets'],
        summary: 'Delete named API key',
        description:
          'The key is refused from now on. `endpoints` are the webhook endpoints that it has registered, which go on: disable ' +
          'those that you do not know.',
        params: KeyParams,
        body: z.strictObject({}),
        response: {
          200: envelopeSchema(
            KeyResource.extend({ endpoints: z.array(endpoints.resource) }).meta({ id: 'DeletedNamedApiKey' }),
          ),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.wallet;
      const key = await findNamedKey(deps.db, id, request.params.key_id);
      if (!key || !(await removeNamedKey(deps, byOf(request), key)))
        throw new AppError('not_found', 'There is no such API key.');
      const made = await endpoints.madeBy(id, key.id);
      return reply.code(200).send(envelope(200, { ...showKey(key), endpoints: made }));
    },
  );
}

function byOf({ actor, login }: FastifyRequest) {
  return { actor, caller: login };
}

/** Returns each scope once, in the order of `SCOPES`. */
function inOrder(scopes: readonly Scope[]): Scope[] {
  return SCOPES.filter((scope) => scopes.includes(scope));
}

function showKey({ wallet_id: _, created_by, created_by_name, ...key }: NamedKey) {
  return {
    ...key,
    created_by: { id: created_by, name: created_by_name },
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
  };
}
