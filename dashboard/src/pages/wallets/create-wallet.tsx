import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { ApiError, api, mayHaveTakenEffect } from '../../api/client.ts';
import { walletsQuery } from '../../api/wallets.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';

/** Asks for a name, then shows the API key until it is stored. */
export function CreateWallet({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useSecretMutation(
    {
      mutationFn: (name: string) => api('createWallet', { body: { name } }),
      // Also after an error: if the connection was lost, the wallet may exist.
      onSettled: () => client.invalidateQueries({ queryKey: walletsQuery.queryKey }),
    },
    onClose,
  );

  function open(walletId: string) {
    onClose();
    // After this dialog has closed, which blocks navigation.
    setTimeout(() => navigate({ to: '/wallets/$walletId', params: { walletId } }));
  }

  if (create.data) {
    const { id, api_key } = create.data;
    return (
      <SecretDialog
        title="Wallet created"
        what="API key"
        secret={api_key}
        action="Open the wallet"
        onStored={() => open(id)}
      >
        Your backend uses it to create deposit addresses and to read the wallet. It cannot withdraw. If it is
        lost or exposed, regenerate it under Developers: the old key stops working at once.
      </SecretDialog>
    );
  }
  return (
    <NameForm
      pending={create.isPending}
      error={create.error}
      onSubmit={(name) => create.mutate(name)}
      onClose={create.close}
    />
  );
}

type FormProps = {
  pending: boolean;
  error: Error | null;
  onSubmit: (name: string) => void;
  onClose: () => void;
};

function NameForm({ pending, error, onSubmit, onClose }: FormProps) {
  const invalid = error instanceof ApiError ? error.fieldMessage('name') : null;
  const unknown = mayHaveTakenEffect(error);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit(String(new FormData(event.currentTarget).get('name')));
  }

  return (
    <Dialog onClose={onClose} withCloseButton={!pending} title="New wallet">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="name"
            label="Name"
            description="For your reference. You can change it later."
            required
            maxLength={100}
            autoComplete="off"
            error={invalid && `The name ${invalid}.`}
            data-autofocus
          />
          {error && !invalid && <ErrorAlert error={error} />}
          {unknown && (
            <Alert color="orange" title="The wallet may have been created">
              Check the list of wallets before you try again. If it is there, regenerate its API key under
              Developers.
            </Alert>
          )}
          {pending && (
            <Text size="sm" c="dimmed" role="status">
              Creating the account. On a test network it is funded within ten seconds …
            </Text>
          )}
          <FormButtons action="Create wallet" pending={pending} locked onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
