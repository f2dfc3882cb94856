import { Anchor, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endpointsQuery } from '../../api/webhooks.ts';
import { CodeBlock } from './code-block.tsx';
import type { ExampleId, Examples as ExamplesOf, Place } from './examples/example.ts';
import { PYTHON } from './examples/python.ts';
import { SHELL } from './examples/shell.ts';
import { TYPESCRIPT } from './examples/typescript.ts';
import { Section } from './section.tsx';

const LANGUAGES: Record<string, ExamplesOf> = { curl: SHELL, TypeScript: TYPESCRIPT, Python: PYTHON };

const EXAMPLES: { id: ExampleId; title: string; text: ReactNode }[] = [
  {
    id: 'address',
    title: 'Create an address',
    text: 'Create one for each customer. Every deposit to the address carries its metadata.',
  },
  { id: 'deposits', title: 'List deposits', text: 'All deposits of the wallet, newest first.' },
  {
    id: 'webhook',
    title: 'Register a webhook',
    text: 'The same as “Add endpoint” above, for your own scripts.',
  },
  {
    id: 'verify',
    title: 'Verify a signature',
    text: (
      <>
        A receiver that accepts signed events only. <code>X-Svc-Signature</code> is the HMAC-SHA256 of the raw
        body in hex. Its key is the signing secret as text, with its prefix. It covers neither the time nor{' '}
        <code>webhook-id</code>, and after a rotation only the new secret makes it. The next example also
        refuses an old event that somebody sends again, and passes an exam.
      </>
    ),
  },
  {
    id: 'standard',
    title: 'Standard Webhooks',
    text: (
      <>
        The same with <code>webhook-signature</code>, which the standardwebhooks libraries check as well. It
        rejects events older than five minutes and loses none while a secret is rotated.
      </>
    ),
  },
  {
    id: 'missed',
    title: 'Fetch missed events',
    text: (
      <>
        Sequence numbers have no gaps. If <code>webhook-sequence</code> skips a number, or after your backend
        was down, read the events after the last ones that you have read here. No signature covers this
        header: it only says when to ask.
      </>
    ),
  },
];

/** Code that runs unchanged once API_KEY or WEBHOOK_SECRET is set. */
export function Examples({ walletId }: { walletId: string }) {
  const { data: endpoints } = useQuery(endpointsQuery(walletId));
  const [language, setLanguage] = useLocalStorage({ key: 'stellar-teller-language', defaultValue: 'curl' });
  const { origin } = window.location;
  const place: Place = { origin, walletId, webhookId: endpoints?.items[0]?.id ?? null };
  const code = LANGUAGES[language] ?? SHELL;
  return (
    <Section
      title="Examples"
      description={
        <>
          They use the ids of this wallet and read secrets from the environment: <code>API_KEY</code>, and{' '}
          <code>WEBHOOK_SECRET</code> to verify signatures. TypeScript needs Node 22.18 or later, Python 3.9
          or later.
        </>
      }
      actions={
        <SegmentedControl
          aria-label="Language"
          data={Object.keys(LANGUAGES)}
          value={language in LANGUAGES ? language : 'curl'}
          onChange={setLanguage}
        />
      }
    >
      <Tabs defaultValue="address" keepMounted={false}>
        <Tabs.List mb="md">
          {EXAMPLES.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {EXAMPLES.map(({ id, title, text }) => (
          <Tabs.Panel key={id} value={id}>
            <Stack gap="xs">
              <Text size="sm" component="div">
                {text}
              </Text>
              <CodeBlock label={`${title}, ${language}`} code={code[id](place)} />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Listen {...place} />
    </Section>
  );
}

/** For a machine that webhooks cannot reach. */
function Listen({ origin, walletId }: Place) {
  const command = `API_URL=${origin} npx teller listen --forward-to http://localhost:4000/ --wallet ${walletId}`;
  return (
    <Stack gap="xs" mt="xl">
      <Text component="h3" fw={600} size="sm" m={0}>
        Local development
      </Text>
      <Text size="sm">
        You need no public URL. With <code>API_KEY</code> set, this command forwards the wallet’s events to a
        receiver on your machine. It signs them like webhooks, with a secret that it prints.{' '}
        <code>npx teller verify-receiver --url http://localhost:4000/</code> examines the receiver.
      </Text>
      <CodeBlock label="Command" code={command} />
      <Group gap="md">
        <Anchor href="/docs" size="sm">
          API reference
        </Anchor>
        <Anchor href="/openapi.json" size="sm">
          OpenAPI document
        </Anchor>
      </Group>
    </Stack>
  );
}
