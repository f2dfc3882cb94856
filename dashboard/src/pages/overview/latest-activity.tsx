import './latest-activity.css';
import { Anchor, Card, Group, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { IconArrowDownLeft, IconArrowsExchange, IconArrowUpRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { Transaction } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { usePayeeOf } from '../../api/payees.ts';
import { Amount } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ADJUSTMENTS } from '../../text/adjustments.ts';
import { relativeTime } from '../../text/date-time.ts';
import { isolated } from '../../text/isolate.ts';
import { bookedAs } from '../../text/reference.ts';
import { useNewRows } from './use-new-rows.ts';

const SHOWN = 8;

/** The newest deposits and withdrawals, refreshed every second. */
export function LatestActivity({ walletId }: { walletId: string }) {
  const latest = useQuery({
    queryKey: ['wallet', walletId, 'latest'],
    queryFn: ({ signal }) => api('listTransactions', { id: walletId, query: { limit: SHOWN }, signal }),
    refetchInterval: 1_000,
  });
  const { arrived, now } = useNewRows(walletId, latest.data?.items);
  return (
    <Card withBorder padding="lg" h="100%">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Latest activity
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/wallets/$walletId/transactions" params={{ walletId }} {...props} />
          )}
        >
          All transactions
        </Anchor>
      </Group>
      <VisuallyHidden role="status">
        {arrived.map((row) => (
          <div key={row.id}>
            New {row.type}: <Amount stroops={row.amount_stroops} asset={row} />
            {row.address_label !== null && ` for ${isolated(row.address_label)}`}
          </div>
        ))}
      </VisuallyHidden>
      <Loaded query={latest} lines={SHOWN}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing walletId={walletId} />
          ) : (
            <Rows {...{ walletId, items, arrived, now }} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Nothing({ walletId }: { walletId: string }) {
  const may = useMay();
  if (!may('createDepositAddress'))
    return (
      <EmptyState icon={IconArrowsExchange} title="No activity yet">
        Deposits and withdrawals appear here by themselves.
      </EmptyState>
    );
  return (
    <EmptyState icon={IconArrowsExchange} title="No activity yet">
      Create a{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link to="/wallets/$walletId/addresses" params={{ walletId }} {...props} />}
      >
        deposit address
      </Anchor>{' '}
      and send a payment to it. The deposit appears here by itself.
    </EmptyState>
  );
}

type RowsProps = { walletId: string; items: Transaction[]; arrived: Transaction[]; now: number };

function Rows({ walletId, items, arrived, now }: RowsProps) {
  const fresh = new Set(arrived.map(({ id }) => id));
  return (
    <ul className="activity">
      {items.map((row) => (
        <li key={row.id} data-fresh={fresh.has(row.id) || undefined}>
          <Row {...{ walletId, row, now }} />
        </li>
      ))}
    </ul>
  );
}

function Row({ walletId, row, now }: { walletId: string; row: Transaction; now: number }) {
  const incoming = row.type === 'deposit';
  const booked = bookedAs(row);
  const payee = usePayeeOf(row);
  return (
    <Group wrap="nowrap" gap="sm">
      <ThemeIcon variant="light" radius="xl" color={incoming ? 'teal' : 'indigo'} aria-hidden="true">
        {incoming ? <IconArrowDownLeft size={18} /> : <IconArrowUpRight size={18} />}
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={(props) => <RowLink {...{ walletId, row, props }} />}
          >
            {payee ? isolated(payee.name) : titleOf(row)}
          </Anchor>
          {row.status !== 'confirmed' && <StatusBadge status={row.status} />}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          <Text span inherit visibleFrom="xs">
            {`${row.address_label === null ? '' : 'Deposit '}${payee ? 'Withdrawal ' : ''}${PREPOSITIONS[row.type]} `}
          </Text>
          <Copyable value={row.counterparty} what={PARTIES[row.type]} />
          {booked !== null && (
            <Text span inherit style={{ overflowWrap: 'anywhere' }}>
              {` · ${booked}`}
            </Text>
          )}
        </Text>
      </div>
      <div style={{ textAlign: 'right' }}>
        <Text size="sm" fw={550} td={row.status === 'failed' ? 'line-through' : 'none'}>
          <Amount
            stroops={incoming ? row.amount_stroops : -row.amount_stroops}
            asset={row}
            signed
            layout="column"
          />
        </Text>
        <Text size="xs" c="dimmed" component="time" dateTime={row.created_at} title={row.created_at}>
          {relativeTime(row.created_at, now)}
        </Text>
      </div>
    </Group>
  );
}

const PREPOSITIONS = { deposit: 'from', withdrawal: 'to', adjustment: 'by' };
const PARTIES = { deposit: 'sender', withdrawal: 'destination', adjustment: 'account' };

function titleOf({ type, reason, address_label }: Transaction): string {
  if (address_label !== null) return isolated(address_label);
  if (type === 'adjustment') return reason ? ADJUSTMENTS[reason].title : 'Adjustment';
  return type === 'deposit' ? 'Deposit' : 'Withdrawal';
}

function RowLink({ walletId, row, props }: { walletId: string; row: Transaction; props: object }) {
  if (row.type === 'adjustment')
    return (
      <Link
        to="/wallets/$walletId/adjustments/$adjustmentId"
        params={{ walletId, adjustmentId: row.id }}
        {...props}
      />
    );
  return row.type === 'deposit' ? (
    <Link to="/wallets/$walletId/deposits/$depositId" params={{ walletId, depositId: row.id }} {...props} />
  ) : (
    <Link
      to="/wallets/$walletId/withdrawals/$withdrawalId"
      params={{ walletId, withdrawalId: row.id }}
      {...props}
    />
  );
}
