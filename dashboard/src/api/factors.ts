/** The second factors of the user, and what proves one. */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, api } from './client.ts';
import type { FactorMethod, PasskeyOptions } from './contract.ts';
import type { BodyOf } from './operations.ts';

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => api('getFactors', { signal }),
});

/** One of `totp`, `passkey` and `recovery_code`. */
export type Proof = NonNullable<BodyOf<'stepUp'>>;

export type LoginChallenge = {
  challenge: string;
  methods: FactorMethod[];
  passkey_options: PasskeyOptions | null;
};

/** What a login whose password was right asks for; null for any other error. */
export function challengeIn(error: Error): LoginChallenge | null {
  const asks = error instanceof ApiError && error.status === 401 && error.code === 'second_factor_required';
  return asks ? (error.data as LoginChallenge) : null;
}

/** Opens the browser's dialog for a passkey. @throws Error when the user closes the dialog, or has no such passkey */
export async function proofByPasskey(options: PasskeyOptions): Promise<Proof> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON });
  return { passkey: { id, rawId, type, response } } as Proof;
}

/** Opens the browser's dialog that makes a passkey. @throws Error as above */
export async function makePasskey(options: PasskeyOptions): Promise<BodyOf<'addPasskey'>['passkey']> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await startRegistration({ optionsJSON });
  return { id, rawId, type, response } as BodyOf<'addPasskey'>['passkey'];
}

/** The error of a dialog of the browser, in words; null for an error of the service. */
export function passkeyProblem(error: Error | null): string | null {
  if (error === null || error instanceof ApiError) return null;
  if (error.name === 'InvalidStateError') return 'This device has a passkey for you already.';
  return 'No passkey was used. Try again, or choose another way.';
}
