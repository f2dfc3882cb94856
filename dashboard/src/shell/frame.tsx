import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Group,
  Menu,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout, IconMoon, IconSun, IconUserCircle, IconWallet } from '@tabler/icons-react';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { session, useSession } from '../api/session.ts';
import { forgetTyped } from '../pages/withdraw/draft.ts';
import icon from './icon.svg';
import { UnreachableNotice } from './unreachable-notice.tsx';
import { WalletMenu } from './wallet-menu.tsx';
import { WalletNavigation } from './wallet-navigation.tsx';

/** The header's menus open above the navigation. */
const ABOVE_NAVBAR = 102;

/** Header, navigation and page. */
export function Frame() {
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
            <ColorSchemeButton />
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
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      onClick={() => setColorScheme(other)}
      aria-label={`Switch to ${other} mode`}
    >
      {scheme === 'dark' ? <IconSun size={20} /> : <IconMoon size={20} />}
    </ActionIcon>
  );
}

function UserMenu() {
  const current = useSession();
  const navigate = useNavigate();

  async function signOut() {
    // Not awaited: the token is forgotten here even if the service cannot be reached.
    void api('logout', {}).catch(() => undefined);
    session.end();
    forgetTyped();
    queryClient.clear();
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
        <Menu.Label>{current?.user.email}</Menu.Label>
        <Menu.Item
          leftSection={<IconWallet size={16} />}
          renderRoot={(props) => <Link to="/wallets" {...props} />}
        >
          All wallets
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUserCircle size={16} />}
          renderRoot={(props) => <Link to="/account" {...props} />}
        >
          Account and password
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
