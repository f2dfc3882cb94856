/** Pure: the roles in words. */
import type { Role } from '../api/contract.ts';

type RoleWords = { label: string; may: string; you: string };

/** Each role with what a member with it may do, also as it is said to that member, from the most rights to the fewest. */
export const ROLE_WORDS: Record<Role, RoleWords> = {
  owner: {
    label: 'Owner',
    may: 'May do everything, and manages all members.',
    you: 'You can do everything, and manage all members.',
  },
  admin: {
    label: 'Admin',
    may: 'May do everything, but cannot manage owners.',
    you: 'You can do everything, but you cannot manage owners.',
  },
  operator: {
    label: 'Operator',
    may: 'Withdraws, refunds and assigns deposits, and creates deposit addresses.',
    you: 'You can withdraw, refund and assign deposits, and create deposit addresses.',
  },
  approver: {
    label: 'Approver',
    may: 'Approves or rejects what others ask for. Cannot pay.',
    you: 'You can approve or reject what others ask for. You cannot pay.',
  },
  developer: {
    label: 'Developer',
    may: 'Manages API keys, webhooks and deposit addresses. Cannot pay.',
    you: 'You can manage API keys, webhooks and deposit addresses. You cannot pay.',
  },
  auditor: {
    label: 'Auditor',
    may: 'Sees the wallets with all their records, and the audit log. Changes nothing.',
    you: 'You can see the wallets with all their records, and the audit log. You cannot change anything.',
  },
  viewer: {
    label: 'Viewer',
    may: 'Sees the wallets with all their records. Changes nothing.',
    you: 'You can see the wallets with all their records. You cannot change anything.',
  },
};

/** `Owner, admin and operator`. */
export function rolesInWords(roles: readonly Role[]): string {
  const labels = roles.map((role, index) =>
    index === 0 ? ROLE_WORDS[role].label : ROLE_WORDS[role].label.toLowerCase(),
  );
  return labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}
