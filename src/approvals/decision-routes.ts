/** The two operations by which a member decides: approve and reject. The same code for whatever awaits approvals. */
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createRefusedRights } from '../auth/callers/refused-rights.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, errorEnvelopeWith } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { HASH } from '../http/sample-values.ts';
import { Id } from '../http/schemas.ts';
import { AppError, type ErrorCode } from '../lib/errors.ts';
import { DecisionBody } from './approval-schema.ts';
import type { Decision } from './decision.ts';

/** The error codes of every decision: those of `decide`, and of what awaits no approvals any more. */
const DECISION_ERRORS = [
  'may_not_approve',
  'already_decided',
  'order_changed',
  'not_awaiting_approval',
  'factor_required',
] as const satisfies ErrorCode[];

/** A refusal that the audit log has too: an approval of one's own request, or a decision without the right since before it. */
const NOTED: readonly ErrorCode[] = ['may_not_approve', 'factor_required'];

/**
 * One of the two. `errors`: its own, beside those of every decision. `comment`: of the example. `decide` returns what is decided about
 * as it is then, in the form of its resource.
 */
type DecisionRoute<Shown> = {
  operationId: string;
  summary: string;
  description: string;
  roles: NonNullable<FastifyContextConfig['roles']>;
  errors: NonNullable<FastifyContextConfig['errors']>;
  client: string;
  comment?: string;
  decide: (id: string, decision: Decision & { by: FastifyRequest }) => Promise<Shown>;
};

/**
 * What is decided about. `path` ends with its id, whose name is `id_param`. `is_shown_at_409`: whether the error
 * `not_awaiting_approval` has it as data.
 */
type Decidable<Resource extends z.ZodType> = {
  path: string;
  id_param: string;
  tag: 'withdrawals' | 'payouts' | 'team';
  resource: Resource;
  is_shown_at_409: boolean;
  approve: DecisionRoute<z.input<Resource>>;
  reject: DecisionRoute<z.input<Resource>>;
};

/** Adds both routes for what is decided about. */
export function decisionRoutes<Resource extends z.ZodType>(
  app: HttpApp,
  deps: Deps,
  decidable: Decidable<Resource>,
): void {
  const { path, id_param, tag, resource } = decidable;
  const Params = z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, Id])));
  const noteRefused = createRefusedRights(deps);
  for (const [verb, decision] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    const { roles, errors, client, comment: example, decide, ...words } = decidable[verb];
    app.post(
      `${path}/${verb}`,
      {
        config: {
          access: 'person',
          roles,
          step_up: 'always',
          errors: [...DECISION_ERRORS, ...errors],
          client,
          examples: { body: { order_hash: HASH, ...(example && { comment: example }) } },
        },
        schema: {
          ...words,
          tags: [tag],
          params: Params,
          body: DecisionBody,
          response: {
            200: envelopeSchema(resource),
            ...(decidable.is_shown_at_409 && { 409: errorEnvelopeWith(resource) }),
          },
        },
      },
      async (request, reply) => {
        const { order_hash, comment = null } = request.body;
        const { actor, team_id } = request;
        const id = request.params[id_param] as string;
        try {
          const shown = await decide(id, { by: request, decision, order_hash, comment });
          return await reply.code(200).send(envelope(200, shown));
        } catch (error) {
          if (error instanceof AppError && NOTED.includes(error.code))
            await noteRefused({ actor, team_id, operation: words.operationId, code: error.code });
          throw error;
        }
      },
    );
  }
}
