import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  findServiceUser,
  listSecrets,
  listServiceUsers,
} from '../../auth/service-users/service-user-store.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import { type HttpApp, invalidRequest } from '../../http/http-app.ts';
import { Id, ListQuery, readPage } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { AwaitsApprovalResponse, showAwaitsApproval } from '../changes/access-change-schema.ts';
import { AwaitsApproval } from '../changes/access-changes.ts';
import {
  ChangeBody,
  CreateBody,
  NewSecret,
  NewServiceUser,
  SecretResource,
  ServiceUserResource,
  showSecret,
  showServiceUser,
} from './service-user-schema.ts';
import {
  changeServiceUser,
  createServiceUser,
  type Manager,
  removeServiceUser,
  retireSecret,
  rotateSecret,
  type ServiceUserWithSecrets,
} from './service-users.ts';

const Params = z.object({ service_user_id: Id });
const SecretParams = Params.extend({ secret_id: Id });

/** The webhook endpoints that a service user has registered, as their own slice shows them. */
export type EndpointsOfServiceUsers = {
  resource: z.ZodType;
  madeBy(service_user: { id: string; team_id: string }): Promise<unknown[]>;
};

/**
 * Adds the routes of the service users of a team. `endpoints` finds the webhook endpoints that a service user has made, for the
 * answers.
 */
export function serviceUserRoutes(app: HttpApp, deps: Deps, endpoints: EndpointsOfServiceUsers): void {
  readRoutes(app, deps);
  createRoute(app, deps);
  changeRoutes(app, deps, endpoints);
  secretRoutes(app, deps);
}

function managerOf({ actor, login }: FastifyRequest): Manager {
  return { actor, team_id: login.member.team_id, caller: login };
}

function readRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/team/service-users',
    {
      config: { access: 'login', roles: 'owners', errors: [], client: 'service_users.list' },
      schema: {
        operationId: 'listServiceUsers',
        tags: ['team'],
        summary: 'List service users',
        description:
          'Lists the service users of the team, newest first. The list of members does not have them.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(ServiceUserResource)) },
      },
    },
    async (request, reply) => {
      const { team_id } = request.login.member;
      const list = (page: PageRequest) =>
        deps.readInTurn(team_id, async (db) => {
          const rows = await listServiceUsers(db, team_id, page);
          const ids = rows.map(({ id }) => id);
          const secrets = await listSecrets(db, ids);
          const own = Map.groupBy(secrets, ({ service_user_id }) => service_user_id);
          return rows.map((row) => ({ ...row, secrets: own.get(row.id) ?? [] }));
        });
      return reply.code(200).send(envelope(200, await readPage(request.query, 'svu', list, showServiceUser)));
    },
  );

  app.get(
    '/v1/team/service-users/:service_user_id',
    {
      config: { access: 'login', roles: 'owners', errors: [], client: 'service_users.get' },
      schema: {
        operationId: 'getServiceUser',
        tags: ['team'],
        summary: 'Read service user',
        description: 'A service user with its public keys, and its secrets without their values.',
        params: Params,
        response: { 200: envelopeSchema(ServiceUserResource) },
      },
    },
    async (request, reply) => {
      const { service_user_id } = request.params;
      const row = await findServiceUser(deps.reads, service_user_id, request.login.member.team_id);
      if (!row) throw new AppError('not_found', 'There is no such service user.');
      const secrets = await listSecrets(deps.reads, [row.id]);
      return reply.code(200).send(envelope(200, showServiceUser({ ...row, secrets })));
    },
  );
}

function createRoute(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/team/service-users',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['client_secret'] },
        errors: ['role_missing', 'too_few_approvers', 'too_many_access_changes', 'too_many_service_users'],
        client: 'service_users.create',
        examples: { body: { name: 'Payouts', role: 'operator' } },
      },
      schema: {
        operationId: 'createServiceUser',
        tags: ['team'],
        summary: 'Make service user',
        description:
          'Makes a program that acts with the rights of a member. Without `public_keys` it gets a secret, which is shown only ' +
          'here. Its backend exchanges secret or signed assertion for a login token at `POST /v1/auth/token`.',
        body: CreateBody,
        response: {
          201: envelopeSchema(NewServiceUser),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const { wallet_ids = null, allowed_ips = null, public_keys = [], ...body } = request.body;
      const order = { ...body, wallet_ids, allowed_ips, public_keys };
      const made = await createServiceUser(deps, managerOf(request), order);
      if (made instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(made));
      const { service_user, client_secret } = made;
      const data = { ...showServiceUser(service_user), client_id: service_user.id, client_secret };
      return reply.code(201).send(envelope(201, data));
    },
  );
}

function changeRoutes(app: HttpApp, deps: Deps, endpoints: EndpointsOfServiceUsers): void {
  const Changed = ServiceUserResource.extend({ endpoints: z.array(endpoints.resource) });
  const showChanged = async (row: ServiceUserWithSecrets) => ({
    ...showServiceUser(row),
    endpoints: await endpoints.madeBy(row),
  });
  app.patch(
    '/v1/team/service-users/:service_user_id',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: ['role_missing', 'too_few_approvers', 'too_many_access_changes', 'disabled_by_operator'],
        client: 'service_users.change',
        examples: { body: { name: 'Payouts of the shop' } },
      },
      schema: {
        operationId: 'changeServiceUser',
        tags: ['team'],
        summary: 'Change service user',
        description:
          'Changes name, rights, addresses or public keys, or disables or enables it. All hold for its next request. Disabling ' +
          'it, and removing a public key, ends its tokens at once. `endpoints` are the webhook endpoints that it has registered, ' +
          'which go on whatever it may do from now on.',
        params: Params,
        body: ChangeBody,
        response: {
          200: envelopeSchema(Changed),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const { wallet_ids, all_wallets, allowed_ips, all_addresses, ...body } = request.body;
      if (all_wallets && wallet_ids)
        throw invalidRequest([{ path: '/all_wallets', message: 'must be absent beside wallet_ids' }]);
      if (all_addresses && allowed_ips)
        throw invalidRequest([{ path: '/all_addresses', message: 'must be absent beside allowed_ips' }]);
      const changed = await changeServiceUser(deps, managerOf(request), {
        id: request.params.service_user_id,
        ...body,
        wallet_ids: all_wallets ? null : wallet_ids,
        allowed_ips: all_addresses ? null : allowed_ips,
      });
      if (changed instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(changed));
      return reply.code(200).send(envelope(200, await showChanged(changed)));
    },
  );

  app.delete(
    '/v1/team/service-users/:service_user_id',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: [],
        client: 'service_users.remove',
      },
      schema: {
        operationId: 'removeServiceUser',
        tags: ['team'],
        summary: 'Remove service user',
        description:
          'Its secrets, keys and tokens are refused from now on. It cannot come back. `endpoints` are the webhook endpoints that ' +
          'it has registered, which go on: disable those that you do not know.',
        params: Params,
        body: z.strictObject({}),
        response: { 200: envelopeSchema(Changed) },
      },
    },
    async (request, reply) => {
      const removed = await removeServiceUser(deps, managerOf(request), request.params.service_user_id);
      return reply.code(200).send(envelope(200, await showChanged(removed)));
    },
  );
}

function secretRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/team/service-users/:service_user_id/secrets',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['client_secret'] },
        errors: ['role_missing', 'too_few_approvers', 'too_many_access_changes', 'too_many_secrets'],
        client: 'service_users.add_secret',
      },
      schema: {
        operationId: 'addServiceUserSecret',
        tags: ['team'],
        summary: 'Add secret',
        description:
          'Gives the service user one more secret, which is shown only here. It may have two, so that a rotation has no gap: add ' +
          'one, let the backend use it, retire the other one.',
        params: Params,
        body: z.strictObject({}),
        response: {
          201: envelopeSchema(NewSecret),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const order = { id: request.params.service_user_id, retire: 'none' as const };
      const added = await rotateSecret(deps, managerOf(request), order);
      if (added instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(added));
      const { secret, client_secret } = added;
      return reply.code(201).send(envelope(201, { ...showSecret(secret), client_secret }));
    },
  );

  app.delete(
    '/v1/team/service-users/:service_user_id/secrets/:secret_id',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: [],
        client: 'service_users.retire_secret',
      },
      schema: {
        operationId: 'retireServiceUserSecret',
        tags: ['team'],
        summary: 'Retire secret',
        description: 'The secret, and the tokens that were given for it, are refused from now on.',
        params: SecretParams,
        body: z.strictObject({}),
        response: { 200: envelopeSchema(SecretResource) },
      },
    },
    async (request, reply) => {
      const { service_user_id: id, secret_id } = request.params;
      const retired = await retireSecret(deps, managerOf(request), { id, secret_id });
      return reply.code(200).send(envelope(200, showSecret(retired)));
    },
  );
}
