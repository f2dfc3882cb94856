/** Pure: the role and the wallets of a member, in words and as the API takes them. */
import type { Role, Wallet } from '../../api/contract.ts';
import { mayManage, usesAllWallets } from '../../api/team.ts';
import { counted } from '../../text/counted.ts';
import { isolated } from '../../text/isolate.ts';
import { ROLE_WORDS } from '../../text/roles.ts';

export type Rights = { role: Role; wallet_ids: string[] | null };

/** What a form has so far. `role`: null until one is chosen. */
export type RightsChoice = { role: Role | null; wallet_ids: string[] | null };

/** Returns the rights that can be sent: an owner or admin uses every wallet. Null while a role or a wallet is missing. */
export function chosenRights({ role, wallet_ids }: RightsChoice): Rights | null {
  if (role === null) return null;
  if (usesAllWallets(role)) return { role, wallet_ids: null };
  return wallet_ids?.length === 0 ? null : { role, wallet_ids };
}

/** The roles that a member with this role may give. */
export function rolesFor(own: Role): Role[] {
  return (Object.keys(ROLE_WORDS) as Role[]).filter((role) => mayManage(own, role));
}

/** `All wallets`, or the names of those that the reader sees and the number of the others. */
export function walletsInWords(wallet_ids: string[] | null, wallets: Wallet[]): string {
  if (wallet_ids === null) return 'All wallets';
  const names = wallets.filter(({ id }) => wallet_ids.includes(id)).map(({ name }) => isolated(name));
  const others = wallet_ids.length - names.length;
  if (others > 0 && names.length === 0) return counted(others, 'wallet');
  return others > 0 ? `${names.join(', ')} and ${others} more` : names.join(', ');
}
