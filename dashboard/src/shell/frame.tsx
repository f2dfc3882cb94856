import { ActionIcon, Anchor, AppShell, Burger, Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import {
  IconListSearch,
  IconLogout,
  IconShieldLock,
  IconUserCheck,
  IconUserCircle,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, api } from '../api/client.ts';
import { useMay, useMe } from '../api/me.ts';
import { useSession } from '../api/session.ts';
import { ApprovalsBadge } from '../pages/approvals/approvals-badge.tsx';
import { isolated } from '../text/isolate.ts';
import { ROLE_WORDS } from '../text/roles.ts';
import { ColorSchemeItems } from './color-scheme-items.tsx';
import { forgetUser } from './forget-user.ts';
import icon from './icon.svg';
import { UnreachableNotice } from './unreachable-notice.tsx';
import { WalletMenu } from './wallet-menu.tsx';
import { WalletNavigation } from './wallet-navigation.tsx';

/** The header's menus open above the navigation. */
const ABOVE_NAVBAR = 102;

/** Header, navigation and page. `children`: in place of the page of the route. */
export function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  const { walletId } = useParams({ strict: false });
  const [opened, { toggle, close }] = useDisclosure();
  const navbar = {
    width: 232,
    breakpoint: 'sm',
    collapsed: { mobile: !opened, desktop: !walletId },
  } as const;
  return (
    <AppShell header={{ height: 60 }} {...(walletId ? { navbar } : {})} padding={{ base: 'md', md: 'xl' }}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <AppShell.Header px="md" zIndex={ABOVE_NAVBAR}>
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group wrap="nowrap" gap="sm" miw={0}>
            {walletId && (
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label="Navigation"
                aria-expanded={opened}
              />
            )}
            <Anchor
              renderRoot={(props) => <Link to="/wallets" {...props} />}
              underline="never"
              c="inherit"
              aria-label="Stellar Teller, all wallets"
              // A narrow header shows the wallet menu instead, which also leads to all wallets.
              {...(walletId ? { visibleFrom: 'sm' } : {})}
            >
              <Group gap="xs" wrap="nowrap">
                <img src={icon} alt="" width={28} height={28} />
                <Text fw={650} visibleFrom="sm">
                  Stellar Teller
                </Text>
              </Group>
            </Anchor>
            {walletId && <WalletMenu walletId={walletId} />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            {!walletId && <MainNavigation />}
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {walletId && (
        <AppShell.Navbar p="sm" aria-label="Wallet" data-closed={!opened || undefined}>
          <WalletNavigation walletId={walletId} onNavigate={close} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="page" tabIndex={-1}>
        <UnreachableNotice />
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

/** On the pages that belong to no wallet. A phone has the same in the menu of the user. */
function MainNavigation() {
  const may = useMay();
  const pages = MAIN_PAGES.filter(({ to }) => to !== '/audit' || may('listAuditEntries'));
  return (
    <Group component="nav" aria-label="Main" gap={4} visibleFrom="sm">
      {pages.map(({ to, label }) => (
        <Button
          key={to}
          variant="subtle"
          color="gray"
          size="compact-md"
          renderRoot={(props) => <Link to={to} {...props} />}
        >
          {label}
          {to === '/approvals' && <ApprovalsBadge />}
        </Button>
      ))}
    </Group>
  );
}

const MAIN_PAGES = [
  { to: '/wallets', label: 'Wallets' },
  { to: '/approvals', label: 'Approvals' },
  { to: '/team', label: 'Team' },
  { to: '/audit', label: 'Audit log' },
] as const;

/** Only the service can make the browser forget the cookie. */
function tellOfOpenSession(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return; // it had ended already
  notifications.show({
    color: 'red',
    autoClose: false,
    title: 'The service was not told that you signed out',
    message: 'It could not be reached. Sign in and sign out again, or close the browser.',
  });
}

function UserMenu() {
  const current = useSession();
  const me = useMe();
  const may = useMay();
  const navigate = useNavigate();

  async function signOut() {
    // Not awaited: all tabs forget the user even if the service cannot be reached.
    void api('logout', {}).catch(tellOfOpenSession);
    forgetUser();
    await navigate({ to: '/login' });
  }

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Your account">
          <IconUserCircle size={22} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>
          {current?.user.email}
          {me && (
            <Text span inherit display="block">
              {ROLE_WORDS[me.role].label} of {isolated(me.team.name)}
            </Text>
          )}
        </Menu.Label>
        <Menu.Item
          leftSection={<IconWallet size={16} />}
          renderRoot={(props) => <Link to="/wallets" {...props} />}
        >
          All wallets
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUserCheck size={16} />}
          rightSection={<ApprovalsBadge />}
          renderRoot={(props) => <Link to="/approvals" {...props} />}
        >
          Approvals
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUsers size={16} />}
          renderRoot={(props) => <Link to="/team" {...props} />}
        >
          Team
        </Menu.Item>
        {may('listAuditEntries') && (
          <Menu.Item
            leftSection={<IconListSearch size={16} />}
            renderRoot={(props) => <Link to="/audit" {...props} />}
          >
            Audit log
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconUserCircle size={16} />}
          renderRoot={(props) => <Link to="/account" {...props} />}
        >
          Account and password
        </Menu.Item>
        <Menu.Item
          leftSection={<IconShieldLock size={16} />}
          renderRoot={(props) => <Link to="/security" {...props} />}
        >
          Security
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
