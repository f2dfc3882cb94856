/**
 * Step-up: an operation that moves money, or decides who can, asks for a second factor that the session has proven within the
 * last ten minutes. Each route that changes something says in `step_up` whether it asks. Only logins are asked: an API key has
 * no factor.
 */
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import type { LoginCaller } from '../callers/authenticate.ts';
import { methodsOf } from './proofs.ts';

/**
 * `always`: of users who have a factor, and of every member of a team that requires one. `own`: of users who have one; those
 * who have none do this to get one. `never`: of nobody.
 */
export type StepUp = 'always' | 'own' | 'never';

/** How long a proof counts. */
export const STEP_UP_MS = 10 * 60_000;

/** @throws AppError `second_factor_required` with the methods of the user, none for a user who must add a factor first */
export async function requireStepUp(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  { user, factors }: LoginCaller,
  step_up: StepUp,
): Promise<void> {
  const is_asked = factors.has_factor || (factors.team_requires && step_up === 'always');
  if (step_up === 'never' || !is_asked || isFresh(factors.proven_at, deps.clock.now())) return;
  if (!factors.has_factor)
    throw new AppError('second_factor_required', 'Your team requires a second factor. Add one first.', {
      data: { methods: [] },
    });
  throw new AppError(
    'second_factor_required',
    'This needs a second factor, proven within the last ten minutes.',
    { data: { methods: await methodsOf(deps, deps.db, user.id) } },
  );
}

function isFresh(proven_at: Date | null, now: Date): boolean {
  return proven_at !== null && now.getTime() - proven_at.getTime() < STEP_UP_MS;
}
