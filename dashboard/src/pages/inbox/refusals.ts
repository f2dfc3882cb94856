/** Pure: what a refusal means for the person who wanted to assign or refund a deposit. */
import { ApiError, mayBeDone } from '../../api/client.ts';

const MEANINGS: Record<string, string | undefined> = {
  deposit_attributed:
    'Somebody assigned it meanwhile, and your backend was told. To send the money away, make a withdrawal.',
  deposit_refunded: 'It is paid back already, or being paid back. Nothing was sent again.',
  refund_not_possible:
    'Nothing was sent, and trying again will not help. It can still be assigned to an address.',
  wallet_unfunded: 'Nothing was sent. The wallet’s account must be funded first.',
  network_unavailable: 'Nothing was changed. Try again in a moment.',
  ledger_not_caught_up: 'Nothing was changed. Try again in a moment.',
  database_unavailable: 'Nothing was changed. Try again in a moment.',
  not_found: 'Nothing was changed.',
};

export function refusalMeaning(error: Error): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code.startsWith('policy_'))
    return 'The wallet’s policy forbids it: nothing was sent. See Policies; a looser one takes effect after its delay.';
  if (mayBeDone(error))
    return 'The answer was lost: it may have been done, or not. Trying again is safe, because it can be done only once.';
  return MEANINGS[error.code] ?? null;
}
