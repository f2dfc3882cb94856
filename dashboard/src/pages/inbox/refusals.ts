/** Pure: the meaning of a refusal to assign or refund a deposit. */
import { ApiError, mayHaveTakenEffect } from '../../api/client.ts';

const MEANINGS: Record<string, string | undefined> = {
  deposit_attributed:
    'Somebody has assigned the deposit in the meantime. Your backend received deposit.created. To send the money back, make a withdrawal.',
  deposit_refunded: 'The deposit is already refunded, or its refund is pending. Nothing was sent again.',
  refund_not_possible:
    'Nothing was sent. Trying again will not help. You can still assign the deposit to an address.',
  wallet_unfunded: 'Nothing was sent. The wallet’s account must be funded first.',
  network_unavailable: 'Nothing was changed. Try again in a moment.',
  ledger_not_caught_up: 'Nothing was changed. Try again in a moment.',
  service_stopping: 'Nothing was changed. Try again in a moment.',
  not_found: 'Nothing was changed.',
};

export function refusalMeaning(error: Error): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code.startsWith('policy_'))
    return 'The wallet’s policy does not allow it. Nothing was sent. See Policies. Looser rules apply after the delay.';
  if (mayHaveTakenEffect(error))
    return 'The response was lost. The request may or may not have taken effect. Trying again is safe: it takes effect at most once.';
  return MEANINGS[error.code] ?? null;
}
