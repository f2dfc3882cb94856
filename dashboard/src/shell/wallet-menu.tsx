import { Button, Menu, ScrollArea, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconCheck, IconPlus, IconSelector, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Wallet } from '../api/contract.ts';
import { useMay } from '../api/me.ts';
import { balancesQuery, useWallets, walletQuery } from '../api/wallets.ts';
import { Amount } from '../components/amount.tsx';
import { WalletStates } from '../pages/wallets/wallet-states.tsx';

/** From this many wallets on, the menu has a search field. */
const MANY = 8;

/** Names a wallet. Its menu leads to the other wallets, each with its balance and its state. Without an id it asks for a choice. */
export function WalletMenu({ walletId }: { walletId: string | undefined }) {
  const { data: wallet } = useQuery({ ...walletQuery(walletId ?? ''), enabled: walletId !== undefined });
  const wallets = useWallets();
  const [sought, setSought] = useState('');
  const mayCreate = useMay()('createWallet');
  const words = sought.trim().toLowerCase();
  const found = wallets.filter(({ name }) => name.toLowerCase().includes(words));
  return (
    <Menu position="bottom-start" width={300} onClose={() => setSought('')}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          fullWidth
          justify="space-between"
          px={10}
          rightSection={<IconSelector size={16} />}
          aria-label={walletId ? `Wallet ${wallet?.name ?? ''}, switch` : 'Choose a wallet'}
        >
          <Text truncate size="sm" fw={550}>
            {walletId ? (wallet?.name ?? '…') : 'Choose a wallet'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {wallets.length >= MANY && (
          <Menu.Search
            aria-label="Find a wallet"
            placeholder="Name of a wallet"
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={360}>
          {found.map((each) => (
            <Menu.Item
              key={each.id}
              rightSection={each.id === walletId ? <IconCheck size={16} aria-label="current wallet" /> : null}
              renderRoot={(props) => (
                <Link to="/wallets/$walletId" params={{ walletId: each.id }} {...props} />
              )}
            >
              <NameAndStates wallet={each} />
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        {found.length === 0 && wallets.length > 0 && <Menu.Label>No wallet has this in its name.</Menu.Label>}
        <Menu.Divider />
        <Menu.Item
          leftSection={mayCreate ? <IconPlus size={16} /> : <IconWallet size={16} />}
          renderRoot={(props) => <Link to="/wallets" {...props} />}
        >
          {mayCreate ? 'All wallets, create a wallet' : 'All wallets'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Of hundreds of wallets only those in sight are asked about. */
function NameAndStates({ wallet: { id, name } }: { wallet: Wallet }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const { data } = useQuery({ ...balancesQuery(id), enabled: inViewport });
  const native = data?.items.find(({ asset_issuer }) => asset_issuer === null);
  return (
    <span ref={ref}>
      {name} <WalletStates walletId={id} visible={inViewport} />
      <Text size="xs" c="dimmed" component="span" display="block" mih={18}>
        {native && <Amount stroops={native.amount_stroops} />}
      </Text>
    </span>
  );
}
