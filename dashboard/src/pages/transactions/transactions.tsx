import { Button } from '@mantine/core';
import { IconArrowsExchange, IconZoomQuestion } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { InfiniteTable } from '../../components/infinite-table.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { TRANSACTION_COLUMNS } from './columns.tsx';
import { ExplainDrawer } from './explain-drawer.tsx';
import { Export } from './export-csv.tsx';
import { Filters } from './filters.tsx';
import { isFiltered, type TransactionsSearch, transactionsQuery } from './search.ts';

const ROUTE = '/signed-in/wallets/$walletId/transactions';
const HASH = /^[0-9a-f]{64}$/i;

export function Transactions() {
  const { walletId } = useParams({ from: ROUTE });
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/wallets/$walletId/transactions' });
  const query = transactionsQuery(search);
  const { explain: _, ...filters } = search;

  function change(to: Partial<Record<keyof TransactionsSearch, string | undefined>>) {
    void navigate({
      search: (before) => ({ ...before, ...to }) as TransactionsSearch,
      replace: true,
      resetScroll: false,
    });
  }

  return (
    <Page
      title="Transactions"
      description="What moved the wallet’s balances. New ones appear by themselves."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconZoomQuestion size={16} />}
            onClick={() => change({ explain: '' })}
          >
            Explain a transaction
          </Button>
          <Export walletId={walletId} query={query} />
        </>
      }
    >
      <Filters walletId={walletId} search={search} onChange={change} />
      <InfiniteTable
        label="Transactions"
        queryKey={['wallet', walletId, 'transactions', filters]}
        fetchPage={(page, given) =>
          api('listTransactions', {
            id: walletId,
            query: { ...query, limit: page.cursor ? 200 : 100, ...page },
            ...given,
          })
        }
        columns={TRANSACTION_COLUMNS}
        empty={<NoTransactions search={search} walletId={walletId} onExplain={change} />}
      />
      <ExplainDrawer walletId={walletId} hash={search.explain} onExplain={(explain) => change({ explain })} />
    </Page>
  );
}

function NoTransactions({
  search,
  walletId,
  onExplain,
}: {
  search: TransactionsSearch;
  walletId: string;
  onExplain: (to: { explain: string }) => void;
}) {
  if (!isFiltered(search))
    return (
      <EmptyState icon={IconArrowsExchange} title="No transactions yet">
        Create a{' '}
        <TextLink to="/wallets/$walletId/addresses" params={{ walletId }}>
          deposit address
        </TextLink>{' '}
        and send a payment to it. The deposit appears here within seconds.
      </EmptyState>
    );
  const { search: hash = '' } = search;
  return (
    <EmptyState icon={IconArrowsExchange} title="No results">
      {HASH.test(hash) ? (
        <>
          The wallet has no deposit, withdrawal or adjustment with this hash.
          <br />
          <Button mt="sm" size="xs" variant="light" onClick={() => onExplain({ explain: hash })}>
            Explain the transaction
          </Button>
        </>
      ) : (
        'No transaction matches all of the filters above.'
      )}
    </EmptyState>
  );
}
