/** The wait for the outcome that the engine proves, the same for every order of a wallet whose key is claimed. */
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import { RETRY_AFTER_SECONDS } from '../engine/claim-key.ts';
import type { Claims } from '../engine/claims.ts';
import type { WithdrawalEngine } from '../engine/engine.ts';
import type { Withdrawal } from '../engine/store.ts';

export type EngineParts = { claims: Claims; engine: WithdrawalEngine };

/**
 * The time that a caller waits, WITHDRAW_WAIT_SECONDS. `over`: resolves at its end. `within`: resolves so many seconds after
 * its beginning, at its end at the latest.
 */
export type Wait = {
  over: Promise<void>;
  within(seconds: number): Promise<void>;
  throwIfOver(): void;
};

/**
 * Runs `run` with a wait that begins now, and returns its result. `throwIfOver` throws NetworkUnavailable: call it before
 * anything is claimed.
 */
export async function withinWait<T>(deps: Deps, run: (wait: Wait) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  let late = false;
  const began_ms = deps.clock.now().getTime();
  const over = deps.clock.sleep(deps.config.withdraw_wait_seconds * 1000, deadline.signal).then(() => {
    late = true;
  });
  try {
    return await run({
      over,
      within(seconds) {
        const left_ms = began_ms + seconds * 1000 - deps.clock.now().getTime();
        return Promise.race([over, deps.clock.sleep(Math.max(left_ms, 0), deadline.signal)]);
      },
      throwIfOver() {
        if (late) throw tooLate();
      },
    });
  } finally {
    deadline.abort('answered'); // without a reason, abort() builds an Error
  }
}

/**
 * Waits for the outcome, and returns the row with it.
 * @throws AppError 504 `outcome_pending` with the row that `show` makes, once the wait is over
 */
export async function outcomeOrPending<T>(
  deps: Deps,
  { claims, engine }: EngineParts,
  { claimed, wait, show }: { claimed: Withdrawal; wait: Wait; show: (row: Withdrawal) => T | Promise<T> },
): Promise<Withdrawal> {
  await Promise.race([engine.waitFor(claimed.id), wait.over]);
  const row = await latestKnown(deps, claims, claimed);
  if (row.settled_at) return row;
  throw new AppError(
    'outcome_pending',
    'Accepted. The outcome is not proven yet; the withdrawal continues without this request.',
    { data: await show(row), retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}

/**
 * Waits for a caller that prefers an early response. Returns the row with its outcome, or as it is `wait_seconds` after the
 * request came. The withdrawal continues without the request.
 */
export async function outcomeOrAccepted(
  deps: Deps,
  { claims, engine }: EngineParts,
  { claimed, wait, wait_seconds }: { claimed: Withdrawal; wait: Wait; wait_seconds: number },
): Promise<Withdrawal> {
  if (wait_seconds === 0) {
    engine.signSoon();
    return claimed;
  }
  await Promise.race([engine.waitFor(claimed.id), wait.within(wait_seconds)]);
  return latestKnown(deps, claims, claimed);
}

/** Returns the row as it is now, or as it was claimed when the database does not answer. */
async function latestKnown(deps: Deps, claims: Claims, claimed: Withdrawal): Promise<Withdrawal> {
  try {
    return (await claims.find(claimed.id)) ?? claimed;
  } catch (error) {
    deps.log.error(
      { err: error, withdrawal_id: claimed.id },
      'the withdrawal could not be read after its claim',
    );
    return claimed;
  }
}

function tooLate(): NetworkUnavailable {
  return new NetworkUnavailable('The Stellar network answers too slowly; nothing was started.', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  });
}
