import { Alert, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Payout } from '../../api/contract.ts';
import { payoutQuery } from '../../api/payouts.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Trail } from '../../components/trail.tsx';
import { readableMessage } from '../../text/api-message.ts';
import { assetText } from '../../text/asset.ts';
import { AwaitsApprovals } from '../approvals/awaits-approvals.tsx';
import { MemberName } from '../approvals/member-name.tsx';
import { approvedByField, type Field, HistoryAndDetails } from '../transactions/detail-parts.tsx';
import { PayoutActions } from './payout-actions.tsx';
import { payoutRequest } from './payout-request.tsx';
import { PayoutRows } from './payout-rows.tsx';
import { payoutSteps } from './payout-steps.ts';
import { PAYOUT_WORDS, payoutBadge, ROW_STATUSES } from './status-words.ts';

/** One payout: its progress, what can be done with it, and its rows. */
export function PayoutPage() {
  const { walletId, payoutId } = useParams({ from: '/signed-in/wallets/$walletId/payouts/$payoutId' });
  const query = useQuery(payoutQuery(walletId, payoutId));
  return (
    <Page
      title={query.data?.name ?? 'Payout'}
      trail={
        <Trail here="Payout">
          <TextLink to="/wallets/$walletId/payouts" params={{ walletId }} activeOptions={{ exact: true }}>
            Payouts
          </TextLink>
        </Trail>
      }
      actions={query.data && <PayoutActions payout={query.data} />}
    >
      <Loaded query={query}>
        {(payout) => (
          <Stack gap="lg">
            <Summary payout={payout} />
            {payout.status === 'awaiting_approval' && (
              <AwaitsApprovals
                request={payoutRequest(payout)}
                words="Nothing of it is paid. The payout runs with the last approval, which is for all rows below."
              />
            )}
            <HistoryAndDetails steps={payoutSteps(payout)} facts={factsOf(payout)} />
            <PayoutRows payout={payout} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ payout }: { payout: Payout }) {
  const { status, reason, counts } = payout;
  const words = PAYOUT_WORDS[status];
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StatusBadge {...payoutBadge(payout)} />
        <Text size="sm" role="status">
          {ROW_STATUSES.filter((each) => counts[each] > 0)
            .map((each) => `${counts[each]} ${each}`)
            .join(', ')}
        </Text>
      </Group>
      <Bars payout={payout} />
      {reason && (
        <Alert color={status === 'paused' ? 'orange' : 'gray'} variant="light" title={words.label}>
          <Text size="sm">{readableMessage(reason.message)}</Text>
        </Alert>
      )}
    </Stack>
  );
}

function factsOf(payout: Payout): Field[] {
  const { totals, row_count, created_at, created_by, requested_by, approvals, retry_of } = payout;
  return [
    ...totals.map(
      (total): Field => [
        totals.length === 1 ? 'Paid' : `Paid, ${assetText(total).split(':')[0]}`,
        <span key={assetText(total)}>
          <Figures stroops={total.confirmed_stroops} asset={total} /> of{' '}
          <Amount stroops={total.amount_stroops} asset={total} />
        </span>,
      ],
    ),
    ['Rows', `${row_count}`],
    ['Created', <DateTime key="created" at={created_at} />],
    ['Created by', <MemberName key="by" id={created_by} />],
    ['Requested by', requested_by && <MemberName key="requested" id={requested_by} />],
    ...approvedByField(approvals),
    ...(retry_of === null ? [] : [retryRow(payout, retry_of)]),
  ];
}

function retryRow({ wallet_id }: Payout, retry_of: string): Field {
  const params = { walletId: wallet_id, payoutId: retry_of };
  return [
    'Retries',
    <TextLink key="retry" to="/wallets/$walletId/payouts/$payoutId" params={params}>
      failed rows of another payout
    </TextLink>,
  ];
}

const COLORS = { confirmed: 'teal', failed: 'red', pending: 'yellow', cancelled: 'gray' } as const;

function Bars({ payout: { counts, row_count } }: { payout: Payout }) {
  const parts = (['confirmed', 'failed', 'pending', 'cancelled'] as const).filter((each) => counts[each] > 0);
  return (
    <Progress.Root size="lg">
      {parts.map((each) => (
        <Progress.Section
          key={each}
          value={(100 * counts[each]) / row_count}
          color={COLORS[each]}
          aria-label={`${each}: ${counts[each]} of ${row_count}`}
        />
      ))}
    </Progress.Root>
  );
}
