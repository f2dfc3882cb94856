import { Anchor, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endpointsQuery } from '../../api/webhooks.ts';
import { TextLink } from '../../components/text-link.tsx';
import { CodeBlock } from './code-block.tsx';
import type { Language } from './coloured-code.ts';
import type { ExampleId, Examples as ExamplesOf, Place } from './examples/example.ts';
import { PYTHON } from './examples/python.ts';
import { SHELL } from './examples/shell.ts';
import { TYPESCRIPT } from './examples/typescript.ts';
import { Section } from './section.tsx';

const LANGUAGES: Record<Language, ExamplesOf> = { curl: SHELL, TypeScript: TYPESCRIPT, Python: PYTHON };

const EXAMPLES: { id: ExampleId; title: string; text: ReactNode }[] = [
  {
    id: 'standard',
    title: 'Receive webhooks',
    text: (
      <>
        A receiver that accepts signed events only, by Standard Webhooks: <code>webhook-signature</code>{' '}
        covers the time and <code>webhook-id</code> too, and the standardwebhooks libraries check it as well.
        The receiver rejects events older than five minutes, loses none while a secret is rotated, and passes
        an exam.
      </>
    ),
  },
  {
    id: 'address',
    title: 'Create an address',
    text: 'Create one for each customer. Every deposit to the address carries its metadata.',
  },
  {
    id: 'withdraw',
    title: 'Withdraw',
    text: (
      <>
        An API key can never withdraw. A <TextLink to="/team">service user</TextLink> of the team can, if its
        role is Operator: set <code>CLIENT_ID</code> and <code>CLIENT_SECRET</code>. <code>DESTINATION</code>{' '}
        is whom you pay, and <code>ORDER</code> the id of your order.
      </>
    ),
  },
  { id: 'deposits', title: 'List deposits', text: 'All deposits of the wallet, newest first.' },
  {
    id: 'poll',
    title: 'Poll',
    text: 'For a backend that webhooks cannot reach. Each request waits for the next events of the wallet, up to 30 seconds.',
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
  {
    id: 'webhook',
    title: 'Register a webhook',
    text: 'The same as “Add endpoint” on the tab Webhooks, for your own scripts.',
  },
  {
    id: 'verify',
    title: 'X-Svc-Signature',
    text: (
      <>
        The older signature: the HMAC-SHA256 of the raw body in hex. Its key is the signing secret as text,
        with its prefix. It covers neither the time nor <code>webhook-id</code>, and after a rotation only the
        new secret makes it.
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
  const shown = isLanguage(language) ? language : 'curl';
  const code = LANGUAGES[shown];
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
          value={shown}
          onChange={setLanguage}
        />
      }
    >
      <Tabs defaultValue="standard" keepMounted={false}>
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
              <CodeBlock label={`${title}, ${language}`} code={code[id](place)} language={shown} />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Listen {...place} />
    </Section>
  );
}

function isLanguage(text: string): text is Language {
  return text in LANGUAGES;
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
      <CodeBlock label="Command" code={command} language="curl" />
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
