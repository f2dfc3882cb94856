import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ListedDepositAddress } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import type { Column } from '../../components/infinite-table.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { timeColumn } from '../../components/time-column.tsx';
import { assetText } from '../../text/asset.ts';
import { metadataChips } from './metadata-chips.ts';

/** Of how many days the list sums deposits. */
export const RECEIVED_DAYS = 30;

/** A row of an address has as many amounts at most. */
const MOST_AMOUNTS = 2;

/** The columns of the list of addresses: each is a customer. A phone shows all in one. */
export const ADDRESS_COLUMNS: Column<ListedDepositAddress>[] = [
  {
    title: 'Label',
    cell: (address) => (
      <>
        <RowLink
          to="/wallets/$walletId/addresses/$addressId"
          params={{ walletId: address.wallet_id, addressId: address.id }}
        >
          <Text size="sm" fw={550} truncate c={address.label ? 'inherit' : 'dimmed'}>
            {address.label || 'No label'}
          </Text>
        </RowLink>
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          {address.last_deposit_at !== null && <Received received={address.received} />}
          <div>
            <LastDeposit at={address.last_deposit_at} />
          </div>
        </Text>
      </>
    ),
  },
  {
    title: `Received, ${RECEIVED_DAYS} days`,
    width: 210,
    visibleFrom: 'sm',
    cell: ({ received }) => (
      <Text size="sm" component="div">
        <Received received={received} />
      </Text>
    ),
  },
  {
    title: 'Last deposit',
    width: 180,
    visibleFrom: 'sm',
    cell: ({ last_deposit_at }) => (
      <Text size="sm">
        <LastDeposit at={last_deposit_at} />
      </Text>
    ),
  },
  { title: 'Metadata', visibleFrom: 'md', cell: ({ metadata }) => <Chips metadata={metadata} /> },
  timeColumn('Created', ({ created_at }) => created_at, 'lg'),
];

/** `received`: null for more deposits than the service sums in a list. */
function Received({ received }: Pick<ListedDepositAddress, 'received'>) {
  if (received === null) return <Dimmed>More than 10,000 deposits</Dimmed>;
  if (received.length === 0) return <Dimmed>Nothing</Dimmed>;
  const more = received.length - MOST_AMOUNTS;
  return (
    <>
      {received.slice(0, MOST_AMOUNTS).map((sum) => (
        <div key={assetText(sum)}>
          <Amount stroops={sum.amount_stroops} asset={sum} />
        </div>
      ))}
      {more > 0 && <Dimmed>and {more} more</Dimmed>}
    </>
  );
}

function LastDeposit({ at }: { at: string | null }) {
  return at === null ? <Dimmed>No deposit yet</Dimmed> : <DateTime at={at} />;
}

function Dimmed({ children }: { children: ReactNode }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  );
}

function Chips({ metadata }: Pick<ListedDepositAddress, 'metadata'>) {
  const { chips, more } = metadataChips(metadata);
  return (
    <Group gap={4}>
      {chips.map((chip) => (
        <Code key={chip} style={{ overflowWrap: 'anywhere' }}>
          {chip}
        </Code>
      ))}
      {more > 0 && (
        <Text span size="xs" c="dimmed">
          +{more}
        </Text>
      )}
    </Group>
  );
}
