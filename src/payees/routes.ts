import { z } from 'zod';
import { AwaitsApprovalResponse, showAwaitsApproval } from '../access/changes/access-change-schema.ts';
import { AwaitsApproval } from '../access/changes/access-changes.ts';
import type { Membership } from '../auth/teams/team-store.ts';
import type { Db } from '../db/database.ts';
import type { PageRequest } from '../db/newest-first.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { CUSTOMER } from '../http/sample-values.ts';
import { Id, ListQuery, readPage } from '../http/schemas.ts';
import { AppError } from '../lib/errors.ts';
import {
  ChangeBody,
  CreateBody,
  PayeeResource,
  PayeeWithPaid,
  readPayee,
  showPayee,
} from './payee-schema.ts';
import { findPayee, lastPayments, listPayees, sumPaid } from './payee-store.ts';
import { changePayee, createPayee, deletePayee, type Payee } from './payees.ts';

const Params = z.object({ payee_id: Id });

export function payeeRoutes(app: HttpApp, deps: Deps): void {
  readRoutes(app, deps);
  createRoute(app, deps);
  changeRoutes(app, deps);
}

function readRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/team/payees',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'payees.list' },
      schema: {
        operationId: 'listPayees',
        tags: ['payees'],
        summary: 'List payees',
        description: 'Lists the payees of the team, newest first.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(PayeeResource)) },
      },
    },
    async (request, reply) => {
      const { member } = request.login;
      const list = (page: PageRequest) =>
        deps.readInTurn(member.team_id, async (db) =>
          withLast(db, member, await listPayees(db, member.team_id, page)),
        );
      const page = await readPage(request.query, 'pye', list, ({ payee, last }) =>
        showPayee(payee, last, member),
      );
      return reply.code(200).send(envelope(200, page));
    },
  );

  app.get(
    '/v1/team/payees/:payee_id',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'payees.get' },
      schema: {
        operationId: 'getPayee',
        tags: ['payees'],
        summary: 'Read payee',
        description: 'A payee, with what it was paid. 404 for a payee that was deleted.',
        params: Params,
        response: { 200: envelopeSchema(PayeeWithPaid) },
      },
    },
    async (request, reply) => {
      const { member } = request.login;
      const shown = await deps.readInTurn(member.team_id, async (db) => {
        const payee = await findPayee(db, member.team_id, request.params.payee_id);
        if (!payee || payee.deleted_at !== null) throw new AppError('not_found', 'There is no such payee.');
        const paid = await sumPaid(db, payee.id, member.wallet_ids);
        return { ...(await show(db, member, payee)), paid };
      });
      return reply.code(200).send(envelope(200, shown));
    },
  );
}

function createRoute(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/team/payees',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'always',
        makes: { shown_once: [] },
        errors: ['payee_exists', 'ambiguous_destination', 'too_many_payees', 'too_many_access_changes'],
        client: 'payees.create',
        examples: { body: { name: 'Northwind Traders', destination: CUSTOMER, memo_id: 9005 } },
      },
      schema: {
        operationId: 'createPayee',
        tags: ['payees'],
        summary: 'Create payee',
        description:
          'Adds a payee to the team. Its destination, memo and asset never change: another destination is another payee. 202: a ' +
          'policy asks for approvals of new destinations; nothing was added, and the same request adds the payee once it has them.',
        body: CreateBody,
        response: { 201: envelopeSchema(PayeeResource), ...AwaitsApprovalResponse },
      },
    },
    async (request, reply) => {
      const made = await createPayee(deps, request, readPayee(request.body));
      if (made instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(made));
      return reply.code(201).send(envelope(201, showPayee(made, undefined, request.login.member)));
    },
  );
}

function changeRoutes(app: HttpApp, deps: Deps): void {
  app.patch(
    '/v1/team/payees/:payee_id',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'always',
        errors: ['payee_exists', 'too_many_access_changes'],
        client: 'payees.change',
        examples: { body: { note: 'Invoices of the first of the month' } },
      },
      schema: {
        operationId: 'changePayee',
        tags: ['payees'],
        summary: 'Change payee',
        description:
          'Changes the name or the note. With another name the payee is marked as new again. 202: as of a new payee, and of another ' +
          'name alone.',
        params: Params,
        body: ChangeBody,
        response: { 200: envelopeSchema(PayeeResource), ...AwaitsApprovalResponse },
      },
    },
    async (request, reply) => {
      const changed = await changePayee(deps, request, { id: request.params.payee_id, ...request.body });
      if (changed instanceof AwaitsApproval) return reply.code(202).send(showAwaitsApproval(changed));
      return reply.code(200).send(envelope(200, await show(deps.db, request.login.member, changed)));
    },
  );

  app.delete(
    '/v1/team/payees/:payee_id',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'always',
        errors: ['payee_in_use'],
        client: 'payees.delete',
      },
      schema: {
        operationId: 'deletePayee',
        tags: ['payees'],
        summary: 'Delete payee',
        description:
          'Deletes the payee: no request can name it any more. Its payments keep its id. 409 `payee_in_use` while an allow list has it.',
        params: Params,
        body: z.strictObject({}),
        response: { 200: envelopeSchema(PayeeResource) },
      },
    },
    async (request, reply) => {
      const deleted = await deletePayee(deps, request, request.params.payee_id);
      return reply.code(200).send(envelope(200, await show(deps.db, request.login.member, deleted)));
    },
  );
}

async function show(db: Db, member: Membership, payee: Payee) {
  const [known] = await withLast(db, member, [payee]);
  return showPayee(payee, known?.last, member);
}

/** Returns the payees with when wallets that the member may use last paid each. */
async function withLast(db: Db, { wallet_ids }: Membership, payees: Payee[]) {
  const ids = payees.map(({ id }) => id);
  const last_paid = await lastPayments(db, ids, wallet_ids);
  return payees.map((payee) => ({ id: payee.id, payee, last: last_paid.get(payee.id) }));
}
