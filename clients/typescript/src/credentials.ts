/** Credentials: an API key, a login token, or a service user, whose tokens are exchanged when they are needed. */
import { ApiError } from './errors.ts';
import type { Credential, Transport } from './transport.ts';

export type ServiceUserSecret = { client_id: string; client_secret: string };

/** A private JSON Web Key: `OKP` with Ed25519, or `EC` with P-256. */
export type PrivateJwk = { kty: string; crv?: string; d?: string; x?: string; y?: string };
/** `CryptoKey`, which has this name only where TypeScript knows the types of browsers. */
export type WebCryptoKey = Parameters<typeof crypto.subtle.sign>[1];

/** A service user with a key of its own (`private_key_jwt`, RFC 7523). */
export type ServiceUserKey = {
  client_id: string;
  /** Ed25519 or P-256, as a JSON Web Key or for WebCrypto. */
  private_key: PrivateJwk | WebCryptoKey;
  /** PUBLIC_URL of the service, and nothing else. */
  audience: string;
  /** Which of several public keys; not needed while there is one. */
  key_id?: string;
};

/**
 * Returns an API key, a login token, or nothing.
 * @throws TypeError for an empty value, as of a variable that is not set, and for one with spaces or line breaks, as a file has
 */
export function fixedCredential(value: string | undefined): Credential {
  if (value !== undefined) checkCredential(value);
  const authorization = value === undefined ? null : `Bearer ${value}`;
  return { authorization: async () => authorization, refused: () => false };
}

function checkCredential(value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw new TypeError('the credential is empty: is the variable set that it is read from?');
  if (!/^[!-~]+$/.test(value))
    throw new TypeError('a credential has no spaces and line breaks: was it read from a file?');
}

/** A token is replaced so long before its end, because a request takes some time. */
const SAFETY_SECONDS = 30;

/** Tokens of a service user. Each is used until shortly before its end: every exchange is an entry of the audit log. */
export class ServiceUserCredential implements Credential {
  readonly #transport: Transport;
  readonly #user: ServiceUserSecret | ServiceUserKey;
  #token: { authorization: string; ends_at_ms: number } | null = null;
  #exchanging: Promise<string> | null = null;

  constructor(transport: Transport, user: ServiceUserSecret | ServiceUserKey) {
    checkCredential(user.client_id);
    if ('client_secret' in user) checkCredential(user.client_secret);
    this.#transport = transport;
    this.#user = user;
  }

  /** Calls at the same time share one exchange; so it goes on when one of them ends. */
  async authorization(): Promise<string> {
    if (this.#token && Date.now() < this.#token.ends_at_ms) return this.#token.authorization;
    this.#exchanging ??= this.#exchange().finally(() => {
      this.#exchanging = null;
    });
    return this.#exchanging;
  }

  /** The token has ended before its time: its secret was retired, or the service has another key. */
  refused(authorization: string): boolean {
    if (this.#token?.authorization === authorization) this.#token = null;
    return true;
  }

  async #exchange(): Promise<string> {
    try {
      return await this.#ask();
    } catch (error) {
      // An assertion works once: after an answer that was lost, the same one is refused.
      const may_be_used_up = !('client_secret' in this.#user) && codeOf(error) === 'invalid_client';
      if (!may_be_used_up) throw error;
      return this.#ask();
    }
  }

  async #ask(): Promise<string> {
    const asked_at_ms = Date.now();
    const { data } = await this.#transport.send(
      fixedCredential(undefined),
      'getServiceToken',
      {},
      await shown(this.#user),
    );
    const { token, expires_in } = data as { token: string; expires_in: number };
    const authorization = `Bearer ${token}`;
    const usable_seconds = Math.max(expires_in - SAFETY_SECONDS, expires_in / 2);
    this.#token = { authorization, ends_at_ms: asked_at_ms + usable_seconds * 1_000 };
    return authorization;
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}

const GRANT = { grant_type: 'client_credentials' };
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ASSERTION_SECONDS = 60;

async function shown(user: ServiceUserSecret | ServiceUserKey): Promise<Record<string, string>> {
  if ('client_secret' in user)
    return { ...GRANT, client_id: user.client_id, client_secret: user.client_secret };
  return { ...GRANT, client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion(user) };
}

/** A JWT that the service takes once (RFC 7523). */
async function assertion({ client_id, private_key, audience, key_id }: ServiceUserKey): Promise<string> {
  const key = 'kty' in private_key ? await imported(private_key) : private_key;
  const is_ed25519 = key.algorithm.name === 'Ed25519';
  const now = Math.floor(Date.now() / 1_000);
  const header = {
    alg: is_ed25519 ? 'EdDSA' : 'ES256',
    typ: 'JWT',
    ...(key_id !== undefined && { kid: key_id }),
  };
  const claims = {
    iss: client_id,
    sub: client_id,
    aud: audience,
    jti: crypto.randomUUID(),
    iat: now,
    exp: now + ASSERTION_SECONDS,
  };
  const signed = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;
  const algorithm = is_ed25519 ? 'Ed25519' : { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(signed));
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}

function imported(key: PrivateJwk): Promise<WebCryptoKey> {
  const algorithm = key.kty === 'OKP' ? 'Ed25519' : { name: 'ECDSA', namedCurve: 'P-256' };
  return crypto.subtle.importKey('jwk', key, algorithm, false, ['sign']);
}

function base64url(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
