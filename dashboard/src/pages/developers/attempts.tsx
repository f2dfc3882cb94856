import { Accordion, Group, Stack, Text, Title } from '@mantine/core';
import type { WebhookAttempt } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import { responseWords } from '../../text/delivery-words.ts';
import { CodeBlock } from './code-block.tsx';

/** Newest first. `count`: all attempts, of which only the latest are kept. */
export function Attempts({ attempts, count }: { attempts: WebhookAttempt[]; count: number }) {
  const newest = attempts.at(-1);
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        Attempts
      </Title>
      {newest === undefined ? (
        <Text size="sm" c="dimmed">
          {count === 0 ? 'None yet.' : `${count} attempts. Their records are no longer kept.`}
        </Text>
      ) : (
        <Accordion variant="separated" defaultValue={String(newest.number)} order={4}>
          {attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </Accordion>
      )}
      {attempts.length > 0 && attempts.length < count && (
        <Text size="xs" c="dimmed" mt="xs">
          Only the latest {attempts.length} of {count} attempts are kept.
        </Text>
      )}
    </div>
  );
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
