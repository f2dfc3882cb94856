/**
 * The second step of a login. A password that was right gives a user with a second factor no session, but a challenge. The
 * client that has the challenge proves a factor within five minutes.
 */
import { randomBytes } from 'node:crypto';
import { auditAlone, audited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { credentialHash } from '../credentials/credential-hash.ts';
import { teamOfUser } from '../teams/team-store.ts';
import { userActor } from '../users/actor.ts';
import { findUser, type KnownUser } from '../users/user-store.ts';
import {
  countChallengeFailure,
  deleteChallenge,
  findLoginChallenge,
  insertLoginChallenge,
  listFactors,
  listPasskeys,
  lockFactors,
} from './factor-store.ts';
import { relyingParty, requestOptions } from './passkeys.ts';
import { checkProof, methodsOf, type Proof, requireRight } from './proofs.ts';

const TOKEN_BYTES = 32;
export const CHALLENGE_MS = 5 * 60_000;
/** Then the password is asked for again, and with it the limits of failed logins. */
const FAILURES_PER_CHALLENGE = 10;

/** A user whose password was right. `device`: the known device; null when the browser is no known device. */
type Verified = { user: KnownUser; device: string | null };

/** A user who has proven a second factor too, at `factor_at`. */
export type ProvenLogin = Verified & { factor_at: Date };

/** Makes a challenge: 32 random bytes in base64url. */
export function newChallenge(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** @throws AppError `second_factor_required` (401) with a challenge, when the user has a second factor */
export async function requireSecondFactor(deps: Deps, { user, device }: Verified, ip: string): Promise<void> {
  if ((await listFactors(deps.db, user.id)).length === 0) return;
  const now = deps.clock.now();
  const [challenge, passkey_challenge] = [newChallenge(), newChallenge()];
  await insertLoginChallenge(deps.db, {
    user_id: user.id,
    verified_hash: user.password_hash,
    device,
    passkey_challenge,
    now,
    token_hash: credentialHash(challenge),
    expires_at: new Date(now.getTime() + CHALLENGE_MS),
  });
  // Without a login after it, somebody else knows the password.
  const team_id = (await teamOfUser(deps.db, user.id))?.team_id ?? null;
  const target = { kind: 'user', id: user.id };
  await auditAlone(deps, userActor(user, null, ip), { team_id, action: 'login.factor_asked', target });
  const methods = await methodsOf(deps, deps.db, user.id);
  const passkey_options = await passkeyOptions(deps, user.id, passkey_challenge);
  throw new AppError('second_factor_required', 'Prove a second factor to log in.', {
    status: 401,
    data: { challenge, methods, passkey_options },
  });
}

/**
 * Checks the proof of whoever has the challenge of a login. A challenge ends with the proof that was right, with the answer of a
 * passkey, and after ten failures.
 * @throws AppError `challenge_ended` for a challenge that is unknown, used or expired, or after a change of the password;
 * `second_factor_wrong`; `second_factor_stopped`
 */
export async function proveLogin(
  deps: Deps,
  { challenge, proof, ip }: { challenge: string; proof: Proof; ip: string },
): Promise<ProvenLogin> {
  const token_hash = credentialHash(challenge);
  const now = deps.clock.now();
  const { user_id } = (await findLoginChallenge(deps.db, token_hash, now)) ?? challengeEnded();
  const user = (await findUser(deps.db, user_id)) ?? challengeEnded();
  const { outcome, found } = await audited(deps, userActor(user, null, ip), async (trx, note) => {
    await lockFactors(trx, user_id);
    const found = (await findLoginChallenge(trx, token_hash, now)) ?? challengeEnded();
    const outcome = await checkProof(
      deps,
      { trx, note },
      { user_id, proof, challenge: found.passkey_challenge },
    );
    const ends =
      outcome === 'right' || proof.method === 'passkey' || found.failures + 1 >= FAILURES_PER_CHALLENGE;
    await (ends ? deleteChallenge(trx, token_hash) : countChallengeFailure(trx, token_hash));
    return { outcome, found };
  });
  requireRight(outcome, proof);
  // With the hash that was verified: a session is opened only while it is the user's.
  return { user: { ...user, password_hash: found.verified_hash }, device: found.device, factor_at: now };
}

/**
 * Returns what a browser needs to ask for one of the user's passkeys, for this challenge; null when the user has none for this host
 * name, or when browsers allow no passkey at it.
 */
export async function passkeyOptions({ config, db }: Deps, user_id: string, challenge: string) {
  const party = relyingParty(config.public_url);
  const own = party ? await listPasskeys(db, user_id, party.rp_id) : [];
  return party && own.length > 0 ? requestOptions(party, { challenge, own }) : null;
}

function challengeEnded(): never {
  throw new AppError('challenge_ended', 'This login has ended. Log in again with your password.');
}
