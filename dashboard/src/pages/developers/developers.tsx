import { Anchor, Button } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { ApiKeySection } from './api-key-section.tsx';
import { Endpoints } from './endpoints.tsx';
import { Examples } from './examples.tsx';
import { NamedKeys } from './named-keys.tsx';

export function Developers() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/developers' });
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
      <ApiKeySection walletId={walletId} />
      <NamedKeys walletId={walletId} />
      <Endpoints walletId={walletId} />
      <Examples walletId={walletId} />
    </Page>
  );
}
