/** Everything that the audit log records, by its name in the log. The values say when an entry is written. */
export const ACTIONS = {
  // signing in
  'login.succeeded': 'A user signed in; `known_device` is false at a device that is new to the user',
  'login.failed': 'An e-mail and password were refused; `kept_back_ms`: how long further attempts are',
  'session.ended': 'A session was ended',
  'password.refused': 'The current password was wrong at a change of the password',
  'password.changed': 'A user changed their password',
  'password.reset': 'The operator gave a user a new password',
  'user.created': 'A user was made',
  'user.disabled': 'The operator disabled a user',
  'user.enabled': 'The operator enabled a user',
  'command.run': 'The operator ran a command that changes the service',
  'right.refused': 'Somebody tried what their role or credential may not do',
  // teams
  'team.renamed': 'A team was renamed',
  'team.alerts_changed': 'The alerts of a team changed, or the service disabled their webhook',
  'member.added': 'A user became a member',
  'member.changed': 'The role or the wallets of a member changed',
  'member.removed': 'A member left or was removed',
  'invitation.created': 'An invitation was made',
  'invitation.revoked': 'An invitation was revoked',
  // wallets
  'wallet.created': 'A wallet was made',
  'wallet.changed': 'The name or a setting of a wallet changed',
  'wallet.frozen': 'The operator froze a wallet',
  'wallet.unfrozen': 'The operator ended a freeze',
  'api_key.regenerated': 'The main API key of a wallet was replaced',
  'address.created': 'A deposit address was made',
  'deposit.assigned': 'A deposit of the inbox was assigned to an address',
  'policy.changed': 'A policy changed, or a change of it was announced',
  'policy.change_revoked': 'An announced change of a policy was revoked',
  'withdrawal.requested': 'A withdrawal took its Idempotency-Key',
  'asset.added': 'The addition of a trust line was requested',
  'asset.removed': 'The removal of a trust line was requested',
  // webhooks
  'endpoint.registered': 'A webhook endpoint was registered',
  'endpoint.changed': 'A webhook endpoint changed',
  'endpoint.deleted': 'A webhook endpoint was deleted',
  'endpoint.secret_rotated': 'The signing secret of an endpoint was replaced',
  'endpoint.tested': 'A test event was sent to an endpoint',
  'delivery.repeated': 'A delivery was sent again',
  'deliveries.replayed': 'Deliveries since a time were sent again; one entry for each batch',
} as const;

export type Action = keyof typeof ACTIONS;
