/** Second factors in bodies and answers. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { errorEnvelopeWith } from '../../http/envelope.ts';
import { CHALLENGE } from '../../http/sample-values.ts';
import { Id, objectOf, Time } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import type { Factor } from './factor-store.ts';
import { METHODS, type Proof } from './proofs.ts';

const FactorMethod = z.enum(METHODS).meta({ id: 'FactorMethod' });

export const FactorResource = z
  .object({
    id: Id,
    kind: z.enum(['totp', 'passkey']),
    name: z.string(),
    created_at: Time,
    last_used_at: Time.nullable(),
  })
  .meta({ id: 'Factor' });

export function showFactor({ id, kind, name, created_at, last_used_at }: Factor) {
  const at = (time: Date | null) => time?.toISOString() ?? null;
  return { id, kind, name, created_at: created_at.toISOString(), last_used_at: at(last_used_at) };
}

export const RecoveryCodes = z.array(z.string()).meta({
  id: 'RecoveryCodes',
  description: 'Each is used once in place of a factor. They are shown only in this answer.',
});

export const NewFactor = FactorResource.extend({
  recovery_codes: RecoveryCodes.nullable().meta({ description: 'Of the first factor; null of further ones' }),
}).meta({ id: 'NewFactor' });

/** What a browser passes to WebAuthn, as the library has made it. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() }).meta({
  id: 'PasskeyOptions',
  description: 'For the browser: `startRegistration` or `startAuthentication` of @simplewebauthn/browser',
});

/** The options of a registration, as the library makes them. */
export const PASSKEY_EXAMPLE = {
  challenge: CHALLENGE,
  rp: { name: 'Stellar Teller', id: 'localhost' },
  user: { id: 'dXNyXzAxa2YzbTh6', name: 'mara@example.com', displayName: 'Mara' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 60_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'preferred',
    userVerification: 'required',
    requireResidentKey: false,
  },
  attestation: 'none',
  extensions: { credProps: true },
  hints: [],
};

/** 401 of a login whose password was right. */
export const LoginChallenge = errorEnvelopeWith(
  z
    .object({
      challenge: z.string(),
      methods: z.array(FactorMethod),
      passkey_options: PasskeyOptions.nullable(),
    })
    .meta({ id: 'LoginChallenge' }),
);

/** 403 of an operation that asks for a step-up. */
export const StepUpError = errorEnvelopeWith(
  z
    .object({
      methods: z
        .array(FactorMethod)
        .meta({ description: 'How; none for a user who must add a second factor first' }),
    })
    .meta({ id: 'StepUp' }),
).meta({ id: 'StepUpError' });

const Base64url = z
  .string()
  .max(8_192)
  .regex(/^[\w-]*$/, 'must be base64url');

// Not strict: browsers add members of their own, and the library reads only these.
const passkeyFields = { id: Base64url, rawId: Base64url, type: z.literal('public-key') };

/** The answer of a browser to the options of a registration. */
export const NewPasskeyAnswer = objectOf(
  z
    .object({
      ...passkeyFields,
      response: z
        .object({
          clientDataJSON: Base64url,
          attestationObject: Base64url,
          transports: z.array(z.string().max(20)).max(10).optional(),
        })
        .meta({ id: 'PasskeyRegistration' }),
    })
    .meta({ id: 'NewPasskey' }),
);

const PasskeyAnswer = objectOf(
  z
    .object({
      ...passkeyFields,
      response: z
        .object({
          clientDataJSON: Base64url,
          authenticatorData: Base64url,
          signature: Base64url,
          userHandle: Base64url.optional(),
        })
        .meta({ id: 'PasskeyAssertion' }),
    })
    .meta({ id: 'PasskeyProof' }),
);

/** Returns the answer in the shape of the library, which asks for members that it does not read. */
export function registrationOf(answer: z.output<typeof NewPasskeyAnswer>): RegistrationResponseJSON {
  return { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON;
}

const Code = z.string().max(64);

/** A body has exactly one of them: see `readProof`. */
export const proofFields = {
  totp: Code.optional().meta({ description: 'The six digits that an authenticator app shows' }),
  passkey: PasskeyAnswer.optional().meta({ description: 'What the browser answered to the options' }),
  recovery_code: Code.optional(),
};

type ProofBody = {
  totp?: string | undefined;
  passkey?: z.output<typeof PasskeyAnswer> | undefined;
  recovery_code?: string | undefined;
};

/** @throws AppError `invalid_request` unless the body has exactly one proof */
export function readProof({ totp, passkey, recovery_code }: ProofBody): Proof {
  const given: Proof[] = [];
  if (totp !== undefined) given.push({ method: 'totp', code: totp });
  if (recovery_code !== undefined) given.push({ method: 'recovery_code', code: recovery_code });
  if (passkey !== undefined) {
    const answer = { ...passkey, clientExtensionResults: {} } as AuthenticationResponseJSON;
    given.push({ method: 'passkey', answer });
  }
  const [proof] = given;
  if (proof && given.length === 1) return proof;
  throw new AppError('invalid_request', 'Send one of totp, passkey and recovery_code.', {
    details: METHODS.map((method) => ({ path: `/${method}`, message: 'is one of three: send exactly one' })),
  });
}
