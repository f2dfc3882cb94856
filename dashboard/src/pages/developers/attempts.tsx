import { Accordion, Group, Stack, Text, Title } from '@mantine/core';
import type { LoggedWebhookDelivery, WebhookAttempt } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import { responseWords } from '../../text/delivery-words.ts';
import { CodeBlock } from './code-block.tsx';

/** Shows the attempts of a delivery, newest first. Only the latest are kept. One that is under way counts, and has no record yet. */
export function Attempts({
  delivery,
}: {
  delivery: Pick<LoggedWebhookDelivery, 'status' | 'attempts' | 'attempt_log'>;
}) {
  const { status, attempts: count, attempt_log: attempts } = delivery;
  const newest = attempts.at(-1);
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        Attempts
      </Title>
      {newest === undefined ? (
        <Text size="sm" c="dimmed">
          {noAttemptWords(status, count)}
        </Text>
      ) : (
        <Accordion variant="separated" defaultValue={String(newest.number)} order={4}>
          {attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </Accordion>
      )}
      {newest && newest.number < count && status === 'pending' && (
        <Text size="xs" c="dimmed" mt="xs">
          Attempt {count} has no outcome yet.
        </Text>
      )}
      {newest && attempts.length < newest.number && (
        <Text size="xs" c="dimmed" mt="xs">
          Only the latest {attempts.length} of {newest.number} attempts are kept.
        </Text>
      )}
    </div>
  );
}

function noAttemptWords(status: LoggedWebhookDelivery['status'], count: number): string {
  if (count === 0) return 'None yet.';
  if (status === 'pending') return 'No outcome is on record yet.';
  return 'The records of the attempts are no longer kept.';
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { number, started_at, duration_ms, request_headers, response_body, status_code, error } = attempt;
  return (
    <Accordion.Item value={String(number)}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs" pr="xs">
          <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            {number}. {responseWords(attempt)}
          </Text>
          <Text size="sm" c="dimmed">
            <DateTime at={started_at} seconds /> · {duration_ms} ms
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          {error !== null && (
            <Text size="sm">
              {status_code === null ? 'No response' : 'The response was not read completely'}: {error}.
            </Text>
          )}
          <Part title="Request headers" none="Not recorded.">
            {request_headers && headerText(request_headers)}
          </Part>
          {status_code !== null && (
            <Part title="First 1 KiB of the response" none="Empty.">
              {response_body}
            </Part>
          )}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function headerText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function Part({ title, none, children }: { title: string; none: string; children: string | null }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {title}
      </Text>
      {children ? <CodeBlock label={title} code={children} /> : <Text size="sm">{none}</Text>}
    </div>
  );
}
