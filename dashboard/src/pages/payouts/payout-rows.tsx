import { Group, Select, Stack, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import type { PayoutRow } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { readableMessage } from '../../text/api-message.ts';
import { ROW_STATUSES } from './status-words.ts';

/** An infinite table has rows with ids. */
type Row = PayoutRow & { id: string };

/** The rows in the order of the file, all or those with one status. */
export function PayoutRows({ walletId, payoutId }: { walletId: string; payoutId: string }) {
  const [status, setStatus] = useState<PayoutRow['status'] | null>(null);
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
          onChange={(value) => setStatus(value as PayoutRow['status'] | null)}
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
      cell: ({ idempotency_key, reference }) => (
        <div style={{ overflowWrap: 'anywhere' }}>
          {idempotency_key}
          {reference !== null && (
            <Text size="xs" c="dimmed">
              {reference}
            </Text>
          )}
        </div>
      ),
    },
    { title: 'Status', width: { base: 110, sm: 130 }, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: 'Amount',
      width: 180,
      align: 'right',
      visibleFrom: 'sm',
      cell: (row) => <Amount stroops={row.amount_stroops} asset={row} />,
    },
  ];
}

function Payee({ row, walletId }: { row: Row; walletId: string }) {
  const party = <span className="mono">{shortened(row.destination, 5)}</span>;
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
      <Text size="xs" hiddenFrom="sm">
        <Amount stroops={row.amount_stroops} asset={row} />
      </Text>
      {row.failure && (
        <Text size="xs" c="dimmed">
          {readableMessage(row.failure.message)}
        </Text>
      )}
    </div>
  );
}
