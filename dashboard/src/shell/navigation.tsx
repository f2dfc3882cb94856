import { AppShell, Badge, Box, NavLink, Text } from '@mantine/core';
import {
  IconAddressBook,
  IconArrowsExchange,
  IconArrowUpRight,
  IconAt,
  IconCode,
  IconCoins,
  IconFileSpreadsheet,
  IconHome,
  IconInbox,
  IconListSearch,
  IconLock,
  IconShieldLock,
  IconUserCheck,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { WalletHealth } from '../api/contract.ts';
import { type LoginOperation, useMay } from '../api/me.ts';
import { waitingIn } from '../api/unattributed.ts';
import { healthQuery, walletQuery } from '../api/wallets.ts';
import { ApprovalsBadge } from '../pages/approvals/approvals-badge.tsx';
import { SearchButton } from './search-button.tsx';
import { useShownWallet } from './shown-wallet.ts';
import { WalletMenu } from './wallet-menu.tsx';

const MONEY = [
  { to: '/wallets/$walletId', label: 'Overview', icon: IconHome },
  { to: '/wallets/$walletId/transactions', label: 'Transactions', icon: IconArrowsExchange },
  { to: '/wallets/$walletId/inbox', label: 'Inbox', icon: IconInbox },
  { to: '/wallets/$walletId/payouts', label: 'Payouts', icon: IconFileSpreadsheet },
  { to: '/wallets/$walletId/withdraw', label: 'Withdraw', icon: IconArrowUpRight },
] as const;
const CUSTOMERS = [{ to: '/wallets/$walletId/addresses', label: 'Deposit addresses', icon: IconAt }] as const;
const RULES = [
  { to: '/wallets/$walletId/assets', label: 'Assets', icon: IconCoins },
  { to: '/wallets/$walletId/policies', label: 'Policies', icon: IconShieldLock },
] as const;
const INTEGRATION = [{ to: '/wallets/$walletId/developers', label: 'Developers', icon: IconCode }] as const;
const TEAM = [
  { to: '/wallets', label: 'All wallets', icon: IconWallet },
  { to: '/approvals', label: 'Approvals', icon: IconUserCheck },
  { to: '/payees', label: 'Payees', icon: IconAddressBook },
  { to: '/team', label: 'Members', icon: IconUsers },
  { to: '/audit', label: 'Audit log', icon: IconListSearch },
  { to: '/security', label: 'Security', icon: IconLock },
] as const;

export type PageLink = (
  | typeof MONEY
  | typeof CUSTOMERS
  | typeof RULES
  | typeof INTEGRATION
  | typeof TEAM
)[number];
type Label = PageLink['label'];

/** A member who may not do this has no use for the page. */
const NEEDED: Partial<Record<Label, LoginOperation>> = {
  Withdraw: 'createWithdrawal',
  'Audit log': 'listAuditEntries',
};

/** Returns the links to pages that the role has a use for; those of a wallet only if there is one. */
export function pageLinks(
  walletId: string | undefined,
  may: (needed: LoginOperation) => boolean,
): PageLink[] {
  const ofWallet = walletId === undefined ? [] : [...MONEY, ...CUSTOMERS, ...RULES, ...INTEGRATION];
  return [...ofWallet, ...TEAM].filter((page) => isUseful(page, may));
}

function isUseful({ label }: PageLink, may: (needed: LoginOperation) => boolean): boolean {
  const needed = NEEDED[label];
  return needed === undefined || may(needed);
}

type NavigationProps = { onNavigate: () => void; onSearch: () => void };

/** Leads to every page: those of one wallet and those of the team. `onNavigate`: after a click. */
export function Navigation({ onNavigate, onSearch }: NavigationProps) {
  const isOfWallet = useParams({ strict: false }).walletId !== undefined;
  const walletId = useShownWallet();
  return (
    <>
      {/* On a phone the header has the menu of the page's wallet. */}
      <AppShell.Section pb="xs" {...(isOfWallet && { visibleFrom: 'sm' })}>
        <WalletMenu walletId={walletId} />
      </AppShell.Section>
      {/* A phone has its button in the header. */}
      <AppShell.Section pb="xs" visibleFrom="sm">
        <SearchButton onSearch={onSearch} />
      </AppShell.Section>
      <AppShell.Section grow style={{ overflowY: 'auto' }}>
        {walletId && <WalletPages walletId={walletId} onNavigate={onNavigate} />}
        <Links label="Team" pages={TEAM} counts={{ Approvals: <ApprovalsBadge /> }} onNavigate={onNavigate} />
      </AppShell.Section>
    </>
  );
}

const EVERY_MS = 5_000;

function WalletPages({ walletId, onNavigate }: { walletId: string; onNavigate: () => void }) {
  // All that shows the health of this wallet is refreshed by this.
  const { data: wallet } = useQuery(walletQuery(walletId));
  // A wallet that was not found has no health to ask for.
  const enabled = wallet !== undefined;
  const { data: health } = useQuery({ ...healthQuery(walletId), enabled, refetchInterval: EVERY_MS });
  const of = { walletId, onNavigate };
  return (
    <>
      <Links label="Money" pages={MONEY} counts={health && { Inbox: countOfInbox(health) }} {...of} />
      <Links label="Customers" pages={CUSTOMERS} {...of} />
      <Links label="Rules" pages={RULES} {...of} />
      <Links
        label="Integration"
        pages={INTEGRATION}
        counts={health && { Developers: countOfFailing(health) }}
        {...of}
      />
    </>
  );
}

function countOfInbox({ inbox }: WalletHealth): ReactNode {
  const { count, isCut } = waitingIn(inbox);
  if (count === 0) return null;
  const words = `${count}${isCut ? '+' : ''}`;
  return (
    <Badge color="gray" size="sm" aria-label={`${words} unattributed`}>
      {words}
    </Badge>
  );
}

function countOfFailing({ webhooks: { failing, disabled } }: WalletHealth): ReactNode {
  const count = failing + disabled;
  if (count === 0) return null;
  return (
    <Badge color="red" size="sm" aria-label={`${count} without deliveries`}>
      {count} failing
    </Badge>
  );
}

type LinksProps = {
  label: string;
  pages: readonly PageLink[];
  /** Shown beside the links. */
  counts?: Partial<Record<Label, ReactNode>> | undefined;
  walletId?: string;
  onNavigate: () => void;
};

function Links({ label, pages, counts = {}, walletId = '', onNavigate }: LinksProps) {
  const id = useId();
  const { pathname } = useLocation();
  const may = useMay();
  const shown = pages.filter((page) => isUseful(page, may));
  return (
    <Box role="group" aria-labelledby={id} mb="xs">
      <Text id={id} size="xs" fw={600} c="dimmed" px="sm" py={2}>
        {label}
      </Text>
      {shown.map((page) => {
        const active = isOpen(page, page.to.replace('$walletId', walletId), pathname);
        return (
          <NavLink
            key={page.to}
            label={page.label}
            leftSection={<page.icon size={18} stroke={1.6} />}
            rightSection={counts[page.label]}
            active={active}
            variant="light"
            py={6}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
            onClick={onNavigate}
            aria-current={active ? 'page' : undefined}
            // Without `exact` the router would call the overview active on every page of the wallet.
            renderRoot={(props) => (
              <Link to={page.to} params={{ walletId }} activeOptions={{ exact: true }} {...props} />
            )}
          />
        );
      })}
    </Box>
  );
}

/** Returns whether the page, or one below it, such as one address or one deposit, is open. */
function isOpen({ label }: PageLink, path: string, pathname: string): boolean {
  if (pathname === path) return true;
  if (label === 'Overview' || label === 'All wallets') return false;
  if (label === 'Transactions' && TRANSACTION.test(pathname)) return true;
  return pathname.startsWith(`${path}/`);
}

const TRANSACTION = /\/(deposits|withdrawals|adjustments)\/[^/]+$/;
