/**
 * The one table of who may do what. The guard of the routes, `x-roles` of the OpenAPI document and a test over every
 * operation and role read it. An API key has no role: what it may do is the `access` of the route.
 */
export const ROLES = ['owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE: readonly Role[] = ROLES;
const OWNERS: readonly Role[] = ['owner', 'admin'];
const AUDITORS: readonly Role[] = ['owner', 'admin', 'auditor'];
const PAYERS: readonly Role[] = ['owner', 'admin', 'operator'];
const REVIEWERS: readonly Role[] = ['owner', 'admin', 'operator', 'approver'];
const INTEGRATORS: readonly Role[] = ['owner', 'admin', 'developer'];
const ADDRESSERS: readonly Role[] = ['owner', 'admin', 'operator', 'developer'];

/** By operation id. Every operation that a login can call is here: the start fails when one is missing. */
export const ROLES_OF: Readonly<Record<string, readonly Role[]>> = {
  // the caller's own login
  logout: EVERYONE,
  getMe: EVERYONE,
  changePassword: EVERYONE,
  // the team
  getTeam: EVERYONE,
  changeTeam: OWNERS,
  listMembers: EVERYONE,
  addMember: OWNERS,
  changeMember: OWNERS,
  removeMember: EVERYONE, // everyone may leave; `removeMember` refuses others to who is no owner or admin
  listInvitations: OWNERS,
  createInvitation: OWNERS,
  revokeInvitation: OWNERS,
  listAuditEntries: AUDITORS,
  getAlerts: AUDITORS,
  replaceAlerts: OWNERS,
  rotateAlertSecret: OWNERS,
  // wallets
  createWallet: OWNERS,
  changeWallet: OWNERS,
  listWallets: EVERYONE,
  getWallet: EVERYONE,
  listBalances: EVERYONE,
  listTransactions: EVERYONE,
  getStatistics: EVERYONE,
  getWalletHealth: EVERYONE,
  getReconciliation: EVERYONE,
  explainTransaction: EVERYONE,
  regenerateApiKey: INTEGRATORS,
  getApiKey: EVERYONE,
  // deposits
  createDepositAddress: ADDRESSERS,
  listDepositAddresses: EVERYONE,
  getDepositAddress: EVERYONE,
  listDeposits: EVERYONE,
  getDeposit: EVERYONE,
  getAdjustment: EVERYONE,
  listDepositDeliveries: EVERYONE,
  assignDeposit: PAYERS,
  refundDeposit: PAYERS,
  // withdrawals, and the assets that a wallet holds
  createWithdrawal: PAYERS,
  previewWithdrawal: REVIEWERS,
  listWithdrawals: EVERYONE,
  getWithdrawal: EVERYONE,
  listAssets: EVERYONE,
  getAsset: EVERYONE,
  addAsset: OWNERS,
  removeAsset: OWNERS,
  // limits
  getPolicy: EVERYONE,
  replacePolicy: OWNERS,
  changePolicy: OWNERS,
  revokePolicyChange: OWNERS,
  // webhooks
  registerWebhook: INTEGRATORS,
  listWebhooks: EVERYONE,
  getWebhook: EVERYONE,
  updateWebhook: INTEGRATORS,
  deleteWebhook: INTEGRATORS,
  rotateWebhookSecret: INTEGRATORS,
  listWebhookDeliveries: EVERYONE,
  getWebhookDelivery: EVERYONE,
  testWebhook: INTEGRATORS,
  redeliverWebhook: INTEGRATORS,
  replayWebhook: INTEGRATORS,
  listEvents: EVERYONE,
  // the sandbox's own money
  payOnSandbox: ADDRESSERS,
};

/** Which roles a member with this role may give and take: an admin is no way to become an owner. */
export function mayManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}

/** Members with these roles use every wallet of the team, also those that are made later. */
export function usesAllWallets(role: Role): boolean {
  return OWNERS.includes(role);
}
