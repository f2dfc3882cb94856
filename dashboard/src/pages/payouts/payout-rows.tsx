import { Group, Select, Stack, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import type { Payout, PayoutRow } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { PayeeWords } from '../../components/payee-name.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { isolated } from '../../text/isolate.ts';
import { failureWords } from '../withdraw/problem-words.ts';
import { readPayoutSearch } from './search.ts';
import { ROW_STATUSES } from './status-words.ts';

/** An infinite table has rows with ids. */
type Row = PayoutRow & { id: string };

/** The rows in the order of the file, all or those with one status. A payout that has ended opens with those that failed. */
export function PayoutRows({ payout }: { payout: Payout }) {
  const { id: payoutId, wallet_id: walletId, settled_at, counts } = payout;
  const search = useSearch({ from: '/signed-in/wallets/$walletId/payouts/$payoutId' });
  const navigate = useNavigate({ from: '/wallets/$walletId/payouts/$payoutId' });
  // Of the page as it opened: rows must not go away from under somebody who reads them.
  const [first] = useState<PayoutRow['status'] | 'all'>(
    settled_at !== null && counts.failed > 0 ? 'failed' : 'all',
  );
  const chosen = search.status ?? first;
  const status = chosen === 'all' ? null : chosen;
  const setStatus = (next: string | null) =>
    void navigate({
      to: '.',
      resetScroll: false,
      search: readPayoutSearch({ status: next ?? 'all' }),
      replace: true,
    });
  const fetchPage = useCallback(
    async (page: { cursor?: string }, given: { signal?: AbortSignal }) => {
      const query = { ...page, ...(status === null ? {} : { status }) };
      const read = await api('listPayoutRows', { id: walletId, payout_id: payoutId, query, ...given });
      return { ...read, items: read.items.map((row): Row => ({ ...row, id: `${row.row}` })) };
    },
    [walletId, payoutId, status],
  );
  const columns = useMemo(() => columnsOf(walletId), [walletId]);
  return (
    <Stack gap="sm" component="section" aria-labelledby="rows">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4" id="rows">
          Rows
        </Title>
        <Select
          label="Status"
          placeholder="All"
          clearable
          data={ROW_STATUSES}
          value={status}
          onChange={setStatus}
        />
      </Group>
      <InfiniteTable
        label="Rows"
        queryKey={['wallet', walletId, 'payout', payoutId, 'rows', status ?? 'all']}
        fetchPage={fetchPage}
        columns={columns}
        empty={<EmptyState icon={IconFileSpreadsheet} title="No row has this status" />}
      />
    </Stack>
  );
}

function columnsOf(walletId: string): Column<Row>[] {
  return [
    { title: 'Row', width: 70, visibleFrom: 'sm', cell: ({ row }) => <span className="figures">{row}</span> },
    { title: 'Payee', cell: (row) => <Payee row={row} walletId={walletId} /> },
    {
      title: 'Key',
      visibleFrom: 'md',
      cell: ({ idempotency_key }) => <div style={{ overflowWrap: 'anywhere' }}>{idempotency_key}</div>,
    },
    { title: 'Status', width: { base: 110, sm: 130 }, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: 'Amount',
      width: 200,
      align: 'right',
      visibleFrom: 'sm',
      cell: (row) => <Amount stroops={row.amount_stroops} asset={row} layout="column" />,
    },
  ];
}

function Payee({ row, walletId }: { row: Row; walletId: string }) {
  const address = <PayeeWords paid={row} />;
  const party = row.reference === null ? address : isolated(row.reference);
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {row.withdrawal_id === null ? (
        party
      ) : (
        <Link
          className="row-link"
          to="/wallets/$walletId/withdrawals/$withdrawalId"
          params={{ walletId, withdrawalId: row.withdrawal_id }}
        >
          {party}
        </Link>
      )}
      {row.reference !== null && (
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      )}
      <Text size="xs" hiddenFrom="sm">
        <Amount stroops={row.amount_stroops} asset={row} />
      </Text>
      {row.failure && (
        <Text size="xs" c="dimmed">
          {failureWords(row.failure, row)}
        </Text>
      )}
    </div>
  );
}
