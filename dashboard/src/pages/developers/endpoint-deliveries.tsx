import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory, IconSend } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import type { LoggedWebhookDelivery, WebhookEndpoint } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { DateTime, useNow } from '../../components/date-time.tsx';
import { DeliveryProgress } from '../../components/delivery-progress.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { lastResponseWords, nextAttemptWords } from '../../text/delivery-words.ts';
import { DeliverySubject } from './delivery-subject.tsx';
import { Replay } from './replay-dialog.tsx';
import type { WebhookSearch } from './search.ts';
import { Section } from './section.tsx';

type Status = NonNullable<WebhookSearch['status']>;

type Props = {
  walletId: string;
  webhookId: string;
  status: Status | undefined;
  /** Undefined while it loads, and if it is deleted. */
  endpoint: WebhookEndpoint | undefined;
  onFilter: (status: Status | undefined) => void;
};

const FILTERS: { value: Status | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
];

/** All deliveries to the endpoint; new ones appear by themselves. */
export function EndpointDeliveries({ walletId, webhookId, status, endpoint, onFilter }: Props) {
  const [replaying, replay] = useDisclosure();
  const may = useMay();
  const enabled = endpoint?.enabled ?? true;
  const columns = useMemo(() => columnsFor(enabled), [enabled]);
  return (
    <Section
      title="Deliveries"
      description="A delivery is pending until a 2xx response acknowledges it. It fails after the last scheduled attempt."
      actions={
        endpoint &&
        may('replayWebhook') && (
          <Button variant="default" leftSection={<IconHistory size={16} />} onClick={replay.open}>
            Replay
          </Button>
        )
      }
    >
      <Group mb="md">
        <SegmentedControl
          style={{ flexWrap: 'wrap' }}
          aria-label="Status"
          data={FILTERS}
          value={status ?? 'all'}
          onChange={(value) => onFilter(value === 'all' ? undefined : value)}
        />
      </Group>
      <InfiniteTable
        label="Deliveries"
        queryKey={['wallet', walletId, 'webhooks', webhookId, 'deliveries', status ?? 'all']}
        fetchPage={(page, given) =>
          api('listWebhookDeliveries', {
            id: walletId,
            webhook_id: webhookId,
            query: { limit: 50, ...(status ? { status } : {}), ...page },
            ...given,
          })
        }
        columns={columns}
        empty={<NoDeliveries status={status} />}
      />
      {replaying && endpoint && <Replay endpoint={endpoint} onClose={replay.close} />}
    </Section>
  );
}

function NoDeliveries({ status }: { status: Status | undefined }) {
  const may = useMay();
  return status === undefined ? (
    <EmptyState icon={IconSend} title="No deliveries yet">
      The next deposit to one of your addresses appears here.
      {may('testWebhook') && ' You can send a test event now.'}
    </EmptyState>
  ) : (
    <EmptyState icon={IconSend} title="No results">
      No delivery to this endpoint is {status}.
    </EmptyState>
  );
}

const columnsFor = (enabled: boolean): Column<LoggedWebhookDelivery>[] => [
  {
    title: 'Event',
    cell: (delivery) => (
      <RowLink
        from="/wallets/$walletId/developers/webhooks/$webhookId"
        to="."
        search={(before) => ({ ...before, delivery: delivery.id })}
        replace
        resetScroll={false}
      >
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {delivery.subject ? <DeliverySubject subject={delivery.subject} /> : delivery.event}
        </Text>
        <Text size="xs" c="dimmed">
          {delivery.subject && <>{delivery.event} · </>}
          <DateTime at={delivery.created_at} />
        </Text>
        <Text size="xs" hiddenFrom="sm">
          <DeliveryProgress delivery={delivery} enabled={enabled} />
        </Text>
      </RowLink>
    ),
  },
  {
    title: 'Status',
    width: { base: 104, sm: 120 },
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    title: 'Attempts',
    width: 84,
    align: 'right',
    visibleFrom: 'sm',
    cell: ({ attempts }) => (
      <Text size="sm" className="figures">
        {attempts}
      </Text>
    ),
  },
  {
    title: 'Response',
    width: 112,
    visibleFrom: 'sm',
    cell: (delivery) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {lastResponseWords(delivery)}
      </Text>
    ),
  },
  {
    title: 'Next attempt',
    width: 116,
    visibleFrom: 'sm',
    cell: (delivery) => <NextAttempt delivery={delivery} enabled={enabled} />,
  },
];

function NextAttempt({ delivery, enabled }: { delivery: LoggedWebhookDelivery; enabled: boolean }) {
  const now = useNow(delivery.next_attempt_at !== null);
  return (
    <Text size="sm" c="dimmed">
      {nextAttemptWords(delivery, { now, enabled })}
    </Text>
  );
}
