import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { ApiError, api } from '../../api/client.ts';
import type { Factor } from '../../api/contract.ts';
import { factorsQuery } from '../../api/factors.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';

export function RenameFactor({ factor, onClose }: { factor: Factor; onClose: () => void }) {
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => api('renameFactor', { factor_id: factor.id, body: { name } }),
    onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    onSuccess: onClose,
  });
  const invalid = rename.error instanceof ApiError ? rename.error.fieldMessage('name') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    rename.mutate(String(new FormData(event.currentTarget).get('name')));
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="Rename the factor">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="name"
            label="Name"
            required
            maxLength={100}
            autoComplete="off"
            defaultValue={factor.name}
            error={invalid && `The name ${invalid}.`}
            data-autofocus
          />
          {rename.error && !invalid && <ErrorAlert error={rename.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

export function RemoveFactor({
  factor,
  isLast,
  onClose,
}: {
  factor: Factor;
  isLast: boolean;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api('removeFactor', { factor_id: factor.id }),
    onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={`Remove ${factor.name}?`}
      action="Remove"
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isLast
        ? 'It is your last second factor: from then on the password alone signs in as you. The recovery codes end too. '
        : 'It no longer signs in as you. '}
      All your other sessions end at once.
    </ConfirmDialog>
  );
}
