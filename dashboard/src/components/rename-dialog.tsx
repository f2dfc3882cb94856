import { Stack, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { ApiError } from '../api/client.ts';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { FormButtons } from './form-buttons.tsx';

type Rename = { mutate: (name: string) => void; error: Error | null; isPending: boolean };

/** Asks for a new name. `rename` sends it, as a mutation does; its owner closes the dialog when the name is saved. */
export function RenameDialog({
  title,
  name,
  description,
  rename,
  onClose,
}: {
  title: string;
  name: string;
  description?: string;
  rename: Rename;
  onClose: () => void;
}) {
  const invalid = rename.error instanceof ApiError ? rename.error.fieldMessage('name') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    rename.mutate(String(new FormData(event.currentTarget).get('name')));
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="name"
            label="Name"
            description={description}
            required
            maxLength={100}
            autoComplete="off"
            defaultValue={name}
            error={invalid && `The name ${invalid}.`}
            data-autofocus
          />
          {rename.error && !invalid && <ErrorAlert error={rename.error} />}
          <FormButtons action="Save" pending={rename.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
