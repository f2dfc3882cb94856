import type { LoginOperation } from '../../api/me.ts';
import { isolated } from '../../text/isolate.ts';
import { pageLinks } from '../navigation.tsx';
import { ACTIONS } from './actions.ts';
import type { Entry } from './entry.ts';

/** `wallet`: the one whose pages are meant, if any. */
type Place = {
  wallet: { id: string; name: string } | undefined;
  may: (needed: LoginOperation) => boolean;
};

/** Returns the actions and pages that the role may use and that have all words of the text. */
export function ownEntries(text: string, { wallet, may }: Place): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = (known: string) => words.every((word) => known.toLowerCase().includes(word));
  const walletId = wallet?.id ?? '';
  const detailOf = (of_wallet: boolean) => (of_wallet && wallet ? isolated(wallet.name) : '');
  const actions = ACTIONS.filter(
    ({ needed, of, label, also }) =>
      may(needed) && (of === 'team' || wallet !== undefined) && isMeant(`${label} ${also}`),
  ).map(({ label, of, icon, target }) => ({
    key: `action ${label}`,
    group: 'Actions',
    label,
    detail: detailOf(of === 'wallet'),
    icon,
    target: target(walletId),
  }));
  // To withdraw is an action.
  const pages = pageLinks(wallet?.id, may)
    .filter(({ label }) => label !== 'Withdraw' && isMeant(label))
    .map(({ to, label, icon }) => ({
      key: `page ${to}`,
      group: 'Pages',
      label,
      detail: detailOf(to.includes('$walletId')),
      icon,
      target: { link: { to, params: { walletId } } },
    }));
  return [...actions, ...pages];
}
