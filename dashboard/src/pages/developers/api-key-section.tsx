import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, mayHaveTakenEffect } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { apiKeyQuery } from '../../api/wallets.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DateTime, RelativeTime } from '../../components/date-time.tsx';
import { Details } from '../../components/details.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { MadeEndpoints } from './made-endpoints.tsx';
import { Section } from './section.tsx';

/** The API key's details, and its replacement. */
export function ApiKeySection({ walletId }: { walletId: string }) {
  const query = useQuery(apiKeyQuery(walletId));
  const [asking, ask] = useDisclosure();
  const may = useMay();
  return (
    <Section
      title="Main API key"
      description="Your backend sends it with each request. It is valid for this wallet only. It can create deposit addresses, read the wallet and register webhooks. It cannot withdraw."
      actions={
        may('regenerateApiKey') && (
          <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={ask.open}>
            Regenerate
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ prefix, last_four, created_at, last_used_at }) => (
          <Details
            rows={[
              [
                'Key',
                <Text key="key" span inherit className="mono">
                  {prefix}…{last_four}
                </Text>,
              ],
              ['Created', <DateTime key="created" at={created_at} />],
              [
                'Last used',
                last_used_at === null ? (
                  'never'
                ) : (
                  <span key="used">
                    <DateTime at={last_used_at} />{' '}
                    <Text span inherit c="dimmed">
                      (<RelativeTime at={last_used_at} />)
                    </Text>
                  </span>
                ),
              ],
            ]}
          />
        )}
      </Loaded>
      {asking && <Regenerate walletId={walletId} lastFour={query.data?.last_four} onClose={ask.close} />}
    </Section>
  );
}

type RegenerateProps = { walletId: string; lastFour: string | undefined; onClose: () => void };

function Regenerate({ walletId, lastFour, onClose }: RegenerateProps) {
  const client = useQueryClient();
  const regenerate = useSecretMutation(
    {
      mutationFn: () => api('regenerateApiKey', { id: walletId }),
      onSettled: () => client.invalidateQueries({ queryKey: apiKeyQuery(walletId).queryKey }),
    },
    onClose,
  );
  const [stored, store] = useDisclosure();
  if (regenerate.data && stored)
    return <MadeEndpoints endpoints={regenerate.data.endpoints} what="The old key" onClose={onClose} />;
  if (regenerate.data)
    return (
      <SecretDialog
        title="New API key"
        what="API key"
        secret={regenerate.data.api_key}
        action={regenerate.data.endpoints.length > 0 ? 'Next' : 'Done'}
        onStored={regenerate.data.endpoints.length > 0 ? store.open : onClose}
      >
        The old key no longer works. Give this one to your backend now. If you lose it, regenerate again.
      </SecretDialog>
    );
  const lost = mayHaveTakenEffect(regenerate.error);
  return (
    <ConfirmDialog
      title="Regenerate the API key?"
      action="Regenerate and revoke the old key"
      danger
      pending={regenerate.isPending}
      locked={regenerate.isPending}
      error={regenerate.error}
      onConfirm={() => regenerate.mutate()}
      onClose={regenerate.close}
    >
      The old key{lastFour ? ` (…${lastFour})` : ''} <strong>stops working at once</strong>: requests that
      still use it get 401. The new key is shown once, here. Endpoints that the old key has registered go on;
      they are listed afterwards. Named keys are not affected.
      {lost && (
        <Alert color="orange" mt="md" title="The old key may no longer work">
          The response with the new key was lost. Regenerate again to get a key that you can store.
        </Alert>
      )}
    </ConfirmDialog>
  );
}
