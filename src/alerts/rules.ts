/** Pure: which entries of the audit log make an alert, whom a mail goes to, and the words of the alert. */
import type { AlertKind } from './kinds.ts';
import { isLoosened } from './loosened-policy.ts';
import { amountOf, type Facts, type Told, textOf } from './told.ts';

/** Withdrawals above `amount_stroops` make an alert. `asset_issuer`: null for the native asset. */
export type Threshold = { asset_code: string; asset_issuer: string | null; amount_stroops: bigint };

export type Rule = {
  kind: AlertKind;
  /** `user`: whom the entry is about; `team`: its owners and admins. The webhook of the team gets every alert. */
  mail: 'user' | 'team' | 'both';
  /** Whether the entry makes an alert; without it every one does. */
  applies?: (told: Told, thresholds: readonly Threshold[]) => boolean;
  /** One or two sentences of plain text. */
  words: (told: Told) => string;
};

const nameIn = (facts: Facts) => `"${textOf(facts.name)}"`;
const ofTeam = { mail: 'team' } as const;
const ofBoth = { mail: 'both' } as const;
const serviceUser = (deed: string): Rule => ({
  kind: 'member_changed',
  ...ofTeam,
  words: ({ who, before, after }) =>
    `${who} ${deed} the service user ${nameIn(after.name === undefined ? before : after)}.`,
});
/**
 * Makes the rule of a payout: one alert for all its rows, when somebody starts it or asks for its approvals, and the sum of an
 * asset is above the threshold.
 */
const payout = (deed: string): Rule => ({
  kind: 'large_payment',
  ...ofTeam,
  applies: ({ after }, thresholds) => totalsIn(after).some((total) => isLarge(total, thresholds)),
  words: ({ who, after, wallet }) =>
    `${who} ${deed} the payout ${nameIn(after)} of ${wallet}: ${totalsIn(after).map(amountOf).join(' and ') || 'an unknown amount'}.`,
});
const secondFactor = { kind: 'second_factor_changed', ...ofBoth } as const;

/** Actions that make an alert only above a threshold of the team. */
export const ABOVE_THRESHOLDS = ['withdrawal.requested', 'payout.started', 'payout.requested'];

/** By action. An action without a rule makes no alert. */
export const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    'login.succeeded': {
      kind: 'new_device',
      mail: 'user',
      applies: ({ after }) => after.known_device === false,
      words: ({ who }) => `${who} signed in at a device that was not known.`,
    },
    'password.changed': {
      kind: 'password_changed',
      ...ofBoth,
      words: ({ who }) => `${who} changed their password.`,
    },
    'password.reset': {
      kind: 'password_changed',
      ...ofBoth,
      words: ({ who, target }) => `${who} gave the user ${target} a new password.`,
    },
    'factor.added': {
      ...secondFactor,
      words: ({ who, after }) => `${who} added the second factor ${nameIn(after)}.`,
    },
    'factor.removed': {
      ...secondFactor,
      words: ({ who, before }) => `${who} removed the second factor ${nameIn(before)}.`,
    },
    'factors.reset': {
      ...secondFactor,
      words: ({ who, target }) => `${who} removed every second factor of the user ${target}.`,
    },
    'second_factor.stopped': {
      ...secondFactor,
      words: ({ target }) =>
        `After too many wrong codes, codes of an authenticator app of the user ${target} are refused.`,
    },
    'recovery_code.used': { ...secondFactor, words: ({ who }) => `${who} used a recovery code.` },
    'team.factors_required': {
      ...secondFactor,
      ...ofTeam,
      words: ({ who }) => `${who} changed whether the team requires second factors.`,
    },
    'recovery_codes.replaced': {
      kind: 'recovery_codes_replaced',
      ...ofBoth,
      words: ({ who }) => `${who} replaced their recovery codes.`,
    },
    'member.added': {
      kind: 'member_changed',
      ...ofBoth,
      words: ({ after, target }) =>
        `${textOf(after.email, target)} is now a member with the role ${textOf(after.role)}.`,
    },
    'member.changed': {
      kind: 'member_changed',
      ...ofBoth,
      words: ({ who, target, before, after }) =>
        before.role === after.role
          ? `${who} gave the member ${target} other wallets.`
          : `${who} gave the member ${target} the role ${textOf(after.role)} in place of ${textOf(before.role)}.`,
    },
    'member.removed': {
      kind: 'member_changed',
      ...ofBoth,
      words: ({ before, target }) => `${textOf(before.email, target)} is no longer a member.`,
    },
    'user.disabled': {
      kind: 'member_changed',
      ...ofBoth,
      words: ({ who, target }) => `${who} disabled the user ${target}, who cannot log in now.`,
    },
    'user.enabled': {
      kind: 'member_changed',
      ...ofBoth,
      words: ({ who, target }) => `${who} enabled the user ${target}, who can log in again.`,
    },
    'service_user.created': serviceUser('made'),
    'service_user.changed': serviceUser('changed'),
    'service_user.enabled': serviceUser('enabled'),
    'service_user.disabled': serviceUser('disabled'),
    'service_user.removed': serviceUser('removed'),
    'invitation.created': {
      kind: 'invitation_created',
      ...ofTeam,
      words: ({ who, after }) => `${who} invited ${textOf(after.email)} with the role ${textOf(after.role)}.`,
    },
    'service_user.secret_added': {
      kind: 'api_key_made',
      ...ofTeam,
      words: ({ who, target }) => `${who} made a secret of the service user ${target}.`,
    },
    'wallet.created': {
      kind: 'api_key_made',
      ...ofTeam,
      words: ({ who, after, wallet }) => `${who} made ${wallet}, ${nameIn(after)}, with its main API key.`,
    },
    'api_key.created': {
      kind: 'api_key_made',
      ...ofTeam,
      words: ({ who, after, wallet }) => `${who} made the API key ${nameIn(after)} of ${wallet}.`,
    },
    'api_key.regenerated': {
      kind: 'api_key_made',
      ...ofTeam,
      words: ({ who, wallet }) => `${who} replaced the main API key of ${wallet}.`,
    },
    'endpoint.registered': {
      kind: 'endpoint_changed',
      ...ofTeam,
      words: ({ who, after, wallet }) =>
        `${who} registered the webhook endpoint ${textOf(after.url)} of ${wallet}.`,
    },
    'endpoint.changed': {
      kind: 'endpoint_changed',
      ...ofTeam,
      applies: ({ before, after }) => hasOtherUrl(after) || isEnabledAgain(before, after),
      words: ({ who, before, after, wallet }) =>
        hasOtherUrl(after)
          ? `${who} changed the URL of a webhook endpoint of ${wallet} from ${textOf(before.url)} to ${textOf(after.url)}.`
          : `${who} enabled the webhook endpoint ${textOf(after.url)} of ${wallet} again.`,
    },
    'endpoint.secret_rotated': {
      kind: 'signing_secret_rotated',
      ...ofTeam,
      words: ({ who, after, wallet }) =>
        `${who} replaced the signing secret of the webhook endpoint ${textOf(after.url)} of ${wallet}.`,
    },
    'policy.changed': {
      kind: 'policy_loosened',
      ...ofTeam,
      applies: ({ before, after }) => isLoosened(before, after),
      words: ({ who, wallet, after }) =>
        `${who} loosened the policy of ${wallet}.${
          Array.isArray(after.pending) && after.pending.length > 0
            ? ' Until its delay has passed, you can revoke that.'
            : ''
        }`,
    },
    'policy.approvals_cleared': {
      kind: 'policy_loosened',
      ...ofTeam,
      words: ({ who, wallet }) => `${who} ended the approvals of the policy of ${wallet}.`,
    },
    'withdrawal.requested': {
      kind: 'large_payment',
      ...ofTeam,
      // The alert of a payout includes its rows.
      applies: ({ after }, thresholds) => after.payout_id === undefined && isLarge(after, thresholds),
      words: ({ who, after, wallet }) =>
        `${who} requested a withdrawal of ${amountOf(after)} from ${wallet} to ${textOf(after.destination)}.`,
    },
    'payout.started': payout('started'),
    'payout.requested': payout('asked for approvals of'),
    'wallet.frozen': {
      kind: 'wallet_frozen',
      ...ofTeam,
      words: ({ who, wallet }) => `${who} froze ${wallet}: new withdrawals are refused.`,
    },
    'wallet.unfrozen': {
      kind: 'wallet_frozen',
      ...ofTeam,
      words: ({ who, wallet }) => `${who} ended the freeze of ${wallet}.`,
    },
    'team.alerts_changed': {
      kind: 'alerts_changed',
      ...ofTeam,
      words: ({ who, after }) =>
        after.disabled_reason === undefined
          ? `${who} changed the alerts of the team.`
          : `The webhook of the team’s alerts was disabled. ${textOf(after.disabled_reason)}`,
    },
  }),
);

/**
 * Returns true when the URL was changed. The URLs of the entry cannot tell: they are shown without what may be a credential, and
 * may look the same (`shownUrls`).
 */
function hasOtherUrl(after: Facts): boolean {
  return after.url_changed === true;
}

function isEnabledAgain(before: Facts, after: Facts): boolean {
  return before.enabled === false && after.enabled === true;
}

function totalsIn({ totals }: Facts): Facts[] {
  return Array.isArray(totals) ? totals : [];
}

function isLarge(
  { amount_stroops, asset_code, asset_issuer = null }: Facts,
  thresholds: readonly Threshold[],
) {
  const threshold = thresholds.find(
    (each) => each.asset_code === asset_code && each.asset_issuer === asset_issuer,
  );
  return (
    threshold !== undefined && typeof amount_stroops === 'bigint' && amount_stroops > threshold.amount_stroops
  );
}
