import { z } from 'zod';
import { decisionRoutes } from '../../approvals/decision-routes.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, errorEnvelopeWith } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { CUSTOMER } from '../../http/sample-values.ts';
import { Id } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { createFairQueue, TooManyWaiting } from '../../lib/fair-queue.ts';
import { cancelPayout, pausePayout, resumePayout, startPayout } from './change-payout.ts';
import { checkPayout } from './check-payout.ts';
import { createPayout, retryFailed } from './create-payout.ts';
import { approvePayout, rejectPayout } from './decide-payout.ts';
import { findOfRequest, payoutReadRoutes } from './payout-read-routes.ts';
import {
  PayoutBody,
  PayoutQuery,
  PayoutReportResource,
  PayoutResource,
  showReport,
} from './payout-schema.ts';

const WalletParams = z.object({ id: Id });
const Params = WalletParams.extend({ payout_id: Id });

/** 10,000 rows with every field at its longest, as JSON. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** Files are large: one is checked at a time in a process, and teams take turns. */
const CHECKS = { at_once: 1, waiting_per_group: 2, waiting_in_all: 20 };
const CHECK_ERRORS = ['too_many_waiting', 'network_unavailable', 'treasury_unfunded'] as const;
/** The end of a payout needs the ledgers: a row that waits may be paid. */
const END_ERRORS = ['network_unavailable', 'ledger_not_caught_up'] as const;

export function payoutRoutes(app: HttpApp, deps: Deps): void {
  const inTurn = createTurns();
  createRoute(app, deps, inTurn);
  changeRoutes(app, deps);
  retryRoute(app, deps, inTurn);
  decideRoutes(app, deps);
  payoutReadRoutes(app, deps);
}

const EXAMPLE_CSV = `idempotency_key,destination,amount_stroops,reference
salary-4712,${CUSTOMER},25000000,Mara
salary-4713,${CUSTOMER},30000000,Jonas
`;

type InTurn = <T>(team_id: string, check: () => Promise<T>) => Promise<T>;

function createTurns(): InTurn {
  const checks = createFairQueue(CHECKS);
  return async (team_id, check) => {
    try {
      return await checks.run(team_id, check);
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new AppError('too_many_waiting', 'Other payouts are being checked; try again soon.', {
        retry_after_seconds: 5,
      });
    }
  };
}

function createRoute(app: HttpApp, deps: Deps, inTurn: InTurn): void {
  app.post(
    '/v1/wallets/:id/payouts',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'never', // a draft, of which nothing is paid

        takes_csv: true,
        makes: { shown_once: [] },
        errors: [...CHECK_ERRORS, 'duplicates_not_confirmed'],
        client: { method: 'payouts.create', time_limit_seconds: 240 },
        examples: {
          csv_body: EXAMPLE_CSV,
          body: {
            name: 'Salaries of January',
            rows: [
              {
                idempotency_key: 'salary-4711',
                destination: CUSTOMER,
                amount_stroops: 25_000_000,
                reference: 'Mara',
              },
            ],
          },
        },
      },
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        operationId: 'createPayout',
        tags: ['payouts'],
        summary: 'Create payout',
        description:
          'Makes a draft of up to 10,000 payments, from JSON or a CSV (`Content-Type: text/csv`, with `name` in the query; then the ' +
          'other members of the body are in the query too). The whole file is checked first; when anything is refused, nothing is kept: 400 with every error, 409 ' +
          '`duplicates_not_confirmed`, both with the report as `data`. With `?preview=true` only the report is made (200). ' +
          'Nothing is paid before the payout is started.',
        consumes: ['application/json', 'text/csv'],
        params: WalletParams,
        querystring: PayoutQuery,
        body: PayoutBody,
        response: {
          200: envelopeSchema(PayoutReportResource),
          201: envelopeSchema(PayoutResource),
          400: errorEnvelopeWith(PayoutReportResource),
          409: errorEnvelopeWith(PayoutReportResource),
        },
      },
    },
    async (request, reply) => {
      const { preview, ...query } = request.query;
      const order = { ...withoutAbsent(query), ...withoutAbsent(request.body) };
      if ((order.rows === undefined) === (order.csv === undefined))
        throw new AppError('invalid_request', 'Send either rows or csv.', {
          details: [{ path: '/rows', message: 'or csv is required, and not both' }],
        });
      if (preview) {
        const check = () => checkPayout(deps, request.wallet, order);
        const { report } = await inTurn(request.team_id, check);
        return reply.code(200).send(envelope(200, showReport(report)));
      }
      const { name, confirm_duplicates = false } = order;
      if (name === undefined)
        throw new AppError('invalid_request', 'A payout has a name.', {
          details: [{ path: '/name', message: 'is required' }],
        });
      const make = () => createPayout(deps, request, { ...order, name, confirm_duplicates });
      const payout = await inTurn(request.team_id, make);
      return reply.code(201).send(envelope(201, payout));
    },
  );
}

function withoutAbsent<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

const CHANGES = {
  start: {
    config: {
      access: 'login',
      roles: 'payers',
      step_up: 'always',
      errors: ['wrong_payout_status', 'policy_frozen', 'too_many_waiting'],
      client: 'payouts.start',
    },
    operationId: 'startPayout',
    summary: 'Start payout',
    description:
      'Begins to pay a draft: `running`. Where the policy asks for approvals, by the sum of each asset: `awaiting_approval`; ' +
      'one approval is for the whole file.',
    change: startPayout,
  },
  pause: {
    config: {
      access: 'login',
      roles: 'payers',
      step_up: 'never', // whoever stops payments must not be held up
      errors: ['wrong_payout_status'],
      client: 'payouts.pause',
    },
    operationId: 'pausePayout',
    summary: 'Pause payout',
    description: 'No further row begins. Rows that have begun go on to their outcomes.',
    change: pausePayout,
  },
  resume: {
    config: {
      access: 'login',
      roles: 'payers',
      step_up: 'always',
      errors: ['wrong_payout_status', 'policy_frozen'],
      client: 'payouts.resume',
    },
    operationId: 'resumePayout',
    summary: 'Resume payout',
    description: 'Rows of a paused payout begin again.',
    change: resumePayout,
  },
  cancel: {
    config: {
      access: 'login',
      roles: 'payers',
      step_up: 'never',
      errors: ['wrong_payout_status', ...END_ERRORS],
      client: 'payouts.cancel',
    },
    operationId: 'cancelPayout',
    summary: 'Cancel payout',
    description: 'Rows that have not begun never will. Rows that have begun go on to their outcomes.',
    change: cancelPayout,
  },
} as const;

function changeRoutes(app: HttpApp, deps: Deps): void {
  for (const [verb, { change, config, ...words }] of Object.entries(CHANGES))
    app.post(
      `/v1/wallets/:id/payouts/:payout_id/${verb}`,
      {
        config,
        schema: {
          ...words,
          tags: ['payouts'],
          params: Params,
          response: {
            200: envelopeSchema(PayoutResource),
            409: errorEnvelopeWith(PayoutResource),
          },
        },
      },
      async (request, reply) => {
        const payout = await change(deps, request.params.payout_id, request);
        return reply.code(200).send(envelope(200, payout));
      },
    );
}

function retryRoute(app: HttpApp, deps: Deps, inTurn: InTurn): void {
  app.post(
    '/v1/wallets/:id/payouts/:payout_id/retry-failed',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'never', // a draft too

        makes: { shown_once: [] },
        errors: [...CHECK_ERRORS, 'wrong_payout_status'],
        client: { method: 'payouts.retry_failed', time_limit_seconds: 240 },
      },
      schema: {
        operationId: 'retryPayout',
        tags: ['payouts'],
        summary: 'Retry failed rows',
        description:
          'Makes another draft of the failed rows of a payout that has ended, each with a key that follows from its own (`…·retry1`). What ' +
          'fails again can be retried again. Rows that a retry has already, or whose keys have paid something else, are left out.',
        params: Params,
        response: {
          201: envelopeSchema(PayoutResource),
          400: errorEnvelopeWith(PayoutReportResource),
        },
      },
    },
    async (request, reply) => {
      const payout = await findOfRequest(deps, request.wallet.id, request.params.payout_id);
      const retry = await inTurn(request.team_id, () => retryFailed(deps, request, payout));
      return reply.code(201).send(envelope(201, retry));
    },
  );
}

function decideRoutes(app: HttpApp, deps: Deps): void {
  decisionRoutes(app, deps, {
    path: '/v1/wallets/:id/payouts/:payout_id',
    id_param: 'payout_id',
    tag: 'payouts',
    resource: PayoutResource,
    is_shown_at_409: true,
    approve: {
      operationId: 'approvePayout',
      summary: 'Approve payout',
      description:
        'Approves a payout of another member that awaits approvals: exactly this file, by its `order_hash`. With the last approval that is ' +
        'needed it runs.',
      roles: 'approvers',
      errors: ['policy_frozen'],
      client: 'payouts.approve',
      comment: 'Checked with the list',
      decide: (id, decision) => approvePayout(deps, id, decision),
    },
    reject: {
      operationId: 'rejectPayout',
      summary: 'Reject payout',
      description:
        'Rejects a payout of another member that awaits approvals, or takes back one’s own. It is `cancelled`; nothing of it was paid. ' +
        'One rejection is enough.',
      roles: 'reviewers', // as of `rejectWithdrawal`
      errors: END_ERRORS,
      client: 'payouts.reject',
      decide: (id, decision) => rejectPayout(deps, id, decision),
    },
  });
}
