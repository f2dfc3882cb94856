/**
 * The exchange of a service user's credential for a login token: client_credentials (RFC 6749, 4.4).
 *
 * | a crash | leaves |
 * |---|---|
 * | before the commit | no token; an assertion that is not used up |
 * | after it, before the answer | a token that nobody has, until its time is over; the assertion is used up |
 *
 * Failures are limited by address group. A right credential passes all the same: 256 random bits cannot be guessed, so
 * failures of others behind the same proxy must keep no program out.
 */
import { type Actor, auditAlone, audited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { addressGroup } from '../../lib/client-address.ts';
import { AppError } from '../../lib/errors.ts';
import { isAllowed, notAllowed } from '../credentials/allowed-ips.ts';
import { credentialHash } from '../credentials/credential-hash.ts';
import { countAttempt } from '../passwords/failure-count-store.ts';
import { exchangeLimit, tooMany } from '../passwords/login-limits.ts';
import { strangerAt } from '../users/actor.ts';
import { type Assertion, checkAssertion, claimedClient } from './client-assertion.ts';
import { deleteExpired, isUsed, useAssertion } from './service-token-store.ts';
import { openServiceToken, TOKEN_SECONDS } from './service-tokens.ts';
import {
  findSecret,
  findServiceUser,
  listSecrets,
  lockServiceUser,
  noteUse,
  type ServiceUser,
  teamOfServiceUser,
} from './service-user-store.ts';

/** What a client shows of itself. `client_id` beside an assertion: as the request names it, or null. */
export type ClientCredential =
  | { kind: 'secret'; client_id: string; client_secret: string }
  | { kind: 'assertion'; client_id: string | null; assertion: string };

/** A credential that was right. `credential`: the id of the secret, or the thumbprint of the key. */
type Verified = {
  service_user: ServiceUser;
  credential: string;
  assertion: Assertion | null;
};

/** `words`: for whoever has proven to be the client. `client_id`: which one it claims to be; null for none. */
type Refused = { words: string | null; client_id: string | null };

const USED_BEFORE = 'its jti was used before';

const CLIENT_ID = /^svu_[0-9a-z]{26}$/;

/** `countRequest`: counts a request of the team. @throws AppError `rate_limited` above its quota */
type Asking = { ip: string; countRequest: (team_id: string) => void };

/**
 * Exchanges a right credential for a login token. `expires_in` is in seconds. Only a right credential that may be used from this
 * address counts as a request of the team: a stranger cannot use up its quota.
 * @throws AppError `invalid_client`; `too_many_logins` for a wrong credential after too many of them from its address group;
 * `address_not_allowed` for a right one from elsewhere; `rate_limited` above the team's quota of requests, and the assertion is not
 * used up
 */
export async function exchangeCredential(
  deps: Deps,
  shown: ClientCredential,
  { ip, countRequest }: Asking,
): Promise<{ token: string; expires_in: number }> {
  await deleteExpired(deps.db, deps.clock.now());
  const verified = await verify(deps, shown);
  if ('words' in verified) throw await refusal(deps, verified, ip);
  const { id, team_id, allowed_ips } = verified.service_user;
  if (!isAllowed(allowed_ips, ip)) throw await refusal(deps, { client_id: id, error: notAllowed(ip) }, ip);
  countRequest(team_id);
  const opened = await openToken(deps, verified, ip);
  if ('words' in opened) throw await refusal(deps, opened, ip);
  return { token: opened.token, expires_in: TOKEN_SECONDS };
}

async function verify(deps: Deps, shown: ClientCredential): Promise<Verified | Refused> {
  const client_id = shown.kind === 'secret' ? shown.client_id : claimedClient(shown.assertion);
  if (client_id === null || !CLIENT_ID.test(client_id)) return { words: null, client_id: null };
  const service_user = await findServiceUser(deps.db, client_id, undefined);
  if (!service_user || service_user.disabled_at) return { words: null, client_id };
  if (shown.kind === 'secret') {
    const secret = await findSecret(deps.db, client_id, credentialHash(shown.client_secret));
    return secret ? { service_user, credential: secret.id, assertion: null } : { words: null, client_id };
  }
  if (shown.client_id !== null && shown.client_id !== client_id)
    return { words: 'its sub is not the client_id of the request', client_id };
  const { public_keys } = service_user;
  const at = { audience: deps.config.public_url, now: deps.clock.now() };
  const checked = await checkAssertion(shown.assertion, { client_id, public_keys }, at);
  if ('fault' in checked) return { words: checked.is_signed ? checked.fault : null, client_id };
  // Anybody who has read a used assertion can show it again: such a request does not count for the team.
  if (await isUsed(deps.db, { service_user_id: client_id, jti_hash: checked.jti_hash }))
    return { words: USED_BEFORE, client_id };
  return { service_user, credential: checked.thumbprint, assertion: checked };
}

/**
 * Opens a token, and uses the assertion up. Refuses when the credential has been retired or the service user disabled since the
 * check, or the assertion was used before.
 */
async function openToken(
  deps: Deps,
  { service_user: { id, name, team_id }, credential, assertion }: Verified,
  ip: string,
): Promise<{ token: string } | Refused> {
  const now = deps.clock.now();
  const actor: Actor = { kind: 'service_user', id, name, session_id: null, ip };
  return audited(
    deps,
    actor,
    async (trx, note) => {
      const current = await lockServiceUser(trx, id);
      if (!current || current.disabled_at) return { words: null, client_id: id };
      const valid = assertion
        ? current.public_keys.map(({ thumbprint }) => thumbprint)
        : (await listSecrets(trx, [id])).map((secret) => secret.id);
      if (!valid.includes(credential)) return { words: null, client_id: id };
      if (assertion) {
        const used = {
          service_user_id: id,
          jti_hash: assertion.jti_hash,
          expires_at: assertion.remember_until,
        };
        if (!(await useAssertion(trx, used))) return { words: USED_BEFORE, client_id: id };
      }
      const { token, token_id } = await openServiceToken(deps, trx, { service_user_id: id, credential });
      await noteUse(trx, { service_user_id: id, secret_id: assertion ? null : credential, now });
      note({
        team_id: current.team_id,
        action: 'service_user.token_given',
        target: { kind: 'service_user', id },
        after: { session_id: token_id, credential },
      });
      return { token };
    },
    team_id,
  );
}

/** Counts and records a failure. `error`: what is wrong where the credential was right. */
async function refusal(
  deps: Deps,
  { client_id, ...why }: Refused | { client_id: string; error: AppError },
  ip: string,
): Promise<AppError> {
  const limits = [exchangeLimit(addressGroup(ip))];
  const { wait_ms, kept_back_ms } = await countAttempt(deps.db, limits, deps.clock.now());
  if (wait_ms > 0) return tooMany('failed exchanges from your addresses', wait_ms);
  await auditAlone(deps, strangerAt(ip), {
    team_id: (client_id && (await teamOfServiceUser(deps.db, client_id))) ?? null,
    action: 'service_user.token_refused',
    target: { kind: 'service_user', id: client_id },
    after: { kept_back_ms, code: 'error' in why ? why.error.code : 'invalid_client' },
  });
  if ('error' in why) return why.error;
  if (why.words === null) return new AppError('invalid_client', 'The client or its credential is not valid.');
  return new AppError('invalid_client', `The assertion is not valid: ${why.words}.`);
}
