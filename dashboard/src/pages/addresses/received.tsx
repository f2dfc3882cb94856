import { Group, Stack, Text, Title } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import type { Deposit, DepositAddress, DepositAddressWithReceived } from '../../api/contract.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { formatInteger } from '../../text/money.ts';
import { DepositWebhook } from './deposit-webhook.tsx';

type Sum = DepositAddressWithReceived['received'][number];

/** What the address has received in all, for each asset. */
export function Received({ address: { received } }: { address: DepositAddressWithReceived }) {
  return (
    <Stack gap="sm" component="section" aria-labelledby="received">
      <Title order={2} size="h4" id="received">
        Received
      </Title>
      {received.length === 0 ? (
        <Text c="dimmed">Nothing yet</Text>
      ) : (
        <Group gap="xl">
          {received.map((sum) => (
            <ReceivedSum key={`${sum.asset_code} ${sum.asset_issuer}`} sum={sum} />
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** The deposits to the address, each with what became of its webhooks. */
export function AddressDeposits({ address: { id, wallet_id } }: { address: DepositAddress }) {
  return (
    <Stack gap="sm" component="section" aria-labelledby="deposits">
      <Title order={2} size="h4" id="deposits">
        Deposits
      </Title>
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
      <>
        <RowLink
          to="/wallets/$walletId/deposits/$depositId"
          params={{ walletId: deposit.wallet_id, depositId: deposit.id }}
        >
          <Text size="sm" fw={550} component="span">
            <Amount stroops={deposit.amount_stroops} asset={deposit} />
          </Text>
        </RowLink>
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          <DateTime at={deposit.created_at} />
        </Text>
        <Text size="xs" c="dimmed" component="div" visibleFrom="sm">
          from{' '}
          <span className="above-row-link">
            <Copyable value={deposit.source_account} what="sender" />
          </span>
        </Text>
      </>
    ),
  },
  {
    title: 'Webhook',
    width: { base: 130, sm: 150 },
    cell: (deposit) => <DepositWebhook deposit={deposit} />,
  },
  {
    title: 'When',
    width: 180,
    visibleFrom: 'sm',
    cell: ({ created_at }) => (
      <Text size="sm">
        <DateTime at={created_at} />
      </Text>
    ),
  },
];
