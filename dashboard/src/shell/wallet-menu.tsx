import { Button, Group, Menu, ScrollArea, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconCheck, IconChevronDown, IconPlus, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/me.ts';
import { walletQuery, walletsQuery } from '../api/wallets.ts';
import { NetworkBadge } from '../components/network-badge.tsx';
import { WalletStates } from '../pages/wallets/wallet-states.tsx';

/** The current wallet and its network; its menu leads to the other wallets. */
export function WalletMenu({ walletId }: { walletId: string }) {
  const { data: wallet } = useQuery(walletQuery(walletId));
  const { data: wallets } = useQuery(walletsQuery);
  const mayCreate = useMay()('createWallet');
  return (
    <Group gap="xs" wrap="nowrap" miw={0} className="which-wallet">
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button
            className="wallet"
            variant="default"
            size="sm"
            maw="min(100%, 260px)"
            px={{ base: 10, sm: 'md' }}
            rightSection={<IconChevronDown size={16} />}
            aria-label={`Wallet ${wallet?.name ?? ''}, switch`}
          >
            <Text truncate size="sm" fw={550}>
              {wallet?.name ?? '…'}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ScrollArea.Autosize mah={320}>
            {wallets?.items.map(({ id, name }) => (
              <Menu.Item
                key={id}
                rightSection={id === walletId ? <IconCheck size={16} aria-label="current wallet" /> : null}
                renderRoot={(props) => <Link to="/wallets/$walletId" params={{ walletId: id }} {...props} />}
              >
                <NameAndStates walletId={id} name={name} />
              </Menu.Item>
            ))}
          </ScrollArea.Autosize>
          <Menu.Divider />
          <Menu.Item
            leftSection={mayCreate ? <IconPlus size={16} /> : <IconWallet size={16} />}
            renderRoot={(props) => <Link to="/wallets" {...props} />}
          >
            {mayCreate ? 'All wallets, create a wallet' : 'All wallets'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {wallet && <NetworkBadge network={wallet.network} />}
    </Group>
  );
}

/** Of hundreds of wallets only those in sight are asked about. */
function NameAndStates({ walletId, name }: { walletId: string; name: string }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  return (
    <span ref={ref}>
      {name} <WalletStates walletId={walletId} visible={inViewport} />
    </span>
  );
}
