import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessChangeRoutes } from '../access/changes/access-change-routes.ts';
import { keyRoutes } from '../access/named-keys/key-routes.ts';
import { serviceUserRoutes } from '../access/service-users/service-user-routes.ts';
import { teamRoutes } from '../access/teams/routes.ts';
import { alertRoutes } from '../alerts/routes.ts';
import type { Actor } from '../audit/audit.ts';
import { auditRoutes } from '../audit/audit-routes.ts';
import {
  type Access,
  actorOf,
  type Caller,
  createAuthenticator,
  type LoginCaller,
  makerOf,
} from '../auth/callers/authenticate.ts';
import { factorRoutes } from '../auth/factors/routes.ts';
import { browserCredential } from '../auth/login/browser-routes.ts';
import { authRoutes } from '../auth/login/routes.ts';
import { renewCookie } from '../auth/login/sign-in-routes.ts';
import { tokenRoutes } from '../auth/service-users/token-routes.ts';
import { type Maker, strangerAt } from '../auth/users/actor.ts';
import { reconcileRoutes } from '../deposits/reconcile/reconcile-routes.ts';
import { depositRoutes } from '../deposits/routes.ts';
import type { Deps } from '../deps.ts';
import { clientOf } from '../http/client-of.ts';
import { createHttpApp, type HttpApp } from '../http/http-app.ts';
import { measureRequests } from '../http/measure-requests.ts';
import { registerOpenApi } from '../http/openapi.ts';
import { traceRequests } from '../http/trace-requests.ts';
import { AppError } from '../lib/errors.ts';
import { isLoopbackAddress } from '../lib/host-or-block.ts';
import { payeeRoutes } from '../payees/routes.ts';
import { createWalletAccess, type Wallet } from '../wallets/access.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { EndpointResource, showEndpoint } from '../webhooks/endpoints/endpoint-schema.ts';
import { webhookRoutes } from '../webhooks/routes.ts';
import { listEndpointsMadeBy, listEndpointsOfServiceUser } from '../webhooks/store/endpoint-store.ts';
import type { WithdrawalEngine } from '../withdrawals/engine/engine.ts';
import { withdrawalRoutes } from '../withdrawals/routes.ts';
import { declareOperation } from './declare-operation.ts';
import { depositDeliveryRoutes } from './deposit-delivery-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { createKnownSources } from './known-sources.ts';
import { networkRoutes } from './network-routes.ts';
import { dashboardPages, referencePages } from './pages.ts';
import { DESCRIPTION } from './reference/describe.ts';
import { sampleData } from './reference/events.ts';
import { createRepeatedRequests } from './repeated-requests.ts';
import { createRequestQuota, type RequestQuota } from './request-quota.ts';
import { createRightsChecks } from './rights-checks.ts';
import { searchRoutes } from './search-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { createWaitingRequests } from './waiting-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** With `wait_seconds` the response may come long after the request: the credential is checked again before it is sent. */
    waits?: boolean;
    /** The body may be a CSV. */
    takes_csv?: boolean;
    /** Answered when the network has an outcome: a team may have a limited number of such requests at once. */
    awaits_outcome?: boolean;
    /** The response carries a secret. */
    no_store?: boolean;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** The caller for the audit log; a stranger on public routes. */
    actor: Actor;
    /** The caller as the maker of what the request makes; not set on public routes. */
    maker: Maker;
    /** Set on routes with access `login` or `person`, and on others where a login calls them. */
    login: LoginCaller;
    /** The wallet of the API key, or the user: what belongs to one of them shares its turns. */
    credential: string;
    /** The body came with the headers, so nobody could hold it back until rights had ended. */
    came_whole: boolean;
    /** Set on routes below /v1/wallets/:id: a wallet that the caller may use. */
    wallet: Wallet;
    /** The team of the caller; empty on public routes. */
    team_id: string;
  }
}

/** Builds the HTTP application with all operations, ready to listen. */
export async function buildApp(deps: Deps, engine: WithdrawalEngine): Promise<HttpApp> {
  const { host, public_url } = deps.config;
  const app = createHttpApp(deps.log, {
    loopback_only: isLoopbackAddress(host),
    public_host: new URL(public_url).hostname,
  });
  measureRequests(app, deps.metrics);
  if (deps.config.traces !== null) traceRequests(app, deps.traces);
  await registerOpenApi(app, DESCRIPTION);
  const countRequest = createRequestQuota(deps);
  guardRoutes(app, deps, countRequest);
  serviceRoutes(app, deps);
  const knownSources = createKnownSources(deps);
  networkRoutes(app, deps, knownSources);
  authRoutes(app, deps);
  factorRoutes(app, deps);
  teamRoutes(app, deps);
  auditRoutes(app, deps);
  alertRoutes(app, deps);
  serviceUserRoutes(app, deps, {
    resource: EndpointResource,
    madeBy: async (service_user) =>
      (await listEndpointsOfServiceUser(deps.db, service_user)).map(showEndpoint),
  });
  accessChangeRoutes(app, deps);
  payeeRoutes(app, deps);
  tokenRoutes(app, deps, countRequest);
  const endpoints = {
    resource: EndpointResource,
    madeBy: async (wallet_id: string, key_id: string) =>
      (await listEndpointsMadeBy(deps.db, wallet_id, key_id)).map(showEndpoint),
  };
  walletRoutes(app, deps, endpoints);
  keyRoutes(app, deps, endpoints);
  depositRoutes(app, deps);
  reconcileRoutes(app, deps);
  withdrawalRoutes(app, deps, engine);
  webhookRoutes(app, deps, sampleData);
  depositDeliveryRoutes(app, deps);
  healthRoutes(app, deps, knownSources);
  searchRoutes(app, deps);
  await dashboardPages(app);
  await referencePages(app, deps.config.public_url);
  await app.ready();
  return app;
}

/**
 * Checks the credential, its address, the team's quota of requests, the role, the wallet, the scope and the second factor, in
 * this order, then everything else. An API key on an operation for logins gets 401 for any wallet, a role that may not do it
 * gets 403 for any wallet, a wallet of another team gets 404 before the body is read, and a scope that is missing gets 403.
 */
function guardRoutes(app: HttpApp, deps: Deps, countRequest: RequestQuota): void {
  const authenticate = createAuthenticator(deps);
  const requireWallet = createWalletAccess(deps.db);
  const addressOf = (request: FastifyRequest) => clientOf(request, deps.config.trusted_proxies).address;
  const limitWaiting = createWaitingRequests(deps);
  const obeyKeys = createRepeatedRequests(deps);
  app.addHook('onRoute', (route) => {
    declareOperation(route);
    if (route.config?.awaits_outcome) limitWaiting(route);
    if (route.config?.makes) obeyKeys(route);
  });
  app.decorateRequest('claim', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('actor', null as unknown as Actor);
  app.decorateRequest('maker', null as unknown as Maker);
  app.decorateRequest('credential', '');
  app.decorateRequest('came_whole', false);
  app.decorateRequest('team_id', '');
  app.decorateRequest('login', null as unknown as FastifyRequest['login']);
  app.decorateRequest('wallet', null as unknown as Wallet);
  const { noteKey, noteRole, requireAddress, requireProof, requireRole, requireScope, teamOf } =
    createRightsChecks(deps, requireWallet);
  /** Checks everything up to the scope, and notes the caller in the request. `reply`: of a request that is counted. */
  const authorize = async (request: FastifyRequest, access: Access, reply?: FastifyReply) => {
    const browser = browserCredential(request);
    const caller = await authenticate(request.headers.authorization, access, browser).catch(async (error) => {
      if (error instanceof AppError && error.code === 'login_required')
        await noteKey(request, addressOf(request));
      throw error;
    });
    request.caller = caller;
    request.actor = actorOf(caller, addressOf(request));
    request.maker = makerOf(caller);
    await requireAddress(request, caller, addressOf(request));
    request.credential = caller.kind === 'login' ? caller.user.id : caller.wallet_id;
    const own = caller.kind === 'api_key' ? await requireWallet(caller, caller.wallet_id) : null;
    request.team_id = own?.owner_id ?? (await teamOf(caller));
    if (reply) countRequest(request.team_id, reply);
    if (caller.kind === 'login') {
      request.login = caller;
      await requireRole(request, caller);
    }
    const { id } = request.params as { id?: string };
    if (id !== undefined) request.wallet = own?.id === id ? own : await requireWallet(caller, id);
    if (caller.kind === 'api_key') await requireScope(request, caller.key.scopes); // 404 for another wallet comes first
  };
  app.addHook('onRequest', async (request, reply) => {
    const { access, no_store, step_up } = request.routeOptions.config;
    // What a request with Authorization gets, no shared cache keeps by itself (RFC 9111, 3.5); with a cookie it might.
    const by_cookie = access && access !== 'public' && request.headers.authorization === undefined;
    if (no_store || by_cookie) reply.header('cache-control', 'no-store');
    request.actor = strangerAt(addressOf(request));
    if (access && access !== 'public') {
      // The parser has read by then what came with the headers.
      await setImmediate();
      request.came_whole = request.raw.complete;
      await authorize(request, access, reply);
    }
    if (by_cookie) renewCookie(deps, request, reply);
    // Once, at the request: a payment that took longer than the proof counts is answered all the same.
    if (step_up && request.login) await requireProof(request, step_up);
  });
  // A client that sends the body late must change nothing with rights that have ended before the body came.
  app.addHook('preHandler', async (request) => {
    const { access } = request.routeOptions.config;
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (changes && access && access !== 'public' && !request.came_whole) await authorize(request, access);
  });
  // What the guard has refused is written down already, and at most once a minute.
  app.addHook('onError', async (request, _reply, error) => noteRole(request, error));
  // The key may have been regenerated, or the login ended, while the request waited: then it gets no data.
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { access, waits } = request.routeOptions.config;
    if (!waits || !access || reply.statusCode >= 400) return payload;
    const { wait_seconds = 0 } = request.query as { wait_seconds?: number };
    if (wait_seconds > 0) await authorize(request, access);
    return payload;
  });
}
