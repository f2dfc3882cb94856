import { NavLink } from '@mantine/core';
import {
  IconArrowsExchange,
  IconArrowUpRight,
  IconAt,
  IconCode,
  IconHome,
  IconInbox,
  IconShieldLock,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';

const PAGES = [
  { to: '/wallets/$walletId', label: 'Overview', icon: IconHome },
  { to: '/wallets/$walletId/transactions', label: 'Transactions', icon: IconArrowsExchange },
  { to: '/wallets/$walletId/inbox', label: 'Inbox', icon: IconInbox },
  { to: '/wallets/$walletId/addresses', label: 'Deposit addresses', icon: IconAt },
  { to: '/wallets/$walletId/withdraw', label: 'Withdraw', icon: IconArrowUpRight },
  { to: '/wallets/$walletId/policies', label: 'Policies', icon: IconShieldLock },
  { to: '/wallets/$walletId/developers', label: 'Developers', icon: IconCode },
] as const;

export function WalletNavigation({ walletId, onNavigate }: { walletId: string; onNavigate: () => void }) {
  const { pathname } = useLocation();
  return PAGES.map(({ to, label, icon: Icon }) => {
    const path = to.replace('$walletId', walletId);
    const active = label === 'Overview' ? pathname === path : pathname.startsWith(path);
    return (
      <NavLink
        key={to}
        label={label}
        leftSection={<Icon size={18} stroke={1.6} />}
        active={active}
        variant="light"
        onClick={onNavigate}
        aria-current={active ? 'page' : undefined}
        renderRoot={(props) => (
          // Every page's path begins with that of the overview: the router must not take it for the page, too.
          <Link to={to} params={{ walletId }} activeOptions={{ exact: label === 'Overview' }} {...props} />
        )}
      />
    );
  });
}
