import { Badge, Group, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WebhookEndpoint, WebhookEndpointStatistics } from '../../api/contract.ts';
import { statisticsOfEndpointQuery } from '../../api/webhooks.ts';
import { DateTime } from '../../components/date-time.tsx';
import { counted } from '../../text/counted.ts';
import { shareWords } from '../../text/delivery-words.ts';
import { formatInteger } from '../../text/money.ts';
import { EndpointBadge } from './endpoint-status.tsx';

/** The state of an endpoint, and how it has answered in the last 24 hours. */
export function EndpointChips({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, wallet_id, enabled, failing_since } = endpoint;
  const { data } = useQuery(statisticsOfEndpointQuery(wallet_id, id));
  return (
    <Group gap="xs">
      {enabled && failing_since !== null ? (
        <Badge color="red" size="lg">
          Failing since <DateTime at={failing_since} />
        </Badge>
      ) : (
        <EndpointBadge endpoint={endpoint} />
      )}
      {data && <Answers statistics={data} />}
    </Group>
  );
}

/** The service reads at most so many deliveries for its figures. */
const MOST_READ = 2_000;

/** Below it, the receiver loses so many requests that somebody should look. */
const GOOD_SHARE = 0.99;

function Answers({ statistics }: { statistics: WebhookEndpointStatistics }) {
  const { deliveries, attempts, acknowledged, p95_ms } = statistics;
  if (attempts === 0)
    return (
      <Badge color="gray" size="lg">
        No delivery made in 24 h
      </Badge>
    );
  const read =
    deliveries === MOST_READ
      ? `the newest ${formatInteger(MOST_READ)} deliveries`
      : counted(deliveries, 'delivery', 'deliveries');
  const words = `${formatInteger(acknowledged)} of ${counted(attempts, 'attempt')} got a 2xx response, in ${read} that were made in the last 24 hours`;
  return (
    <>
      <Tooltip label={words} withArrow multiline maw={280}>
        <Badge color={acknowledged / attempts >= GOOD_SHARE ? 'teal' : 'red'} size="lg">
          Last 24 h: {shareWords(acknowledged, attempts)}
        </Badge>
      </Tooltip>
      {p95_ms !== null && (
        <Tooltip
          label="95 of 100 responses came within this time, in the last 24 hours"
          withArrow
          multiline
          maw={280}
        >
          <Badge color="gray" size="lg">
            p95: {formatInteger(p95_ms)} ms
          </Badge>
        </Tooltip>
      )}
    </>
  );
}
