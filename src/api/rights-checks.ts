/** What a caller with a valid credential may do. Each refusal is written to the audit log of the team. */
import type { FastifyRequest } from 'fastify';
import { actorOf, type Caller, keyOfCredential, type LoginCaller } from '../auth/callers/authenticate.ts';
import { createRefusedRights } from '../auth/callers/refused-rights.ts';
import { isAllowed, notAllowed } from '../auth/credentials/allowed-ips.ts';
import { requireStepUp, type StepUp } from '../auth/factors/step-up.ts';
import type { Scope } from '../auth/keys/scopes.ts';
import { rolesOf } from '../auth/teams/roles.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../lib/errors.ts';
import type { RequireWallet } from '../wallets/access.ts';

export function createRightsChecks(deps: Deps, requireWallet: RequireWallet) {
  const noteRefused = createRefusedRights(deps);
  const refuse = async (request: FastifyRequest, team_id: string, error: AppError): Promise<never> => {
    await noteRefused({ actor: request.actor, team_id, operation: operationOf(request), code: error.code });
    throw error;
  };
  const teamOf = async (caller: Caller) =>
    caller.kind === 'login'
      ? caller.member.team_id
      : (await requireWallet(caller, caller.wallet_id)).owner_id;
  return {
    teamOf,

    /** @throws AppError `address_not_allowed` */
    async requireAddress(request: FastifyRequest, caller: Caller, ip: string): Promise<void> {
      if (!isAllowed(caller.allowed_ips, ip)) await refuse(request, await teamOf(caller), notAllowed(ip));
    },

    /** @throws AppError `role_missing`, `person_required` */
    async requireRole(
      request: FastifyRequest,
      { by, member: { role, team_id } }: LoginCaller,
    ): Promise<void> {
      const { access, roles } = request.routeOptions.config;
      if (!roles || !rolesOf(roles).includes(role)) {
        const words = `Your role in the team (${role}) may not do this.`;
        await refuse(request, team_id, new AppError('role_missing', words));
      }
      if (access === 'person' && by === 'service_user') {
        const words = 'A service user may not do this. Log in as a person.';
        await refuse(request, team_id, new AppError('person_required', words));
      }
    },

    /** @throws AppError `second_factor_required` */
    async requireProof(request: FastifyRequest, step_up: StepUp): Promise<void> {
      await requireStepUp(deps, request.login, step_up).catch((error) => {
        if (!(error instanceof AppError)) throw error;
        return refuse(request, request.team_id, error);
      });
    },

    /** @throws AppError `scope_missing` */
    async requireScope(request: FastifyRequest, scopes: readonly Scope[]): Promise<void> {
      const enough = request.routeOptions.config.scopes ?? [];
      if (enough.some((scope) => scopes.includes(scope))) return;
      const words = `This API key may not do this: it needs the scope ${enough.join(' or ')}.`;
      await refuse(request, request.wallet.owner_id, new AppError('scope_missing', words));
    },

    /**
     * Writes down which API key was refused where a login is needed. The refusal stands whether the key can be looked up or not.
     */
    async noteKey(request: FastifyRequest, ip: string): Promise<void> {
      const operation = operationOf(request);
      try {
        const caller = await keyOfCredential(deps, request.headers.authorization);
        if (caller === null) return; // no key of ours: a stranger
        const team_id = await teamOf(caller);
        await noteRefused({ actor: actorOf(caller, ip), team_id, operation, code: 'login_required' });
      } catch (error) {
        deps.log.warn(
          { err: error, ip, operation },
          'an API key was refused, and the audit log may not have it: the key could not be looked up',
        );
      }
    },

    /** Writes down a role that an operation has refused by what it found: an admin who changes an owner. */
    async noteRole(request: FastifyRequest, error: Error): Promise<void> {
      if (!(error instanceof AppError) || error.code !== 'role_missing') return;
      const { actor, team_id } = request;
      await noteRefused({ actor, team_id, operation: operationOf(request), code: error.code });
    },
  };
}

function operationOf(request: FastifyRequest): string {
  return request.routeOptions.config.operation ?? '';
}
