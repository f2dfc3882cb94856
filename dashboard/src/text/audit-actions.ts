/** Pure: what the audit log records, in words. */
import type { AuditAction } from '../api/contract.ts';

const ACTION_WORDS: Record<AuditAction, string> = {
  'login.succeeded': 'Signed in',
  'login.failed': 'Sign-in refused',
  'session.ended': 'Session ended',
  'password.refused': 'Current password was wrong',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset by the operator',
  'user.created': 'User made',
  'user.disabled': 'User disabled by the operator',
  'user.enabled': 'User enabled by the operator',
  'command.run': 'Command run by the operator',
  'right.refused': 'Right refused',
  'team.renamed': 'Team renamed',
  'team.alerts_changed': 'Alerts of the team changed',
  'member.added': 'Member added',
  'member.changed': 'Rights of a member changed',
  'member.removed': 'Member removed',
  'invitation.created': 'Invitation made',
  'invitation.revoked': 'Invitation revoked',
  'wallet.created': 'Wallet made',
  'wallet.changed': 'Wallet changed',
  'wallet.frozen': 'Wallet frozen by the operator',
  'wallet.unfrozen': 'Freeze by the operator ended',
  'api_key.regenerated': 'API key regenerated',
  'address.created': 'Deposit address made',
  'deposit.assigned': 'Deposit assigned',
  'policy.changed': 'Policy changed',
  'policy.change_revoked': 'Pending policy change revoked',
  'withdrawal.requested': 'Withdrawal requested',
  'asset.added': 'Asset added',
  'asset.removed': 'Asset removed',
  'endpoint.registered': 'Webhook endpoint registered',
  'endpoint.changed': 'Webhook endpoint changed',
  'endpoint.deleted': 'Webhook endpoint deleted',
  'endpoint.secret_rotated': 'Signing secret replaced',
  'endpoint.tested': 'Test event sent',
  'delivery.repeated': 'Delivery sent again',
  'deliveries.replayed': 'Deliveries sent again',
};

export const ACTIONS = Object.keys(ACTION_WORDS) as AuditAction[];

/** A later version of the service may record actions that this page does not know. */
export function actionInWords(action: string): string {
  return action in ACTION_WORDS ? ACTION_WORDS[action as AuditAction] : action;
}
