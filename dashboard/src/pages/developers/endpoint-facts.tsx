import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { RotateSecret } from './endpoint-dialogs.tsx';
import { Maker } from './endpoint-maker.tsx';
import { Section } from './section.tsx';

/** What an endpoint is, and its signing secret, beside its deliveries. */
export function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <Stack gap="lg">
      <Section title="Endpoint">
        <Facts endpoint={endpoint} />
      </Section>
      <Secret endpoint={endpoint} />
    </Stack>
  );
}

/** One above the other: the column is narrow. */
function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, url, events, description, exam_passed_at, created_at } = endpoint;
  const facts = [
    ['URL', <Copyable key="url" value={url} what="URL" ends={1_000} />],
    ['Events', events.join(', ')],
    ['Description', description],
    ['Passed an exam', exam_passed_at && <DateTime key="exam" at={exam_passed_at} />],
    ['Added', <DateTime key="added" at={created_at} />],
    ['Registered by', <Maker key="maker" endpoint={endpoint} />],
    ['Endpoint id', <Copyable key="id" value={id} what="endpoint id" ends={20} />],
  ] as const;
  return (
    <Stack component="dl" gap="sm" m={0}>
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} className="whole">
              {value}
            </Text>
          </div>
        ))}
    </Stack>
  );
}

function Secret({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [rotating, rotate] = useDisclosure();
  const may = useMay();
  return (
    <Section title="Signing secret">
      <Text size="sm">
        It signs every delivery, and was shown once. After a rotation the old secret signs beside the new one
        for 24 hours.
      </Text>
      {may('rotateWebhookSecret') && (
        <Button variant="default" size="xs" mt="sm" leftSection={<IconKey size={14} />} onClick={rotate.open}>
          Rotate
        </Button>
      )}
      {rotating && <RotateSecret endpoint={endpoint} onClose={rotate.close} />}
    </Section>
  );
}
