/** Pure: the roles in words. */
import type { Role } from '../api/contract.ts';

/** Each role with what it may do, from the most rights to the fewest. */
export const ROLE_WORDS: Record<Role, { label: string; may: string }> = {
  owner: { label: 'Owner', may: 'May do everything, and manages all members.' },
  admin: { label: 'Admin', may: 'May do everything, but cannot manage owners.' },
  operator: {
    label: 'Operator',
    may: 'Withdraws, refunds and assigns deposits, and creates deposit addresses.',
  },
  approver: {
    label: 'Approver',
    may: 'Approves or rejects what others ask for. Cannot pay.',
  },
  developer: { label: 'Developer', may: 'Manages API keys, webhooks and deposit addresses. Cannot pay.' },
  auditor: {
    label: 'Auditor',
    may: 'Sees the wallets with all their records, and the audit log. Changes nothing.',
  },
  viewer: { label: 'Viewer', may: 'Sees the wallets with all their records. Changes nothing.' },
};

/** `Owner, admin and operator`. */
export function rolesInWords(roles: readonly Role[]): string {
  const labels = roles.map((role, index) =>
    index === 0 ? ROLE_WORDS[role].label : ROLE_WORDS[role].label.toLowerCase(),
  );
  return labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}
