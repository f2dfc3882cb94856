import { z } from 'zod';
import { NewPassword } from '../../auth/passwords/password-schema.ts';
import { RightsFields, RoleName, ShownWalletIds, WalletIds } from '../../auth/teams/rights-schema.ts';
import {
  findTeam,
  listFormerMembers,
  listMembers,
  type Member,
  type Team,
} from '../../auth/teams/team-store.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { PASSWORD } from '../../http/sample-values.ts';
import { Email, Flag, Id, IdAndName, ListQuery, Name, readPage, Time } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { AwaitsApprovalResponse, showAwaitsApproval } from '../changes/access-change-schema.ts';
import { AwaitsApproval } from '../changes/access-changes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { addMember, changeMember, changeName, removeMember } from './members.ts';
import { requireFactorsOfTeam } from './team-requirement.ts';

const TeamResource = z
  .object({ name: z.string(), second_factor_required: z.boolean(), created_at: Time })
  .meta({ id: 'Team' });
const MemberResource = z
  .object({
    user_id: Id,
    email: z.string(),
    name: z.string(),
    role: RoleName,
    wallet_ids: ShownWalletIds,
    joined_at: Time,
    left_at: Time.nullable().meta({
      description: 'When a former member left the team; role and wallets are those of then. Null of a member',
    }),
  })
  .meta({ id: 'Member' });
const MembersQuery = ListQuery.extend({
  former: Flag.optional().meta({
    description:
      '`true`: those who have left the team and are not back, for the names of who asked and approved',
  }),
});
const RemovedMember = z
  .object({
    service_users: z.array(IdAndName).meta({
      description: 'The service users of the team with a valid credential that the user knows',
    }),
  })
  .meta({ id: 'RemovedMember' });
const MemberParams = z.object({ user_id: Id });

export function teamRoutes(app: HttpApp, deps: Deps): void {
  teamRecordRoutes(app, deps);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
}

function teamRecordRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/team',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'team.get' },
      schema: {
        operationId: 'getTeam',
        tags: ['team'],
        summary: 'Read team',
        description: 'The team that the user is in. It owns the wallets.',
        response: { 200: envelopeSchema(TeamResource) },
      },
    },
    async (request, reply) => {
      const team = await findTeam(deps.reads, request.login.member.team_id);
      return reply.code(200).send(envelope(200, showTeam(team)));
    },
  );

  app.patch(
    '/v1/team',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: ['second_factor_required'],
        client: 'team.change',
        examples: { body: { name: 'Shop' } },
      },
      schema: {
        operationId: 'changeTeam',
        tags: ['team'],
        summary: 'Change team',
        description:
          'Renames the team; `second_factor_required`: whether its members need a second factor for operations with `x-step-up`. Only an owner who has one decides that.',
        body: z.strictObject({ name: Name.optional(), second_factor_required: z.boolean().optional() }),
        response: { 200: envelopeSchema(TeamResource) },
      },
    },
    async (request, reply) => {
      const { name, second_factor_required } = request.body;
      if (second_factor_required !== undefined)
        await requireFactorsOfTeam(deps, request, second_factor_required);
      if (name !== undefined) await changeName(deps, request, name);
      const team = await findTeam(deps.db, request.login.member.team_id);
      return reply.code(200).send(envelope(200, showTeam(team)));
    },
  );
}

function memberRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/team/members',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'team.list_members' },
      schema: {
        operationId: 'listMembers',
        tags: ['team'],
        summary: 'List members',
        description: 'Lists the members of the team, or its former members, newest user first.',
        querystring: MembersQuery,
        response: { 200: envelopeSchema(pageSchema(MemberResource)) },
      },
    },
    async (request, reply) => {
      const { team_id } = request.login.member;
      const { former, ...asked } = request.query;
      const read = former ? listFormerMembers : listMembers;
      const list = async (page: PageRequest) => {
        const members = await deps.readInTurn(team_id, (db) => read(db, team_id, page));
        return members.map((member) => ({ ...member, id: member.user_id }));
      };
      return reply.code(200).send(envelope(200, await readPage(asked, 'usr', list, showMember)));
    },
  );

  app.post(
    '/v1/team/members',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: [
          'role_missing',
          'too_few_approvers',
          'too_many_access_changes',
          'already_in_team',
          'too_many_invitations',
          'too_many_logins',
        ],
        client: 'team.add_member',
        examples: { body: { email: 'noor@example.com', name: 'Noor', password: PASSWORD, role: 'viewer' } },
      },
      schema: {
        operationId: 'addMember',
        tags: ['team'],
        summary: 'Add member',
        description:
          'Makes a user with a password that you choose and tell them. An invitation lets them choose it themselves. ' +
          'Another team may have a user with the same e-mail: nothing tells. An admin cannot make owners.',
        body: z.strictObject({ email: Email, name: Name, password: NewPassword, ...RightsFields }),
        response: {
          201: envelopeSchema(MemberResource),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const { wallet_ids = null, ...body } = request.body;
      const member = await addMember(deps, request, { ...body, wallet_ids });
      if (member instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(member));
      return reply.code(201).send(envelope(201, showMember(member)));
    },
  );

  app.patch(
    '/v1/team/members/:user_id',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: ['role_missing', 'too_few_approvers', 'too_many_access_changes', 'last_owner'],
        client: 'team.change_member',
        examples: { body: { role: 'operator' } },
      },
      schema: {
        operationId: 'changeMember',
        tags: ['team'],
        summary: 'Change rights of member',
        description:
          'The rights hold for the next request of the member. A member who becomes an owner or admin uses every wallet.',
        params: MemberParams,
        body: z.strictObject({
          role: RoleName.optional(),
          wallet_ids: WalletIds.optional(),
          all_wallets: z.literal(true).optional().meta({ description: 'Every wallet, in place of some' }),
        }),
        response: {
          200: envelopeSchema(MemberResource),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const { user_id } = request.params;
      const { role, wallet_ids, all_wallets } = request.body;
      if (all_wallets && wallet_ids)
        throw new AppError('invalid_request', 'Name some wallets, or all of them.', {
          details: [{ path: '/all_wallets', message: 'must be absent beside wallet_ids' }],
        });
      const change = { user_id, role, wallet_ids: all_wallets ? null : wallet_ids };
      const member = await changeMember(deps, request, change);
      if (member instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(member));
      return reply.code(200).send(envelope(200, showMember(member)));
    },
  );

  app.delete(
    '/v1/team/members/:user_id',
    {
      config: {
        access: 'person',
        roles: 'everyone', // everyone may leave; `removeMember` refuses others to who is no owner or admin

        step_up: 'always',
        errors: ['role_missing', 'too_few_approvers', 'last_owner'],
        client: 'team.remove_member',
      },
      schema: {
        operationId: 'removeMember',
        tags: ['team'],
        summary: 'Remove member, or leave',
        description:
          'Ends the membership and every session of the user, who cannot log in until a team invites them. Everyone may ' +
          'leave, but for the last owner. Service users whose credentials the user knows go on: the answer lists them, so that ' +
          'their credentials can be replaced.',
        params: MemberParams,
        body: z.strictObject({}),
        response: { 200: envelopeSchema(RemovedMember) },
      },
    },
    async (request, reply) => {
      const service_users = await removeMember(deps, request, request.params.user_id);
      return reply.code(200).send(envelope(200, { service_users }));
    },
  );
}

function showTeam({ name, second_factor_required, created_at }: Team) {
  return { name, second_factor_required, created_at: created_at.toISOString() };
}

function showMember({ joined_at, left_at, ...member }: Member) {
  const { user_id, email, name, role, wallet_ids } = member;
  const times = { joined_at: joined_at.toISOString(), left_at: left_at?.toISOString() ?? null };
  return { user_id, email, name, role, wallet_ids, ...times };
}
