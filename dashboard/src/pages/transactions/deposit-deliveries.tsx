import { Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Deposit, DepositDelivery } from '../../api/contract.ts';
import { depositDeliveriesQuery, endpointsQuery } from '../../api/webhooks.ts';
import { DateTime } from '../../components/date-time.tsx';
import { DeliveryProgress } from '../../components/delivery-progress.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { responseWords } from '../../text/delivery-words.ts';
import { Section } from './detail-parts.tsx';

/** The deposit's webhook deliveries and their responses. */
export function DepositDeliveries({ deposit }: { deposit: Deposit }) {
  const { wallet_id: walletId, id } = deposit;
  const query = useQuery({ ...depositDeliveriesQuery(walletId, id), refetchInterval: 2_000 });
  const { data: endpoints } = useQuery(endpointsQuery(walletId));
  const isEnabled = (id: string) => endpoints?.items.find((one) => one.id === id)?.enabled ?? true;
  return (
    <Section title="Webhook deliveries">
      <Loaded query={query} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {whyNone(deposit)}
            </Text>
          ) : (
            <Stack gap="lg">
              {items.map((delivery) => (
                <OneDelivery
                  key={delivery.id}
                  walletId={walletId}
                  delivery={delivery}
                  enabled={isEnabled(delivery.webhook_id)}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

function whyNone({ attributed, below_minimum }: Deposit): string {
  if (!attributed)
    return 'Webhooks are sent for deposits that belong to a deposit address. This one does not.';
  return below_minimum
    ? 'The deposit was below the minimum of the wallet, so no event announces it.'
    : 'The wallet had no webhook endpoint when the deposit was attributed.';
}

type OneProps = { walletId: string; delivery: DepositDelivery; enabled: boolean };

function OneDelivery({ walletId, delivery, enabled }: OneProps) {
  return (
    <div>
      <Group gap="sm" mb="xs">
        <span aria-live="polite">
          <StatusBadge status={delivery.status} />
        </span>
        <TextLink
          to="/wallets/$walletId/developers/webhooks/$webhookId"
          params={{ walletId, webhookId: delivery.webhook_id }}
          style={{ overflowWrap: 'anywhere' }}
        >
          {delivery.url}
        </TextLink>
        <Text size="sm">
          <DeliveryProgress delivery={delivery} enabled={enabled} />
        </Text>
      </Group>
      {delivery.attempt_log.length > 0 && (
        <Table
          fz="sm"
          verticalSpacing={4}
          horizontalSpacing={6}
          aria-label={`Attempts to deliver to ${delivery.url}`}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Attempt</Table.Th>
              <Table.Th scope="col">When</Table.Th>
              <Table.Th scope="col">Response</Table.Th>
              <Table.Th scope="col" ta="right" visibleFrom="xs">
                Duration
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {delivery.attempt_log.toReversed().map((attempt) => (
              <Table.Tr key={attempt.number}>
                <Table.Td>{attempt.number}</Table.Td>
                <Table.Td className="whole">
                  <DateTime at={attempt.started_at} seconds />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{responseWords(attempt)}</Table.Td>
                <Table.Td ta="right" visibleFrom="xs" className="figures">
                  {attempt.duration_ms} ms
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}
