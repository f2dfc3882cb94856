/** Roles of members, and the groups of roles that routes name: who may do an operation. An API key has no role. */
export const ROLES = ['owner', 'admin', 'operator', 'approver', 'developer', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const OWNERS: readonly Role[] = ['owner', 'admin'];
export const PAYERS: readonly Role[] = ['owner', 'admin', 'operator'];
/** They have no second vote: the requester never approves the own request (approvals/approvers.ts). */
export const APPROVERS: readonly Role[] = ['owner', 'admin', 'approver'];

const GROUPS = {
  everyone: ROLES,
  owners: OWNERS,
  auditors: ['owner', 'admin', 'auditor'],
  payers: PAYERS,
  reviewers: ['owner', 'admin', 'operator', 'approver'],
  approvers: APPROVERS,
  /** Who may ask for a change of access or decide about one; a rejection of one’s own request takes it back. */
  requesters: ['owner', 'admin', 'operator', 'approver', 'developer'],
  integrators: ['owner', 'admin', 'developer'],
  addressers: ['owner', 'admin', 'operator', 'developer'],
} as const satisfies Record<string, readonly Role[]>;

/** The `roles` of a route. */
export type RoleGroup = keyof typeof GROUPS;

export function rolesOf(group: RoleGroup): readonly Role[] {
  return GROUPS[group];
}

/** The roles of service users. No owner: nobody could remove a program that is the last one. */
export const SERVICE_ROLES = ['admin', 'operator', 'approver', 'developer', 'auditor', 'viewer'] as const;

/** Returns true when a member with this role may give and take the other role. An admin cannot make an owner, and so cannot become one. */
export function mayManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}

/** Returns true when these rights are for the wallet. `wallet_ids`: null for every wallet of the team. */
export function usesWallet({ wallet_ids }: { wallet_ids: string[] | null }, wallet_id: string): boolean {
  return wallet_ids?.includes(wallet_id) ?? true;
}

/** Returns true for a role whose members use every wallet of the team, also those that are made later. */
export function usesAllWallets(role: Role): boolean {
  return OWNERS.includes(role);
}
