import { Box, Center, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { factorsQuery } from '../../api/factors.ts';
import type { DataOf } from '../../api/operations.ts';
import { Copyable } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { BeginFields, type Begun, beginFault, readBegin } from './begin-fields.tsx';
import { NewRecoveryCodes } from './recovery-codes.tsx';

type Props = { isFirst: boolean; onClose: () => void };

/** First name and password, then the QR code and a code of the app, then the recovery codes of a first factor. */
export function AddApp({ isFirst, onClose }: Props) {
  const [pending, setPending] = useState<DataOf<'beginTotp'> | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <NewRecoveryCodes codes={codes} onStored={onClose} />;
  if (!pending) return <Begin isFirst={isFirst} onBegun={setPending} onClose={onClose} />;
  return (
    <Confirm
      pending={pending}
      onAdded={({ recovery_codes }) => (recovery_codes ? setCodes(recovery_codes) : onClose())}
      onClose={onClose}
    />
  );
}

type BeginProps = Props & { onBegun: (begun: DataOf<'beginTotp'>) => void };

function Begin({ isFirst, onBegun, onClose }: BeginProps) {
  const begin = useMutation({
    mutationFn: (body: Begun) => api('beginTotp', { body }),
    onSuccess: onBegun,
  });
  const fault = beginFault(begin.error);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    begin.mutate(readBegin(event.currentTarget));
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="Add an authenticator app">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            An app on your phone, such as a password manager, shows a new code every 30 seconds.
          </Text>
          <BeginFields isFirst={isFirst} placeholder="My phone" fault={fault} />
          {begin.error && !fault.field && <ErrorAlert error={begin.error} />}
          <FormButtons action="Continue" pending={begin.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

type ConfirmProps = {
  pending: DataOf<'beginTotp'>;
  onAdded: (added: DataOf<'confirmTotp'>) => void;
  onClose: () => void;
};

function Confirm({ pending: { id, secret, uri }, onAdded, onClose }: ConfirmProps) {
  const client = useQueryClient();
  const confirm = useSecretMutation(
    {
      mutationFn: async (code: string) =>
        onAdded(await api('confirmTotp', { factor_id: id, body: { code } })),
      onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    },
    onClose,
  );
  const invalid = confirm.error instanceof ApiError ? confirm.error.fieldMessage('code') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    confirm.mutate(String(new FormData(event.currentTarget).get('code')));
  }

  return (
    <Dialog onClose={confirm.close} closeOnClickOutside={false} title="Scan the QR code">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Scan it with the app, or type the secret. Then enter the code that the app shows.
          </Text>
          <Center>
            {/* Black on white in dark mode too, for cameras. */}
            <Box bg="white" p="md" bdrs="md" lh={0}>
              <QRCodeSVG value={uri} size={200} marginSize={1} title="QR code of the secret" />
            </Box>
          </Center>
          <Text size="sm">
            Secret: <Copyable value={secret} what="secret" ends={16} />
          </Text>
          <TextInput
            name="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={64}
            required
            error={invalid && `This ${invalid}.`}
            data-autofocus
          />
          {confirm.error && !invalid && <ErrorAlert error={confirm.error} />}
          <FormButtons action="Add" pending={confirm.isPending} onClose={confirm.close} />
        </Stack>
      </form>
    </Dialog>
  );
}
