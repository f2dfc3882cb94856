import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PageRequest } from '../db/newest-first.ts';
import { NO_PLACE_RETRY_SECONDS } from '../db/waits.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, errorEnvelopeWith, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { KEY_DETAILS, keySchema, readIdempotencyKey } from '../http/idempotency-key.ts';
import { readPreferences } from '../http/prefer.ts';
import { CUSTOMER } from '../http/sample-values.ts';
import { createdBetween, Id, integerInQuery, ListQuery, readPage } from '../http/schemas.ts';
import { AppError } from '../lib/errors.ts';
import { requireRow } from '../wallets/access.ts';
import { answerWith, PAYMENT_ERRORS, PreferHeader } from './answers/answer-routes.ts';
import {
  AWAITING_EXAMPLE,
  payeeOf,
  readOrder,
  showWithdrawal,
  WithdrawalResource,
  WithdrawBody,
} from './answers/schema.ts';
import { approvalRoutes } from './approvals/approval-routes.ts';
import { previewRoute } from './assess/preview-routes.ts';
import { createClaims } from './engine/claims.ts';
import type { WithdrawalEngine } from './engine/engine.ts';
import { listOfWallet } from './engine/queries.ts';
import { ENGINE_HOOKS } from './engine-hooks.ts';
import { awaitOutcome, createOutcomeWaits } from './outcome-waits.ts';
import { payoutRoutes } from './payouts/payout-routes.ts';
import { policyRoutes } from './policies/policy-routes.ts';
import { refundRoute } from './refund-routes.ts';
import { withdraw } from './request/withdraw.ts';
import { assetRoutes } from './trust-lines/asset-routes.ts';

const WalletParams = z.object({ id: Id });
/** The key of a refund (refund.ts) cannot be in a header, but a query may name it. */
const KnownKey = z
  .string()
  .regex(/^[\x20-\x7e·]{1,255}$/, 'must be 1 to 255 printable ASCII characters, or the key of a refund');
const WithdrawalsQuery = ListQuery.extend({
  ...createdBetween,
  idempotency_key: KnownKey.optional(),
  status: z.enum(['awaiting_approval']).optional(),
});

const WaitQuery = z.strictObject({
  wait_seconds: integerInQuery(1, 60)
    .optional()
    .meta({ description: 'While it has no outcome, wait so long for it (1 to 60)' }),
});

export function withdrawalRoutes(app: HttpApp, deps: Deps, engine: WithdrawalEngine): void {
  const claims = createClaims({ ...deps, hooks: ENGINE_HOOKS });
  const waits = createOutcomeWaits(deps);
  app.addHook('preClose', () => waits.stop());
  policyRoutes(app, deps);
  previewRoute(app, deps);
  refundRoute(app, deps, { claims, engine });
  assetRoutes(app, deps, { claims, engine });
  approvalRoutes(app, deps, engine);
  payoutRoutes(app, deps);

  app.post(
    '/v1/wallets/:id/withdraw',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'always',
        awaits_outcome: true,
        errors: [
          ...PAYMENT_ERRORS,
          'idempotency_key_missing',
          'idempotency_key_invalid',
          'ambiguous_destination',
          'memo_required',
          'destination_is_issuer',
          'payee_deleted',
        ],
        client: { method: 'withdrawals.withdraw', repeatable: true, time_limit_seconds: 150 },
        examples: {
          body: { destination: CUSTOMER, amount_stroops: 25_000_000, reference: 'Order 4711' },
          answers: { 202: AWAITING_EXAMPLE },
        },
      },
      // Before the body is checked: a missing key is named even when the body is wrong too.
      preValidation: async (request) => void readKey(request),
      schema: {
        operationId: 'createWithdrawal',
        tags: ['withdrawals'],
        summary: 'Create withdrawal',
        description:
          'Pays from the wallet, and answers when the outcome is proven on the ledger. 504 `outcome_pending`: the withdrawal continues ' +
          'without the request; `data` is its state. 409: the key is used; `data` is the withdrawal that has it. 409 `possible_duplicate`: ' +
          'the ledger has a payment that this database has forgotten, and this may be the same one; nothing was started. 202: members must ' +
          'approve it first (`status` is `awaiting_approval`), the key is taken, and nothing is signed; or the request prefers ' +
          '`respond-async`: the withdrawal is accepted, and `Location` shows its outcome later.',
        params: WalletParams,
        headers: PreferHeader.extend({
          'idempotency-key': keySchema('Unique per withdrawal, for ever. Keep it until a withdrawal has it'),
        }),
        body: WithdrawBody,
        response: {
          201: envelopeSchema(WithdrawalResource),
          202: envelopeSchema(WithdrawalResource),
          409: errorEnvelopeWith(WithdrawalResource),
          504: errorEnvelopeWith(WithdrawalResource),
        },
      },
    },
    async (request, reply) => {
      const payee = await payeeOf(deps.db, request.wallet, request.body);
      const order = {
        wallet: request.wallet,
        actor: request.actor,
        wallet_ids: request.login.member.wallet_ids,
        idempotency_key: readKey(request),
        ...readOrder(request.body, payee),
        payee,
        refund_of: null,
        prefer: readPreferences(request.headers.prefer),
      };
      return answerWith(reply, await withdraw(deps, { claims, engine }, order), order.prefer);
    },
  );

  app.get(
    '/v1/wallets/:id/withdrawals',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'withdrawals.list' },
      schema: {
        operationId: 'listWithdrawals',
        tags: ['withdrawals'],
        summary: 'List withdrawals',
        description: 'The wallet’s withdrawals, newest first.',
        params: WalletParams,
        querystring: WithdrawalsQuery,
        response: { 200: envelopeSchema(pageSchema(WithdrawalResource)) },
      },
    },
    async (request, reply) => {
      const { idempotency_key, status } = request.query;
      const filter = { idempotency_key, status };
      const list = (page: PageRequest) =>
        deps.readInTurn(request.team_id, (db) => listOfWallet(db, request.wallet, filter, page));
      return reply.code(200).send(envelope(200, await readPage(request.query, 'wd', list, showWithdrawal)));
    },
  );

  app.get(
    '/v1/wallets/:id/withdrawals/:withdrawal_id',
    {
      config: { access: 'login', roles: 'everyone', waits: true, errors: [], client: 'withdrawals.get' },
      schema: {
        operationId: 'getWithdrawal',
        tags: ['withdrawals'],
        summary: 'Get withdrawal',
        description:
          'One withdrawal as it is now. A status that is settled does not change any more. With `wait_seconds` the answer comes ' +
          'when it has its outcome, or when the time is over. With Retry-After: too many requests of the wallet or the team wait ' +
          'already, so this one did not.',
        params: WalletParams.extend({ withdrawal_id: Id }),
        querystring: WaitQuery,
        response: { 200: envelopeSchema(WithdrawalResource) },
      },
    },
    async (request, reply) => {
      const { team_id, wallet, signal } = request;
      const find = (id: string) => {
        const of = { team_id, wallet_id: wallet.id, id };
        return awaitOutcome(deps, waits, of, (request.query.wait_seconds ?? 0) * 1000, signal);
      };
      const { withdrawal, had_place } = await requireRow('withdrawal', request.params.withdrawal_id, find);
      if (!had_place && withdrawal.settled_at === null) reply.header('retry-after', NO_PLACE_RETRY_SECONDS);
      return reply.code(200).send(envelope(200, showWithdrawal(withdrawal)));
    },
  );
}

/** @throws AppError `idempotency_key_missing`, `idempotency_key_invalid` */
function readKey(request: FastifyRequest): string {
  const key = readIdempotencyKey(request);
  if (key !== null) return key;
  const message = 'Send an Idempotency-Key header, one per withdrawal.';
  throw new AppError('idempotency_key_missing', message, { details: KEY_DETAILS });
}
