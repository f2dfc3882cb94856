/** Tells a simulation whether its evidence has something for each falsification, so that it can go on until it has. */
import type { Evidence } from './evidence.ts';
import { TooShort } from './withdrawal-tamper.ts';

/**
 * Returns the question whether `tamper` can falsify the evidence in each of the ways of `kinds`. A way that was possible once is
 * not tried again until all have been: to try one copies all evidence. Then all are tried again, because the run may
 * have lost something that one of them needs: an endpoint is deleted, a trust line is removed.
 */
export function checklistOf<Kind>(
  kinds: readonly Kind[],
  tamper: (evidence: Evidence, kind: Kind) => unknown,
): (evidence: Evidence) => boolean {
  let left = kinds;
  return (evidence) => {
    const missingOf = (some: readonly Kind[]) =>
      some.filter((kind) => !isPossible(() => tamper(evidence, kind)));
    left = missingOf(left);
    if (left.length === 0) left = missingOf(kinds);
    return left.length === 0;
  };
}

function isPossible(tamper: () => unknown): boolean {
  try {
    tamper();
    return true;
  } catch (error) {
    if (error instanceof TooShort) return false;
    throw error;
  }
}
