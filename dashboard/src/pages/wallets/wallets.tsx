import { Button, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearch, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Wallet } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { walletsQuery } from '../../api/wallets.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { CreateWallet } from './create-wallet.tsx';
import { WalletCard } from './wallet-card.tsx';

/** From this many wallets on, the list has a search field. */
const MANY = 7;

export function Wallets() {
  const wallets = useQuery(walletsQuery);
  const [creating, create] = useDisclosure();
  const newWallet = useMay()('createWallet') && (
    <Button leftSection={<IconPlus size={16} />} onClick={create.open}>
      New wallet
    </Button>
  );
  const none = wallets.data?.items.length === 0;
  return (
    <Page
      title="Wallets"
      description="Each wallet is one account on the Stellar network, with its own API key."
      actions={none ? null : newWallet}
    >
      <Loaded query={wallets}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconWallet} title="No wallets yet">
              <Text size="sm" mb="md">
                A wallet holds the funds of one account, gives your customers deposit addresses and pays
                withdrawals.{newWallet === false && ' Owners and admins of the team create wallets.'}
              </Text>
              {newWallet}
            </EmptyState>
          ) : (
            <WalletList wallets={items} />
          )
        }
      </Loaded>
      {creating && <CreateWallet onClose={create.close} />}
    </Page>
  );
}

function WalletList({ wallets }: { wallets: Wallet[] }) {
  const [sought, setSought] = useState('');
  const words = sought.trim().toLowerCase();
  const found = wallets.filter(
    ({ name, account, id }) =>
      name.toLowerCase().includes(words) || account.toLowerCase().includes(words) || id === words,
  );
  return (
    <>
      {wallets.length >= MANY && (
        <TextInput
          type="search"
          aria-label="Find a wallet"
          placeholder="Name or account"
          leftSection={<IconSearch size={16} />}
          maw={360}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      {found.length === 0 && <Text c="dimmed">No wallet has “{sought}” in its name or account.</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {found.map((wallet) => (
          <li key={wallet.id}>
            <WalletCard wallet={wallet} />
          </li>
        ))}
      </SimpleGrid>
    </>
  );
}
