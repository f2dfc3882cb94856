import { Badge, Button, Code as CodeBlock, Group } from '@mantine/core';
import { IconZoomQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { addressQuery } from '../../api/addresses.ts';
import { api, isNotFound } from '../../api/client.ts';
import type { Deposit, DepositDelivery } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { depositDeliveriesQuery } from '../../api/webhooks.ts';
import { Copyable, shortened } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MissingInWallet } from '../../components/not-found.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { isolated } from '../../text/isolate.ts';
import { memoWords, whyUnattributed } from '../../text/memo.ts';
import { DepositDeliveries } from './deposit-deliveries.tsx';
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

export function DepositPage() {
  const { walletId, depositId } = useParams({ from: '/signed-in/wallets/$walletId/deposits/$depositId' });
  const query = useQuery({
    queryKey: ['wallet', walletId, 'deposit', depositId],
    queryFn: ({ signal }) => api('getDeposit', { id: walletId, deposit_id: depositId, signal }),
    // It may be assigned or refunded.
    refetchInterval: ({ state: { data } }) => (data?.attributed ? false : 2_000),
  });
  if (isNotFound(query.error)) return <MissingInWallet walletId={walletId} what="deposit" id={depositId} />;
  return (
    <TransactionPage
      {...{ walletId }}
      kind="Deposit"
      transaction={query.data}
      party={query.data && <Payer deposit={query.data} />}
      actions={query.data && <Explain deposit={query.data} />}
    >
      <Loaded query={query} lines={8}>
        {(deposit) => <Shown deposit={deposit} />}
      </Loaded>
    </TransactionPage>
  );
}

/** By the label of the address that was paid, or by the account. */
function Payer({ deposit: { wallet_id, address_id, source_account } }: { deposit: Deposit }) {
  const { data: address } = useQuery({
    ...addressQuery(wallet_id, address_id ?? ''),
    enabled: address_id !== null,
  });
  return <>from {address?.label ? isolated(address.label) : shortened(source_account)}</>;
}

function Explain({ deposit: { wallet_id, stellar_tx_hash } }: { deposit: Deposit }) {
  return (
    <Button
      variant="default"
      leftSection={<IconZoomQuestion size={16} />}
      renderRoot={(props) => (
        <Link
          to="/wallets/$walletId/transactions"
          params={{ walletId: wallet_id }}
          search={{ explain: stellar_tx_hash }}
          {...props}
        />
      )}
    >
      Explain the transaction
    </Button>
  );
}

function Shown({ deposit }: { deposit: Deposit }) {
  const { wallet_id, id, attributed } = deposit;
  const { data: deliveries } = useQuery(depositDeliveriesQuery(wallet_id, id));
  return (
    <>
      <Group gap="sm">
        <StatusBadge status={deposit.status} />
        {!attributed && <Badge color="yellow">{refundWord(deposit)}</Badge>}
      </Group>
      <HistoryAndDetails steps={stepsOf(deposit, deliveries?.items ?? [])} facts={factsOf(deposit)} />
      <DepositDeliveries deposit={deposit} />
    </>
  );
}

function refundWord({ refund_withdrawal_id }: Deposit): string {
  return refund_withdrawal_id === null ? 'unattributed' : 'refunded';
}

function stepsOf(deposit: Deposit, deliveries: DepositDelivery[]): Step[] {
  const { created_at, ledger, attributed, assigned_by_hand, refund_withdrawal_id } = deposit;
  const why = `${whyUnattributed(deposit)}.`;
  return [
    { title: 'Confirmed', state: 'good', text: `In ledger ${ledger}.` },
    { title: 'Read from the ledger', at: created_at, state: 'done' },
    ...(attributed && !assigned_by_hand
      ? [{ title: 'Attributed', state: 'done', text: <ToAddress deposit={deposit} /> } as const]
      : []),
    ...(attributed ? [] : [{ title: 'Not attributed', state: 'done', text: why } as const]),
    ...(assigned_by_hand
      ? [{ title: 'Assigned manually', state: 'done', text: <ToAddress deposit={deposit} /> } as const]
      : []),
    ...(refund_withdrawal_id
      ? [{ title: 'Refund', state: 'done', text: <Refund deposit={deposit} /> } as const]
      : []),
    ...(attributed || refund_withdrawal_id
      ? []
      : [
          {
            title: 'Assignment or refund',
            state: 'waiting',
            text: <ToInbox deposit={deposit} />,
          } as const,
        ]),
    ...deliverySteps(deliveries),
  ];
}

/** How many endpoints acknowledged the deposit, and when the first did. */
function deliverySteps(deliveries: DepositDelivery[]): Step[] {
  const are = (wanted: DepositDelivery['status']) => deliveries.filter(({ status }) => status === wanted);
  const [first = null] = are('delivered')
    .map(({ settled_at }) => settled_at)
    .sort();
  const steps: (Step & { of: DepositDelivery[] })[] = [
    {
      title: 'Webhook delivered',
      at: first,
      state: 'good',
      text: 'Acknowledged by',
      of: are('delivered'),
    },
    { title: 'Webhook failed', state: 'bad', text: 'Not acknowledged by', of: are('failed') },
    {
      title: 'Webhook delivery',
      state: 'waiting',
      text: 'Not yet acknowledged by',
      of: are('pending'),
    },
  ];
  return steps
    .filter(({ of }) => of.length > 0)
    .map(({ of, text, ...step }) => ({
      ...step,
      text: `${text} ${of.length} of ${deliveries.length} endpoints.`,
    }));
}

/** By its label, if it has one. */
function ToAddress({ deposit: { wallet_id, address_id, memo_id } }: { deposit: Deposit }) {
  const addressId = address_id ?? '';
  const { data: address } = useQuery(addressQuery(wallet_id, addressId));
  return (
    <TextLink
      to="/wallets/$walletId/addresses/$addressId"
      params={{ walletId: wallet_id, addressId }}
      style={{ overflowWrap: 'anywhere' }}
    >
      {address?.label ? isolated(address.label) : `Memo id ${memo_id}`}
    </TextLink>
  );
}

function Refund({ deposit: { wallet_id, refund_withdrawal_id } }: { deposit: Deposit }) {
  return (
    <TextLink
      to="/wallets/$walletId/withdrawals/$withdrawalId"
      params={{ walletId: wallet_id, withdrawalId: refund_withdrawal_id ?? '' }}
    >
      Open the refund
    </TextLink>
  );
}

function ToInbox({ deposit: { wallet_id } }: { deposit: Deposit }) {
  return (
    <TextLink to="/wallets/$walletId/inbox" params={{ walletId: wallet_id }}>
      Open the inbox
    </TextLink>
  );
}

function factsOf(deposit: Deposit): Field[] {
  const { metadata, address_id, refund_withdrawal_id, memo_id, source_account_muxed: muxed } = deposit;
  return [
    ['Amount', <ExactAmount key="amount" stroops={deposit.amount_stroops} asset={deposit} />],
    ['Sender', <Account key="sender" account={deposit.source_account} what="sender" />],
    ['Deposit address', address_id && <ToAddress deposit={deposit} />],
    ['Memo', deposit.memo_type === 'none' ? null : memoWords(deposit)],
    ['Metadata', metadata && <Metadata key="metadata" value={metadata} />],
    ['Transaction', <TransactionHash key="hash" hash={deposit.stellar_tx_hash} />],
    ...issuerField(deposit),
    ['Refund', refund_withdrawal_id && <Refund deposit={deposit} />],
    ['Deposit id', <Copyable key="id" value={deposit.id} what="deposit id" ends={20} />],
    ['Memo id', memo_id === null ? null : String(memo_id)],
    ['Sender, muxed', muxed && <Copyable key="muxed" value={muxed} what="muxed sender" />],
    ['Assigned manually', deposit.assigned_by_hand ? 'yes' : null],
    ['Operation', `${deposit.kind}, number ${deposit.operation_index + 1} in the transaction`],
    ['Ledger', deposit.ledger],
    ['Read from ledger', <DateTime key="read" at={deposit.created_at} seconds />],
  ];
}

function Metadata({ value }: { value: object }) {
  return (
    <CodeBlock
      block
      tabIndex={0}
      aria-label="Metadata"
      mah={360}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflow: 'auto' }}
    >
      {stringifyExact(value, 2)}
    </CodeBlock>
  );
}
