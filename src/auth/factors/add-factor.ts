/**
 * Adding a second factor. The first one needs the password again: a stolen session must not get a factor of its own. For
 * further ones the guard asks for a step-up.
 *
 * | a crash | leaves |
 * |---|---|
 * | after the secret of an app is shown | a pending factor, which proves nothing; the next one replaces it |
 * | after the commit of a first factor, before the answer | the factor, and recovery codes that nobody has seen: they can be replaced |
 */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { audited, type Deed } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Requester } from '../callers/authenticate.ts';
import { endOtherSessions, markProven } from '../sessions/session-store.ts';
import {
  confirmTotp,
  countWrongCode,
  type Factor,
  type FactorKind,
  findFactor,
  findPendingTotp,
  insertPasskey,
  listFactors,
  listPasskeys,
  lockFactors,
  replacePendingTotp,
  replaceRecoveryCodes,
  replaceSessionChallenge,
  takeSessionChallenge,
} from './factor-store.ts';
import { CHALLENGE_MS, newChallenge } from './login-challenge.ts';
import { creationOptions, type RelyingParty, relyingParty, verifyNewPasskey } from './passkeys.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import { requirePassword } from './require-password.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** Two apps, so that a phone can be replaced: each one more doubles what a guess finds. */
const FACTORS_MAX: Readonly<Record<FactorKind, number>> = { totp: 2, passkey: 10 };

/** An app that is begun is for the same session, for minutes, and for a few codes: else whoever has a session could guess one. */
const PENDING_MS = 10 * 60_000;
const PENDING_WRONG_CODES = 5;

/** `recovery_codes`: of the first factor, shown once; null of further ones. */
export type Added = { factor: Factor; recovery_codes: string[] | null };

/**
 * Begins to add an authenticator app. Returns its secret in base32, and the URI that the app reads. The factor counts once a code of
 * it was right.
 * @throws AppError `invalid_request`, `wrong_credentials` or `too_many_logins` for the password that a first factor needs;
 * `too_many_factors`
 */
export async function beginTotp(
  deps: Deps,
  { login, actor }: Requester,
  { name, current_password }: { name: string; current_password: string | undefined },
): Promise<{ id: string; secret: string; uri: string }> {
  await requirePasswordForFirst(deps, { login, actor }, current_password);
  const { id: user_id, email } = login.user;
  const now = deps.clock.now();
  const [id, secret] = [newId('fac', now), newTotpSecret()];
  const begin = () =>
    deps.db.transaction().execute(async (trx) => {
      await lockFactors(trx, user_id);
      await requireRoom(trx, user_id, 'totp');
      const sealed_secret = deps.secrets.seal(id, secret);
      const begun_by = login.session_id;
      await replacePendingTotp(trx, { id, user_id, begun_by, name, created_at: now, sealed_secret });
    });
  await deps.withSealingKey(begin);
  return { id, secret, uri: totpUri(secret, email) };
}

/** @throws AppError `not_found`, `too_many_factors`, `invalid_request` for a code that is not right */
export async function confirmPendingTotp(
  deps: Deps,
  { login, actor }: Requester,
  { id, code }: { id: string; code: string },
): Promise<Added> {
  const { session_id, user, member } = login;
  const { id: user_id } = user;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - PENDING_MS);
  const confirmed = await audited(deps, actor, async (trx, note) => {
    await lockFactors(trx, user_id);
    const pending = await findPendingTotp(trx, { id, session_id, since });
    if (!pending) throw new AppError('not_found', 'There is no authenticator app to confirm. Begin again.');
    await requireRoom(trx, user_id, 'totp');
    const step = stepOfCode(deps.secrets.open(id, pending.sealed_secret), code, now);
    if (step === null) {
      await countWrongCode(trx, id, PENDING_WRONG_CODES);
      const target = { kind: 'second_factor', id };
      note({ team_id: member.team_id, action: 'second_factor.failed', target, after: { pending: true } });
      return null;
    }
    const recovery_codes = await codesOfFirst(trx, user_id);
    await confirmTotp(trx, id, { step, now });
    return added({ trx, note }, login, { id, recovery_codes, now });
  });
  if (confirmed) return confirmed;
  throw new AppError('invalid_request', 'The code is not the one that the app shows now.', {
    details: [{ path: '/code', message: 'is not the code that the app shows now' }],
  });
}

/**
 * Returns what the browser needs to make a passkey. The challenge is valid for five minutes and belongs to the session.
 * @throws AppError as `beginTotp`; `passkeys_unavailable`
 */
export async function beginPasskey(
  deps: Deps,
  { login, actor }: Requester,
  current_password: string | undefined,
) {
  const party = requireParty(deps);
  await requirePasswordForFirst(deps, { login, actor }, current_password);
  const { user, session_id } = login;
  await requireRoom(deps.db, user.id, 'passkey');
  const passkey_challenge = newChallenge();
  const expires_at = new Date(deps.clock.now().getTime() + CHALLENGE_MS);
  const of = { user_id: user.id, session_id, purpose: 'register' } as const;
  await replaceSessionChallenge(deps.db, { ...of, passkey_challenge, expires_at });
  const own = await listPasskeys(deps.db, user.id, party.rp_id);
  return creationOptions(party, user, { challenge: passkey_challenge, own });
}

/**
 * @throws AppError `challenge_ended` without a challenge of this session; `invalid_request` for an answer that is not right, and for a
 * passkey that is registered already; `too_many_factors`; `passkeys_unavailable`
 */
export async function addPasskey(
  deps: Deps,
  { login, actor }: Requester,
  { name, answer }: { name: string; answer: RegistrationResponseJSON },
): Promise<Added> {
  const party = requireParty(deps);
  const { user, session_id } = login;
  const of = { user_id: user.id, session_id, purpose: 'register' } as const;
  const now = deps.clock.now();
  const challenge = await deps.db.transaction().execute((trx) => takeSessionChallenge(trx, of, now));
  if (challenge === undefined)
    throw new AppError('challenge_ended', 'The time to add this passkey is over. Begin again.');
  const passkey = await verifyNewPasskey(deps, party, { answer, challenge });
  if (!passkey) throw wrongPasskey('is not accepted');
  const id = newId('fac', now);
  return audited(deps, actor, async (trx, note) => {
    await lockFactors(trx, user.id);
    await requireRoom(trx, user.id, 'passkey');
    const recovery_codes = await codesOfFirst(trx, user.id);
    if (!(await insertPasskey(trx, { ...passkey, id, user_id: user.id, name, now })))
      throw wrongPasskey('is registered already');
    return added({ trx, note }, login, { id, recovery_codes, now });
  });
}

/**
 * Marks this session as proven by the new factor. Ends all other sessions of the user, because they were opened without this factor.
 * Returns the factor with its recovery codes.
 */
async function added(
  { trx, note }: { trx: Trx; note: (deed: Deed) => void },
  { user, session_id, member: { team_id } }: Requester['login'],
  { id, recovery_codes, now }: { id: string; recovery_codes: string[] | null; now: Date },
): Promise<Added> {
  await markProven(trx, session_id, now);
  await endOtherSessions(trx, { id: session_id, user_id: user.id }, now);
  const factor = await findFactor(trx, user.id, id);
  if (!factor) throw new Error('the factor that was added is not there');
  const { kind, name } = factor;
  note({ team_id, action: 'factor.added', target: { kind: 'factor', id }, after: { kind, name } });
  return { factor, recovery_codes };
}

/**
 * Replaces the recovery codes of a user who gets a first factor, and returns the new ones. Call it before the factor is there.
 * Returns null when the user has a factor already, and so has codes.
 */
async function codesOfFirst(trx: Trx, user_id: string): Promise<string[] | null> {
  if ((await listFactors(trx, user_id)).length > 0) return null;
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(trx, user_id, codes.map(recoveryCodeHash));
  return codes;
}

async function requirePasswordForFirst(
  deps: Deps,
  by: Requester,
  current_password: string | undefined,
): Promise<void> {
  if (by.login.factors.has_factor) return;
  if (current_password === undefined)
    throw new AppError('invalid_request', 'The first second factor needs your password again.', {
      details: [{ path: '/current_password', message: 'is required for the first factor' }],
    });
  await requirePassword(deps, by, current_password);
}

async function requireRoom(db: Deps['db'], user_id: string, kind: FactorKind): Promise<void> {
  const same = (await listFactors(db, user_id)).filter((factor) => factor.kind === kind);
  if (same.length < FACTORS_MAX[kind]) return;
  throw new AppError(
    'too_many_factors',
    'You have as many factors of this kind as possible. Remove one first.',
  );
}

function requireParty({ config }: Deps): RelyingParty {
  const party = relyingParty(config.public_url);
  if (party) return party;
  throw new AppError(
    'passkeys_unavailable',
    'Passkeys need a host name and TLS. The operator of the service sets PUBLIC_URL to such an address.',
  );
}

function wrongPasskey(message: string): AppError {
  return new AppError('invalid_request', `The passkey ${message}.`, {
    details: [{ path: '/passkey', message }],
  });
}
