/**
 * Checks a proof of a second factor: a code of an authenticator app, the answer of a passkey, or a recovery code.
 *
 * | proof | used once, because |
 * |---|---|
 * | code of an app | the step of the last code is kept, and an equal or older one is refused |
 * | passkey | the challenge that it signs is deleted with the check, and its counter is compared |
 * | recovery code | its row is deleted |
 *
 * A check locks the user's row: of two checks at once, the second one sees which code the first one has used. A crash before
 * the commit leaves everything as it was; the session of a proof that was right is opened after the commit, so a crash
 * in between costs the user one more code.
 *
 * Every caller knows the password or has a session. From 100 failures in a row on, codes of an app are refused: with
 * three right codes of a million at a time, 100 guesses find one with 0.03 % (NIST SP 800-63B-4, 3.2.2 allows as many). A
 * passkey, a recovery code or the operator opens them again. Nobody guesses 128 bits, so these two go on.
 */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Deed } from '../../audit/audit.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { teamOfUser } from '../teams/team-store.ts';
import {
  countCodes,
  listFactors,
  listPasskeys,
  listTotps,
  lockFactors,
  recordUse,
  setFailures,
  useRecoveryCode,
  useStep,
} from './factor-store.ts';
import { relyingParty, verifyPasskey } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

export const METHODS = ['totp', 'passkey', 'recovery_code'] as const;
export type Method = (typeof METHODS)[number];

export type Proof =
  | { method: 'totp'; code: string }
  | { method: 'recovery_code'; code: string }
  | { method: 'passkey'; answer: AuthenticationResponseJSON };

/** `stopped`: codes of an app are refused, whether right or not. */
export type Outcome = 'right' | 'wrong' | 'stopped';

/** In a row. */
export const FAILURES_MAX = 100;

type ProofDeps = Pick<Deps, 'config' | 'clock' | 'log' | 'secrets'>;
type Audited = { trx: Trx; note: (deed: Deed) => void };

/**
 * Checks a proof of a second factor, and counts a failure. `challenge`: the one that a passkey must have signed; undefined for a
 * proof without a challenge. The caller commits any outcome.
 */
export async function checkProof(
  deps: ProofDeps,
  { trx, note }: Audited,
  { user_id, proof, challenge }: { user_id: string; proof: Proof; challenge: string | undefined },
): Promise<Outcome> {
  const { failures } = await lockFactors(trx, user_id);
  const { method } = proof;
  if (method === 'totp' && failures >= FAILURES_MAX) return 'stopped';
  const factor_id = await useProof(deps, trx, { user_id, proof, challenge });
  const team_id = (await teamOfUser(trx, user_id))?.team_id ?? null;
  const of = { team_id, target: { kind: 'user', id: user_id } };
  if (factor_id !== null) {
    if (failures > 0) await setFailures(trx, user_id, 0);
    if (method === 'recovery_code') {
      const { codes } = await countCodes(trx, user_id);
      note({ ...of, action: 'recovery_code.used', after: { codes_left: codes } });
    } else note({ ...of, action: 'second_factor.used', after: { method, factor_id } });
    return 'right';
  }
  await setFailures(trx, user_id, Math.min(failures + 1, FAILURES_MAX));
  // Beyond the stop, nobody can fill the log with them.
  if (failures < FAILURES_MAX)
    note({ ...of, action: 'second_factor.failed', after: { method, failures: failures + 1 } });
  if (failures + 1 === FAILURES_MAX) note({ ...of, action: 'second_factor.stopped' });
  return 'wrong';
}

/** Uses the factor up where it can be used once. Returns its id, empty for a recovery code; null when the proof is wrong. */
async function useProof(
  deps: ProofDeps,
  trx: Trx,
  { user_id, proof, challenge }: { user_id: string; proof: Proof; challenge: string | undefined },
): Promise<string | null> {
  const now = deps.clock.now();
  if (proof.method === 'recovery_code')
    return (await useRecoveryCode(trx, user_id, recoveryCodeHash(proof.code))) ? '' : null;
  if (proof.method === 'totp') {
    for (const { id, sealed_secret } of await listTotps(trx, user_id)) {
      const step = stepOfCode(deps.secrets.open(id, sealed_secret), proof.code, now);
      if (step !== null && (await useStep(trx, id, { step, now }))) return id;
    }
    return null;
  }
  const { answer } = proof;
  const party = relyingParty(deps.config.public_url);
  if (!party || challenge === undefined) return null;
  const passkeys = await listPasskeys(trx, user_id, party.rp_id);
  const passkey = passkeys.find(({ credential_id }) => credential_id === answer.id);
  if (!passkey) return null;
  const counter = await verifyPasskey(deps, party, { answer, challenge, passkey });
  if (counter === null) return null;
  await recordUse(trx, passkey.id, { counter, now });
  return passkey.id;
}

/** Returns the methods with which the user can prove a second factor now; none for a user who has no factor. */
export async function methodsOf(
  { config }: Pick<Deps, 'config'>,
  db: Db,
  user_id: string,
): Promise<Method[]> {
  const factors = await listFactors(db, user_id);
  const { failures, codes } = await countCodes(db, user_id);
  const rp_id = relyingParty(config.public_url)?.rp_id;
  const has = {
    totp: failures < FAILURES_MAX && factors.some(({ kind }) => kind === 'totp'),
    passkey: factors.some((factor) => factor.kind === 'passkey' && factor.rp_id === rp_id),
    recovery_code: codes > 0,
  };
  return METHODS.filter((method) => has[method]);
}

/** @throws AppError `second_factor_wrong` or `second_factor_stopped` unless the proof was right */
export function requireRight(outcome: Outcome, { method }: Proof): void {
  if (outcome === 'right') return;
  if (outcome === 'stopped')
    throw new AppError(
      'second_factor_stopped',
      'After too many wrong codes, those of the authenticator app are refused. Use a passkey or a recovery code, or ask the operator of this service.',
    );
  throw new AppError('second_factor_wrong', WRONG[method]);
}

const WRONG = {
  totp: 'The code is wrong, or was used already. Wait for the next one.',
  recovery_code: 'The recovery code is wrong, or was used already.',
  passkey: 'The passkey was not accepted. Try again.',
};
