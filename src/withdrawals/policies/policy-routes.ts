import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import { RawJson } from '../../http/exact-json.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { errorsOf } from '../../http/operation.ts';
import { Id, Stroops, Time } from '../../http/schemas.ts';
import { isContract, parseAddress } from '../../stellar/address.ts';
import { requireRow } from '../../wallets/access.ts';
import { NO_LIMITS, type PendingChange } from './policies.ts';
import { changePolicy, type PolicyView, readPolicy, revokeChange } from './policy-changes.ts';

const MAX_DESTINATIONS = 500;

const Destination = z
  .string()
  .refine(
    (text) => parseAddress(text) !== null || isContract(text),
    'must be a Stellar account (G…), a muxed account (M…) or a contract (C…)',
  );
/** The body parser leaves an array as its source text. */
const Destinations = z.preprocess(
  (value) => (value instanceof RawJson && value.kind === 'array' ? JSON.parse(value.text) : value),
  z
    .array(Destination, 'must be an array of addresses')
    .max(MAX_DESTINATIONS, `must have at most ${MAX_DESTINATIONS} addresses`)
    .transform((list) => [...new Set(list)]),
);

const PolicyBody = z.strictObject({
  frozen: z.boolean().exactOptional().meta({ description: 'True: new withdrawals are refused' }),
  max_withdrawal_stroops: Stroops.exactOptional(),
  max_rolling_24h_stroops: Stroops.exactOptional(),
  destinations: Destinations.exactOptional().meta({
    description:
      'The only addresses that may be paid; [] is none. A G… address allows its account and every M… address of it, an M… or C… address only itself.',
  }),
});

const PendingChangeResource = z
  .object({
    id: Id,
    field: z.enum(['frozen', 'max_withdrawal_stroops', 'max_rolling_24h_stroops', 'destinations']),
    limit_stroops: Stroops.nullable().meta({
      description: 'For a max_… field: the new limit; null is none',
    }),
    destination: z
      .string()
      .nullable()
      .meta({ description: 'For destinations: the address to add; null is everywhere' }),
    created_at: Time,
    takes_effect_at: Time,
  })
  .meta({
    id: 'PendingPolicyChange',
    description:
      'A change to a looser policy that is not in force yet. For the field frozen it unfreezes the wallet.',
  });

const PolicyResource = z
  .object({
    wallet_id: Id,
    frozen: z.boolean(),
    max_withdrawal_stroops: Stroops.nullable(),
    max_rolling_24h_stroops: Stroops.nullable(),
    used_rolling_24h_stroops: z
      .bigint()
      .min(0n)
      .meta({ description: 'Withdrawals of the last 24 hours that are not failed' }),
    destinations: z.array(z.string()).nullable(),
    delay_seconds: z
      .int()
      .min(0)
      .meta({ description: 'How long after the request a looser policy takes effect' }),
    pending: z.array(PendingChangeResource),
  })
  .meta({ id: 'Policy', description: 'The policy that is in force now; null is no limit.' });

const WalletParams = z.object({ id: Id });
const DELAY = 'Stricter limits apply at once; looser ones after the delay.';

export function policyRoutes(app: HttpApp, deps: Deps): void {
  readRoute(app, deps);
  changeRoutes(app, deps);
  revokeRoute(app, deps);
}

function readRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/policy',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'getPolicy',
        tags: ['withdrawals'],
        summary: 'Get policy',
        description: 'What the wallet may pay out now, and the pending changes.',
        params: WalletParams,
        response: { 200: envelopeSchema(200, PolicyResource), ...errorsOf(401, 404) },
      },
    },
    async (request, reply) => {
      const policy = await readPolicy({ ...deps, db: deps.reads }, request.wallet.id);
      return reply.code(200).send(envelope(200, showPolicy(policy)));
    },
  );
}

function changeRoutes(app: HttpApp, deps: Deps): void {
  app.put(
    '/v1/wallets/:id/policy',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'replacePolicy',
        tags: ['withdrawals'],
        summary: 'Replace policy',
        description: `A field that is absent is no limit. ${DELAY}`,
        params: WalletParams,
        body: PolicyBody,
        response: { 200: envelopeSchema(200, PolicyResource), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const policy = await changePolicy(deps, request.wallet.id, () => ({ ...NO_LIMITS, ...request.body }));
      return reply.code(200).send(envelope(200, showPolicy(policy)));
    },
  );

  app.patch(
    '/v1/wallets/:id/policy',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'changePolicy',
        tags: ['withdrawals'],
        summary: 'Change policy',
        description: `Changes these fields only; the others, and their pending changes, stay. ${DELAY}`,
        params: WalletParams,
        body: PolicyBody,
        response: { 200: envelopeSchema(200, PolicyResource), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const policy = await changePolicy(deps, request.wallet.id, (target) => ({
        ...target,
        ...request.body,
      }));
      return reply.code(200).send(envelope(200, showPolicy(policy)));
    },
  );
}

function revokeRoute(app: HttpApp, deps: Deps): void {
  app.delete(
    '/v1/wallets/:id/policy/pending/:change_id',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'revokePolicyChange',
        tags: ['withdrawals'],
        summary: 'Revoke policy change',
        description: 'Revokes a pending change. 404 once the change is in force.',
        params: WalletParams.extend({ change_id: Id }),
        response: { 200: envelopeSchema(200, PendingChangeResource), ...errorsOf(401, 404) },
      },
    },
    async (request, reply) => {
      const revoke = (id: string) => revokeChange(deps, request.wallet.id, id);
      const change = await requireRow('pending change', request.params.change_id, revoke);
      return reply.code(200).send(envelope(200, showChange(change)));
    },
  );
}

function showPolicy({ policy, pending, ...view }: PolicyView) {
  return { ...view, ...policy, pending: pending.map(showChange) };
}

function showChange({ created_at, takes_effect_at, ...change }: PendingChange) {
  return {
    ...change,
    created_at: created_at.toISOString(),
    takes_effect_at: takes_effect_at.toISOString(),
  };
}
