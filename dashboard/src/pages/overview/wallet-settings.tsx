import { Button, Divider, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSettings } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import type { Wallet } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import type { BodyOf } from '../../api/operations.ts';
import { walletQuery, walletsQuery } from '../../api/wallets.ts';
import { Details } from '../../components/details.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { DepositMinimums } from './deposit-minimums.tsx';

/** The settings of a wallet. A reader whose role cannot change them sees them. */
export function WalletSettings({ wallet }: { wallet: Wallet }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconSettings size={16} />} onClick={open}>
        Settings
      </Button>
      {opened && <SettingsDialog wallet={wallet} onClose={close} />}
    </>
  );
}

type Props = { wallet: Wallet; onClose: () => void };
type Change = BodyOf<'changeWallet'>;

function SettingsDialog({ wallet, onClose }: Props) {
  const mayChange = useMay()('changeWallet');
  /** Escape closes the dialog of the minimums alone while that is open. */
  const [changing, setChanging] = useState(false);
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!changing}
      title="Wallet settings"
      size="lg"
    >
      <Stack gap="lg">
        {mayChange ? <SettingsForm wallet={wallet} onClose={onClose} /> : <ShownSettings wallet={wallet} />}
        <Divider />
        <DepositMinimums walletId={wallet.id} changing={changing} onChange={setChanging} />
      </Stack>
    </Dialog>
  );
}

function ShownSettings({ wallet: { name, numeric_memo_text } }: { wallet: Wallet }) {
  return (
    <Stack gap="sm">
      <Details
        rows={[
          ['Name', name],
          ['Numeric memo text', numeric_memo_text ? 'counts as a memo id' : 'does not count as a memo id'],
        ]}
      />
      <Text size="sm" c="dimmed">
        Owners and admins of the team change the settings.
      </Text>
    </Stack>
  );
}

function SettingsForm({ wallet, onClose }: Props) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Change) => api('changeWallet', { id: wallet.id, body }),
    onSuccess: (changed) => {
      client.setQueryData(walletQuery(wallet.id).queryKey, changed);
      void client.invalidateQueries({ queryKey: walletsQuery.queryKey });
      onClose();
    },
  });
  const invalid = change.error instanceof ApiError ? change.error.fieldMessage('name') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change.mutate({ name: String(form.get('name')), numeric_memo_text: form.has('numeric_memo_text') });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="name"
          label="Name"
          description="For your reference. It is not published on the network."
          required
          maxLength={100}
          autoComplete="off"
          defaultValue={wallet.name}
          error={invalid && `The name ${invalid}.`}
          data-autofocus
        />
        <Switch
          name="numeric_memo_text"
          label="Accept a numeric memo text as a memo id"
          description="For senders whose wallet app cannot send a memo id. Applies to deposits read from now on."
          defaultChecked={wallet.numeric_memo_text}
        />
        {change.error && !invalid && <ErrorAlert error={change.error} />}
        <FormButtons action="Save" pending={change.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}
