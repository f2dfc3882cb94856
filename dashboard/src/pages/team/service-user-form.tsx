import { Alert, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ApiError, api, mayHaveTakenEffect } from '../../api/client.ts';
import type { ServiceRole, ServiceUser } from '../../api/contract.ts';
import { SERVICE_ROLES, serviceUsersQuery } from '../../api/team.ts';
import { AddressesField } from '../../components/addresses-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { addressFault, readAddresses } from '../../text/addresses.ts';
import { isolated } from '../../text/isolate.ts';
import { memberErrorWords } from './member-errors.ts';
import { type PublicKeys, publicKeyFault, readPublicKeys } from './public-keys.ts';
import { chosenRights, type RightsChoice } from './rights.ts';
import { RightsFields } from './rights-fields.tsx';

type Typed = {
  name: string;
  role: ServiceRole;
  wallet_ids: string[] | null;
  allowed_ips: string[] | null;
  /** Null where the service user has none, or keeps those that it has. */
  public_keys: PublicKeys | null;
};

/** Asks for the rights of a service user, then shows its client id and its secret once. */
export function NewServiceUserDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const make = useSecretMutation(
    {
      mutationFn: ({ name, role, ...more }: Typed) =>
        api('createServiceUser', { body: { name, role, ...given(more) } }),
      onSettled: () => client.invalidateQueries({ queryKey: serviceUsersQuery.queryKey }),
    },
    onClose,
  );
  if (make.data) {
    const { client_id, client_secret } = make.data;
    return (
      <SecretDialog
        title="New service user"
        what={client_secret === null ? 'client id' : 'client secret'}
        secret={client_secret ?? client_id}
        action="Done"
        onStored={onClose}
      >
        {client_secret === null ? (
          <>The client id is iss and sub of its assertions. The list of service users shows it again.</>
        ) : (
          <>
            The client id is <code style={{ overflowWrap: 'anywhere' }}>{client_id}</code>; the list shows it
            again. The backend exchanges both for a token at <code>POST /v1/auth/token</code>.
          </>
        )}
      </SecretDialog>
    );
  }
  return (
    <ServiceUserForm
      title="New service user"
      action="Create"
      pending={make.isPending}
      error={make.error}
      onSubmit={(typed) => make.mutate(typed)}
      onClose={make.close}
    >
      {mayHaveTakenEffect(make.error) && (
        <Alert color="orange" title="The service user may have been made">
          The answer with its secret was lost. If it is in the list, give it another secret.
        </Alert>
      )}
    </ServiceUserForm>
  );
}

/** Without what is null: the API takes its absence for “all” or “none”. */
function given(more: Pick<Typed, 'wallet_ids' | 'allowed_ips' | 'public_keys'>) {
  const { wallet_ids, allowed_ips, public_keys } = more;
  return {
    ...(wallet_ids ? { wallet_ids } : {}),
    ...(allowed_ips ? { allowed_ips } : {}),
    ...(public_keys ? { public_keys } : {}),
  };
}

type ChangeProps = { service_user: ServiceUser; onClose: () => void };

export function ChangeServiceUser({ service_user, onClose }: ChangeProps) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ name, role, ...more }: Typed) => {
      const all = {
        ...(more.wallet_ids ? {} : { all_wallets: true as const }),
        ...(more.allowed_ips ? {} : { all_addresses: true as const }),
      };
      const body = { name, role, ...given(more), ...all };
      return api('changeServiceUser', { service_user_id: service_user.id, body });
    },
    onSettled: () => client.invalidateQueries({ queryKey: serviceUsersQuery.queryKey }),
    onSuccess: onClose,
  });
  return (
    <ServiceUserForm
      title={`Change ${isolated(service_user.name)}`}
      action="Save"
      before={service_user}
      pending={change.isPending}
      error={change.error}
      onSubmit={(typed) => change.mutate(typed)}
      onClose={onClose}
    >
      <Text size="sm">The change applies from its next request, also with a token that it has.</Text>
    </ServiceUserForm>
  );
}

type FormProps = {
  title: string;
  action: string;
  /** The service user that is changed. */
  before?: ServiceUser;
  pending: boolean;
  error: Error | null;
  children: ReactNode;
  onSubmit: (typed: Typed) => void;
  onClose: () => void;
};

function ServiceUserForm({ title, action, before, pending, error, children, ...on }: FormProps) {
  const [rights, setRights] = useState<RightsChoice>(before ?? { role: null, wallet_ids: null });
  const [addresses, setAddresses] = useState(before?.allowed_ips?.join('\n') ?? '');
  const [keys, setKeys] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const faults = faultsOf(error, addresses);
  const no_keys = tried && keys !== null && readPublicKeys(keys) === null ? 'This is no JSON Web Key.' : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    const public_keys = keys === null ? null : readPublicKeys(keys);
    const chosen = chosenRights(rights);
    if (!chosen || (keys !== null && public_keys === null)) return;
    const { role, wallet_ids } = chosen;
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    const allowed_ips = readAddresses(addresses);
    on.onSubmit({ name, role: role as ServiceRole, wallet_ids, allowed_ips, public_keys });
  }

  return (
    <Dialog
      onClose={() => !pending && on.onClose()}
      withCloseButton={!pending}
      closeOnClickOutside={false}
      title={title}
      size="lg"
    >
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
            defaultValue={before?.name ?? ''}
            error={faults.name}
          />
          <RightsFields
            rights={rights}
            tried={tried}
            refused={faults.wallets}
            onChange={setRights}
            roles={SERVICE_ROLES}
          />
          <AddressesField value={addresses} error={faults.addresses} onChange={setAddresses} />
          <CredentialFields isNew={!before} keys={keys} error={faults.keys ?? no_keys} onChange={setKeys} />
          {error && !Object.values(faults).some(Boolean) && (
            <ErrorAlert error={error} words={memberErrorWords(error)} />
          )}
          {children}
          <FormButtons action={action} pending={pending} locked onClose={on.onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** What the service found wrong, for each field. */
function faultsOf(error: Error | null, addresses: string) {
  const known = error instanceof ApiError ? error : null;
  const of = (field: string, name: string) => {
    const message = known?.fieldMessage(field);
    return message ? `${name} ${message}.` : null;
  };
  return {
    name: of('name', 'The name'),
    wallets: of('wallet_ids', 'The wallets:'),
    addresses: addressFault(known?.details ?? [], readAddresses(addresses)),
    keys: publicKeyFault(known?.details ?? []),
  };
}

type CredentialProps = {
  isNew: boolean;
  /** The text of the keys; null where none are given. */
  keys: string | null;
  error: string | null;
  onChange: (keys: string | null) => void;
};

function CredentialFields({ isNew, keys, error, onChange }: CredentialProps) {
  return (
    <>
      <Radio.Group
        label={isNew ? 'Credential' : 'Public keys'}
        value={keys === null ? 'none' : 'keys'}
        onChange={(value) => onChange(value === 'keys' ? '' : null)}
      >
        <Stack gap="xs" my="xs">
          <Radio value="none" label={isNew ? 'A secret, which is shown once' : 'Keep them as they are'} />
          <Radio
            value="keys"
            label={isNew ? 'A public key of yours: the private one stays with you' : 'Replace all of them'}
          />
        </Stack>
      </Radio.Group>
      {keys !== null && (
        <Textarea
          label="Public keys"
          description="A JSON Web Key, or a set of them (JWKS): Ed25519 or P-256."
          autosize
          minRows={4}
          maxRows={10}
          spellCheck={false}
          className="mono"
          value={keys}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
        />
      )}
    </>
  );
}
