/** Pure: the public keys of a service user, as they are pasted and as the API takes them. */
import type { BodyOf } from '../../api/operations.ts';

export type PublicKeys = NonNullable<BodyOf<'createServiceUser'>['public_keys']>;

/** One key, an array of keys, or a JWKS. Null for any other text. The service checks the rest. */
export function readPublicKeys(text: string): PublicKeys | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value)) return value;
    if ('keys' in value) return Array.isArray(value.keys) ? value.keys : null;
    return [value] as PublicKeys;
  } catch {
    return null;
  }
}

/** The fault that the API found. */
export function publicKeyFault(details: { path: string; message: string }[]): string | null {
  const found = details.find(({ path }) => path.startsWith('/public_keys'));
  if (!found) return null;
  const [, , index, member] = found.path.split('/');
  const key = index === undefined ? 'The keys' : `Key ${Number(index) + 1}`;
  return `${member === undefined ? key : `${key}, ${member}:`} ${found.message}.`;
}
