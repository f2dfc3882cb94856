import { APPROVERS, type Role, rolesOf } from '../auth/teams/roles.ts';

/** Auditors read all of it in the audit log. */
const SEERS: readonly Role[] = [...APPROVERS, ...rolesOf('auditors')];

/**
 * Returns true for a role that may see changes of members and service users. These have e-mail and IP addresses, so they are shown only
 * to the members who decide about them or read them elsewhere.
 */
export function seesChangesOfMembers(role: Role): boolean {
  return SEERS.includes(role);
}
