import { Divider, NavLink } from '@mantine/core';
import {
  IconArrowsExchange,
  IconArrowUpRight,
  IconAt,
  IconCode,
  IconCoins,
  IconFileSpreadsheet,
  IconHome,
  IconInbox,
  IconShieldLock,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useMay } from '../api/me.ts';
import { ApprovalsBadge } from '../pages/approvals/approvals-badge.tsx';

const PAGES = [
  { to: '/wallets/$walletId', label: 'Overview', icon: IconHome },
  { to: '/wallets/$walletId/transactions', label: 'Transactions', icon: IconArrowsExchange },
  { to: '/wallets/$walletId/inbox', label: 'Inbox', icon: IconInbox },
  { to: '/wallets/$walletId/addresses', label: 'Deposit addresses', icon: IconAt },
  { to: '/wallets/$walletId/withdraw', label: 'Withdraw', icon: IconArrowUpRight },
  { to: '/wallets/$walletId/payouts', label: 'Payouts', icon: IconFileSpreadsheet },
  { to: '/wallets/$walletId/assets', label: 'Assets', icon: IconCoins },
  { to: '/wallets/$walletId/policies', label: 'Policies', icon: IconShieldLock },
  { to: '/wallets/$walletId/developers', label: 'Developers', icon: IconCode },
] as const;

export function WalletNavigation({ walletId, onNavigate }: { walletId: string; onNavigate: () => void }) {
  const { pathname } = useLocation();
  const may = useMay();
  const pages = PAGES.filter(({ label }) => label !== 'Withdraw' || may('createWithdrawal'));
  const links = pages.map(({ to, label, icon: Icon }) => {
    const path = to.replace('$walletId', walletId);
    const active = pathname === path || isPartOf(label, path, pathname);
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
          // Every path begins with the overview's: without `exact` the overview would always be active.
          <Link to={to} params={{ walletId }} activeOptions={{ exact: label === 'Overview' }} {...props} />
        )}
      />
    );
  });
  return (
    <>
      {links}
      <Divider my="xs" />
      <NavLink
        label="Approvals"
        leftSection={<IconUserCheck size={18} stroke={1.6} />}
        rightSection={<ApprovalsBadge />}
        onClick={onNavigate}
        renderRoot={(props) => <Link to="/approvals" {...props} />}
      />
      <NavLink
        label="Team"
        leftSection={<IconUsers size={18} stroke={1.6} />}
        onClick={onNavigate}
        renderRoot={(props) => <Link to="/team" {...props} />}
      />
    </>
  );
}

/** Whether `pathname` is a page below the section, such as one address or one deposit. */
function isPartOf(label: string, path: string, pathname: string): boolean {
  if (label === 'Overview') return false;
  if (pathname.startsWith(`${path}/`)) return true;
  return label === 'Transactions' && /\/(deposits|withdrawals)\/[^/]+$/.test(pathname);
}
