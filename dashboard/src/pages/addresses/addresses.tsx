import { Button, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconAt, IconPlus, IconSearch } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { InfiniteTable } from '../../components/infinite-table.tsx';
import { Page } from '../../components/page.tsx';
import { ADDRESS_COLUMNS, RECEIVED_DAYS } from './address-columns.tsx';
import { CreateAddress } from './create-address.tsx';

export function Addresses() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/addresses' });
  const [creating, create] = useDisclosure();
  const [typed, setTyped] = useState('');
  const [debounced] = useDebouncedValue(typed.trim(), 250);
  // A cleared search applies at once.
  const search = typed.trim() === '' ? '' : debounced;
  // A search has an order of its own: the newest address first.
  const chosen = search === '' ? { order: 'last_deposit' as const } : { search };
  const newAddress = useMay()('createDepositAddress') && (
    <Button leftSection={<IconPlus size={16} />} onClick={create.open}>
      New address
    </Button>
  );
  return (
    <Page
      title="Deposit addresses"
      description="One for each customer, by the last deposit. Every deposit to an address carries its metadata."
      actions={newAddress}
    >
      <TextInput
        type="search"
        aria-label="Search deposit addresses"
        placeholder="Label, address, memo id or metadata"
        leftSection={<IconSearch size={16} />}
        maxLength={100}
        maw={420}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <InfiniteTable
        label="Deposit addresses"
        queryKey={['wallet', walletId, 'addresses', search]}
        fetchPage={(page, given) =>
          api('listDepositAddresses', {
            id: walletId,
            query: { limit: 100, received_days: RECEIVED_DAYS, ...chosen, ...page },
            ...given,
          })
        }
        columns={ADDRESS_COLUMNS}
        empty={<NoAddresses search={search} create={newAddress} />}
      />
      {creating && <CreateAddress walletId={walletId} onClose={create.close} />}
    </Page>
  );
}

function NoAddresses({ search, create }: { search: string; create: ReactNode }) {
  if (search !== '')
    return (
      <EmptyState icon={IconAt} title="No results">
        No address has “{search}” in its label, address, memo id or metadata.
      </EmptyState>
    );
  return (
    <EmptyState icon={IconAt} title="No deposit addresses yet">
      <Text size="sm" mb="md">
        {create
          ? 'Create an address and give it to a customer. Payments to it appear within seconds.'
          : 'Your role cannot create one. Payments to an address appear within seconds.'}
      </Text>
      {create}
    </EmptyState>
  );
}
