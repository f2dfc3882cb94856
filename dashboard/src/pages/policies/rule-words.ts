/** Pure: the rules of a policy in words. */
import type { ApprovalRule, PendingPolicyChange, Policy } from '../../api/contract.ts';
import { unitOf } from '../../text/asset.ts';
import { counted } from '../../text/counted.ts';
import { formatUnits } from '../../text/money.ts';
import { KIND_WORDS } from './approval-kinds.ts';
import { FIELD_WORDS, limitOf, limitsInForce, nameOf } from './limits.ts';

/** A rule of approvals in words. */
export function ruleInWords({ required, above, for: kinds, without_factor }: ApprovalRule): string {
  const amounts = above.map((entry) => `${formatUnits(entry.amount_stroops)} ${unitOf(entry)}`);
  const what = kinds.map((kind) => {
    if (kind !== 'withdrawals') return KIND_WORDS[kind];
    return amounts.length === 0
      ? 'every withdrawal'
      : `withdrawals above ${amounts.join(' or ')} in 24 hours, and of other assets`;
  });
  const from = without_factor ? ', also of members without a second factor' : '';
  return `${counted(required, 'approval')} for ${what.join('; ')}${from}`;
}

/** The rule in force that a pending change replaces, in words. */
export function inForceWords(
  policy: Policy,
  { field, asset_code, asset_issuer }: PendingPolicyChange,
): string {
  const { frozen, approvals, destinations } = policy;
  if (field === 'frozen') return frozen ? 'The wallet is frozen' : 'The wallet is not frozen';
  if (field === 'approvals') return approvals ? ruleInWords(approvals) : 'No approvals are asked for';
  if (field === 'destinations') return destinationsWords(destinations);
  const limits = limitsInForce(policy);
  if (asset_code === null) return assetsWords((limits ?? []).map(nameOf));
  const asset = { asset_code, asset_issuer };
  if (field === 'limits') return `${nameOf(asset)} is refused`;
  const limit = limitOf(limits, asset)?.[field] ?? null;
  return limit === null
    ? `${nameOf(asset)} has no limit ${FIELD_WORDS[field]}`
    : `The limit of ${nameOf(asset)} ${FIELD_WORDS[field]} is ${formatUnits(limit)} ${unitOf(asset)}`;
}

function assetsWords(names: string[]): string {
  return names.length === 0 ? 'No asset is allowed' : `Only these assets are allowed: ${names.join(', ')}`;
}

function destinationsWords(destinations: string[] | null): string {
  if (destinations === null) return 'Every destination is allowed';
  const count = destinations.length;
  return count === 1 ? 'One destination is allowed' : `${count || 'No'} destinations are allowed`;
}
