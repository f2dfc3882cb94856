/** Claims the key of one order, also where the answer of the database to a claim was lost. */
import { isConnectionLost } from '../../db/failures.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { currentTraceparent, noteWithdrawal } from '../../lib/log-context.ts';
import type { Claimed, Claims } from './claims.ts';
import type { ClaimOrder } from './hooks.ts';
import type { Withdrawal } from './store.ts';

const CLAIM_TRIES = 5;
const CLAIM_PAUSE_MS = 500;
/** When a caller whose order has no outcome yet may ask again. */
export const RETRY_AFTER_SECONDS = 2;

/**
 * Claims the key of the row. `taken` says what it means that another row has the key: an error, or that row.
 *
 * After a lost commit nobody knows whether the key is ours: claiming again with the same id finds out. "Nothing was
 * started" on a guess could make the caller pay again with another key.
 * @throws AppError when `taken` gives one, the deposit must not be refunded, or the policy refuses; 504 `outcome_pending`
 * with the words `in_doubt` when the database does not come back
 */
export async function claimKey(
  deps: Deps,
  claims: Claims,
  row: ClaimOrder,
  { taken, in_doubt }: { taken: (holder: Withdrawal) => AppError | Withdrawal; in_doubt: string },
): Promise<Withdrawal> {
  let lost = false;
  for (let tries = 1; ; tries++) {
    try {
      const { holder, violation } = await tracedClaim(deps, claims, row);
      if (violation) throw new AppError(violation.code, violation.message, violation);
      if (holder.id === row.id) {
        noteWithdrawal(holder.id);
        return holder;
      }
      const other = taken(holder);
      if (other instanceof AppError) throw other;
      return other;
    } catch (error) {
      if (error instanceof AppError) throw error;
      lost ||= isConnectionLost(error);
      if (!lost) throw error; // the database refused it, or never got it: the key is free
      if (tries === CLAIM_TRIES)
        throw new AppError('outcome_pending', in_doubt, {
          cause: error,
          retry_after_seconds: RETRY_AFTER_SECONDS,
        });
      deps.log.warn(
        { err: error, withdrawal_id: row.id },
        'a claim was interrupted; it is repeated with the same id',
      );
      await deps.clock.sleep(CLAIM_PAUSE_MS);
    }
  }
}

async function tracedClaim({ traces }: Deps, claims: Claims, row: ClaimOrder): Promise<Claimed> {
  const { wallet_id } = row;
  const span = traces.start('claim withdrawal', { parent: currentTraceparent(), attributes: { wallet_id } });
  try {
    const claimed = await claims.claim(row);
    span.set({ withdrawal_id: claimed.holder?.id, refused: claimed.violation?.code });
    span.end();
    return claimed;
  } catch (error) {
    span.end('not_recorded');
    throw error;
  }
}
