/** Whether a policy allows a payment, and the words of a refusal. Pure. */
import { DAY_MS } from '../../lib/clock.ts';
import type { ErrorCode, ErrorDetail } from '../../lib/errors.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { type AssetFields, assetText } from '../../stellar/asset.ts';
import { allowsPayment } from './allowed-destinations.ts';
import { limitOf } from './asset-limits.ts';
import type { Policy } from './policies.ts';

/** A payment that counts towards its asset's limit of 24 hours. */
export type Spending = { created_at: Date; amount_stroops: bigint };

/** Returns the time after which payments count towards the limit of 24 hours. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - DAY_MS);
}

/** What a policy is asked about. `changes_trust_line`: no payment; only a frozen wallet refuses it. */
export type PolicyQuestion = AssetFields & {
  changes_trust_line: boolean;
  destination: string;
  memo_id: bigint | null;
  amount_stroops: bigint;
};

/** The operator has frozen the wallet: no login can undo that. */
export type OperatorFreeze = { frozen_at: Date; reason: string | null };

type BrokenRule =
  | { code: 'policy_frozen'; operator_freeze: OperatorFreeze | null }
  | { code: 'policy_asset_without_limit' }
  | { code: 'policy_destination_not_allowed' }
  | { code: 'policy_amount_limit'; limit_stroops: bigint }
  | { code: 'policy_daily_limit'; limit_stroops: bigint; used_stroops: bigint };

export const POLICY_ERRORS = [
  'policy_frozen',
  'policy_asset_without_limit',
  'policy_amount_limit',
  'policy_daily_limit',
  'policy_destination_not_allowed',
] as const satisfies BrokenRule['code'][];

/**
 * Returns the rules that a payment would break. `used_stroops`: what the wallet has paid of this asset in the last 24 hours. An
 * asset without a limit is refused where another one has a limit, because it would go around that limit.
 */
export function brokenRules(
  policy: Policy,
  order: PolicyQuestion,
  used_stroops: bigint,
  operator_freeze: OperatorFreeze | null = null,
): BrokenRule[] {
  const { frozen, limits, destinations } = policy;
  const broken: BrokenRule[] = [];
  if (frozen || operator_freeze) broken.push({ code: 'policy_frozen', operator_freeze });
  if (order.changes_trust_line) return broken;
  if (destinations !== null && !allowsPayment(destinations, order)) {
    broken.push({ code: 'policy_destination_not_allowed' });
  }
  if (limits === null) return broken;
  const limit = limitOf(limits, order);
  if (!limit) return [...broken, { code: 'policy_asset_without_limit' }];
  const { max_withdrawal_stroops, max_rolling_24h_stroops } = limit;
  if (max_withdrawal_stroops !== null && order.amount_stroops > max_withdrawal_stroops) {
    broken.push({ code: 'policy_amount_limit', limit_stroops: max_withdrawal_stroops });
  }
  if (max_rolling_24h_stroops !== null && used_stroops + order.amount_stroops > max_rolling_24h_stroops) {
    broken.push({ code: 'policy_daily_limit', limit_stroops: max_rolling_24h_stroops, used_stroops });
  }
  return broken;
}

export type PolicyViolation = {
  code: Extract<ErrorCode, `policy_${string}`>;
  message: string;
  details?: ErrorDetail[];
};

/**
 * Explains a broken rule as an error: the limit, the rest of it, and when more is possible. `spent`: the payments that count,
 * oldest first.
 */
export function explain(
  broken: BrokenRule,
  { amount_stroops, ...asset }: AssetFields & { amount_stroops: bigint },
  spent: Spending[],
): PolicyViolation {
  const { code } = broken;
  switch (code) {
    case 'policy_frozen':
      return { code, message: `${frozenWords(broken.operator_freeze)}: new withdrawals are refused.` };
    case 'policy_asset_without_limit': {
      const details = [{ path: '/asset_code', message: 'has no limit in the policy, which has limits' }];
      const name = asset.asset_issuer === null ? 'the native asset' : assetText(asset);
      return { code, message: `The wallet’s policy has limits, and none for ${name}.`, details };
    }
    case 'policy_destination_not_allowed': {
      const details = [{ path: '/destination', message: 'is not among the destinations of the policy' }];
      return { code, message: 'The wallet’s policy does not allow this destination.', details };
    }
    case 'policy_amount_limit': {
      const limit = `at most ${stroopsInWords(broken.limit_stroops)}`;
      const details = [{ path: '/amount_stroops', message: `must be ${limit}` }];
      return {
        code,
        message: `The wallet’s policy allows ${limit}${ofAsset(asset)} per withdrawal.`,
        details,
      };
    }
    case 'policy_daily_limit': {
      const { limit_stroops, used_stroops } = broken;
      const left = used_stroops < limit_stroops ? limit_stroops - used_stroops : 0n;
      const possible_at = whenFreed(spent, used_stroops + amount_stroops - limit_stroops);
      const when = possible_at
        ? `this amount is possible from ${possible_at.toISOString()} on, if nothing else is paid until then`
        : 'this amount is more than the limit itself';
      const limit = stroopsInWords(limit_stroops);
      const message = `The wallet’s policy allows ${limit}${ofAsset(asset)} in 24 hours, with ${stroopsInWords(left)} left; ${when}.`;
      return {
        code,
        message,
        details: [{ path: '/amount_stroops', message: `must be at most ${stroopsInWords(left)} now` }],
      };
    }
  }
}

function frozenWords(operator_freeze: OperatorFreeze | null): string {
  if (!operator_freeze) return 'The wallet is frozen';
  const { reason } = operator_freeze;
  return `The operator of the service has frozen the wallet${reason === null ? '' : ` (${reason})`}`;
}

/**
 * Computes when the oldest payments, together at least `stroops`, are more than 24 hours old; null when all payments together
 * are less.
 */
function whenFreed(spent: Spending[], stroops: bigint): Date | null {
  let freed = 0n;
  for (const { created_at, amount_stroops } of spent) {
    freed += amount_stroops;
    if (freed >= stroops) return new Date(created_at.getTime() + DAY_MS);
  }
  return null;
}

/** Returns " of" with the name of the asset. Amounts without a name are of the native asset, so its text is empty. */
export function ofAsset(asset: AssetFields): string {
  return asset.asset_issuer === null ? '' : ` of ${assetText(asset)}`;
}
