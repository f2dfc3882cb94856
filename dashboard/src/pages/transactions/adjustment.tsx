import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, isNotFound } from '../../api/client.ts';
import type { Adjustment } from '../../api/contract.ts';
import { Copyable, shortened } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MissingInWallet } from '../../components/not-found.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { ADJUSTMENTS } from '../../text/adjustments.ts';
import {
  Account,
  ExactAmount,
  type Field,
  HistoryAndDetails,
  issuerField,
  TransactionHash,
} from './detail-parts.tsx';
import type { Step } from './history.tsx';
import { TransactionPage } from './transaction-page.tsx';

export function AdjustmentPage() {
  const { walletId, adjustmentId } = useParams({
    from: '/signed-in/wallets/$walletId/adjustments/$adjustmentId',
  });
  const query = useQuery({
    queryKey: ['wallet', walletId, 'adjustment', adjustmentId],
    queryFn: ({ signal }) => api('getAdjustment', { id: walletId, adjustment_id: adjustmentId, signal }),
  });
  if (isNotFound(query.error))
    return <MissingInWallet walletId={walletId} what="adjustment" id={adjustmentId} />;
  return (
    <TransactionPage
      {...{ walletId }}
      kind="Adjustment"
      transaction={query.data}
      party={query.data && `by ${shortened(query.data.caused_by)}`}
    >
      <Loaded query={query} lines={8}>
        {(adjustment) => <Shown adjustment={adjustment} />}
      </Loaded>
    </TransactionPage>
  );
}

function Shown({ adjustment }: { adjustment: Adjustment }) {
  const { reason } = adjustment;
  const { title, message } = ADJUSTMENTS[reason];
  const isHarmless = reason === 'authorized';
  return (
    <>
      <Alert
        color={isHarmless ? 'blue' : 'orange'}
        variant="light"
        icon={isHarmless ? <IconInfoCircle /> : <IconAlertTriangle />}
        title={title}
      >
        {message}
      </Alert>
      <HistoryAndDetails steps={stepsOf(adjustment)} facts={factsOf(adjustment)} />
    </>
  );
}

function stepsOf({ reason, ledger, created_at }: Adjustment): Step[] {
  const state = reason === 'authorized' ? 'good' : 'bad';
  return [
    { title: ADJUSTMENTS[reason].title, state, text: `In ledger ${ledger}.` },
    { title: 'Read from the ledger', at: created_at, state: 'done' },
  ];
}

function factsOf(adjustment: Adjustment): Field[] {
  const { amount_stroops } = adjustment;
  const amount = <ExactAmount key="amount" stroops={amount_stroops} asset={adjustment} />;
  return [
    amount_stroops > 0n ? ['Amount', amount] : ['Asset', adjustment.asset_code],
    ...issuerField(adjustment),
    ['Done by', <Account key="by" account={adjustment.caused_by} what="account" />],
    ['Transaction', <TransactionHash key="hash" hash={adjustment.stellar_tx_hash} />],
    ['Explanation', <ExplainLink key="explain" {...adjustment} />],
    ['Adjustment id', <Copyable key="id" value={adjustment.id} what="adjustment id" ends={20} />],
    ['Operation in the transaction', adjustment.operation_index + 1],
    ['Ledger', adjustment.ledger],
    ['Recorded', <DateTime key="created" at={adjustment.created_at} seconds />],
  ];
}

function ExplainLink({ wallet_id, stellar_tx_hash }: Pick<Adjustment, 'wallet_id' | 'stellar_tx_hash'>) {
  return (
    <TextLink
      to="/wallets/$walletId/transactions"
      params={{ walletId: wallet_id }}
      search={{ explain: stellar_tx_hash }}
    >
      Explain the transaction
    </TextLink>
  );
}
