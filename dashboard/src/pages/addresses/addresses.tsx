import { Button, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconAt, IconPlus, IconSearch } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import type { DepositAddress } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { useMay } from '../../api/me.ts';
import { Copyable } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { Page } from '../../components/page.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { timeColumn } from '../../components/time-column.tsx';
import { CreateAddress } from './create-address.tsx';

export function Addresses() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/addresses' });
  const [creating, create] = useDisclosure();
  const [typed, setTyped] = useState('');
  const [debounced] = useDebouncedValue(typed.trim(), 250);
  // A cleared search applies at once.
  const search = typed.trim() === '' ? '' : debounced;
  const newAddress = useMay()('createDepositAddress') && (
    <Button leftSection={<IconPlus size={16} />} onClick={create.open}>
      New address
    </Button>
  );
  return (
    <Page
      title="Deposit addresses"
      description="Create one for each customer. Every deposit to an address carries its metadata."
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
            query: { limit: 100, ...(search ? { search } : {}), ...page },
            ...given,
          })
        }
        columns={COLUMNS}
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

const COLUMNS: Column<DepositAddress>[] = [
  {
    title: 'Label',
    cell: (address) => (
      <RowLink
        to="/wallets/$walletId/addresses/$addressId"
        params={{ walletId: address.wallet_id, addressId: address.id }}
      >
        <Text size="sm" fw={550} truncate c={address.label ? 'inherit' : 'dimmed'}>
          {address.label || 'No label'}
        </Text>
        <Text size="xs" c="dimmed" className="mono" hiddenFrom="sm">
          {String(address.memo_id)}
        </Text>
      </RowLink>
    ),
  },
  {
    title: 'Address',
    width: 190,
    visibleFrom: 'sm',
    cell: ({ address }) => (
      <Text size="sm" component="span" className="above-row-link">
        <Copyable value={address} what="address" />
      </Text>
    ),
  },
  {
    title: 'Memo id',
    width: 190,
    visibleFrom: 'sm',
    cell: ({ memo_id }) => (
      <Text size="sm" component="span" className="above-row-link">
        <Copyable value={String(memo_id)} what="memo id" ends={10} />
      </Text>
    ),
  },
  {
    title: 'Metadata',
    visibleFrom: 'md',
    cell: ({ metadata }) => (
      <Text size="sm" c="dimmed" truncate className="mono">
        {metadata ? stringifyExact(metadata) : '—'}
      </Text>
    ),
  },
  timeColumn('Created', ({ created_at }) => created_at, 'lg'),
];
