import { Anchor, Button, Stack, Tabs } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { ApiKeySection } from './api-key-section.tsx';
import { Endpoints } from './endpoints.tsx';
import { Examples } from './examples.tsx';
import { NamedKeys } from './named-keys.tsx';
import { readDevelopersSearch } from './search.ts';

const ROUTE = '/signed-in/wallets/$walletId/developers';

export function Developers() {
  const { walletId } = useParams({ from: ROUTE });
  const { tab = 'webhooks' } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/wallets/$walletId/developers' });
  const open = (next: string | null) => void navigate({ search: readDevelopersSearch({ tab: next }) });
  return (
    <Page
      title="Developers"
      description={
        <>
          Access for your backend. The API is described in{' '}
          <Anchor href="/openapi.json" inherit underline="always">
            openapi.json
          </Anchor>
          .
        </>
      }
      actions={
        <Button component="a" href="/docs" variant="default" leftSection={<IconBook2 size={16} />}>
          API reference
        </Button>
      }
    >
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>
          <Tabs.Tab value="keys">API keys</Tabs.Tab>
          <Tabs.Tab value="examples">Examples</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="webhooks">
          <Endpoints walletId={walletId} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <Stack gap="lg">
            <ApiKeySection walletId={walletId} />
            <NamedKeys walletId={walletId} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="examples">
          <Examples walletId={walletId} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
