import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, mayHaveTakenEffect } from '../../api/client.ts';
import type { ServiceUser, ServiceUserSecret } from '../../api/contract.ts';
import { serviceUsersQuery } from '../../api/team.ts';
import { DateTime, RelativeTime } from '../../components/date-time.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { LinedItem, LinedList } from '../../components/lined-list.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { isolated } from '../../text/isolate.ts';

/** As many as the service allows at once. */
const MAX_SECRETS = 2;

type Props = { service_user: ServiceUser; onClose: () => void };

/** The secrets of a service user: add one, let the backend use it, retire the other one. */
export function SecretsDialog({ service_user: { id, name, secrets }, onClose }: Props) {
  const client = useQueryClient();
  const add = useSecretMutation(
    {
      mutationFn: () => api('addServiceUserSecret', { service_user_id: id }),
      onSettled: () => client.invalidateQueries({ queryKey: serviceUsersQuery.queryKey }),
    },
    onClose,
  );
  if (add.data)
    return (
      <SecretDialog
        title="New secret"
        what="client secret"
        secret={add.data.client_secret}
        action="Done"
        onStored={onClose}
      >
        Give it to the backend. The other secret works until you retire it.
      </SecretDialog>
    );
  return (
    <Dialog
      onClose={add.close}
      withCloseButton={!add.isPending}
      closeOnClickOutside={false}
      title={`Secrets of ${isolated(name)}`}
    >
      <Stack>
        <Text size="sm">
          Two secrets work at once, so that a change has no gap: add one, give it to the backend, then retire
          the other one.
        </Text>
        {secrets.length === 0 && (
          <Text size="sm" c="dimmed">
            It has no secret.
          </Text>
        )}
        <LinedList>
          {secrets.map((secret) => (
            <Row key={secret.id} service_user_id={id} secret={secret} />
          ))}
        </LinedList>
        {add.error && <ErrorAlert error={add.error} />}
        {mayHaveTakenEffect(add.error) && (
          <Alert color="orange" title="The secret may have been made">
            The answer with it was lost. Retire the secret that nobody has used, and add another one.
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={add.close} disabled={add.isPending}>
            Done
          </Button>
          <Button
            loading={add.isPending}
            disabled={secrets.length >= MAX_SECRETS}
            onClick={() => add.mutate()}
          >
            Add a secret
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

type RowProps = { service_user_id: string; secret: ServiceUserSecret };

function Row({ service_user_id, secret: { id, last_four, created_at, last_used_at } }: RowProps) {
  const client = useQueryClient();
  const retire = useMutation({
    mutationFn: () => api('retireServiceUserSecret', { service_user_id, secret_id: id }),
    onSettled: () => client.invalidateQueries({ queryKey: serviceUsersQuery.queryKey }),
  });
  return (
    <LinedItem>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={550} className="mono">
            …{last_four}
          </Text>
          <Text size="sm" c="dimmed">
            made <DateTime at={created_at} /> · last used{' '}
            {last_used_at === null ? 'never' : <RelativeTime at={last_used_at} />}
          </Text>
        </div>
        <Button
          size="xs"
          color="red"
          variant="light"
          loading={retire.isPending}
          onClick={() => retire.mutate()}
          aria-label={`Retire the secret …${last_four}`}
        >
          Retire
        </Button>
      </Group>
      {retire.error && <ErrorAlert error={retire.error} />}
    </LinedItem>
  );
}
