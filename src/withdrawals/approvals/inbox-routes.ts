/** The lists of a team: what awaits approvals, and what has been decided. */
import { z } from 'zod';
import { AccessChangeResource, showAccessChange } from '../../access/changes/access-change-schema.ts';
import { OUTCOMES, PLACE, placeOf, readPlace } from '../../approvals/decided.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import { parseResource } from '../../http/exact-json.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { decodeCursor, decodeSortKey, Id, ListQuery, pageOf, Time } from '../../http/schemas.ts';
import { showWithdrawal, WithdrawalResource } from '../answers/schema.ts';
import { PayoutResource, showPayout } from '../payouts/payout-schema.ts';
import { PendingChangeResource, showChange } from '../policies/change-schema.ts';
import { type Decided, listDecided } from './decided.ts';
import { type Awaiting, listAwaiting } from './inbox.ts';

const KIND = {
  kind: z.enum(['withdrawal', 'payout', 'policy_change', 'access_change']),
  wallet_id: Id.nullable().meta({ description: 'Null for a change of members or service users' }),
};

/** What was asked for, in the form of its kind. */
const REQUEST = {
  withdrawal: WithdrawalResource.nullable().meta({ description: 'Null unless `kind` is `withdrawal`' }),
  payout: PayoutResource.nullable().meta({ description: 'Null unless `kind` is `payout`' }),
  change: PendingChangeResource.nullable().meta({ description: 'Null unless `kind` is `policy_change`' }),
  access_change: AccessChangeResource.nullable().meta({
    description: 'Null unless `kind` is `access_change`',
  }),
};

const AwaitingResource = z
  .object({
    ...KIND,
    may_decide: z.boolean().meta({ description: 'Whether the caller may approve or reject it' }),
    factor_required: z.boolean().meta({
      description: 'Whether the caller may approve or reject it once they have added a second factor',
    }),
    ...REQUEST,
  })
  .meta({ id: 'AwaitingApproval' });

const DecidedResource = z
  .object({
    ...KIND,
    outcome: z.enum(OUTCOMES).meta({
      description:
        '`not_needed`: its requester carried out the change of access after the rule had ended that asked for approvals. ' +
        '`rejected`: by a member, or taken back by its requester. `approval_expired`: its time was over. `requester_removed`: its ' +
        'requester was removed or disabled. `cancelled`: it ended before it was decided, because somebody cancelled, revoked or ' +
        'replaced it, or by the operator of the service',
    }),
    decided_at: Time.meta({
      description:
        'When it was decided or ended. A change of access that is approved or needed no approvals any more: when it was carried out',
    }),
    ...REQUEST,
  })
  .meta({
    id: 'DecidedApproval',
    description:
      'A request that awaited approvals and is decided or over. `approvals` of the request has who decided what, when, and with which ' +
      'comment. A withdrawal and a payout are shown as they are now, a change as it was then.',
  });

export function inboxRoutes(app: HttpApp, deps: Deps): void {
  awaitingRoute(app, deps);
  decidedRoute(app, deps);
}

function awaitingRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/approvals',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'withdrawals.list_approvals' },
      schema: {
        operationId: 'listApprovals',
        tags: ['withdrawals'],
        summary: 'List what awaits approvals',
        description:
          'The withdrawals, payouts, changes of policies and changes of access that await approvals, of every wallet that the caller may ' +
          'use, newest first. A change of access stays in the list until its requester carries it out.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(AwaitingResource)) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const page = { limit: limit + 1, before: decodeCursor(null, cursor) };
      const rows = await listAwaiting(deps, request.login, page);
      return reply.code(200).send(
        envelope(
          200,
          pageOf(rows, limit, ({ sort_key }) => sort_key, showAwaiting),
        ),
      );
    },
  );
}

function decidedRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/approvals/decided',
    {
      config: {
        access: 'login',
        roles: 'everyone',
        errors: [],
        client: 'withdrawals.list_decided_approvals',
      },
      schema: {
        operationId: 'listDecidedApprovals',
        tags: ['withdrawals'],
        summary: 'List decided approvals',
        description:
          'The withdrawals, payouts, changes of policies and changes of access that awaited approvals and are decided or over, newest ' +
          'decision first. The caller sees those that the caller would see while they await approvals.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(DecidedResource)) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const place = decodeSortKey(PLACE, cursor);
      const before = place === undefined ? undefined : readPlace(place);
      const rows = await listDecided(deps, request.login.member, { limit: limit + 1, before });
      return reply.code(200).send(envelope(200, pageOf(rows, limit, placeOf, showDecided)));
    },
  );
}

function showAwaiting(item: Awaiting) {
  const { kind, wallet_id, may_decide, factor_required } = item;
  return {
    kind,
    wallet_id,
    may_decide,
    factor_required,
    withdrawal: item.kind === 'withdrawal' ? showWithdrawal(item.withdrawal) : null,
    payout: item.kind === 'payout' ? showPayout(item.payout, item.counted) : null,
    change: item.kind === 'policy_change' ? showChange(item.wallet_id, item.change) : null,
    access_change: item.kind === 'access_change' ? showAccessChange(item.access_change) : null,
  };
}

function showDecided(item: Decided) {
  const { kind, wallet_id, outcome, decided_at } = item;
  return {
    kind,
    wallet_id,
    outcome,
    decided_at: decided_at.toISOString(),
    withdrawal: item.kind === 'withdrawal' ? showWithdrawal(item.withdrawal) : null,
    payout: item.kind === 'payout' ? showPayout(item.payout, item.counted) : null,
    change: item.kind === 'policy_change' ? (parseResource(item.change) as Shown<'change'>) : null,
    access_change:
      item.kind === 'access_change' ? (parseResource(item.change) as Shown<'access_change'>) : null,
  };
}

/** A request as the response writes it. */
type Shown<Name extends keyof typeof REQUEST> = z.input<(typeof REQUEST)[Name]>;
