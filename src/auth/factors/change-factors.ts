/** What a user does with the factors that they have: prove one for the session, rename or remove one, replace the codes. */
import { audited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import type { Requester } from '../callers/authenticate.ts';
import { lockTeamOf } from '../callers/lock-team.ts';
import { endOtherSessions, forgetProofs, markProven } from '../sessions/session-store.ts';
import { findTeam } from '../teams/team-store.ts';
import { endKnown } from '../users/known-password-store.ts';
import {
  countCodes,
  deleteFactor,
  deleteFactors,
  type Factor,
  findFactor,
  listFactors,
  lockFactors,
  renameFactor,
  replaceRecoveryCodes,
  replaceSessionChallenge,
  takeSessionChallenge,
} from './factor-store.ts';
import { CHALLENGE_MS, newChallenge, passkeyOptions } from './login-challenge.ts';
import { checkProof, FAILURES_MAX, type Proof, requireRight } from './proofs.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

/** `codes_left`: recovery codes. `stopped`: codes of an app are refused after too many failures. */
export type FactorsOfUser = { factors: Factor[]; codes_left: number; stopped: boolean };

export async function describeFactors({ db }: Pick<Deps, 'db'>, user_id: string): Promise<FactorsOfUser> {
  const factors = await listFactors(db, user_id);
  const { failures, codes } = await countCodes(db, user_id);
  return { factors, codes_left: codes, stopped: failures >= FAILURES_MAX };
}

/**
 * Returns what the browser needs to ask for a passkey, for a step-up. The challenge is valid for five minutes and belongs to the
 * session.
 * @throws AppError `not_found` for a user without a passkey for this host name
 */
export async function beginPasskeyStepUp(deps: Deps, { login: { user, session_id } }: Requester) {
  const challenge = newChallenge();
  const options = await passkeyOptions(deps, user.id, challenge);
  if (!options) throw new AppError('not_found', 'You have no passkey for this address of the service.');
  const expires_at = new Date(deps.clock.now().getTime() + CHALLENGE_MS);
  const of = { user_id: user.id, session_id, purpose: 'step_up' } as const;
  await replaceSessionChallenge(deps.db, { ...of, passkey_challenge: challenge, expires_at });
  return options;
}

/**
 * Checks a proof of a second factor, and records that the session has proven one now. Returns that time.
 * @throws AppError `second_factor_wrong`, `second_factor_stopped`, `second_factor_required` for a user who has none
 */
export async function stepUp(deps: Deps, { login, actor }: Requester, proof: Proof): Promise<Date> {
  const { user, session_id } = login;
  const now = deps.clock.now();
  const outcome = await audited(deps, actor, async (trx, note) => {
    await lockFactors(trx, user.id);
    if ((await listFactors(trx, user.id)).length === 0) throw noFactor();
    const of = { user_id: user.id, session_id, purpose: 'step_up' } as const;
    const challenge = proof.method === 'passkey' ? await takeSessionChallenge(trx, of, now) : undefined;
    const checked = await checkProof(deps, { trx, note }, { user_id: user.id, proof, challenge });
    if (checked === 'right') await markProven(trx, session_id, now);
    return checked;
  });
  requireRight(outcome, proof);
  return now;
}

/** @throws AppError `not_found` */
export async function nameFactor(
  deps: Deps,
  { login, actor }: Requester,
  { id, name }: { id: string; name: string },
): Promise<Factor> {
  const { user, member } = login;
  return audited(deps, actor, async (trx, note) => {
    await lockFactors(trx, user.id);
    const { name: before, ...factor } = (await findFactor(trx, user.id, id)) ?? unknownFactor();
    await renameFactor(trx, id, name);
    const target = { kind: 'factor', id };
    const named = { team_id: member.team_id, action: 'factor.renamed', target } as const;
    note({ ...named, before: { name: before }, after: { name } });
    return { ...factor, name };
  });
}

/**
 * Removes a factor and ends every other session of the user. With the last factor the recovery codes go too. The team is locked
 * first: otherwise an owner could require factors at the same time, and the last factor would be gone.
 * @throws AppError `not_found`; `last_factor` while the team requires one
 */
export async function removeFactor(deps: Deps, { login, actor }: Requester, id: string): Promise<void> {
  const { user, session_id } = login;
  await audited(deps, actor, async (trx, note) => {
    const { team_id } = await lockTeamOf(trx, login, []);
    await lockFactors(trx, user.id);
    const { kind, name } = (await findFactor(trx, user.id, id)) ?? unknownFactor();
    const is_last = (await listFactors(trx, user.id)).length === 1;
    if (is_last && (await findTeam(trx, team_id)).second_factor_required)
      throw new AppError('last_factor', 'Your team requires a second factor. Add another one first.');
    await (is_last ? deleteFactors(trx, user.id) : deleteFactor(trx, id));
    if (is_last) await forgetProofs(trx, user.id);
    await endKnown(trx, user.id);
    await endOtherSessions(trx, { id: session_id, user_id: user.id }, deps.clock.now());
    const target = { kind: 'factor', id };
    note({ team_id, action: 'factor.removed', target, before: { kind, name } });
  });
}

/**
 * Replaces the recovery codes and returns the new ones, which are shown once. The codes from before are refused.
 * @throws AppError `second_factor_required` for a user who has no factor
 */
export async function replaceCodes(deps: Deps, { login, actor }: Requester): Promise<string[]> {
  const { user, member } = login;
  const codes = newRecoveryCodes();
  await audited(deps, actor, async (trx, note) => {
    await lockFactors(trx, user.id);
    if ((await listFactors(trx, user.id)).length === 0) throw noFactor();
    await replaceRecoveryCodes(trx, user.id, codes.map(recoveryCodeHash));
    const target = { kind: 'user', id: user.id };
    note({ team_id: member.team_id, action: 'recovery_codes.replaced', target });
  });
  return codes;
}

function noFactor(): AppError {
  const message = 'You have no second factor. Add one first.';
  return new AppError('second_factor_required', message, { data: { methods: [] } });
}

function unknownFactor(): never {
  throw new AppError('not_found', 'There is no such factor.');
}
