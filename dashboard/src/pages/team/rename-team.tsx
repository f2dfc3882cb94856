import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { teamQuery } from '../../api/team.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';

export function RenameTeam({ name, onClose }: { name: string; onClose: () => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (typed: string) => api('changeTeam', { body: { name: typed } }),
    onSuccess: (team) => {
      client.setQueryData(teamQuery.queryKey, team);
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
      onClose();
    },
  });
  const invalid = change.error instanceof ApiError ? change.error.fieldMessage('name') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    change.mutate(String(new FormData(event.currentTarget).get('name')));
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="Rename team">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="name"
            label="Name"
            description="All members see it."
            required
            maxLength={100}
            autoComplete="off"
            defaultValue={name}
            error={invalid && `The name ${invalid}.`}
            data-autofocus
          />
          {change.error && !invalid && <ErrorAlert error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
