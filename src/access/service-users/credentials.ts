/**
 * Credentials of service users. A member who was shown a secret, or gave a public key, could be the program: while the credential is
 * valid, the member approves nothing that the program asks for, and afterwards nothing that it asked for before (approvals/approvers.ts).
 */
import { randomBytes } from 'node:crypto';
import { base62 } from '../../auth/credentials/base62.ts';
import { credentialHash } from '../../auth/credentials/credential-hash.ts';
import type { PublicKey } from '../../auth/service-users/public-keys.ts';
import { deleteServiceTokens } from '../../auth/service-users/service-token-store.ts';
import {
  deleteSecret,
  everKnown,
  insertSecret,
  noteKnown,
  type Secret,
} from '../../auth/service-users/service-user-store.ts';
import { whoCouldBe } from '../../auth/users/known-password-store.ts';
import type { Trx } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';

const SECRET_MARK = 'svc_secret_';
const SECRET_BYTES = 32;
const SHOWN_CHARS = 4;

/** Makes a secret, whose text is given only here. `giver`: the user who is shown it; null for the operator. */
export async function addSecret(
  trx: Trx,
  { service_user_id, giver, now }: { service_user_id: string; giver: string | null; now: Date },
): Promise<{ secret: Secret; client_secret: string }> {
  const client_secret = SECRET_MARK + base62(randomBytes(SECRET_BYTES));
  const last_four = client_secret.slice(-SHOWN_CHARS);
  const row = { id: newId('sec', now), service_user_id, last_four, created_at: now };
  await insertSecret(trx, { ...row, secret_hash: credentialHash(client_secret) });
  const known_to = giver === null ? [] : await whoCouldBe(trx, giver);
  await noteKnown(trx, { service_user_id, credential: row.id, known_to });
  return { secret: { ...row, last_used_at: null }, client_secret };
}

/** Ends a secret, and every token that was given for it. */
export async function endSecret(trx: Trx, { id, service_user_id }: Secret): Promise<void> {
  await deleteSecret(trx, id);
  await deleteServiceTokens(trx, service_user_id, [id]);
}

/**
 * Runs `store`, which stores the service user with its new public keys, and records who knows those that it had not before.
 * A key is known to everybody who has ever given it, here or to another service user.
 */
export async function givingKeys(
  trx: Trx,
  {
    giver,
    before,
    after,
  }: { giver: string | null; before: PublicKey[]; after: { id: string; public_keys: PublicKey[] } },
  store: () => Promise<void>,
): Promise<void> {
  const kept = new Set(before.map(({ thumbprint }) => thumbprint));
  const given: { credential: string; known_to: string[] }[] = [];
  for (const { thumbprint } of after.public_keys) {
    if (kept.has(thumbprint)) continue;
    const users = new Set(await everKnown(trx, thumbprint));
    if (giver !== null) for (const user of await whoCouldBe(trx, giver)) users.add(user);
    given.push({ credential: thumbprint, known_to: [...users] });
  }
  await store();
  for (const each of given) await noteKnown(trx, { service_user_id: after.id, ...each });
}
