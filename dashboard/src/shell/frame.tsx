import { ActionIcon, Anchor, AppShell, Box, Burger, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconLogout, IconSearch, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { ApiError, api } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { serviceQuery } from '../api/service.ts';
import { useSession } from '../api/session.ts';
import { NetworkBadge } from '../components/network-badge.tsx';
import { isolated } from '../text/isolate.ts';
import { ROLE_WORDS } from '../text/roles.ts';
import { ColorSchemeItems } from './color-scheme-items.tsx';
import { forgetUser } from './forget-user.ts';
import icon from './icon.svg';
import { Navigation } from './navigation.tsx';
import { Palette, Shortcuts } from './palette/lazy.ts';
import { useAsked } from './palette/use-asked.ts';
import { UnreachableNotice } from './unreachable-notice.tsx';
import { WalletMenu } from './wallet-menu.tsx';
import { WalletsNotice } from './wallets-notice.tsx';

/** The header's menus open above the navigation. */
const ABOVE_NAVBAR = 102;

/** Header, navigation and page. `children`: in place of the page of the route. */
export function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  const { walletId } = useParams({ strict: false });
  const [opened, { toggle, close }] = useDisclosure();
  const { data: service } = useQuery(serviceQuery);
  const [asked, ask] = useAsked();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <AppShell.Header px="md" zIndex={ABOVE_NAVBAR}>
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group wrap="nowrap" gap="sm" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <Anchor
              renderRoot={(props) => <Link to="/wallets" {...props} />}
              underline="never"
              c="inherit"
              aria-label="Stellar Teller, all wallets"
              // A narrow header has no room for it beside the menu of the wallet.
              {...(walletId ? { visibleFrom: 'sm' } : {})}
            >
              <Group gap="xs" wrap="nowrap">
                <img src={icon} alt="" width={28} height={28} />
                <Text fw={650}>Stellar Teller</Text>
              </Group>
            </Anchor>
            {walletId && (
              <Box hiddenFrom="sm" miw={0}>
                <WalletMenu walletId={walletId} />
              </Box>
            )}
            {service && <NetworkBadge network={service.network} />}
          </Group>
          <Group wrap="nowrap" gap={4}>
            <ActionIcon
              hiddenFrom="sm"
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Search"
              onClick={() => ask('search')}
            >
              <IconSearch size={20} />
            </ActionIcon>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main" data-closed={!opened || undefined}>
        <Navigation onNavigate={close} onSearch={() => ask('search')} />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <UnreachableNotice />
        {walletId === undefined && <WalletsNotice />}
        {children}
      </AppShell.Main>
      {asked && (
        <Suspense>
          {asked === 'search' ? (
            <Palette onShortcuts={() => ask('shortcuts')} onClose={() => ask(null)} />
          ) : (
            <Shortcuts onClose={() => ask(null)} />
          )}
        </Suspense>
      )}
    </AppShell>
  );
}

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
