import { Alert, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { factorsQuery, makePasskey, passkeyProblem } from '../../api/factors.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { BeginFields, type Begun, beginFault, readBegin } from './begin-fields.tsx';
import { NewRecoveryCodes } from './recovery-codes.tsx';

type Props = { isFirst: boolean; onClose: () => void };

export function AddPasskey({ isFirst, onClose }: Props) {
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  const add = useSecretMutation(
    {
      mutationFn: async ({ name, ...password }: Begun) => {
        const passkey = await makePasskey(await api('beginPasskey', { body: password }));
        const { recovery_codes } = await api('addPasskey', { body: { name, passkey } });
        if (recovery_codes) setCodes(recovery_codes);
        else onClose();
      },
      onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    },
    onClose,
  );
  if (codes) return <NewRecoveryCodes codes={codes} onStored={onClose} />;
  const fault = beginFault(add.error);
  const problem = passkeyProblem(add.error);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    add.mutate(readBegin(event.currentTarget));
  }

  return (
    <Dialog onClose={add.close} closeOnClickOutside={false} title="Add a passkey">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Your device, or a security key, signs for you with its fingerprint, face or PIN. A copied web page
            gets nothing from a passkey.
          </Text>
          <BeginFields isFirst={isFirst} placeholder="My laptop" fault={fault} />
          {problem && (
            <Alert color="orange" role="alert">
              {problem}
            </Alert>
          )}
          {add.error && !problem && !fault.field && <ErrorAlert error={add.error} />}
          <FormButtons action="Add" pending={add.isPending} onClose={add.close} />
        </Stack>
      </form>
    </Dialog>
  );
}
