import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import type { Payee } from '../../api/contract.ts';
import { payeesQuery } from '../../api/payees.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { isolated } from '../../text/isolate.ts';

type Props = { payee: Payee; onClose: () => void };

/** Changes the name or the note of a payee, or asks for the approvals that another name needs. */
export function ChangePayee({ payee, onClose }: Props) {
  const [name, setName] = useState(payee.name);
  const [note, setNote] = useState(payee.note ?? '');
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      api('changePayee', {
        payee_id: payee.id,
        body: {
          ...(name.trim() === payee.name ? {} : { name: name.trim() }),
          ...(note.trim() === (payee.note ?? '') ? {} : { note: note.trim() }),
        },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: payeesQuery.queryKey });
      onClose();
    },
  });
  const invalid = change.error instanceof ApiError ? change.error.fieldMessage('name') : null;
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    change.mutate();
  }
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="Change payee">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            description="Under another name it is marked as new for a day"
            required
            maxLength={100}
            autoComplete="off"
            value={name}
            error={invalid && `The name ${invalid}.`}
            data-autofocus
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Textarea
            label="Note"
            autosize
            maxRows={5}
            maxLength={500}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          {change.error && !invalid && <ErrorAlert error={change.error} />}
          <FormButtons action="Save" pending={change.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

type DeleteProps = Props & { onDeleted: (() => void) | undefined };

export function DeletePayee({ payee, onClose, onDeleted }: DeleteProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api('deletePayee', { payee_id: payee.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: payeesQuery.queryKey });
      onClose();
      onDeleted?.();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete the payee ${isolated(payee.name)}?`}
      action="Delete"
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="mono" mb="sm" style={{ overflowWrap: 'anywhere' }}>
        {payee.destination}
      </Text>
      Its payments stay, and it can no longer be chosen. The address itself can still be paid.
    </ConfirmDialog>
  );
}
