import { Button, Group, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Deposit, DepositAddress } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isolated } from '../../text/isolate.ts';
import { whyUnattributed } from '../../text/memo.ts';
import { refusalMeaning } from './refusals.ts';

type Props = { deposit: Deposit; onClose: () => void; onAssigned: () => void };

/** Assigns a deposit to a deposit address. */
export function AssignDialog({ deposit, onClose, onAssigned }: Props) {
  const [address, setAddress] = useState<DepositAddress | null>(null);
  const assign = useMutation({
    mutationFn: (address_id: string) =>
      api('assignDeposit', { id: deposit.wallet_id, deposit_id: deposit.id, body: { address_id } }),
    onSuccess: () => {
      onAssigned();
      onClose();
      notifications.show({
        color: 'teal',
        title: address ? `Deposit assigned to ${nameOf(address)}` : 'Deposit assigned',
        message: 'Your backend receives one deposit.created event.',
      });
    },
  });
  const meaning = assign.error && refusalMeaning(assign.error);
  return (
    <Dialog onClose={onClose} title="Assign to a deposit address" size="lg">
      <Stack>
        <Text size="sm" component="div">
          <Figures stroops={deposit.amount_stroops} asset={deposit} fw={650} /> from{' '}
          <Copyable value={deposit.source_account} what="sender" />
          <IssuedBy asset={deposit} />
          <div>{whyUnattributed(deposit)}.</div>
        </Text>
        <AddressPicker walletId={deposit.wallet_id} chosen={address} onChoose={setAddress} />
        {address && <Consequence deposit={deposit} address={address} />}
        {assign.error && <ErrorAlert error={assign.error} />}
        {meaning && <Text size="sm">{meaning}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={address === null}
            loading={assign.isPending}
            onClick={() => address && assign.mutate(address.id)}
          >
            Assign
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Consequence({ deposit, address }: { deposit: Deposit; address: DepositAddress }) {
  return (
    <Text size="sm" role="status">
      <Amount stroops={deposit.amount_stroops} asset={deposit} fw={650} /> will belong to{' '}
      <strong style={{ overflowWrap: 'anywhere' }}>{nameOf(address)}</strong>. Your backend receives one{' '}
      <span className="mono">deposit.created</span> event. This cannot be undone.
    </Text>
  );
}

/** The list scrolls vertically only, so long labels wrap. */
const ANY_LENGTH = { labelWrapper: { overflowWrap: 'anywhere' } } as const;

function nameOf({ label, memo_id }: DepositAddress): string {
  return label === null ? `memo id ${memo_id}` : `${isolated(label)} (memo id ${memo_id})`;
}

type PickerProps = {
  walletId: string;
  chosen: DepositAddress | null;
  onChoose: (address: DepositAddress) => void;
};

function AddressPicker({ walletId, chosen, onChoose }: PickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const query = useQuery({
    queryKey: ['wallet', walletId, 'addresses', 'pick', search],
    queryFn: ({ signal }) =>
      api('listDepositAddresses', {
        id: walletId,
        query: { limit: 20, ...(search ? { search } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TextInput
        label="Find the address"
        placeholder="Label, memo id, M… address or metadata"
        type="search"
        maxLength={100}
        data-autofocus
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Loaded query={query} lines={3}>
        {({ items, next_cursor }) => (
          <>
            <Radio.Group
              label="Deposit address"
              value={chosen?.id ?? null}
              onChange={(id) => {
                const found = items.find((address) => address.id === id);
                if (found) onChoose(found);
              }}
            >
              <ScrollArea.Autosize mah={260} mt="xs" scrollbars="y">
                <Stack gap="xs">
                  {items.map((address) => (
                    <Radio
                      key={address.id}
                      value={address.id}
                      label={nameOf(address)}
                      styles={ANY_LENGTH}
                      description={
                        address.metadata
                          ? isolated(stringifyExact(address.metadata).slice(0, 120))
                          : undefined
                      }
                    />
                  ))}
                </Stack>
              </ScrollArea.Autosize>
            </Radio.Group>
            {items.length === 0 && (
              <Text size="sm" c="dimmed">
                {search === '' ? 'The wallet has no deposit address yet.' : 'No deposit address matches.'}
              </Text>
            )}
            {next_cursor && (
              <Text size="xs" c="dimmed">
                The newest 20 are shown. Search to find others.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
