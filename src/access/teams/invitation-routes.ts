/** The operations on invitations: those of the team, and those of the person who has a link. */
import { z } from 'zod';
import { LoginChallenge, proofFields, readProof } from '../../auth/factors/schema.ts';
import { createBrowserReader } from '../../auth/login/browser-routes.ts';
import { createHandOver, HandedOver, SignInHeaders } from '../../auth/login/sign-in-routes.ts';
import { NewPassword } from '../../auth/passwords/password-schema.ts';
import { RightsFields, RoleName, ShownWalletIds } from '../../auth/teams/rights-schema.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { PASSWORD } from '../../http/sample-values.ts';
import { Email, Id, ListQuery, Name, readPage, shownOnce, Time } from '../../http/schemas.ts';
import { AwaitsApprovalResponse, showAwaitsApproval } from '../changes/access-change-schema.ts';
import { AwaitsApproval } from '../changes/access-changes.ts';
import { mailInvitation } from './invitation-mail.ts';
import { type Invitation, listInvitations } from './invitation-store.ts';
import { acceptInvitation, invite, revoke } from './invitations.ts';
import { INVITATION_STATES, type ReceivedInvitation, readInvitation } from './received-invitation.ts';

const InvitationResource = z
  .object({
    id: Id,
    email: z.string(),
    role: RoleName,
    wallet_ids: ShownWalletIds,
    invited_by: Id,
    created_at: Time,
    expires_at: Time,
  })
  .meta({ id: 'Invitation' });
const NewInvitation = InvitationResource.extend({
  token: shownOnce('The text after `#` in the link of the invitation; null when the link was mailed'),
  path: shownOnce(
    'Of the dashboard’s page that accepts it: the link is the service’s address and this; null when the link was mailed',
  ),
  mailed: z.boolean().meta({
    description: 'Whether the service has sent the link to the e-mail address; otherwise send it yourself',
  }),
}).meta({
  id: 'NewInvitation',
  description: 'An invitation. Its token is shown only now, and only when the link was not mailed.',
});

const ReceivedInvitationResource = z
  .object({
    state: z.enum(INVITATION_STATES).meta({ description: 'Only an open one can be accepted' }),
    team_name: z.string(),
    inviter_name: z.string(),
    inviter_email: z.string(),
    email: z.string().meta({ description: 'The invited e-mail address' }),
    role: RoleName,
    wallets: z
      .int()
      .nullable()
      .meta({ description: 'How many wallets of the team the member uses; null: every wallet' }),
    expires_at: Time,
    is_known_device: z.boolean().meta({
      description:
        'Whether a user with the invited e-mail address has signed in at this browser before, which keeps a device cookie then',
    }),
  })
  .meta({ id: 'ReceivedInvitation', description: 'What an invitation says to the person who has its link' });
const EXAMPLE_TOKEN = 'mK1sW7yB3cD5fG9hJ0lA6rZ8xQpT2vN4';
const InvitationToken = z.string().max(100);

export function invitationRoutes(app: HttpApp, deps: Deps): void {
  const browserOf = createBrowserReader(deps);
  const handOver = createHandOver(deps);
  app.get(
    '/v1/team/invitations',
    {
      config: { access: 'login', roles: 'owners', errors: [], client: 'team.list_invitations' },
      schema: {
        operationId: 'listInvitations',
        tags: ['team'],
        summary: 'List invitations',
        description: 'Lists the invitations that can still be accepted, newest first.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(InvitationResource)) },
      },
    },
    async (request, reply) => {
      const { team_id } = request.login.member;
      const now = deps.clock.now();
      const list = (page: PageRequest) =>
        deps.readInTurn(team_id, (db) => listInvitations(db, team_id, { page, now }));
      return reply.code(200).send(envelope(200, await readPage(request.query, 'inv', list, showInvitation)));
    },
  );

  app.post(
    '/v1/team/invitations',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['token', 'path'] },
        errors: [
          'role_missing',
          'too_few_approvers',
          'too_many_access_changes',
          'already_in_team',
          'too_many_invitations',
        ],
        client: 'team.create_invitation',
        examples: { body: { email: 'noor@example.com', role: 'viewer' } },
      },
      schema: {
        operationId: 'createInvitation',
        tags: ['team'],
        summary: 'Invite',
        description:
          'The link makes this e-mail address a member, once, within 7 days. A service with a mail server sends it to the ' +
          'address (`mailed`), at most once an hour to one address; otherwise it is shown in this response, once. A team has at most 50 ' +
          'invitations that are open or of the last 24 hours, 3 of them of one e-mail. An admin cannot invite owners.',
        body: z.strictObject({ email: Email, ...RightsFields }),
        response: {
          201: envelopeSchema(NewInvitation),
          ...AwaitsApprovalResponse,
        },
      },
    },
    async (request, reply) => {
      const { wallet_ids = null, ...body } = request.body;
      const invited = await invite(deps, request, { ...body, wallet_ids });
      if (invited instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(invited));
      const { invitation, token } = invited;
      const path = `/invitation#${token}`;
      const mailed = await mailInvitation(deps, request.login, { invitation, path });
      const link = mailed ? { token: null, path: null } : { token, path };
      const data = { ...showInvitation(invitation), ...link, mailed };
      return reply.code(201).send(envelope(201, data));
    },
  );

  app.delete(
    '/v1/team/invitations/:invitation_id',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: [],
        client: 'team.revoke_invitation',
      },
      schema: {
        operationId: 'revokeInvitation',
        tags: ['team'],
        summary: 'Revoke invitation',
        description: 'Ends an open invitation: its link is refused from now on.',
        params: z.object({ invitation_id: Id }),
        body: z.strictObject({}),
        response: { 200: envelopeSchema(z.object({})) },
      },
    },
    async (request, reply) => {
      await revoke(deps, request, request.params.invitation_id);
      return reply.code(200).send(envelope(200, {}));
    },
  );

  app.post(
    '/v1/auth/invitations/read',
    {
      config: {
        access: 'public',
        no_store: true,
        errors: ['not_found', 'too_many_logins'],
        client: 'auth.read_invitation',
        examples: { body: { token: EXAMPLE_TOKEN } },
      },
      schema: {
        operationId: 'readInvitation',
        tags: ['auth'],
        summary: 'Read invitation',
        description:
          'Who invites whom to which team, before the invitation is accepted. Only a browser with a device cookie learns whether it ' +
          'is known to a user with the e-mail address. An invitation that was revoked, or expired a month ago, is not found. After a hundred tokens that open no invitation the addresses of the caller must wait.',
        body: z.strictObject({ token: InvitationToken }),
        response: { 200: envelopeSchema(ReceivedInvitationResource) },
      },
    },
    async (request, reply) => {
      const { ip, devices } = browserOf(request);
      const invitation = await readInvitation(deps, { token: request.body.token, ip, devices });
      return reply.code(200).send(envelope(200, showReceived(invitation)));
    },
  );

  app.post(
    '/v1/auth/invitations/accept',
    {
      config: {
        access: 'public',
        no_store: true,
        errors: [
          'wrong_credentials',
          'too_many_logins',
          'second_factor_wrong',
          'second_factor_stopped',
          'challenge_ended',
          'not_found',
          'already_in_team',
          { code: 'second_factor_required', status: 401 },
        ],
        client: 'auth.accept_invitation',
        examples: { body: { token: EXAMPLE_TOKEN, name: 'Mara', password: PASSWORD } },
      },
      schema: {
        operationId: 'acceptInvitation',
        tags: ['auth'],
        summary: 'Accept invitation',
        description:
          'Makes the invited e-mail address a member, and logs in. A new user gives a name and chooses a password. Without a ' +
          '`name`, a user gives the password they have, and leaves a team of one that has no wallets. A user with a second factor gets a ' +
          'challenge as at a login, and sends the same again with `challenge` and one of `totp`, `passkey` and `recovery_code`.',
        headers: SignInHeaders,
        body: z.strictObject({
          token: InvitationToken,
          password: NewPassword,
          name: Name.optional(),
          challenge: z.string().max(100).optional(),
          ...proofFields,
        }),
        response: {
          200: envelopeSchema(z.object({ ...HandedOver, user_id: Id }).meta({ id: 'Joined' })),
          401: LoginChallenge,
        },
      },
    },
    async (request, reply) => {
      const { token: invitation, password, name, challenge, ...given } = request.body;
      const second_factor = challenge === undefined ? undefined : { challenge, proof: readProof(given) };
      const browser = browserOf(request);
      const acceptance = { invitation, password, name, second_factor, ...browser };
      const { user, ...opened } = await acceptInvitation(deps, acceptance);
      const handed = await handOver(request, reply, { browser, ...opened });
      return reply.code(200).send(envelope(200, { ...handed, user_id: user.id }));
    },
  );
}

function showInvitation({ team_id: _, created_at, expires_at, ...rest }: Invitation) {
  return { ...rest, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}

function showReceived({
  state,
  team_name,
  inviter,
  email,
  role,
  wallet_ids,
  expires_at,
  is_known_device,
}: ReceivedInvitation): z.output<typeof ReceivedInvitationResource> {
  return {
    state,
    team_name,
    inviter_name: inviter.name,
    inviter_email: inviter.email,
    email,
    role,
    wallets: wallet_ids?.length ?? null,
    expires_at: expires_at.toISOString(),
    is_known_device,
  };
}
