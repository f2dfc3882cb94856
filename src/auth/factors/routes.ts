import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { CHALLENGE } from '../../http/sample-values.ts';
import { Id, Name, Time } from '../../http/schemas.ts';
import { type Added, addPasskey, beginPasskey, beginTotp, confirmPendingTotp } from './add-factor.ts';
import {
  beginPasskeyStepUp,
  describeFactors,
  nameFactor,
  removeFactor,
  replaceCodes,
  stepUp,
} from './change-factors.ts';
import { relyingParty } from './passkeys.ts';
import {
  FactorResource,
  NewFactor,
  NewPasskeyAnswer,
  PASSKEY_EXAMPLE,
  PasskeyOptions,
  proofFields,
  RecoveryCodes,
  readProof,
  registrationOf,
  showFactor,
} from './schema.ts';
import { STEP_UP_MS } from './step-up.ts';

const Factors = z
  .object({
    factors: z.array(FactorResource),
    recovery_codes_left: z.int(),
    required_by_team: z.boolean(),
    stopped: z.boolean().meta({
      description:
        'After 100 failures in a row, codes of an authenticator app are refused until a passkey or a recovery code is used',
    }),
    passkey_origin: z.string().nullable().meta({
      description: 'Where passkeys of this service work: PUBLIC_URL. Null where no browser allows them',
    }),
  })
  .meta({ id: 'Factors' });
const SteppedUp = z.object({ proven_at: Time, expires_at: Time }).meta({ id: 'SteppedUp' });

const FactorParams = z.object({ factor_id: Id });
const current_password = z
  .string()
  .max(1024)
  .optional()
  .meta({ description: 'Required for the first factor' });

export function factorRoutes(app: HttpApp, deps: Deps): void {
  stepUpRoutes(app, deps);
  factorListRoutes(app, deps);
  totpRoutes(app, deps);
  passkeyRoutes(app, deps);
}

function stepUpRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/auth/step-up',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'never',
        errors: ['second_factor_wrong', 'second_factor_stopped', 'second_factor_required'],
        client: 'auth.step_up',
        examples: { body: { totp: '492039' } },
      },
      schema: {
        operationId: 'stepUp',
        tags: ['auth'],
        summary: 'Prove second factor',
        description:
          'Proves a second factor for this session. Operations with `x-step-up` are allowed for ten minutes from then on. A login with a second factor counts too.',
        body: z.strictObject(proofFields),
        response: { 200: envelopeSchema(SteppedUp) },
      },
    },
    async (request, reply) => {
      const proven_at = await stepUp(deps, request, readProof(request.body));
      const expires_at = new Date(proven_at.getTime() + STEP_UP_MS);
      const data = { proven_at: proven_at.toISOString(), expires_at: expires_at.toISOString() };
      return reply.code(200).send(envelope(200, data));
    },
  );

  app.post(
    '/v1/auth/step-up/passkey',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'never',
        no_store: true,
        errors: ['not_found'],
        client: 'auth.begin_passkey_step_up',
        examples: { answers: { 200: { challenge: CHALLENGE, rpId: 'localhost', timeout: 60_000 } } },
      },
      schema: {
        operationId: 'beginPasskeyStepUp',
        tags: ['auth'],
        summary: 'Begin with passkey',
        description:
          'What the browser needs to ask for a passkey. Its answer counts once, within five minutes.',
        body: z.strictObject({}),
        response: { 200: envelopeSchema(PasskeyOptions) },
      },
    },
    async (request, reply) =>
      reply.code(200).send(envelope(200, { ...(await beginPasskeyStepUp(deps, request)) })),
  );
}

function factorListRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/auth/factors',
    {
      config: { access: 'person', roles: 'everyone', errors: [], client: 'factors.get' },
      schema: {
        operationId: 'getFactors',
        tags: ['auth'],
        summary: 'Read second factors',
        description: 'The second factors of the user, and how many recovery codes are left.',
        response: { 200: envelopeSchema(Factors) },
      },
    },
    async (request, reply) => {
      const { user, factors: state } = request.login;
      const { factors, codes_left, stopped } = await describeFactors(deps, user.id);
      const data = {
        factors: factors.map(showFactor),
        recovery_codes_left: codes_left,
        required_by_team: state.team_requires,
        stopped,
        passkey_origin: relyingParty(deps.config.public_url)?.origin ?? null,
      };
      return reply.code(200).send(envelope(200, data));
    },
  );

  app.patch(
    '/v1/auth/factors/:factor_id',
    {
      config: { access: 'person', roles: 'everyone', step_up: 'own', errors: [], client: 'factors.rename' },
      schema: {
        operationId: 'renameFactor',
        tags: ['auth'],
        summary: 'Rename factor',
        description: 'Changes the name under which the user finds the factor.',
        params: FactorParams,
        body: z.strictObject({ name: Name }),
        response: { 200: envelopeSchema(FactorResource) },
      },
    },
    async (request, reply) => {
      const change = { id: request.params.factor_id, name: request.body.name };
      return reply.code(200).send(envelope(200, showFactor(await nameFactor(deps, request, change))));
    },
  );

  app.delete(
    '/v1/auth/factors/:factor_id',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'own',
        errors: ['last_factor'],
        client: 'factors.remove',
      },
      schema: {
        operationId: 'removeFactor',
        tags: ['auth'],
        summary: 'Remove factor',
        description:
          'Every other session of the user ends. With the last factor the recovery codes go too; 409 `last_factor` while the team requires one.',
        params: FactorParams,
        body: z.strictObject({}),
        response: { 200: envelopeSchema(z.object({})) },
      },
    },
    async (request, reply) => {
      await removeFactor(deps, request, request.params.factor_id);
      return reply.code(200).send(envelope(200, {}));
    },
  );

  app.post(
    '/v1/auth/factors/recovery-codes',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'own',
        no_store: true,
        errors: ['second_factor_required'],
        client: 'factors.replace_recovery_codes',
      },
      schema: {
        operationId: 'replaceRecoveryCodes',
        tags: ['auth'],
        summary: 'Replace recovery codes',
        description: 'Gives ten new recovery codes, once. The codes from before are refused.',
        body: z.strictObject({}),
        response: {
          201: envelopeSchema(z.object({ recovery_codes: RecoveryCodes })),
        },
      },
    },
    async (request, reply) =>
      reply.code(201).send(envelope(201, { recovery_codes: await replaceCodes(deps, request) })),
  );
}

function totpRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/auth/factors/totp',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'own',
        no_store: true,
        errors: ['wrong_credentials', 'too_many_logins', 'too_many_factors'],
        client: 'factors.begin_totp',
      },
      schema: {
        operationId: 'beginTotp',
        tags: ['auth'],
        summary: 'Begin authenticator app',
        description:
          'Gives the secret for an authenticator app (TOTP), once. It becomes a factor when a code of the app is confirmed.',
        body: z.strictObject({ name: Name, current_password }),
        response: {
          201: envelopeSchema(z.object({ id: Id, secret: z.string(), uri: z.string() })),
        },
      },
    },
    async (request, reply) => {
      const { name, current_password } = request.body;
      const begun = await beginTotp(deps, request, { name, current_password });
      return reply.code(201).send(envelope(201, begun));
    },
  );

  app.post(
    '/v1/auth/factors/totp/:factor_id/confirm',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'own',
        no_store: true,
        errors: ['too_many_factors'],
        client: 'factors.confirm_totp',
      },
      schema: {
        operationId: 'confirmTotp',
        tags: ['auth'],
        summary: 'Confirm authenticator app',
        description: 'Every other session of the user ends.',
        params: FactorParams,
        body: z.strictObject({ code: z.string().max(64) }),
        response: { 200: envelopeSchema(NewFactor) },
      },
    },
    async (request, reply) => {
      const given = { id: request.params.factor_id, code: request.body.code };
      return reply.code(200).send(envelope(200, showAdded(await confirmPendingTotp(deps, request, given))));
    },
  );
}

function passkeyRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/auth/factors/passkeys/options',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'own',
        no_store: true,
        errors: ['wrong_credentials', 'too_many_logins', 'too_many_factors', 'passkeys_unavailable'],
        client: 'factors.begin_passkey',
        examples: { answers: { 200: PASSKEY_EXAMPLE } },
      },
      schema: {
        operationId: 'beginPasskey',
        tags: ['auth'],
        summary: 'Begin passkey',
        description: 'What the browser needs to make a passkey. Its answer counts once, within five minutes.',
        body: z.strictObject({ current_password }),
        response: { 200: envelopeSchema(PasskeyOptions) },
      },
    },
    async (request, reply) => {
      const options = await beginPasskey(deps, request, request.body.current_password);
      return reply.code(200).send(envelope(200, { ...options }));
    },
  );

  app.post(
    '/v1/auth/factors/passkeys',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'own',
        no_store: true,
        errors: ['challenge_ended', 'too_many_factors', 'passkeys_unavailable'],
        client: 'factors.add_passkey',
      },
      schema: {
        operationId: 'addPasskey',
        tags: ['auth'],
        summary: 'Add passkey',
        description: 'Every other session of the user ends.',
        body: z.strictObject({ name: Name, passkey: NewPasskeyAnswer }),
        response: { 201: envelopeSchema(NewFactor) },
      },
    },
    async (request, reply) => {
      const { name, passkey } = request.body;
      const added = await addPasskey(deps, request, { name, answer: registrationOf(passkey) });
      return reply.code(201).send(envelope(201, showAdded(added)));
    },
  );
}

function showAdded({ factor, recovery_codes }: Added) {
  return { ...showFactor(factor), recovery_codes };
}
