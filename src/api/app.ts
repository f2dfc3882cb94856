import type { FastifyRequest, RouteOptions } from 'fastify';
import { alertRoutes } from '../alerts/routes.ts';
import type { Actor } from '../audit/audit.ts';
import { auditRoutes } from '../audit/audit-routes.ts';
import { strangerAt } from '../auth/actor.ts';
import {
  type Access,
  actorOf,
  type Caller,
  createAuthenticator,
  type LoginCaller,
  walletOfCredential,
} from '../auth/authenticate.ts';
import { createRefusedRights } from '../auth/refused-rights.ts';
import { authRoutes } from '../auth/routes.ts';
import { ROLES, ROLES_OF, type Role } from '../auth/teams/roles.ts';
import { teamRoutes } from '../auth/teams/routes.ts';
import { reconcileRoutes } from '../deposits/reconcile/reconcile-routes.ts';
import { depositRoutes } from '../deposits/routes.ts';
import { DepositResource, showDeposit } from '../deposits/schema.ts';
import { findDeposit } from '../deposits/store.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { clientOf } from '../http/client-of.ts';
import { createHttpApp, type HttpApp } from '../http/http-app.ts';
import { registerOpenApi } from '../http/openapi.ts';
import { errorsOf } from '../http/operation.ts';
import { isLoopbackAddress } from '../lib/host-or-block.ts';
import { createWalletAccess, type Wallet } from '../wallets/access.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { webhookRoutes } from '../webhooks/routes.ts';
import type { WithdrawalEngine } from '../withdrawals/engine/engine.ts';
import { withdrawalRoutes } from '../withdrawals/routes.ts';
import { depositDeliveryRoutes } from './deposit-delivery-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { networkRoutes } from './network-routes.ts';
import { dashboardPages, referencePages } from './pages.ts';
import { serviceRoutes } from './service-routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. The start fails when a /v1 route has none. */
    access?: Access;
    /** The roles of the members who may call it; from the table of roles. */
    roles?: readonly Role[];
    /** The operation id. */
    operation?: string;
    /** The response may come long after the request: the credential is checked again before it is sent. */
    waits?: boolean;
    /** The response carries a secret. */
    no_store?: boolean;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** The caller for the audit log; a stranger on public routes. */
    actor: Actor;
    /** Set on routes with access `login`. */
    login: LoginCaller;
    /** The wallet of the API key, or the user: what belongs to one of them shares its turns. */
    credential: string;
    /** Set on routes below /v1/wallets/:id: a wallet that the caller may use. */
    wallet: Wallet;
  }
}

/** The HTTP application with all operations, ready to listen. */
export async function buildApp(deps: Deps, engine: WithdrawalEngine): Promise<HttpApp> {
  const app = createHttpApp(deps.log, { loopback_only: isLoopbackAddress(deps.config.host) });
  await registerOpenApi(app);
  guardRoutes(app, deps);
  serviceRoutes(app, deps);
  networkRoutes(app, deps);
  authRoutes(app, deps);
  teamRoutes(app, deps);
  auditRoutes(app, deps);
  alertRoutes(app, deps);
  walletRoutes(app, deps);
  depositRoutes(app, deps);
  reconcileRoutes(app, deps);
  const deposits = {
    resource: DepositResource,
    async read(wallet_id: string, id: string) {
      const deposit = await findDeposit(deps.db, wallet_id, id);
      return deposit && showDeposit(deposit);
    },
  };
  withdrawalRoutes(app, deps, { engine, deposits });
  webhookRoutes(app, deps);
  depositDeliveryRoutes(app, deps);
  healthRoutes(app, deps);
  await dashboardPages(app);
  await referencePages(app);
  await app.ready();
  return app;
}

/**
 * Checks the credential, then the role, then the wallet, then everything else. An API key on an operation for logins gets
 * 401 for any wallet, a role that may not do it gets 403 for any wallet, and a wallet of another team gets 404 before the
 * body is read.
 */
function guardRoutes(app: HttpApp, deps: Deps): void {
  const authenticate = createAuthenticator(deps);
  const requireWallet = createWalletAccess(deps.db);
  const addressOf = (request: FastifyRequest) => clientOf(request, deps.config.trusted_proxies).address;
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1') && !route.config?.access)
      throw new Error(`${route.url} does not say who may call it`);
    if (route.config?.access && route.config.access !== 'public') declareRoles(route);
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('actor', null as unknown as Actor);
  app.decorateRequest('credential', '');
  app.decorateRequest('login', null as unknown as FastifyRequest['login']);
  app.decorateRequest('wallet', null as unknown as Wallet);
  const noteRefused = createRefusedRights(deps);
  const noteKey = async (request: FastifyRequest) => {
    const wallet_id = await walletOfCredential(deps, request.headers.authorization);
    if (wallet_id === null) return; // no key of ours: a stranger
    const caller: Caller = { kind: 'api_key', wallet_id };
    const { owner_id: team_id } = await requireWallet(caller, wallet_id);
    const operation = operationOf(request);
    await noteRefused({
      actor: actorOf(caller, addressOf(request)),
      team_id,
      operation,
      code: 'login_required',
    });
  };
  /** @throws AppError `role_missing` */
  const requireRole = async (request: FastifyRequest, { member }: LoginCaller) => {
    if (request.routeOptions.config.roles?.includes(member.role)) return;
    const { team_id } = member;
    const operation = operationOf(request);
    await noteRefused({ actor: request.actor, team_id, operation, code: 'role_missing' });
    throw new AppError('role_missing', `Your role in the team (${member.role}) may not do this.`);
  };
  const authorize = async (request: FastifyRequest, access: Access) => {
    const caller = await authenticate(request.headers.authorization, access).catch(async (error) => {
      if (error instanceof AppError && error.code === 'login_required') await noteKey(request);
      throw error;
    });
    request.caller = caller;
    request.actor = actorOf(caller, addressOf(request));
    request.credential = caller.kind === 'login' ? caller.user.id : caller.wallet_id;
    if (caller.kind === 'login') {
      request.login = caller;
      await requireRole(request, caller);
    }
    const { id } = request.params as { id?: string };
    if (id !== undefined) request.wallet = await requireWallet(caller, id);
  };
  app.addHook('onRequest', async (request, reply) => {
    const { access, no_store } = request.routeOptions.config;
    if (no_store) reply.header('cache-control', 'no-store');
    request.actor = strangerAt(addressOf(request));
    if (access && access !== 'public') await authorize(request, access);
  });
  // The key may have been regenerated, or the login ended, while the request waited: then it gets no data.
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { access, waits } = request.routeOptions.config;
    if (waits && access && reply.statusCode < 400) await authorize(request, access);
    return payload;
  });
}

/** Tells the roles in the OpenAPI document. @throws Error at the start, when an operation is not in the table of roles */
function declareRoles(route: RouteOptions): void {
  const { schema } = route;
  const { operationId = '' } = schema as { operationId?: string };
  const roles = ROLES_OF[operationId];
  if (!roles) throw new Error(`${operationId} is not in the table of roles`);
  route.config = { ...route.config, roles, operation: operationId };
  const response = schema?.response as object | undefined;
  Object.assign(schema ?? {}, {
    'x-roles': roles,
    ...(roles.length < ROLES.length && { response: { ...errorsOf(403), ...response } }),
  });
}

function operationOf(request: FastifyRequest): string {
  return request.routeOptions.config.operation ?? '';
}
