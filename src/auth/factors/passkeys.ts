/**
 * Passkeys (WebAuthn). A passkey belongs to one host name, and an answer of one is accepted from one origin: those of
 * PUBLIC_URL, never of a header of the request. The user is always verified, so that a passkey is two factors in one
 * (NIST SP 800-63B-4, 3.1.7).
 */

import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Deps } from '../../deps.ts';

/** Ed25519, P-256, RSA. By default the library takes keys too that Node verifies only experimentally. */
const ALGORITHMS = [-8, -7, -257];
const NAME = 'Stellar Teller';

/** Loads the library with the first passkey: its 250 files take 10 MB. */
const webauthn = () => import('@simplewebauthn/server');

export type RelyingParty = { rp_id: string; origin: string };

export type Passkey = {
  credential_id: string;
  public_key: Buffer;
  counter: bigint;
  transports: string[] | null;
};

export type NewPasskey = Passkey & { device_type: string; backed_up: boolean; aaguid: string; rp_id: string };

/**
 * Returns the host name and the origin of PUBLIC_URL; null where browsers allow no passkey: at an address in place of a name, and
 * without TLS except on localhost.
 */
export function relyingParty(public_url: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(public_url);
  const is_local = hostname === 'localhost' || hostname.endsWith('.localhost');
  const is_address = isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0;
  return !is_address && (protocol === 'https:' || is_local) ? { rp_id: hostname, origin } : null;
}

/** Returns what a browser needs to make a passkey. `own`: the passkeys that the user has, which the browser does not make again. */
export async function creationOptions(
  { rp_id }: RelyingParty,
  user: { id: string; email: string },
  { challenge, own }: { challenge: string; own: readonly Passkey[] },
) {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: rp_id,
    userName: user.email,
    userID: new TextEncoder().encode(user.id),
    challenge: bytesOf(challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: own.map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Returns what a browser needs to ask for one of the passkeys in `own`. */
export async function requestOptions(
  { rp_id }: RelyingParty,
  { challenge, own }: { challenge: string; own: readonly Passkey[] },
) {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: rp_id,
    challenge: bytesOf(challenge),
    userVerification: 'required',
    allowCredentials: own.map(described),
  });
}

/** Returns the passkey that a browser has made for this challenge; null when the answer is not right. */
export async function verifyNewPasskey(
  { log }: Pick<Deps, 'log'>,
  { rp_id, origin }: RelyingParty,
  { answer, challenge }: { answer: RegistrationResponseJSON; challenge: string },
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return null;
    const { credential, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo;
    const { id, publicKey, counter, transports = null } = credential;
    return {
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter: BigInt(counter),
      transports,
      device_type: credentialDeviceType,
      backed_up: credentialBackedUp,
      aaguid,
      rp_id,
    };
  } catch (error) {
    return refused(log, error);
  }
}

/** Returns the new counter of the passkey that has signed this challenge; null when the answer is not right. */
export async function verifyPasskey(
  { log }: Pick<Deps, 'log'>,
  { rp_id, origin }: RelyingParty,
  { answer, challenge, passkey }: { answer: AuthenticationResponseJSON; challenge: string; passkey: Passkey },
): Promise<bigint | null> {
  const { credential_id: id, public_key, counter } = passkey;
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      credential: { id, publicKey: new Uint8Array(public_key), counter: Number(counter) },
      requireUserVerification: true,
    });
    return verified ? BigInt(authenticationInfo.newCounter) : null;
  } catch (error) {
    return refused(log, error);
  }
}

/** Logs why an answer is refused, and returns null. The library throws plain errors for every answer that is not right. */
function refused(log: Deps['log'], error: unknown): null {
  log.warn({ reason: (error as Error).message }, 'the answer of a passkey is refused');
  return null;
}

function described({ credential_id, transports }: Passkey) {
  const known = transports as WebAuthnCredential['transports'] | null;
  return { id: credential_id, ...(known && { transports: known }) };
}

/** Decodes a challenge from base64url, because the library takes a text as text and not as base64url. */
function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}
