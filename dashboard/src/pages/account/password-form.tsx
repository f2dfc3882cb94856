import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';

const MIN_LENGTH = 8;

type Passwords = { current_password: string; new_password: string };

export function PasswordForm() {
  const email = useSession()?.user.email;
  const [differs, setDiffers] = useState(false);
  const change = useMutation({ mutationFn: (body: Passwords) => api('changePassword', { body }) });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const new_password = String(typed.get('new_password'));
    const same = new_password === typed.get('repeated');
    setDiffers(!same);
    if (!same) return;
    const body = { current_password: String(typed.get('current_password')), new_password };
    change.mutate(body, {
      onSuccess: () => {
        form.reset();
        notifications.show({
          color: 'teal',
          title: 'Password changed',
          message: 'All your other sessions have ended.',
        });
      },
    });
  }

  const { wrong, invalid, other } = faultsOf(change.error);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          You stay signed in here. All your other sessions end at once. API keys do not change.
        </Text>
        {other && <ErrorAlert error={other} />}
        {/* Tells a password manager whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email ?? ''} readOnly />
        <PasswordInput
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          required
          error={wrong}
        />
        <PasswordInput
          name="new_password"
          label="New password"
          description={`At least ${MIN_LENGTH} characters. A passphrase of several words is easy to remember.`}
          autoComplete="new-password"
          minLength={MIN_LENGTH}
          maxLength={1024}
          required
          error={invalid}
        />
        <PasswordInput
          name="repeated"
          label="Repeat new password"
          autoComplete="new-password"
          required
          onChange={() => setDiffers(false)}
          error={differs && 'The passwords do not match.'}
        />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The field that has the error, or the whole error. */
function faultsOf(error: Error | null) {
  const wrong = error instanceof ApiError && error.code === 'wrong_credentials' ? error.message : null;
  const invalid = error instanceof ApiError ? error.fieldMessage('new_password') : null;
  return { wrong, invalid, other: wrong || invalid ? null : error };
}
