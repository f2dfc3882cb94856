import { AppError } from '../../lib/errors.ts';
import { createFairQueue, TooManyWaiting } from '../../lib/fair-queue.ts';

/** Each hash takes 19 MiB and a thread, and a flood of logins must not use the whole thread pool. */
const AT_ONCE = 2;
const RETRY_SECONDS = 5;

/** Whose turn it is. `known`: a known device or a session, else a stranger. */
export type Turn = { known: boolean; group: string };

export type HashingTurns = <T>(turn: Turn, task: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs tasks in turn, two at once. Known devices and strangers take turns, so that no number of strangers
 * delays a known device by more than one of their hashes. Groups share the turns of either: the users of known devices, and the
 * address groups of strangers.
 * @throws AppError `too_many_logins` at once when too many are waiting
 */
export function createHashingTurns(): HashingTurns {
  const hashes = createFairQueue({ at_once: AT_ONCE, waiting_per_group: AT_ONCE });
  const known = createFairQueue({ at_once: AT_ONCE, waiting_per_group: 20, waiting_in_all: 400 });
  const strangers = createFairQueue({ at_once: AT_ONCE, waiting_per_group: 50, waiting_in_all: 400 });
  return async (turn, task) => {
    const [queue, kind] = turn.known ? [known, 'known'] : [strangers, 'strangers'];
    try {
      return await queue.run(turn.group, () => hashes.run(kind, task));
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new AppError('too_many_logins', 'Too many logins at once.', {
        retry_after_seconds: RETRY_SECONDS,
        cause: error,
      });
    }
  };
}

/** The turns of this process. */
export const hashingTurn = createHashingTurns();
