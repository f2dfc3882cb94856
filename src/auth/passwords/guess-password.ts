/** Checks passwords, within the limits of failed logins (login-limits.ts) and in turn with others (hashing-turns.ts). */
import type { Deps } from '../../deps.ts';
import { addressGroup } from '../../lib/client-address.ts';
import type { KnownUser } from '../users/user-store.ts';
import { countAttempt, findCounts, takeBackAttempt } from './failure-count-store.ts';
import { hashingTurn, type Turn } from './hashing-turns.ts';
import { accountLimit, addressGroupLimit, deviceLimit, type Limit, tooMany } from './login-limits.ts';
import { matchPassword } from './passwords.ts';

/** With whom an attempt waits for its turn, and with whose failures it is counted. */
type Attempt = { turn: Turn; limits: Limit[] };

export function ofDevice({ device_keys }: Deps, user_id: string, device: string): Attempt {
  return {
    turn: { known: true, group: user_id },
    limits: [deviceLimit(device_keys.current(), user_id, device)],
  };
}

export function ofStranger({ device_keys }: Deps, { email, ip }: { email: string; ip: string }): Attempt {
  const group = addressGroup(ip);
  return {
    turn: { known: false, group },
    limits: [accountLimit(device_keys.current(), email), addressGroupLimit(group)],
  };
}

/** One of the users with an e-mail. `device`: the known device; null when the browser is no known device. */
type Candidate = { user: KnownUser; device: string | null };
type KnownCandidate = Candidate & { device: string };
type Guessed<C> = { right: C | undefined; kept_back_ms: number };

export function isKnown<C extends Candidate>(candidate: C): candidate is C & KnownCandidate {
  return candidate.device !== null;
}

/**
 * Checks one password. A refusal comes before the turn, so that nobody waits for a refusal; the attempt is counted within
 * the turn, so that attempts that wait are not counted yet. @throws AppError `too_many_logins`
 */
export async function guess<C extends { user: { password_hash: string } }>(
  { db, clock }: Deps,
  { turn, limits }: Attempt,
  { password, candidates }: { password: string; candidates: C[] },
): Promise<Guessed<C>> {
  await refuseEarly(db, limits, clock.now());
  return hashingTurn(turn, async () => {
    const attempt = await countAttempt(db, limits, clock.now());
    refuse(attempt.wait_ms);
    const right = firstOf(candidates, await matchPassword(password, hashesOf(candidates)));
    if (right) await takeBackAttempt(db, attempt);
    return { right, kept_back_ms: attempt.kept_back_ms };
  });
}

/**
 * Checks one password as `guess` does, at a browser that is a known device of some of the users. A password that none of these has is
 * a guess of a stranger at the others, also where there are no others: otherwise somebody who has one of the users could guess at the
 * others with as many known devices as they make, or see that there are others.
 */
export async function guessAtDevice(
  deps: Deps,
  { known, candidates, stranger }: { known: KnownCandidate[]; candidates: Candidate[]; stranger: Attempt },
  password: string,
): Promise<Guessed<Candidate>> {
  const { db, clock } = deps;
  const limits = known.flatMap(({ user, device }) => ofDevice(deps, user.id, device).limits);
  const turn = { known: true, group: known[0]?.user.id ?? '' };
  await refuseEarly(db, limits, clock.now());
  return hashingTurn(turn, async () => {
    const attempt = await countAttempt(db, limits, clock.now());
    refuse(attempt.wait_ms);
    const { kept_back_ms } = attempt;
    const matches = await matchPassword(password, hashesOf(candidates));
    const right = firstOf(known, matches);
    if (right) {
      await takeBackAttempt(db, attempt);
      return { right, kept_back_ms };
    }
    const others = candidates.filter((candidate) => !isKnown(candidate));
    const as_stranger = await countAttempt(db, stranger.limits, clock.now());
    const other = as_stranger.wait_ms > 0 ? undefined : firstOf(others, matches);
    if (other) for (const each of [as_stranger, attempt]) await takeBackAttempt(db, each);
    return { right: other, kept_back_ms };
  });
}

function hashesOf(candidates: { user: { password_hash: string } }[]): string[] {
  return candidates.map(({ user }) => user.password_hash);
}

function firstOf<C extends { user: { password_hash: string } }>(
  candidates: C[],
  matches: Set<string>,
): C | undefined {
  return candidates.find(({ user }) => matches.has(user.password_hash));
}

/** @throws AppError `too_many_logins` when a limit has something to wait for already */
async function refuseEarly(db: Deps['db'], limits: Limit[], now: Date): Promise<void> {
  const counts = await findCounts(db, limits);
  refuse(Math.max(...counts.map(({ limit, count }) => limit.wait_ms(count, now))));
}

/** @throws AppError `too_many_logins` unless there is nothing to wait for. */
export function refuse(wait_ms: number): void {
  if (wait_ms > 0) throw tooMany('failed logins', wait_ms);
}
