/** What a team can be alerted of, by its name in the API. */
export const ALERT_KINDS = {
  new_device: 'A user signed in at a device that was not known',
  password_changed: 'A password was changed or reset',
  second_factor_changed: 'A second factor was added, removed or stopped, or the team’s need of one changed',
  recovery_codes_replaced: 'A user replaced their recovery codes',
  member_changed: 'A member or service user came, left, got other rights, or was disabled or enabled',
  invitation_created: 'An invitation was made',
  api_key_made: 'An API key, or a secret of a service user, was made or replaced; also with a new wallet',
  endpoint_changed: 'A webhook endpoint was registered or enabled again, or got another URL',
  signing_secret_rotated: 'The signing secret of an endpoint was replaced',
  policy_loosened: 'A policy was loosened, or a looser one was announced',
  large_payment: 'A withdrawal was requested, or a payout started, above the amount that the team has set',
  wallet_frozen: 'The operator froze a wallet, or ended the freeze',
  alerts_changed: 'The alerts of the team changed; always sent',
} as const;

export type AlertKind = keyof typeof ALERT_KINDS;
export const KIND_NAMES = Object.keys(ALERT_KINDS) as [AlertKind, ...AlertKind[]];

/** The kind that no team can turn off: otherwise an attacker with an owner’s login could turn the alerts off unseen. */
export const ALWAYS_SENT: AlertKind = 'alerts_changed';
