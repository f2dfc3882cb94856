import { Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { JsonEditor, readJson } from './json-editor.tsx';

type NewAddress = { label?: string; metadata?: Record<string, unknown> };

/** Asks for a label and metadata, then opens the page of the new address. */
export function CreateAddress({ walletId, onClose }: { walletId: string; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [label, setLabel] = useState('');
  const [metadata, setMetadata] = useState('');
  const create = useMutation({
    mutationFn: (body: NewAddress) => api('createDepositAddress', { id: walletId, body }),
    onSuccess: async ({ id }) => {
      void client.invalidateQueries({ queryKey: ['wallet', walletId, 'addresses'] });
      await navigate({ to: '/wallets/$walletId/addresses/$addressId', params: { walletId, addressId: id } });
    },
  });
  const read = readJson(metadata);
  const problem = 'problem' in read ? read.problem : null;
  const of = (field: string) => (create.error instanceof ApiError ? create.error.fieldMessage(field) : null);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if ('problem' in read) return document.getElementById('metadata')?.focus();
    const name = label.trim();
    create.mutate({
      ...(name === '' ? {} : { label: name }),
      ...(read.value ? { metadata: read.value } : {}),
    });
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="New deposit address" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Label"
            description="For your reference, such as the customer’s name"
            maxLength={200}
            autoComplete="off"
            data-autofocus
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={of('label')}
          />
          <JsonEditor
            id="metadata"
            label="Metadata"
            description="Your own JSON object. Every deposit to this address carries it. Numbers stay exact."
            value={metadata}
            onChange={(text) => {
              setMetadata(text);
              create.reset();
            }}
            problem={problem ?? of('metadata')}
          />
          {create.error && !of('label') && !of('metadata') && <ErrorAlert error={create.error} />}
          <FormButtons action="Create address" pending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
