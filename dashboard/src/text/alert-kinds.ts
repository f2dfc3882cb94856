/** Pure: what a team is alerted of, in words. */
import type { AlertKind } from '../api/contract.ts';

const KIND_WORDS: Record<AlertKind, string> = {
  new_device: 'Sign-in at a new device',
  password_changed: 'Password changed or reset',
  second_factor_changed: 'Second factor changed',
  recovery_codes_replaced: 'Recovery codes replaced',
  member_changed: 'Member added, changed or removed',
  invitation_created: 'Invitation made',
  api_key_made: 'API key made or replaced',
  endpoint_changed: 'Webhook endpoint added or enabled, or its URL changed',
  signing_secret_rotated: 'Signing secret replaced',
  policy_loosened: 'Policy loosened',
  large_payment: 'Large withdrawal requested, or large payout started',
  wallet_frozen: 'Wallet frozen by the operator of the service, or the freeze ended',
  alerts_changed: 'Alerts changed (always sent)',
};

export const ALERT_KINDS = Object.keys(KIND_WORDS) as AlertKind[];

/** A later version of the service may have kinds that this page does not know. */
export function kindInWords(kind: string): string {
  return kind in KIND_WORDS ? KIND_WORDS[kind as AlertKind] : kind;
}
