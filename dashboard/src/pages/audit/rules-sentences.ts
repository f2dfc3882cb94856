/** Pure: what the audit log tells of wallets, their assets, minimums and policies. */
import type { PendingPolicyChange } from '../../api/contract.ts';
import { changesOf, differing, factIn } from './facts.ts';
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
    say`revoked a pending change of ${policyOf(told)}${looseningIn(told, told.before)}`,
  'policy.change_approved': (told) => say`approved a change of ${policyOf(told)}${requestIn(told)}`,
  'policy.change_rejected': (told) => say`rejected a change of ${policyOf(told)}${requestIn(told)}`,
  'policy.requests_ended': (told) => requestsEnded(told),
} satisfies Record<string, Sentence>;

function assetLink(told: Told) {
  return inWallet(told, assetOf(told.after), 'assets');
}

/** `the policy of the wallet Payroll`. */
function policyOf(told: Told): Piece[] {
  return say`the ${inWallet(told, 'policy', 'policies')} of ${walletOf(told)}`;
}

/** The rule that a change loosens, and what is allowed then. */
const LOOSENINGS: Record<PendingPolicyChange['field'], (told: Told, change: Facts) => Piece[]> = {
  approvals: (told, change) =>
    change.approvals === null
      ? ['no approvals']
      : say`other approvals${inBrackets(told, change, 'approvals')}`,
  destinations: (told, change) =>
    change.destination === null
      ? ['every destination']
      : say`another destination${inBrackets(told, change, 'destination')}`,
  frozen: () => ['an end of the freeze'],
  limits: (told, change) =>
    change.asset_code === null ? ['no limits, so every asset'] : assetAllowed(told, change),
  max_rolling_24h_stroops: (told, change) => limitLoosened(told, change, 'in 24 hours'),
  max_withdrawal_stroops: (told, change) => limitLoosened(told, change, 'per withdrawal'),
};

/** ` (5 XLM)`, where the entry has the fact. */
function inBrackets(told: Told, change: Facts, name: string): Piece[] {
  return change[name] === undefined ? [] : say` (${factIn(told, change, name)})`;
}

function limitLoosened(told: Told, change: Facts, where: string): Piece[] {
  const { limit_stroops } = change;
  if (limit_stroops === null) return say`no limit ${where} for ${assetOf(change)}`;
  return say`a higher limit ${where}${inBrackets(told, change, 'limit_stroops')}`;
}

function assetAllowed(told: Told, change: Facts): Piece[] {
  const { asset_code, asset_issuer, max_withdrawal_stroops, max_rolling_24h_stroops } = change;
  const limits = { asset_code, asset_issuer, max_withdrawal_stroops, max_rolling_24h_stroops };
  return say`the asset ${assetOf(change)}${inBrackets(told, { limits }, 'limits')}`;
}

/** `: a higher limit per withdrawal (100 XLM)`. */
function looseningIn(told: Told, change: Facts): Piece[] {
  const { field } = change;
  const isKnown = typeof field === 'string' && Object.hasOwn(LOOSENINGS, field);
  const words = isKnown ? LOOSENINGS[field as PendingPolicyChange['field']](told, change) : textOf(field);
  return words === undefined ? [] : say`: ${words}`;
}

/** What was asked for, and by whom. */
function requestIn(told: Told): Piece[] {
  const { after, names } = told;
  return say`${askedForBy(after.requested_by, names)}${looseningIn(told, after)}`;
}

/** The service writes one entry for all of them: some may be in force now, others are gone without their approvals. */
function requestsEnded(told: Told): Piece[] {
  const ended = say`ended what awaited approvals`;
  const isInForce = differing(told).some((name) => name !== 'pending');
  if (!isInForce) return say`${ended} in ${policyOf(told)}`;
  const kept = new Set(objectsIn(told.after.pending).map(({ id }) => id));
  const gone = objectsIn(told.before.pending).filter(({ id }) => !kept.has(id));
  const others = gone.some((change) => awaitsApproval(change)) ? say`, and ${ended}` : [];
  return say`brought approved changes of ${policyOf(told)} into force${changesOf(told, ['pending'])}${others}`;
}

const awaitsApproval = ({ request }: Facts) =>
  objectsIn([request]).some(({ approved_at }) => approved_at === null);

/** What waits for its delay or for approvals since this change. */
function announcedIn({ before, after }: Told): string {
  const known = new Set(objectsIn(before.pending).map(({ id }) => id));
  const added = objectsIn(after.pending).filter(({ id }) => !known.has(id));
  return added.length === 0 ? '' : `, and announced ${countOf(added.length, 'change')} that will allow more`;
}
