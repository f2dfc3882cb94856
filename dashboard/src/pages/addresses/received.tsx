import { Group, Stack, Text, Title } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import type { Deposit, DepositAddressWithReceived } from '../../api/contract.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { formatInteger } from '../../text/money.ts';

type Sum = DepositAddressWithReceived['received'][number];

/** The deposits to the address, and their sum for each asset. */
export function Received({ address }: { address: DepositAddressWithReceived }) {
  const { id, wallet_id, received } = address;
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h4">
        Received
      </Title>
      <Group gap="xl">
        {received.map((sum) => (
          <ReceivedSum key={`${sum.asset_code} ${sum.asset_issuer}`} sum={sum} />
        ))}
      </Group>
      <InfiniteTable
        label="Deposits to this address"
        queryKey={['wallet', wallet_id, 'deposits', { address_id: id }]}
        fetchPage={(page, given) =>
          api('listDeposits', {
            id: wallet_id,
            query: { address_id: id, limit: 100, ...page },
            ...given,
          })
        }
        columns={COLUMNS}
        empty={
          <EmptyState icon={IconCoins} title="No deposits yet">
            Payments to this address appear here as soon as they are in a ledger.
          </EmptyState>
        }
      />
    </Stack>
  );
}

function ReceivedSum({ sum }: { sum: Sum }) {
  const { asset_issuer, amount_stroops, count } = sum;
  return (
    <div>
      <Text fz={{ base: 22, xs: 26 }} fw={650} lh={1.2} className="whole">
        <Figures stroops={amount_stroops} asset={sum} />
      </Text>
      <Text size="sm" c="dimmed" component="div">
        in {formatInteger(count)} {count === 1 ? 'deposit' : 'deposits'}
        {asset_issuer && (
          <>
            , <IssuedBy asset={sum} />
          </>
        )}
      </Text>
    </div>
  );
}

const COLUMNS: Column<Deposit>[] = [
  {
    title: 'Amount',
    cell: (deposit) => (
      <RowLink
        to="/wallets/$walletId/deposits/$depositId"
        params={{ walletId: deposit.wallet_id, depositId: deposit.id }}
      >
        <Text size="sm" fw={550} component="span">
          <Amount stroops={deposit.amount_stroops} asset={deposit} />
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <DateTime at={deposit.created_at} />
        </Text>
      </RowLink>
    ),
  },
  {
    title: 'From',
    width: 190,
    visibleFrom: 'sm',
    cell: ({ source_account }) => (
      <Text size="sm" component="span" className="above-row-link">
        <Copyable value={source_account} what="sender" />
      </Text>
    ),
  },
  {
    title: 'Ledger',
    width: 120,
    visibleFrom: 'md',
    cell: ({ ledger }) => (
      <Text size="sm" className="figures">
        {ledger}
      </Text>
    ),
  },
  {
    title: 'When',
    width: 190,
    visibleFrom: 'sm',
    cell: ({ created_at }) => (
      <Text size="sm">
        <DateTime at={created_at} />
      </Text>
    ),
  },
];
