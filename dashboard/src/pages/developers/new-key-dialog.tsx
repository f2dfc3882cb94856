import { Alert, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api, mayHaveTakenEffect } from '../../api/client.ts';
import type { Scope } from '../../api/contract.ts';
import type { BodyOf } from '../../api/operations.ts';
import { namedKeysQuery } from '../../api/wallets.ts';
import { AddressesField } from '../../components/addresses-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { addressFault, readAddresses } from '../../text/addresses.ts';
import { SCOPE_WORDS, SCOPES } from '../../text/scopes.ts';

const DAY_MS = 86_400_000;
const NEVER = 'never';
const DURATIONS = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: NEVER, label: 'Never' },
];

type Order = BodyOf<'createApiKey'>;

/** Asks for the rights of a key, then shows the key once. */
export function NewKeyDialog({ walletId, onClose }: { walletId: string; onClose: () => void }) {
  const client = useQueryClient();
  const make = useSecretMutation(
    {
      mutationFn: (body: Order) => api('createApiKey', { id: walletId, body }),
      onSettled: () => client.invalidateQueries({ queryKey: namedKeysQuery(walletId).queryKey }),
    },
    onClose,
  );
  if (make.data)
    return (
      <SecretDialog
        title="New API key"
        what="API key"
        secret={make.data.api_key}
        action="Done"
        onStored={onClose}
      >
        Give it to the program that it is for. If you lose it, delete it and make another one.
      </SecretDialog>
    );
  return (
    <KeyForm
      pending={make.isPending}
      error={make.error}
      onSubmit={(order) => make.mutate(order)}
      onClose={make.close}
    />
  );
}

type FormProps = {
  pending: boolean;
  error: Error | null;
  onSubmit: (order: Order) => void;
  onClose: () => void;
};

function KeyForm({ pending, error, onSubmit, onClose }: FormProps) {
  const [scopes, setScopes] = useState<string[]>([...SCOPES]);
  const [addresses, setAddresses] = useState('');
  const [tried, setTried] = useState(false);
  const details = error instanceof ApiError ? error.details : [];
  const address_fault = addressFault(details, readAddresses(addresses));
  const name_fault = error instanceof ApiError ? error.fieldMessage('name') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (scopes.length === 0) return;
    const form = new FormData(event.currentTarget);
    const days = String(form.get('expires'));
    const allowed_ips = readAddresses(addresses);
    onSubmit({
      name: String(form.get('name')).trim(),
      scopes: scopes as Scope[],
      ...(days === NEVER ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      ...(allowed_ips ? { allowed_ips } : {}),
    });
  }

  return (
    <Dialog onClose={onClose} withCloseButton={!pending} closeOnClickOutside={false} title="New API key">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="name"
            label="Name"
            description="The program that uses it"
            required
            maxLength={100}
            autoComplete="off"
            data-autofocus
            error={name_fault && `The name ${name_fault}.`}
          />
          <Checkbox.Group
            label="Rights"
            value={scopes}
            onChange={setScopes}
            error={tried && scopes.length === 0 ? 'Choose at least one right.' : null}
          >
            <Stack gap="xs" my="xs">
              {SCOPES.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={SCOPE_WORDS[scope].label}
                  description={SCOPE_WORDS[scope].may}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <NativeSelect name="expires" label="Expires" data={DURATIONS} defaultValue="365" />
          <AddressesField value={addresses} error={address_fault} onChange={setAddresses} />
          {error && !name_fault && !address_fault && <ErrorAlert error={error} />}
          {mayHaveTakenEffect(error) && (
            <Alert color="orange" title="The key may have been made">
              The answer with it was lost. If the key is in the list, delete it, and make another one.
            </Alert>
          )}
          <FormButtons action="Create the key" pending={pending} locked onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
