/**
 * The one table of who may do what. The guard of the routes, `x-roles` of the OpenAPI document and a test over every
 * operation and role read it. An API key has no role: what it may do is the `access` of the route.
 */
export const ROLES = ['owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE: readonly Role[] = ROLES;
const OWNERS: readonly Role[] = ['owner', 'admin'];
const AUDITORS: readonly Role[] = ['owner', 'admin', 'auditor'];
export const PAYERS: readonly Role[] = ['owner', 'admin', 'operator'];
const REVIEWERS: readonly Role[] = ['owner', 'admin', 'operator', 'approver'];
/** They hold no second vote: who asks for something never approves it (approvers.ts). */
export const APPROVERS: readonly Role[] = ['owner', 'admin', 'approver'];
/** Who may ask for a change of access or decide about one; a rejection of one’s own request takes it back. */
const REQUESTERS: readonly Role[] = ['owner', 'admin', 'approver', 'developer'];
const INTEGRATORS: readonly Role[] = ['owner', 'admin', 'developer'];
const ADDRESSERS: readonly Role[] = ['owner', 'admin', 'operator', 'developer'];

/** By operation id. Every operation that a login can call is here: the start fails when one is missing. */
export const ROLES_OF: Readonly<Record<string, readonly Role[]>> = {
  // the caller's own login
  logout: EVERYONE,
  getMe: EVERYONE,
  changePassword: EVERYONE,
  listSessions: EVERYONE,
  getSession: EVERYONE,
  endSession: EVERYONE,
  endOtherSessions: EVERYONE,
  renewToken: EVERYONE,
  stepUp: EVERYONE,
  beginPasskeyStepUp: EVERYONE,
  getFactors: EVERYONE,
  beginTotp: EVERYONE,
  confirmTotp: EVERYONE,
  beginPasskey: EVERYONE,
  addPasskey: EVERYONE,
  renameFactor: EVERYONE,
  removeFactor: EVERYONE,
  replaceRecoveryCodes: EVERYONE,
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
  listServiceUsers: OWNERS,
  getServiceUser: OWNERS,
  createServiceUser: OWNERS,
  changeServiceUser: OWNERS,
  removeServiceUser: OWNERS,
  addServiceUserSecret: OWNERS,
  retireServiceUserSecret: OWNERS,
  getAccessChange: EVERYONE,
  approveAccessChange: APPROVERS,
  rejectAccessChange: REQUESTERS,
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
  listApiKeys: EVERYONE,
  createApiKey: INTEGRATORS,
  deleteApiKey: INTEGRATORS,
  // deposits
  createDepositAddress: ADDRESSERS,
  changeDepositAddress: ADDRESSERS,
  listDepositAddresses: EVERYONE,
  getDepositAddress: EVERYONE,
  listDeposits: EVERYONE,
  getDeposit: EVERYONE,
  getAdjustment: EVERYONE,
  listDepositDeliveries: EVERYONE,
  getDepositMinimums: EVERYONE,
  replaceDepositMinimums: OWNERS,
  assignDeposit: PAYERS,
  refundDeposit: PAYERS,
  // withdrawals, and the assets that a wallet holds
  createWithdrawal: PAYERS,
  previewWithdrawal: REVIEWERS,
  listWithdrawals: EVERYONE,
  getWithdrawal: EVERYONE,
  previewApproval: REVIEWERS,
  approveWithdrawal: APPROVERS,
  rejectWithdrawal: REVIEWERS, // its requester takes it back so; `checkDecision` refuses others without the right
  listApprovals: EVERYONE,
  listAssets: EVERYONE,
  getAsset: EVERYONE,
  addAsset: OWNERS,
  removeAsset: OWNERS,
  // limits
  getPolicy: EVERYONE,
  replacePolicy: OWNERS,
  changePolicy: OWNERS,
  revokePolicyChange: OWNERS,
  approvePolicyChange: APPROVERS,
  rejectPolicyChange: APPROVERS,
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

/**
 * What no service user may do, whatever its role: a program must not make access that outlives its own.
 */
export const FOR_PEOPLE: ReadonlySet<string> = new Set([
  'changePassword',
  'listSessions',
  'getSession',
  'endSession',
  'endOtherSessions',
  'renewToken',
  'stepUp',
  'beginPasskeyStepUp',
  'getFactors',
  'beginTotp',
  'confirmTotp',
  'beginPasskey',
  'addPasskey',
  'renameFactor',
  'removeFactor',
  'replaceRecoveryCodes',
  'changeTeam',
  'addMember',
  'changeMember',
  'removeMember',
  'createInvitation',
  'revokeInvitation',
  'replaceAlerts',
  'rotateAlertSecret',
  'createServiceUser',
  'changeServiceUser',
  'removeServiceUser',
  'addServiceUserSecret',
  'retireServiceUserSecret',
  'rotateWebhookSecret',
  'replacePolicy',
  'changePolicy',
  'revokePolicyChange',
  'regenerateApiKey',
  'createApiKey',
  'approveWithdrawal',
  'rejectWithdrawal',
  'approvePolicyChange',
  'rejectPolicyChange',
  'approveAccessChange',
  'rejectAccessChange',
]);

/** The roles of service users. No owner: nobody could remove a program that is the last one. */
export const SERVICE_ROLES = ['admin', 'operator', 'approver', 'developer', 'auditor', 'viewer'] as const;

/** Which roles a member with this role may give and take: an admin is no way to become an owner. */
export function mayManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}

/** Whether these rights are for the wallet. `wallet_ids`: null for every wallet of the team. */
export function usesWallet({ wallet_ids }: { wallet_ids: string[] | null }, wallet_id: string): boolean {
  return wallet_ids?.includes(wallet_id) ?? true;
}

/** Members with these roles use every wallet of the team, also those that are made later. */
export function usesAllWallets(role: Role): boolean {
  return OWNERS.includes(role);
}
