import { auditAlone } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import type { Requester } from '../callers/authenticate.ts';
import { guess, ofDevice } from '../passwords/guess-password.ts';
import { findUser } from '../users/user-store.ts';

/**
 * Checks the password of a session's user once more.
 * @throws AppError `wrong_credentials`; `too_many_logins` as `login` does
 */
export async function requirePassword(
  deps: Deps,
  { login: { user, session_id, member }, actor }: Requester,
  password: string,
): Promise<void> {
  const stored = await findUser(deps.db, user.id);
  const attempt = ofDevice(deps, user.id, session_id);
  const candidates = stored ? [{ user: stored }] : [];
  const { right, kept_back_ms } = await guess(deps, attempt, { password, candidates });
  if (right) return;
  const { team_id } = member;
  const target = { kind: 'user', id: user.id };
  await auditAlone(deps, actor, { team_id, action: 'password.refused', target, after: { kept_back_ms } });
  throw new AppError('wrong_credentials', 'The password is wrong.');
}
