/** Pure: what the audit log tells of wallets, their assets, minimums and policies. */
import type { PendingPolicyChange } from '../../api/contract.ts';
import { changesOf } from './facts.ts';
import {
  askedForBy,
  assetOf,
  countOf,
  type Facts,
  inWallet,
  objectsIn,
  type Piece,
  type Sentence,
  say,
  type Told,
  textOf,
  walletNamed,
  walletOf,
} from './told.ts';

export const RULES = {
  'wallet.created': ({ entry: { target }, after, names }) => {
    const wallet = walletNamed(target.id ?? 'of an unknown id', names);
    // The name that it had then.
    return say`made the wallet ${{ ...wallet, text: textOf(after.name) ?? wallet.text }}`;
  },
  'wallet.changed': (told) => say`changed ${walletOf(told)}${changesOf(told)}`,
  'asset.added': (told) => say`asked to add the asset ${assetLink(told)} to ${walletOf(told)}`,
  'asset.removed': (told) => say`asked to remove the asset ${assetLink(told)} from ${walletOf(told)}`,
  'deposit_minimums.changed': (told) =>
    say`changed the smallest announced deposits of ${walletOf(told)}${changesOf(told)}`,
  'policy.changed': (told) =>
    say`changed ${policyOf(told)}${changesOf(told, ['pending'])}${announcedIn(told)}`,
  'policy.change_revoked': (told) =>
    say`revoked a pending change of ${policyOf(told)}${fieldIn(told.before)}`,
  'policy.change_approved': (told) => say`approved a change of ${policyOf(told)}${requestIn(told)}`,
  'policy.change_rejected': (told) => say`rejected a change of ${policyOf(told)}${requestIn(told)}`,
  'policy.requests_ended': (told) =>
    say`ended what awaited approvals in ${policyOf(told)}${changesOf(told, ['pending'])}`,
} satisfies Record<string, Sentence>;

function assetLink(told: Told) {
  return inWallet(told, assetOf(told.after), 'assets');
}

/** `the policy of the wallet Payroll`. */
function policyOf(told: Told): Piece[] {
  return say`the ${inWallet(told, 'policy', 'policies')} of ${walletOf(told)}`;
}

const FIELDS: Readonly<Record<PendingPolicyChange['field'], string>> = {
  approvals: 'other approvals',
  destinations: 'more destinations',
  frozen: 'an end of the freeze',
  limits: 'another asset, or no limits',
  max_rolling_24h_stroops: 'a higher limit in 24 hours',
  max_withdrawal_stroops: 'a higher limit per withdrawal',
};

/** `: a higher limit per withdrawal`. */
function fieldIn({ field }: Facts): string {
  const isKnown = typeof field === 'string' && Object.hasOwn(FIELDS, field);
  const words = isKnown ? FIELDS[field as PendingPolicyChange['field']] : textOf(field);
  return words === undefined ? '' : `: ${words}`;
}

/** What was asked for, and by whom. */
function requestIn({ after, names }: Told): Piece[] {
  return say`${askedForBy(after.requested_by, names)}${fieldIn(after)}`;
}

/** What waits for its delay or for approvals since this change. */
function announcedIn({ before, after }: Told): string {
  const known = new Set(objectsIn(before.pending).map(({ id }) => id));
  const added = objectsIn(after.pending).filter(({ id }) => !known.has(id));
  return added.length === 0 ? '' : `, and announced ${countOf(added.length, 'change')} that will allow more`;
}
