import { Button, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { api } from '../../api/client.ts';
import type { Payout } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { Page } from '../../components/page.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { assetText } from '../../text/asset.ts';
import { counted } from '../../text/counted.ts';
import { MemberName } from '../approvals/member-name.tsx';
import { payoutBadge } from './status-words.ts';

/** The payouts of a wallet. */
export function Payouts() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/payouts' });
  const may = useMay();
  const fetchPage = useCallback(
    (page: { cursor?: string }, given: { signal?: AbortSignal }) =>
      api('listPayouts', { id: walletId, query: page, ...given }),
    [walletId],
  );
  return (
    <Page
      title="Payouts"
      description="Many payments as one file: checked whole, then paid row by row."
      actions={
        may('createPayout') && (
          <Button
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => (
              <Link to="/wallets/$walletId/payouts/new" params={{ walletId }} {...props} />
            )}
          >
            New payout
          </Button>
        )
      }
    >
      <InfiniteTable
        label="Payouts"
        queryKey={['wallet', walletId, 'payouts']}
        fetchPage={fetchPage}
        columns={COLUMNS}
        empty={
          <EmptyState icon={IconFileSpreadsheet} title="No payouts yet">
            A payout pays up to 10,000 rows of a CSV.
          </EmptyState>
        }
      />
    </Page>
  );
}

const COLUMNS: Column<Payout>[] = [
  { title: 'Payout', cell: (payout) => <NameLink payout={payout} /> },
  {
    title: 'Status',
    width: { base: 140, sm: 170 },
    cell: (payout) => <StatusBadge {...payoutBadge(payout)} />,
  },
  {
    title: 'Requested by',
    width: 140,
    visibleFrom: 'lg',
    cell: ({ requested_by }) => (requested_by === null ? '—' : <MemberName id={requested_by} short />),
  },
  {
    title: 'Approved by',
    width: 140,
    visibleFrom: 'lg',
    cell: ({ approvals }) => <Approvers approvals={approvals} />,
  },
  { title: 'When', width: 180, visibleFrom: 'md', cell: ({ created_at }) => <DateTime at={created_at} /> },
  {
    title: 'Amount',
    width: 200,
    align: 'right',
    visibleFrom: 'sm',
    cell: (payout) => <Totals payout={payout} />,
  },
];

function Approvers({ approvals }: Pick<Payout, 'approvals'>) {
  const approved = approvals.filter(({ decision }) => decision === 'approved');
  if (approved.length === 0) return '—';
  return approved.map(({ user_id }) => (
    <div key={user_id}>
      <MemberName id={user_id} short />
    </div>
  ));
}

/** What is planned of each asset and, once it has started, what of it is paid. */
function Totals({ payout: { totals, started_at } }: { payout: Payout }) {
  return totals.map((total) => (
    <div key={assetText(total)}>
      <Amount stroops={total.amount_stroops} asset={total} layout="column" />
      {started_at !== null && (
        <Text size="xs" c="dimmed">
          <Figures stroops={total.confirmed_stroops} asset={total} /> paid
        </Text>
      )}
    </div>
  ));
}

function NameLink({ payout }: { payout: Payout }) {
  const { wallet_id, id, name, row_count } = payout;
  return (
    <>
      <RowLink to="/wallets/$walletId/payouts/$payoutId" params={{ walletId: wallet_id, payoutId: id }}>
        <span style={{ overflowWrap: 'anywhere' }}>{name}</span>
      </RowLink>
      <Text c="dimmed" size="xs">
        {counted(row_count, 'row')}
      </Text>
      <Text size="xs" hiddenFrom="sm" component="div">
        <Totals payout={payout} />
      </Text>
    </>
  );
}
